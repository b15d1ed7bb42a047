import { startClock, startTestApp, temporaryFolder, withPasswords, type TestApp } from './app'
import { appAt, signedInApp, type AppClient } from './audiobookshelf-app'
import { rss, silentMp3, type ItemSpec } from './builders'
import { startFeedHost } from './feed-host'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const media = silentMp3(20)

const first = { title: 'Fog', duration: '600' }

/** A library with one podcast, and an app of its admin; `items`: its episodes, of 600 seconds unless they say more. */
export async function startPlaying(items: ItemSpec[] = [first, { ...first, title: 'Lamps' }]) {
  const host = startFeedHost()
  const now = startClock()
  const folder = temporaryFolder()
  const env = { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }
  const start = () => startTestApp({ env, now, folder })
  let server: TestApp = await start()
  server.prefill(0)
  const browser = () => server.as('root', withPasswords.PASSWORD)
  const enclosure = (index: number) => host.file(`/${index}.mp3`, media)
  const feed = host.feed(
    '/feed.xml',
    rss({ items: items.map((item, index) => ({ enclosure: enclosure(index), ...item })) }),
  )
  const { id: podcast } = await browser().podcasts.add(feed)
  const { data } = await browser().podcasts.episodes(podcast, {}, null)
  const episodes = data.map(({ podcastEpisode }) => podcastEpisode)
  const app = await signedInApp(server, 'root', withPasswords.PASSWORD)

  return {
    host,
    now,
    app,
    feed,
    podcast,
    episodes,
    /** The first one. */
    episode: episodes[0]!.id,
    get server() {
      return server
    },
    get browser() {
      return browser()
    },
    signIn: () => signedInApp(server, 'root', withPasswords.PASSWORD),
    /** The same app after the server has started again. */
    async restart(): Promise<AppClient> {
      await server[Symbol.asyncDispose]()
      server = await start()
      return appAt(server, app.token)
    },
    play: (body: unknown = phone, client: AppClient = app, index = 0) =>
      client.post(`/api/items/${podcast}/play/${episodes[index]!.id}`, body),
    progress: (client: AppClient = app, index = 0) => client.get(`/api/me/progress/${podcast}/${episodes[index]!.id}`),
    /** Seconds that count as listened, in all. */
    listened() {
      const { store } = server.context
      return store.listened
        .listFor(store.users.findByName('root')!, 0, 1e9)
        .reduce((sum, { seconds }) => sum + seconds, 0)
    },
    offline: (more: object = {}) => ({
      id: 'b5b7f0e6-1df0-4a63-8ad1-8f2f1c0f7f01',
      libraryItemId: podcast,
      episodeId: episodes[0]!.id,
      mediaType: 'podcast',
      duration: 600,
      playMethod: 3,
      startedAt: now() - 10 * MINUTE,
      updatedAt: now(),
      timeListening: 120,
      currentTime: 130.5,
      mediaPlayer: 'exo-player',
      deviceInfo: phone.deviceInfo,
      ...more,
    }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      host.stop()
    },
  }
}
export type Playing = Awaited<ReturnType<typeof startPlaying>>

/** The description that the official app for Android gives of itself. */
export const phone = {
  deviceInfo: {
    deviceId: 'd1',
    manufacturer: 'Acme',
    model: 'P1',
    sdkVersion: 34,
    clientName: 'Abs Android',
    clientVersion: '0.14.0',
  },
  mediaPlayer: 'exo-player',
  forceDirectPlay: true,
  forceTranscode: false,
}
