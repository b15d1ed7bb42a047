import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'bun:test'
import { runDoctorCommand } from '../../../src/server/cli/doctor'
import { migrations } from '../../../src/server/store/migrations'
import { carried } from '../../../src/server/store/twins'
import { startClock, startTestApp, type TestApp } from '../../support/app'
import { rss, type ItemSpec } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { facts } from '../store/plant'
import { openBeside } from '../../support/other-writer'

// Earlier releases took an episode for a new one when its publisher moved the feed or published it again. These tests
// store the rows as those releases did, and read the feed once more.

const DAY = 86_400_000
const first = Date.UTC(2026, 0, 1, 6)
const item = (index: number, more: Partial<ItemSpec> = {}): ItemSpec => ({
  guid: `g${index}`,
  title: `Part ${index} at sea`,
  enclosure: `https://cdn.example/${index}.mp3`,
  date: new Date(first + index * DAY).toUTCString(),
  length: 5_000_000 + 321 * index,
  ...more,
})
const movedItem = (index: number) =>
  item(index, {
    guid: `new-${index}`,
    enclosure: `https://new.example/show/${index}.mp3`,
    date: new Date(first + index * DAY + 25 * 3600_000).toUTCString(),
    length: 5_000_001 + 321 * index,
  })

/** A podcast of `count` episodes, as it was before the second rows came. */
async function startLibrary(count: number) {
  const host = startFeedHost()
  const clock = startClock(Date.UTC(2026, 10, 1))
  const app = await startTestApp({ now: clock })
  app.prefill(0)
  const newestFirst = (of: (index: number) => ItemSpec) =>
    Array.from({ length: count }, (_, index) => of(count - index))
  let items = newestFirst(index => item(index))
  const feed = host.on('/feed.xml', () => new Response(rss({ items })))
  const { id } = await app.podcasts.add(feed)
  const { store, admin } = app.context
  const podcastId = store.podcasts.findVisible(admin, id)!.id
  const db = openBeside(join(app.folder, 'castellan.db'))

  return {
    app,
    clock,
    podcastId,
    userId: admin.id,
    db,
    rows: () => store.episodes.knownOf(podcastId),
    /** Adds the row that an earlier release made of an item that it didn't recognise; answers its id. */
    addTwin(spec: ItemSpec, guid = spec.guid!) {
      const at = Date.parse(spec.date!)
      const enclosure = { enclosure_url: spec.enclosure!, enclosure_size: spec.length! }
      return store.episodes.add(
        podcastId,
        { ...facts(spec.title!), ...enclosure, guid, feed_guid: spec.guid!, announced_at: at },
        at,
        clock(),
      )
    },
    vanish: (ids: readonly number[]) => store.episodes.markInFeed(ids, false),
    async readAfterUpdate(of: (index: number) => ItemSpec) {
      items = newestFirst(of)
      db.run('UPDATE podcast SET twins_sought = 0')
      return app.context.refresh.refresh(podcastId, { isAsked: true })
    },
    async [Symbol.asyncDispose]() {
      db.close()
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

/** Gives an episode a file of some bytes, as a download does. */
function addFile({ folder }: TestApp, db: Database, id: number, name: string): string {
  const path = join(folder, 'podcasts', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, name)
  db.run('UPDATE episode SET file_path = ?, file_size = 3, file_type = ?, downloaded_at = 1 WHERE id = ?', [
    name,
    'audio/mpeg',
    id,
  ])
  return path
}

test('five hundred episodes that a move brought twice are one each, with what people did to either', async () => {
  await using library = await startLibrary(500)
  const { app, db, userId, podcastId, clock } = library
  const { store } = app.context
  const old = library.rows()
  clock.advance(30 * DAY)
  const twins = old.map((_, index) => library.addTwin(movedItem(index + 1)))
  library.vanish(old.map(({ id }) => id))
  const [playedOld, playedNew, likedNew, queuedNew] = [3, 4, 5, 6]
  const heard = { podcast_id: podcastId, user_id: userId, started: 1, total: 600, device: 'web' }
  store.playback.save({ ...heard, episode_id: old[playedOld]!.id, position: 600, finished: 1, updated_at: 10 })
  store.playback.save({ ...heard, episode_id: twins[playedOld]!, position: 20, finished: 0, updated_at: 20 })
  store.playback.save({ ...heard, episode_id: twins[playedNew]!, position: 77, finished: 0, updated_at: 20 })
  store.episodes.like(userId, twins[likedNew]!, true, 5)
  db.run('INSERT INTO queue_item (user_id, episode_id, uuid, place, added_at) VALUES (?, ?, ?, 1, 1)', [
    userId,
    twins[queuedNew]!,
    'q',
  ])
  const kept = addFile(app, db, old[7]!.id, 'old7.mp3')
  const second = addFile(app, db, twins[7]!, 'new7.mp3')
  addFile(app, db, twins[8]!, 'new8.mp3')
  const notices = app.events.length

  expect(await library.readAfterUpdate(movedItem)).toMatchObject({ result: 'updated', added: 0 })

  const rows = library.rows()
  expect(rows.map(({ id }) => id)).toEqual(old.map(({ id }) => id))
  expect(rows[0]).toMatchObject({
    guid: 'new-1',
    feed_guid: 'new-1',
    in_feed: 1,
    enclosure_url: 'https://new.example/show/1.mp3',
  })
  expect(store.playback.find(userId, old[playedOld]!.id)).toMatchObject({ finished: 1, position: 600 })
  expect(store.playback.find(userId, old[playedNew]!.id)).toMatchObject({ finished: 0, position: 77 })
  const one = <T>(sql: string, ...values: number[]) => db.query<T, number[]>(sql).get(...values)
  expect(one('SELECT 1 AS liked FROM episode_like WHERE episode_id = ?', old[likedNew]!.id)).toEqual({ liked: 1 })
  expect(one('SELECT uuid FROM queue_item WHERE episode_id = ?', old[queuedNew]!.id)).toEqual({ uuid: 'q' })
  expect(store.episodes.find(old[7]!.id)!.file_path).toBe('old7.mp3')
  expect(store.episodes.find(old[8]!.id)!.file_path).toBe('new8.mp3')
  expect(one('SELECT episode_count AS count, file_count AS files FROM podcast WHERE id = ?', podcastId)).toEqual({
    count: 500,
    files: 2,
  })
  expect(app.events.slice(notices).filter(({ type }) => type === 'addedEpisodes')).toEqual([])

  await app.context.forgotten.recover('folder')
  expect([existsSync(kept), existsSync(second)]).toEqual([true, false])
  expect(await library.readAfterUpdate(index => ({ ...movedItem(index), notes: 'Edited' }))).toMatchObject({ added: 0 })
  expect(library.rows()).toHaveLength(500)
})

test('an episode that was published again under its guid is one, and has the guid of its publisher', async () => {
  await using library = await startLibrary(5)
  const [older] = library.rows()
  library.clock.advance(DAY)
  const again = item(1, { date: new Date(first + 40 * DAY).toUTCString(), length: 6_000_000 })
  const twin = library.addTwin(again, 'g1#cdn.example/1.mp3')
  library.vanish([older!.id])
  library.app.context.store.episodes.markSuperseded(older!.id, true)
  await library.readAfterUpdate(index => (index === 1 ? again : item(index)))
  expect(library.rows().map(({ id }) => id)).not.toContain(twin)
  expect(library.rows().find(({ id }) => id === older!.id)).toMatchObject({ guid: 'g1', in_feed: 1, superseded: 0 })
})

test('episodes of a show with slots, of one guid for all, or with other recordings stay apart', async () => {
  await using library = await startLibrary(4)
  library.clock.advance(DAY)
  const before = library.rows()
  for (const day of [50, 51, 52])
    for (const slot of [1, 2])
      library.addTwin(
        item(slot, { date: new Date(first + day * DAY).toUTCString(), length: 7_000_000 + day * 10 + slot }),
        `g${slot}#${day}`,
      )
  library.vanish(before.map(({ id }) => id))
  const { length } = library.rows()
  await library.readAfterUpdate(index => item(100 + index))
  expect(library.rows().length).toBe(length + 4)
})

test('a guid on two items, a guid of another recording, and a rerun after a year stay two episodes', async () => {
  await using library = await startLibrary(6)
  const { clock } = library
  const [one, two, ...rest] = library.rows()
  clock.advance(DAY)
  const listedTwice = item(1, { enclosure: 'https://cdn.example/1-b.mp3' })
  library.addTwin(listedTwice, 'g1#b')
  const reused = item(2, {
    title: 'Storm',
    enclosure: 'https://cdn.example/storm.mp3',
    date: new Date(first + 90 * DAY).toUTCString(),
  })
  library.addTwin({ ...reused, length: 9_000_000 }, 'g2#storm')
  library.vanish([two!, ...rest].map(({ id }) => id))
  clock.advance(DAY)
  for (const index of [3, 4, 5, 6])
    library.addTwin({ ...movedItem(index), date: new Date(first + (365 + index) * DAY).toUTCString() })
  const before = library.rows()
  expect(before.filter(({ id }) => id === one!.id)).toMatchObject([{ in_feed: 1 }])
  clock.advance(DAY)
  await library.readAfterUpdate(index => (index === 1 ? item(1) : item(200 + index)))
  expect(library.rows().map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)))

  // It was not sure of the reused guid and of the rerun: a person is.
  const lines: string[] = []
  const doctor = (...args: string[]) => runDoctorCommand(args, library.app.context.config, line => lines.push(line))
  await doctor()
  expect(lines.join('\n')).toMatch(
    /5 pairs of episodes that may be one: "Part 2 at sea" and "Storm" of ".+Same episode as/,
  )
  lines.length = 0
  await doctor('--repair')
  await doctor()
  expect(lines.slice(1).join('\n')).toMatch(/kept apart/)
  expect(library.app.context.store.twins.countUnsure()).toBe(0)
  clock.advance(DAY)
  await library.readAfterUpdate(index => (index === 1 ? item(1) : item(300 + index)))
  expect(library.app.context.store.twins.countUnsure()).toBe(0)
})

test('every table that refers to an episode is carried over, joined, or made anew', () => {
  const joined = ['playback', 'listened', 'download', 'transcription']
  /** Made of the feed or of the file, or waiting for what will not come. */
  const left = [
    'announcement',
    'chapter',
    'document',
    'download_failure',
    'episode_apart',
    'episode_person',
    // The older row is as new as it was: the newer one came only for the feed's mistake.
    'new_episode',
    'queue_arrival',
    'read_item',
    'sidecar',
    'unsure_twin',
  ]
  using db = new Database(':memory:')
  for (const sql of migrations) db.run(sql)
  const tables = db
    .query<{ name: string }, []>(
      `SELECT DISTINCT m.name FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS f
        WHERE m.type = 'table' AND f."table" = 'episode'`,
    )
    .all()
    .map(({ name }) => name)
  expect(tables.toSorted()).toEqual([...carried, ...joined, ...left].toSorted())
})
