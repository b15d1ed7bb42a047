import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { writeAntennapod } from '../../support/foreign/antennapod'
import { writeGpodder } from '../../support/foreign/gpodder'
import { writePodfetch } from '../../support/foreign/podfetch'
import { keyedRowsOf, wrongCountsOf, type KeyedRow, type KeyedRows, type Kind } from '../../support/keyed-rows'
import { startRandom } from '../../support/random'
import { fillLibrary } from './fill'
import { actAtRandom } from './people'
import { moveIn, openWorld, undoLatest } from './world'

const RUNS = Number(process.env.UNDO_RUNS ?? 12)
const FIRST = Number(process.env.UNDO_SEED ?? 1)

const writers = [
  writeGpodder,
  writeAntennapod,
  (path: string, origin: string) => writePodfetch(path, origin, 'C'),
] as const

const ofPeople = [
  'favourites',
  'preferences',
  'rules',
  'positions',
  'likes',
  'queue',
  'bookmarks',
  'tagged',
  'listed',
] as const satisfies Kind[]

/**
 * The state that must be left: people's own for what they changed after the move; for all else, that before the move.
 */
function expectedOf(before: KeyedRows, moved: KeyedRows, acted: KeyedRows) {
  const choose = (kind: Kind, key: string): KeyedRow | undefined => {
    const [was, is] = [moved[kind].get(key), acted[kind].get(key)]
    return was?.value === is?.value ? before[kind].get(key) : is
  }
  const keysOf = (kind: Kind) => new Set([before, moved, acted].flatMap(rows => [...rows[kind].keys()]))
  const chosen = (kind: Kind) =>
    [...keysOf(kind)]
      .map(key => choose(kind, key))
      .filter(row => row !== undefined)
      .filter(({ feed }) => feed === null || acted.podcasts.has(feed))
  const left = Object.fromEntries(ofPeople.map(kind => [kind, chosen(kind)])) as Record<
    (typeof ofPeople)[number],
    KeyedRow[]
  >
  // Finished episodes leave the queue, whoever finished them.
  const finished = new Set(left.positions.filter(({ value }) => isFinished(value)).map(({ key }) => key))
  left.queue = left.queue.filter(({ key }) => acted.queue.has(key) || !finished.has(key))
  return left
}

const isFinished = (value: string | number) => (JSON.parse(String(value)) as number[])[2] === 1

const linesOf = (rows: Iterable<KeyedRow>) => [...rows].map(({ key, value }) => `${key} = ${value}`).sort()

for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
  test(`what people did after a move stays when it is undone, and nothing else of it (seed ${seed})`, async () => {
    const random = startRandom(seed)
    using host = startFeedHost()
    openWorld(host)
    const clock = startClock()
    const now = () => (clock.advance(1), clock())
    await using app = await startTestApp({ now })
    app.prefill(0)
    const people = [app.context.admin, (await app.signUp('alice')).row, (await app.signUp('bob')).row]
    if (random.chance(60)) await fillLibrary(app, host, people.slice(0, 2))
    const before = keyedRowsOf(app.folder)
    clock.advance(60_000)
    await moveIn(app, random.pick(writers)(join(temporaryFolder(), 'Database'), host.origin))
    const moved = keyedRowsOf(app.folder)
    clock.advance(60_000)
    await actAtRandom(app, people, random, random.between(0, 25))
    const acted = keyedRowsOf(app.folder)
    clock.advance(60_000)
    await undoLatest(app)
    const after = keyedRowsOf(app.folder)

    const left = expectedOf(before, moved, acted)
    for (const kind of ofPeople)
      expect({ kind, rows: linesOf(after[kind].values()) }).toEqual({ kind, rows: linesOf(left[kind]) })

    const used = new Set(Object.values(left).flatMap(rows => rows.map(({ feed }) => feed)))
    const isOtherwise = (feed: string) => moved.podcasts.get(feed)?.value !== acted.podcasts.get(feed)?.value
    const podcasts = [...acted.podcasts.keys()].filter(
      feed => before.podcasts.has(feed) || used.has(feed) || isOtherwise(feed),
    )
    expect([...after.podcasts.keys()].sort()).toEqual(podcasts.sort())
    // Episodes that the move made stay with what people did with them, and others of a podcast with it.
    const inUse = new Set(
      [...left.positions, ...left.likes, ...left.queue].map(({ key }) => key.slice(key.indexOf(' ') + 1)),
    )
    for (const [key, { feed, value }] of acted.episodes) {
      const isMade = !before.episodes.has(key) && String(value).startsWith('[0,')
      if (!after.podcasts.has(feed!)) expect(after.episodes.has(key)).toBe(false)
      else if (!isMade || inUse.has(key))
        expect({ key, isHere: after.episodes.has(key) }).toEqual({ key, isHere: true })
    }
    expect(wrongCountsOf(app.folder)).toEqual([])
    // Tags and playlists are there that were there before, that people made or changed, or that hold anything.
    for (const [kind, content] of [
      ['tags', left.tagged],
      ['playlists', left.listed],
    ] as const)
      for (const [key, row] of acted[kind]) {
        const isTheirs = before[kind].has(key) || moved[kind].get(key)?.value !== row.value
        const holds = content.some(one => one.key.startsWith(`${key} `))
        expect({ key, isHere: after[kind].has(key) }).toEqual({ key, isHere: isTheirs || holds })
      }
  })
}
