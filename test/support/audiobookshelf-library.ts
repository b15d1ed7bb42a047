import { rss, type FeedSpec, type ItemSpec } from './builders'
import { signedInApp } from './audiobookshelf-app'
import { startTestApp, withPasswords } from './app'
import { startFeedHost } from './feed-host'

/** A server with a feed host beside it, a listener's app, and its library. */
export async function startLibrary({
  explicitConsent = false,
  ...overrides
}: { explicitConsent?: boolean; now?: () => number } = {}) {
  const host = startFeedHost()
  const server = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }, ...overrides })
  server.prefill(0)
  const { row } = await server.signUp('anna', 'user', explicitConsent)
  const app = await signedInApp(server, 'anna')
  const libraryId: string = (await app.get('/api/libraries')).json.libraries[0].id
  const root = server.context.store.users.find(server.context.admin.id)!
  let feeds = 0

  return {
    host,
    server,
    user: row,
    app,
    libraryId,
    /** Adds a podcast of these items; returns its id. */
    async add(spec: FeedSpec = {}): Promise<string> {
      const added = await server.context.subscribe(root, host.feed(`/${++feeds}.xml`, rss(spec)))
      return added.uuid
    },
    /** A list of the library's answers. */
    get: async (path: string) => (await app.get(`/api/libraries/${libraryId}/${path}`)).json,
    episodesOf: async (item: string) => (await app.get(`/api/items/${item}?expanded=1`)).json.media.episodes,
    /** Saves a position of the listener; `at`: milliseconds. */
    play(episode: string, position: number, { finished = false, at = server.context.now() } = {}) {
      const { id } = server.context.store.catalogue.episodeIds(episode)!
      server.context.playback.record(row.id, server.context.store.episodes.find(id)!, { position, finished, at })
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      host.stop()
    },
  }
}
export type Library = Awaited<ReturnType<typeof startLibrary>>

export const items = (count: number, spec: (index: number) => ItemSpec = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({ ...spec(index) }))
