import { describe, expect, test } from 'bun:test'
import { appPaths, isForApps } from '../../../src/server/http/gpodder/paths'
import { basic, goodPassword, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { handshake } from '../../support/socket'

/** The table of docs/permissions.md: `METHOD /path` → who may. */
const permissions = new Map(
  [...(await Bun.file('docs/permissions.md').text()).matchAll(/^\| `([A-Z]+ \S+)` +\| (\w+)/gm)].map(
    ([, call, who]) => [call!, who!] as const,
  ),
)

const personas = ['stranger', 'user', 'other', 'uploader', 'admin', 'open mode', 'off'] as const
type Persona = (typeof personas)[number]

/** How a call is made, and what it answers to whoever may make it: 200 unless another status is said. */
/** Another's looks like none. */
const elsewhere = { other: 404, uploader: 404, admin: 404, 'open mode': 404 }

type Call = { body?: unknown; ok?: number; of?: Partial<Record<Persona, number>>; query?: string }
/** The key in the address is alice's, and says who asks: nobody else's header is looked at any more. */
const withKey: Record<string, Call> = Object.fromEntries(
  ['', '/favorites', '/tag/:id', '/playlist/:id', '/:id'].map(path => [
    `GET /rss/apiKey/:key${path}`,
    { of: { stranger: 200, off: 200, ...(/tag|playlist/.test(path) && elsewhere) } },
  ]),
)
const sync = (ok: number): Call => ({ ok, of: { 'open mode': 404 } })
/** Sync has no call of this name; whoever signs in hears that, and nobody else anything. */
const withApps: Record<string, Call> = {
  ...Object.fromEntries(
    appPaths
      .filter(path => path.endsWith('*'))
      .flatMap(path => ['GET', 'POST', 'PUT', 'DELETE'].map(method => [`${method} ${path}`, sync(404)])),
  ),
  ...Object.fromEntries(['json', 'opml', 'txt'].map(format => [`GET /search.${format}`, sync(400)])),
  ...Object.fromEntries(['json', 'opml', 'txt'].map(format => [`GET /toplist.${format}`, sync(200)])),
  'GET /clientconfig.json': sync(200),
}
const calls: Record<string, Call> = {
  ...withApps,
  'GET /': { ok: 302 },
  'GET /ui/assets/:name': { ok: 404 },
  'GET /ui/public/*': { ok: 404 },
  'POST /api/v1/login': {
    body: { username: 'root', password: 'Sup3rSecret' },
    of: { 'open mode': 403 },
  },
  'POST /api/v1/users': { body: { username: 'newcomer', password: goodPassword, inviteId: '{invite}' } },
  'POST /api/v1/session': { body: { remember: true }, ok: 204 },
  'DELETE /api/v1/session': { ok: 204 },
  'PUT /api/v1/settings': { body: { autoCleanupDays: 31 } },
  'PUT /api/v1/settings/name': { body: { directPaths: false } },
  'POST /api/v1/settings/naming/preview': { body: {} },
  'POST /api/v1/settings/rescan-episodes': { body: {}, ok: 202 },
  'POST /api/v1/episodes/formatting': { body: { content: '{title}' } },
  'POST /api/v1/podcasts/formatting': { body: { content: '{title}' } },
  'PUT /api/v1/podcasts/:id/settings': { body: { skipTrailers: false } },
  'PUT /api/v1/podcasts/:id/feed': { body: { rssFeedUrl: 'http://127.0.0.1:9/' }, ok: 502 },
  'PUT /api/v1/podcasts/:id/preferences': { body: {} },
  'PUT /api/v1/users/me/locale': { body: { language: 'pl' } },
  'DELETE /api/v1/users/me/apiKey': { ok: 204 },
  'GET /api/v1/users/:username': { of: { other: 404, uploader: 404 } },
  'PUT /api/v1/users/:username': { body: {}, of: { other: 404, uploader: 404, admin: 404, 'open mode': 404 } },
  'PUT /api/v1/users/:username/role': { body: { role: 'user' } },
  'DELETE /api/v1/users/:username': { ok: 204 },
  'DELETE /api/v1/invites/:id': { ok: 204 },
  'GET /api/v1/transcripts/search': { query: '?q=fog' },
  'GET /api/v1/podcasts/episodes/:id/transcript': { ok: 404 },
  'GET /api/v1/podcasts/episodes/:id/transcripts/:tid/file': { ok: 404 },
  'GET /media/transcripts/:file': { ok: 404 },
  'HEAD /media/transcripts/:file': { ok: 404 },
  'GET /covers/chapters/:id': { ok: 404 },
  'PUT /api/v1/podcasts/filter': { body: { ascending: true, filter: 'TITLE', only_favored: false } },
  'PUT /api/v1/podcasts/favored': { body: { id: '{podcast}', favored: true }, ok: 204 },
  'POST /api/v1/podcasts/:id/episodes/listened': { body: { finished: false } },
  'POST /api/v1/podcasts/:id/episodes/listened/undo': { body: { undo: 'x' } },
  'POST /api/v1/podcasts/episode': { body: { podcastEpisodeId: '{eid}', time: 5 } },
  'GET /api/v1/podcasts/episode/:id': { of: { other: 404, uploader: 404, admin: 404, 'open mode': 404 } },
  'PUT /api/v1/podcasts/:id/episodes/favor': { body: { favored: true }, ok: 204 },
  'POST /api/v1/podcasts/feed': { body: { rssFeedUrl: '{feed}' }, of: { user: 403, other: 403 } },
  'POST /api/v1/podcasts/all': { ok: 202 },
  'POST /api/v1/podcasts/:id/refresh': { ok: 202 },
  'PUT /api/v1/podcasts/:id/active': { body: { active: true } },
  'PUT /api/v1/podcasts/:id/name': { body: { name: 'Renamed' } },
  'DELETE /api/v1/podcasts/:id': { body: { delete_files: false }, ok: 204 },
  'PUT /api/v1/podcasts/:id/episodes/download': { ok: 202 },
  'DELETE /api/v1/episodes/:eid/download': { ok: 204 },
  'POST /api/v1/podcasts/:id/episodes/download-all': { ok: 202 },
  'POST /api/v1/podcasts/:id/episodes/download-range': { body: { from: 1, to: 1 }, ok: 202 },
  'POST /api/v1/podcasts/:id/episodes/resync-files': { ok: 202 },
  'POST /api/v1/tags': { body: { name: 'Another', color: 'Red' } },
  'PUT /api/v1/tags/:id': { body: { color: 'Blue' }, of: elsewhere },
  'DELETE /api/v1/tags/:id': { ok: 204, of: elsewhere },
  'POST /api/v1/tags/:id/:podcast': { of: elsewhere },
  'DELETE /api/v1/tags/:id/:podcast': { ok: 204, of: elsewhere },
  'POST /api/v1/playlist': { body: { name: 'Another', items: [] } },
  'GET /api/v1/playlist/:id': { of: elsewhere },
  'PUT /api/v1/playlist/:id': { body: { name: 'Evening', items: [] }, of: elsewhere },
  'DELETE /api/v1/playlist/:id': { ok: 204, of: elsewhere },
  'DELETE /api/v1/playlist/:id/episode/:episode': { ok: 204, of: elsewhere },
  'PUT /api/v1/queue': { body: { items: [] } },
  'DELETE /api/v1/queue': { ok: 204 },
  'POST /api/v1/queue/items': { body: { episode: '{eid}' } },
  'DELETE /api/v1/queue/items/:id': { ok: 404 },
  'POST /api/v1/podcasts/opml': { body: { content: '<opml/>' }, ok: 422, of: { user: 403, other: 403 } },
  'POST /api/v1/podcasts/opml/preview': { body: { content: '<opml/>' }, ok: 422, of: { user: 403, other: 403 } },
  'GET /api/v1/backups/:name': { ok: 404 },
  'DELETE /api/v1/backups/:name': { ok: 404 },
  'GET /api/v1/jobs/:id': { ok: 404 },
  'DELETE /api/v1/jobs/:id': { ok: 404 },
  'GET /api/v1/settings/opml/:type': {},
  'PUT /api/v1/notifications/dismiss': { body: { id: 'none' }, ok: 404 },
  'DELETE /api/v1/users/me/appPasswords/:id': { ok: 404 },
  'GET /api/v1/access-requests/:id': { ok: 404 },
  'POST /api/v1/access-requests/:id/grant': { ok: 404 },
  'PUT /api/v1/devices/:id': { body: { caption: 'Phone' }, ok: 404 },
  'DELETE /api/v1/devices/:id': { ok: 404 },
  'PUT /api/v1/users/me/sync': { body: { autoAdd: false } },
  'POST /api/v1/bookmarks': { body: { episode: '{eid}', time: 5 } },
  'DELETE /api/v1/bookmarks/:id': { ok: 404 },
  'GET /rss/tag/:id': { of: elsewhere },
  'GET /rss/playlist/:id': { of: elsewhere },
  ...withKey,
  'GET /api/v1/podcasts/:id/:term/search': { ok: 422 },
  'POST /api/v1/podcasts/itunes': { body: { trackId: 1 }, ok: 502 },
  'POST /api/v1/podcasts/podindex': { body: { trackId: 1 }, ok: 409 },
  'GET /api/v1/discover/trending': { ok: 409 },
  'GET /api/v1/search': { query: '?q=fog' },
  'POST /api/v1/downloads/:id/pause': { ok: 404 },
  'POST /api/v1/downloads/:id/resume': { ok: 404 },
  'DELETE /api/v1/downloads/:id': { ok: 404 },
  'GET /proxy/podcast': { query: '?episodeId={eid}', ok: 308 },
  'GET /proxy/podcast/apiKey/:key': { query: '?episodeId={eid}', ok: 308, of: { stranger: 308, off: 308 } },
  'WS /ws': { ok: 101 },
}

/** What takes things away comes last, so that the others find them. */
const order = (call: string) => {
  if (/^DELETE \S+\/(podcasts|users|tags|playlist)\/:\w+$/.test(call)) return 2
  return call.startsWith('DELETE') || call === 'POST /api/v1/podcasts/episode' ? 1 : 0
}
const inOrder = [...permissions].toSorted(([one], [other]) => order(one) - order(other))

function expected(who: string, call: Call, persona: Persona): number {
  const special = call.of?.[persona]
  if (special !== undefined) return special
  const ok = call.ok ?? 200
  if (who === 'public') return ok
  if (persona === 'stranger' || persona === 'off') return 401
  if (who === 'admin') return persona === 'admin' || persona === 'open mode' ? ok : 403
  if (who === 'uploader') return persona === 'user' || persona === 'other' ? 403 : ok
  return ok
}

async function plant(app: TestApp, isOpen: boolean) {
  const host = startFeedHost()
  app.prefill(0)
  const root = isOpen ? app : app.as('root', 'Sup3rSecret')
  const podcast = await root.podcasts.add(
    host.feed('/feed.xml', rss({ items: [{ guid: 'one', enclosure: host.file('/one.mp3', silentMp3(3)) }] })),
  )
  const [first] = (await root.podcasts.episodes(podcast.id, {}, null)).data
  const episode = first!.podcastEpisode
  const alice = await app.signUp('alice')
  const feedKey = app.context.feedKeys.of(alice.row)
  const values: Record<string, string> = {
    podcast: podcast.id,
    eid: episode.episode_id,
    feed: host.feed('/another.xml', rss({ title: 'Another' })),
    invite: app.context.invites.create('user', false).id,
    key: feedKey,
  }
  // Nothing of this is anybody's but hers.
  Object.assign(values, { tag: 'none', playlist: 'none' })
  if (!isOpen) {
    const tag = await alice.tags.create({ name: 'the-tag-of-alice', color: 'Green' })
    const playlist = await alice.playlists.create({ name: 'the-playlist-of-alice', items: [{ episode: episode.id }] })
    Object.assign(values, { tag: tag.id, playlist: playlist.id })
    await alice.playback.save({ podcastEpisodeId: episode.episode_id, time: 7, device: 'the-device-of-alice' })
    await alice.client.put('/podcasts/filter', {
      title: 'the-filter-of-alice',
      ascending: true,
      filter: 'TITLE',
      only_favored: false,
    })
  }
  const secrets = [
    'the-tag-of-alice',
    'the-playlist-of-alice',
    feedKey,
    'the-device-of-alice',
    'the-filter-of-alice',
    alice.row.uuid,
  ]
  return { host, values, secrets, episode }
}

async function credentialsOf(app: TestApp, persona: Persona): Promise<Record<string, string>> {
  if (persona === 'user') return { Authorization: basic('alice', goodPassword) }
  if (persona === 'other') return { Authorization: (await app.signUp('bob')).authorization! }
  if (persona === 'uploader') return { Authorization: (await app.signUp('carol', 'uploader')).authorization! }
  if (persona === 'admin') return { Authorization: basic('root', 'Sup3rSecret') }
  // Single sign-on and the proxy are off here: what belongs to them counts as nothing.
  if (persona === 'off') return { Authorization: 'Bearer a.b.c', 'X-Forwarded-User': 'root' }
  return {}
}

test('R1: the table names every call, and no other', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const routes = app.app.routes.map(({ method, path }) => `${method} ${path}`)
  expect([...permissions.keys()].toSorted()).toEqual([...new Set(routes)].toSorted())
  expect(Object.keys(calls).filter(call => !permissions.has(call))).toEqual([])
})

