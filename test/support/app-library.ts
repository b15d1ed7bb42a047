import { startTestApp, withPasswords, type TestApp } from './app'
import { rss, silentMp3 } from './builders'
import { startFeedHost } from './feed-host'

/** A server with one podcast of a few episodes and one explicit podcast; `anna` may not see the latter, `root` may. */
export async function startAppLibrary(overrides: Parameters<typeof startTestApp>[0] = {}) {
  const host = startFeedHost()
  const server = await startTestApp({ ...overrides, env: { ...withPasswords, ...overrides.env } })
  server.prefill(0)
  await server.signUp('anna')
  const root = server.as('root', 'Sup3rSecret')
  const items = ['One', 'Two', 'Three'].map((title, index) => ({
    title,
    guid: title,
    date: new Date(Date.UTC(2026, 0, 1 + index)).toUTCString(),
    enclosure: host.file(`/${title}.mp3`, silentMp3(2)),
  }))
  const feed = host.feed('/feed.xml', rss({ title: 'Fog & Lamps', items }))
  const podcast = (await root.podcasts.add(feed)).id
  const hiddenFeed = rss({
    title: 'Hidden',
    extra: '<itunes:explicit>true</itunes:explicit>',
    items: [{ title: 'Secret', guid: 'secret', enclosure: host.file('/secret.mp3', silentMp3(1)) }],
  })
  const hidden = (await root.podcasts.add(host.feed('/hidden.xml', hiddenFeed))).id
  return {
    host,
    server,
    root,
    feed,
    podcast,
    hidden,
    episodes: episodesOf(server, podcast),
    secret: episodesOf(server, hidden)[0]!,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

/** The ids of the episodes of a podcast, the oldest first. */
function episodesOf({ context: { store, admin } }: TestApp, podcast: string): string[] {
  const viewer = store.users.find(admin.id)!
  const { id } = store.podcasts.require(viewer, podcast)
  const page = { limit: 100, withNotes: false }
  return store.catalogue
    .episodesOf(viewer, id, page)
    .map(({ uuid }) => uuid)
    .toReversed()
}
