import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { noise, rss } from '../../../test/support/builders'
import { startFeedHost } from '../../../test/support/feed-host'
import { callsOf, importFeeds, noPrefill, type Call } from '../api'
import { withHosts } from '../hosts'
import { wholeMachine } from '../table/budget'
import { startVersion } from './server'

export const MEDIA_BYTES = 64 * 1024 * 1024
const QUEUED = 100
const MARK = 'planted'

type Size = { podcasts: number; episodes: number }

/**
 * A library that an executable has filled itself, as it may know another schema: imported feeds, a queue, and a podcast
 * with a downloaded file. One that is in the folder already is kept.
 */
export async function plantThrough(executable: string, folder: string, { podcasts, episodes }: Size) {
  if (existsSync(join(folder, MARK))) return
  rmSync(folder, { recursive: true, force: true })
  const server = await startVersion({ executable, budget: wholeMachine }, { folder })
  const call = callsOf(server.origin)
  await plantMedia(call)
  await noPrefill(call)
  await withHosts(async origins => {
    const addresses = feedsOf(origins, podcasts, episodes)
    await importFeeds(call, addresses)
    await untilFound(call, podcasts, episodes)
  })
  // The hosts are gone, so that a refresh would only fail.
  await call('PUT', '/settings', { autoUpdate: false })
  const { data } = await call<Timeline>('GET', `/podcasts/timeline?limit=${QUEUED}`)
  await call('PUT', '/queue', { items: data.map(({ podcast_episode: { id } }) => ({ episode: id })) })
  await server.stop()
  writeFileSync(join(folder, MARK), '')
}

type Timeline = { data: { podcast_episode: { id: string; status: boolean; local_url: string } }[] }

/** Feeds of natural words, over all hosts. */
export const feedsOf = (origins: readonly string[], count: number, episodes: number, name = 'feed', kind = 'natural') =>
  Array.from(
    { length: count },
    (_, number) => `${origins[number % origins.length]}/${kind}/${name}${number}/${episodes}`,
  )

/** Waits until the newest and the oldest episode of the last feeds can be found. */
export async function untilFound(call: Call, feeds: number, episodes: number) {
  for (let number = Math.max(0, feeds - 8); number < feeds; number++)
    for (const part of [1, episodes]) {
      const search = `/search?q=${encodeURIComponent(`feed${number} part${part}`)}`
      while ((await call<{ episodes: unknown[] }>('GET', search)).episodes.length === 0) await Bun.sleep(20)
    }
}

async function plantMedia(call: Call) {
  using host = startFeedHost()
  const enclosure = host.file('/large.mp3', noise(MEDIA_BYTES, 4))
  await call('POST', '/podcasts/feed', {
    rssFeedUrl: host.feed('/media.xml', rss({ title: 'Media', items: [{ enclosure }] })),
  })
  while (!(await call<Timeline>('GET', '/podcasts/timeline')).data[0]?.podcast_episode.status) await Bun.sleep(50)
}

/** The path of the downloaded file. */
export async function findMedia(call: Call): Promise<string> {
  const podcasts = await call<{ id: string; rssfeed: string }[]>('GET', '/podcasts')
  const { id } = podcasts.find(({ rssfeed }) => rssfeed.endsWith('/media.xml'))!
  const [episode] = await call<{ podcastEpisode: { local_url: string } }[]>('GET', `/podcasts/${id}/episodes`)
  return new URL(episode!.podcastEpisode.local_url).pathname
}
