import { startTestApp, type TestApp } from './app'
import { rss, silentMp3 } from './builders'
import type { FeedHost } from './feed-host'

const MINUTE = 60
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const EPISODES = 12
/** The position in the begun episode, in seconds. */
export const LEFT_AT = 20

export type ListeningLibrary = Awaited<ReturnType<typeof startListening>>

/** A server with what a listener comes back to: an episode begun, new ones of two weeks, and a download that failed. */
export async function startListening(host: FeedHost) {
  const clock = { ahead: 0 }
  const app = await startServer(host, () => Date.now() + clock.ahead)
  const items = Array.from({ length: EPISODES }, (_, index) => ({
    title: index === 3 ? 'Fog signals' : `Evening number ${index}`,
    enclosure: host.file(`/evening/${index}.mp3`, silentMp3(MINUTE)),
    notes: `<p>Notes of number ${index}</p>`,
    date: new Date(Date.now() - index * 1.2 * DAY_MS).toUTCString(),
    duration: String(MINUTE),
  }))
  const { id: podcast } = await app.podcasts.add(host.feed('/evening.xml', rss({ title: 'Evening Radio', items })))
  await app.podcasts.favour(podcast, true)
  const { data } = await app.podcasts.episodes(podcast, {}, null)
  const episodes = data.map(({ podcastEpisode }) => podcastEpisode)
  const begun = episodes[5]!
  await app.playback.save({ podcastEpisodeId: begun.episode_id, total: MINUTE, time: LEFT_AT })

  const gone = [{ title: 'Lost at sea', enclosure: `${host.origin}/lost.mp3`, date: 'Sat, 01 Jan 2022 00:00:00 GMT' }]
  const lost = await app.podcasts.add(host.feed('/lost.xml', rss({ title: 'Orbital', items: gone })))
  const [lostEpisode] = (await app.podcasts.episodes(lost.id, {}, null)).data
  await app.episodes.download(lostEpisode!.podcastEpisode.episode_id)
  await settleDownloads(app, clock)
  return { app, origin: app.listen(), podcast, episodes, begun }
}

/** Lets the waits between attempts pass until a download that is refused counts as failed. */
async function settleDownloads({ context, downloads }: TestApp, clock: { ahead: number }) {
  for (;;) {
    await context.downloads.settled()
    if ((await downloads.page(null)).data.counts.failed > 0) return
    clock.ahead += HOUR_MS
    context.downloads.pump()
  }
}

/** A server without podcasts that knows a directory with one. */
export async function startEmpty(host: FeedHost) {
  const app = await startServer(host)
  return { app, origin: app.listen() }
}

function startServer(host: FeedHost, now = Date.now) {
  const feedUrl = host.feed('/lighthouse.xml', rss({ title: 'Lighthouse Radio', items: [{ title: 'The lamp' }] }))
  const found = {
    wrapperType: 'track',
    kind: 'podcast',
    collectionId: 7,
    trackId: 7,
    artistName: 'Mara Field',
    collectionName: 'Lighthouse Radio',
    trackName: 'Lighthouse Radio',
    feedUrl,
    trackCount: 1,
    country: 'DNK',
  }
  host.on('/itunes/us/rss/toppodcasts/limit=24/json', () => Response.json({ feed: { entry: [] } }))
  host.on('/itunes/search', () => Response.json({ resultCount: 1, results: [found] }))
  const directoryAddresses = { itunes: `${host.origin}/itunes`, podindex: `${host.origin}/podindex` }
  return startTestApp({ directoryAddresses, now })
}
