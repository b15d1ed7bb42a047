import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { silentMp3 } from '../../support/builders'
import { startClock, startTestApp, type TestApp } from '../../support/app'
import { serveBytes, startFeedHost } from '../../support/feed-host'
import { startPublisher, styles, type FeedStyle } from '../../support/feed-histories'
import { startRandom } from '../../support/random'

// Feeds of every style go through random histories; beside them stands what their publisher knows. No two episodes may
// ever share a row, and no file may play under the title of another. FEED_RUNS=300 plays more histories, FEED_SEED one.

const STEPS = 14
const runs = Number(process.env.FEED_RUNS ?? 5)
const seeds = process.env.FEED_SEED
  ? [Number(process.env.FEED_SEED)]
  : Array.from({ length: runs }, (_, index) => index + 1)

const rowsOf = (app: TestApp, podcastId: number) =>
  app.context.store.episodes.knownOf(podcastId).map(({ id }) => app.context.store.episodes.find(id)!)
const truthOf = (notes: string) => /truth-\d+/.exec(notes)?.[0] ?? ''

/** A recording that says whose it is. */
function recordingOf(key: string, size: number): Uint8Array {
  const bytes = silentMp3(Math.ceil((size / 417) * (1152 / 44100)) + 1).slice(0, size)
  bytes.set(new TextEncoder().encode(key.padEnd(16)), size - 16)
  return bytes
}
const speakerOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes.slice(-16)).trim()

/** True when a feed has enough marks to tell its episodes apart, whichever one a step changes. */
const tellsApart = ({ guid, address, title, date, length }: FeedStyle) => {
  const isMisleading = guid === 'by place'
  const telling = [
    guid === 'own',
    title === 'own',
    date === 'own' || (date === 'day' && !isMisleading),
    address !== 'one for all' && !isMisleading,
  ]
  return telling.filter(Boolean).length >= 2 || (guid === 'own' && length === 'true')
}

test.each(seeds)('no history of a feed makes one episode of two, or plays a file as another (%i)', async seed => {
  const random = startRandom(seed)
  const drawStyle = (): FeedStyle => ({
    guid: random.pick(styles.guid),
    address: random.pick(styles.address),
    title: random.pick(styles.title),
    date: random.pick(styles.date),
    length: random.pick(styles.length),
  })
  let style = drawStyle()
  while (!tellsApart(style)) style = drawStyle()

  using host = startFeedHost()
  const clock = startClock(Date.UTC(2026, 6, 1))
  await using app = await startTestApp({ now: clock })
  app.prefill(2)
  const publisher = startPublisher(style, host.origin, random)
  const serve = (request: Request, url: URL) => {
    const truth = publisher.at(url)
    return truth
      ? serveBytes(request, recordingOf(truth.key, truth.size), 'audio/mpeg', `"${truth.key}"`)
      : new Response('gone', { status: 404 })
  }
  host.on('/media/get.php', serve)
  host.on('/media/newscast.mp3', serve)
  const feed = host.on('/feed.xml', () => new Response(publisher.feed()))
  const serveFiles = () => {
    for (const { file } of publisher.all.values()) host.on(`/media/${file}.mp3`, serve)
  }
  serveFiles()
  const podcast = await app.podcasts.add(feed)
  const podcastId = app.context.store.podcasts.findVisible(app.context.admin, podcast.id)!.id

  const whose = new Map<number, string>()
  const counts = new Map<string, number>()
  const story: string[] = [JSON.stringify(style)]

  async function check() {
    await app.context.downloads.settled()
    const rows = rowsOf(app, podcastId)
    for (const row of rows) {
      const truth = truthOf(row.notes)
      const before = whose.get(row.id) ?? truth
      if (before !== truth) throw new Error(`a row of ${before} became ${truth}\n${story.join('\n')}`)
      whose.set(row.id, truth)
      if (!row.file_path) continue
      const bytes = await Bun.file(join(app.folder, 'podcasts', row.file_path)).bytes()
      if (speakerOf(bytes) !== truth)
        throw new Error(`${row.title} (${truth}) plays ${speakerOf(bytes)}\n${story.join('\n')}`)
    }
    const present = new Set(rows.map(row => truthOf(row.notes)))
    for (const key of publisher.listed()) if (!present.has(key)) throw new Error(`${key} is lost\n${story.join('\n')}`)
    // An episode that was changed in one mark alone is still recognised: none is invented.
    for (const [key, before] of counts) {
      const isKnown = publisher.changesOf(key).size <= 1 && isSteady(style)
      const count = rows.filter(row => truthOf(row.notes) === key).length
      if (isKnown && count > before) throw new Error(`${key} is there ${count} times\n${story.join('\n')}`)
    }
    for (const key of present) counts.set(key, rows.filter(row => truthOf(row.notes) === key).length)
  }
  await check()

  for (let step = 0; step < STEPS; step++) {
    // A download that failed has its feed read again: the next refresh would join that one.
    await app.context.refresh.refresh(podcastId)
    for (let count = random.between(1, 2); count > 0; count--) {
      const command = random.pick(Object.keys(publisher.commands) as (keyof typeof publisher.commands)[])
      publisher.commands[command]()
      story.push(command)
    }
    serveFiles()
    clock.advance(60 * 60 * 1000)
    const outcome = await app.context.refresh.refresh(podcastId)
    expect(outcome.result).not.toBe('failed')
    await check()
    publisher.wasRead()
    story.push('read')
    if (random.chance(50)) {
      const row = random.pick(rowsOf(app, podcastId))
      if (!row.file_path) {
        await app.episodes.download(row.uuid).catch(() => undefined)
        story.push(`download ${row.title}`)
      }
      await check()
    }
  }
})

/** Feeds in which one change at a time leaves enough to recognise an episode by. */
const isSteady = ({ guid, address, title, date }: FeedStyle) =>
  guid === 'own' && address !== 'one for all' && title === 'own' && date !== 'none'