describe.each(personas)('%s', persona => {
  test('R1: may make the calls of the table, and is refused the others', async () => {
    const isOpen = persona === 'open mode'
    await using app = await startTestApp({
      env: { ...(isOpen ? {} : withPasswords), ALLOWED_NETWORKS: '127.0.0.0/8' },
      // Nothing answers there.
      directoryAddresses: { itunes: 'http://127.0.0.1:9', podindex: 'http://127.0.0.1:9' },
    })
    const { host, values, secrets, episode } = await plant(app, isOpen)
    using _ = host
    const headers = { ...(await credentialsOf(app, persona)), 'Content-Type': 'application/json' }
    const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)
    const origin = app.listen()
    const found: string[] = []
    const wanted: string[] = []
    for (const [route, who] of inOrder) {
      const call = calls[route] ?? {}
      const [method, path] = route.split(' ') as [string, string]
      const id = /episodes?\/(favor|:id|download)$|\/covers\/episodes|podcasts\/episodes\/:id/.test(path)
        ? episode.id
        : path.includes('/invites/')
          ? values['invite']!
          : /\/tags?\//.test(path)
            ? values['tag']!
            : path.includes('/playlist/')
              ? values['playlist']!
              : values['podcast']!
      const address = path
        .replace(':username', 'alice')
        .replace(':key', values['key']!)
        .replace(/:(eid|file|tid)/, episode.episode_id)
        .replace(':id', id)
        .replace(':type', 'local')
        .replace(':term', 'fog')
        .replace(':podcast', values['podcast']!)
        .replace(':episode', episode.id)
        .replace('*', 'podcasts')
      if (method === 'WS') {
        found.push(`${route} ${await handshake(origin, headers)}`)
        wanted.push(`${route} ${expected(who, call, persona)}`)
        continue
      }
      const response = await app.fetch(`${address}${fill(call.query ?? '')}`, {
        method,
        headers,
        ...(call.body !== undefined && { body: fill(JSON.stringify(call.body)) }),
      })
      found.push(`${route} ${response.status}`)
      wanted.push(`${route} ${expected(who, call, persona)}`)
      const text = await response.text()
      if (persona !== 'user' && who !== 'admin' && !path.includes(':username') && !path.includes(':key'))
        for (const secret of secrets) expect([route, text.includes(secret)]).toEqual([route, false])
      expect(response.headers.has('www-authenticate')).toBe(
        response.status === 401 && (path.startsWith('/rss') || isForApps(path, '')),
      )
    }
    expect(found).toEqual(wanted)
  })
})
