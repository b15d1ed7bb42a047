import type { Environment } from '../../src/server/config'
import type { Overrides } from '../../src/server/context'
import { startClock, startTestApp, temporaryFolder, type TestApp } from './app'
import { bucketFound, hasty, inBucket } from './bucket'
import { rss } from './builders'
import { MINUTE } from './downloads'
import { serveBytes, startFeedHost } from './feed-host'
import { startS3Server, type SeenRequest } from './s3-server'

export type BucketLibrary = Awaited<ReturnType<typeof startBucketLibrary>>

const PREFIX = 'castellan/Weather'
export const keyOf = (title: string) => `${PREFIX}/${title}/${title}.mp3`

/** Whether a request is about an object, and of this method. */
export const isOn = (method: string) => (request: SeenRequest) => request.method === method && request.key !== null

/** How long the process waits for the bucket, and for a cut. */
type Patience = { limits?: Overrides['bucketLimits']; clipLimits?: Overrides['clipLimits'] }

type Options = Patience & {
  bytes: Uint8Array
  titles?: readonly string[]
  env?: Environment
}

/** A library on a bucket, with one podcast whose episodes have the same bytes; nothing is downloaded yet. */
export async function startBucketLibrary({ bytes, titles = ['Fog'], env = {}, limits = {}, clipLimits }: Options) {
  const s3 = await startS3Server()
  const host = startFeedHost()
  const folder = temporaryFolder()
  const [now, elapsed] = [startClock(), startClock()]
  let isHostAway = false
  const start = (more: Environment = {}, patience: Patience = { limits, clipLimits }) =>
    startTestApp({
      folder,
      now,
      elapsed,
      env: inBucket(s3, { ...env, ...more }),
      bucketLimits: { ...hasty, ...patience.limits },
      ...(patience.clipLimits && { clipLimits: patience.clipLimits }),
    })
  let app = await start()
  await bucketFound(app)
  app.prefill(0)
  const file = (name: string) =>
    host.on(`/media/${name}.mp3`, request =>
      isHostAway ? new Response('', { status: 503 }) : serveBytes(request, bytes, 'audio/mpeg', `"${name}"`),
    )
  const items = titles.map((title, number) => ({
    title: title.replaceAll('&', '&amp;'),
    enclosure: file(String(number)),
  }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'Weather', items })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const ids = new Map(data.map(({ podcastEpisode: { name, episode_id } }) => [name, episode_id]))
  const idOf = (title = titles[0]!) => ids.get(title)!

  return {
    s3,
    host,
    folder,
    now,
    elapsed,
    podcast,
    idOf,
    get app(): TestApp {
      return app
    },
    hostGoesAway: () => void (isHostAway = true),
    mediaRequests: () => host.requests.filter(({ path }) => path.startsWith('/media/')).length,
    download: (title?: string) => app.episodes.download(idOf(title)),
    /** Downloads all episodes, and returns when they are in the bucket. */
    async fill() {
      for (const title of titles) {
        await app.episodes.download(idOf(title))
        await app.event(
          'downloadFinished',
          ({ episodeId }) => app.context.store.episodes.find(episodeId)!.eid === idOf(title),
        )
      }
    },
    media: (headers: Record<string, string> = {}, title?: string) => app.fetch(`/media/${idOf(title)}`, { headers }),
    /** The bucket is asked again, as it is every few seconds while it is away, and time goes on. */
    async later() {
      now.advance(2 * MINUTE)
      elapsed.advance(2 * MINUTE)
      await bucketFound(app)
      app.context.downloads.pump()
    },
    /** Ends the process, as far as a test can, and starts another one on the same folder; `patience`: other limits from then on. */
    async restart(more: Environment = {}, patience?: Patience) {
      await app.context.close()
      app = await start(more, patience)
      await bucketFound(app)
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
      s3[Symbol.dispose]()
    },
  }
}

/** The bucket holds exactly these files with exactly these bytes, and nothing unfinished. */
export const holdsExactly = ({ s3 }: BucketLibrary, titles: readonly string[], bytes: Uint8Array) => {
  const objects = s3.objects()
  const wrong = [...objects].filter(([, object]) => Buffer.compare(object.bytes(), bytes) !== 0).map(([key]) => key)
  return { keys: s3.keys(), wrong, uploads: s3.uploads().length, expected: titles.map(keyOf).sort() }
}
