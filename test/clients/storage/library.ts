import { connectTo, environment } from '../../chaos/server'
import { inBucket } from '../../support/bucket'
import { noise, rss, silentMp3 } from '../../support/builders'
import { runExecutable, startExecutable } from '../../support/executable'
import { startFeedHost } from '../../support/feed-host'
import { until } from '../../support/programs'
import type { BucketPlace } from '../../support/s3-server/signed'

export type StoredLibrary = Awaited<ReturnType<typeof startStoredLibrary>>

/** A short recording, and one of several parts, with characters that addresses and XML escape. */
const recordings = {
  'Émission #1? a+b 100% (ü) & l’été': silentMp3(20),
  'Long; x=y, <tag> "quoted"': Buffer.concat([silentMp3(5), noise(12_000_000, 3)]),
}

/** The built executable with its media in a bucket, and a podcast of two episodes. */
export async function startStoredLibrary(place: BucketPlace, data: string) {
  const env = { ...environment, DATA_DIRECTORY: data, ...(inBucket(place) as Record<string, string>) }
  const host = startFeedHost()
  const titles = Object.keys(recordings) as (keyof typeof recordings)[]
  const items = titles.map((title, number) => ({
    title: title.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    enclosure: host.file(`/media/${number}.mp3`, recordings[title]),
  }))
  const feed = host.feed('/feed.xml', rss({ title: 'Weather', items }))
  let running = await startExecutable(env)
  let server = connectTo(running.origin)
  await server.system.editSettings({ podcastPrefill: 0 })
  const podcast = await server.podcasts.add(feed)

  async function episodes() {
    const { data } = await server.podcasts.episodes(podcast.id, {}, null)
    return data.map(({ podcastEpisode }) => ({
      eid: podcastEpisode.episode_id,
      isDownloaded: podcastEpisode.status,
      bytes: Buffer.from(recordings[titles[Number(/(\d+)\.mp3$/.exec(podcastEpisode.url)![1])]!]),
    }))
  }

  return {
    get server() {
      return server
    },
    episodes,
    mediaRequests: () => host.requests.filter(({ path }) => path.startsWith('/media/')).length,
    /** Downloads what is not there, and returns when it is. */
    async download() {
      for (const { eid, isDownloaded } of await episodes()) if (!isDownloaded) await server.episodes.download(eid)
      await until('the episodes are downloaded', async () =>
        (await episodes()).every(({ isDownloaded }) => isDownloaded),
      )
    },
    async restart(more: Record<string, string>) {
      await running.stop()
      running = await startExecutable({ ...env, ...more })
      server = connectTo(running.origin)
      await until('the bucket is known', async () => (await downloads(server)).every(isDone => isDone))
    },
    command: (...args: string[]) => runExecutable(args, env),
    /** Whether every byte of every episode is heard, whole and from its middle. */
    async isHeard(): Promise<boolean> {
      for (const { eid, bytes } of await episodes()) {
        const middle = bytes.length >> 1
        const part = await server.media(eid, middle, middle + 9999)
        if (part.status !== 206 || !bytes.subarray(middle, middle + 10_000).equals(await part.bytes())) return false
        const whole = await fetch(`${server.origin}/media/${eid}`, { headers: { Authorization: server.authorization } })
        if (!whole.ok || !bytes.equals(await whole.bytes())) return false
      }
      return true
    },
    async [Symbol.asyncDispose]() {
      await running.stop()
      host.stop()
    },
  }
}

const downloads = async (server: ReturnType<typeof connectTo>) =>
  (await server.downloads.page(null)).data.items.map(({ state }) => state === 'done')
