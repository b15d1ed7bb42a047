import { describe, expect, test } from 'bun:test'
import { mediaLimits } from '../../../src/server/media/limits'
import { startTestApp, type TestApp } from '../../support/app'
import { rss, silentMp3, withChapters } from '../../support/builders'
import { startFeedHost, type FeedHost } from '../../support/feed-host'
import { hostileMedia } from '../../support/hostile-media'

const MB = 1024 * 1024

/**
 * Downloads files, one podcast each; answers their episodes as they are in the end, and how much the process grew while
 * somebody looked into the file. `meanwhile` is done again and again until then.
 */
async function download(
  app: TestApp,
  host: FeedHost,
  { name, bytes, type }: { name: string; bytes: Uint8Array; type: string },
  meanwhile = () => Bun.sleep(2),
) {
  app.prefill(0)
  const enclosure = host.file(`/${Bun.hash(name)}.bin`, bytes, { type })
  const podcast = await app.podcasts.add(
    host.feed(`/${Bun.hash(name)}.xml`, rss({ title: name, items: [{ title: 'Fog', enclosure, type }] })),
  )
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const eid = data[0]!.podcastEpisode.episode_id
  await app.episodes.download(eid)
  const { id } = app.context.store.episodes.findByEid(eid)!
  let isHere = false
  void app.event('downloadFinished', event => event.episodeId === id).then(() => (isHere = true))
  const isReceived = () => app.context.store.downloads.findOfEpisode(id)?.received_bytes === bytes.byteLength
  while (!isHere && !isReceived()) await Bun.sleep(1)
  // From here on somebody looks into the file.
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  let peak = before
  do {
    await meanwhile()
    peak = Math.max(peak, process.memoryUsage.rss())
  } while (!isHere)
  await app.context.texts.settled()
  peak = Math.max(peak, process.memoryUsage.rss())
  return { episode: (await app.episodes.find(eid)).podcastEpisode, grown: peak - before }
}

async function playsAsItCame(app: TestApp, eid: string, bytes: Uint8Array) {
  const from = bytes.byteLength - 1000
  const answer = await app.fetch(`/media/${eid}`, { headers: { Range: `bytes=${from}-` } })
  return answer.status === 206 && Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(from))
}

describe('a hostile file is kept, plays, costs little memory, and says that its chapters were not read', () => {
  test.each(Object.entries(hostileMedia))('%s', async (name, { type, make, isHarmless = false }) => {
    using host = startFeedHost()
    await using app = await startTestApp()
    // A fifth is still much more than is read of any file.
    const bytes = make(0.2)
    const { episode, grown } = await download(app, host, { name, bytes, type })
    expect(episode).toMatchObject({
      status: true,
      file_size: bytes.byteLength,
      has_chapters: false,
      chapters_unread: isHarmless ? null : 'too-large',
    })
    expect(app.lines.some(line => line.includes('Chapters not read'))).toBe(!isHarmless)
    expect(await playsAsItCame(app, episode.episode_id, bytes)).toBe(true)
    expect(grown).toBeLessThan(200 * MB)
  })
})

test('while a file takes long to read, requests are answered; the reading is ended in time, and the next file is read', async () => {
  using host = startFeedHost()
  const limits = {
    ...mediaLimits,
    reads: Infinity,
    bytes: Infinity,
    single: Infinity,
    frames: Infinity,
    timeoutMs: 3000,
  }
  await using app = await startTestApp({ mediaLimits: limits })
  const { type, make } = hostileMedia['a WAV of a million notes']!
  let answered = 0
  const { episode } = await download(app, host, { name: 'endless', bytes: make(), type }, async () => {
    const [health, timeline] = await Promise.all([app.fetch('/healthz'), app.fetch('/api/v1/podcasts/timeline')])
    if (health.status === 200 && timeline.status === 200) answered++
    await new Promise(setImmediate)
  })
  expect(answered).toBeGreaterThan(20)
  expect(episode).toMatchObject({ status: true, chapters_unread: 'too-slow' })

  const chapters = withChapters(silentMp3(20), [
    { start: 0, end: 5000, title: 'One' },
    { start: 5000, end: 20_000, title: 'Two' },
  ])
  const { episode: next } = await download(app, host, { name: 'next', bytes: chapters, type: 'audio/mpeg' })
  expect(next).toMatchObject({ status: true, chapters_unread: null, has_chapters: true })
})
