import { basicAuthorization } from '../../../src/server/outbound/credentials'
import type { FeedHost } from '../feed-host'

export const login = { user: 'mara', password: 'sea side:1' }

const at = (minute: number) => new Date(Date.UTC(2026, 1, 1, 10, minute)).toISOString()

/** The reports of apps: in no order, and with numbers that mean no position. */
export function listActions(origin: string) {
  const play = (feed: string, episode: string, minute: number, more: Record<string, unknown> = {}) => ({
    podcast: `${origin}/${feed}.xml`,
    episode: `${origin}/${episode}.mp3`,
    action: 'play',
    device: 'phone',
    // As gpodder.net writes it: UTC, without a zone.
    timestamp: at(minute).slice(0, 19),
    started: 0,
    position: 100,
    total: 1800,
    ...more,
  })
  return [
    play('alpha', 'a1', 5, { position: 300 }),
    play('alpha', 'a1', 1, { guid: 'a1' }),
    // Within ten seconds of the end, and by other spellings.
    play('alpha', 'a2', 2, { action: 'PLAY', position: '1795', total: 1800.7, timestamp: at(2) }),
    // Marked as played, of unknown length.
    play('alpha', 'a3', 3, { started: -1, position: -1, total: -1, timestamp: Date.UTC(2026, 1, 1, 10, 3) / 1000 }),
    // Nothing was said of the place.
    play('alpha', 'a4', 3, { position: -1, total: 1800 }),
    // Begun, then marked as new.
    play('alpha', 'a5', 3),
    play('alpha', 'a5', 4, { action: 'new', position: null, total: null }),
    // Deleted since: the position stays.
    play('gone', 'g1', 4, { timestamp: null }),
    play('gone', 'g1', 6, { action: 'delete' }),
    play('beta', 'b1', 4, { guid: 'a1' }),
    play('elsewhere', 'e1', 4),
    { podcast: 5, episode: null, action: 'play' },
    'odd',
  ]
}

const feedsOf = (origin: string) => [`${origin}/alpha.xml`, `${origin}/beta.xml`, `${origin}/gone.xml`]

type Options = { prefix?: string; isByDevice?: boolean; pageSize?: number }

/** A server that knows a person by the cookie of the sign-in alone, and answers a few actions at a time. */
export function openGpodderServer(host: FeedHost, { prefix = '', isByDevice = false, pageSize = 4 }: Options = {}) {
  const feeds = feedsOf(host.origin)
  const on = (path: string, answer: (url: URL) => unknown) =>
    host.on(prefix + path, (request, url) => {
      if (!request.headers.get('cookie')?.includes('sessionid=s1')) return new Response('who?', { status: 401 })
      return Response.json(answer(url))
    })
  host.on(`${prefix}/api/2/auth/mara/login.json`, request =>
    request.method === 'POST' && request.headers.get('authorization') === basicAuthorization(login)
      ? new Response('', { headers: { 'Set-Cookie': 'sessionid=s1; Path=/; HttpOnly' } })
      : new Response('no', { status: 401 }),
  )
  if (!isByDevice)
    on('/subscriptions/mara.json', () => [
      ...feeds.map((url, place) => ({ url, title: `Title ${place}` })),
      { url: 'ftp://x.example/feed' },
    ])
  on('/api/2/devices/mara.json', () => [{ id: 'phone' }, { id: 'old laptop' }, {}])
  on('/api/2/subscriptions/mara/phone.json', () => ({ add: feeds.slice(0, 2), remove: [], timestamp: 5 }))
  on('/api/2/subscriptions/mara/old%20laptop.json', () => ({ add: feeds.slice(1), remove: null }))
  on('/api/2/episodes/mara.json', url =>
    pageOf(listActions(host.origin), Number(url.searchParams.get('since')), pageSize),
  )
  return host.origin + prefix
}

/** Actions are numbered by their arrival, which is the time of the answer. */
function pageOf(all: readonly unknown[], since: number, size: number) {
  const actions = all.slice(since, since + size)
  return { actions, timestamp: since + actions.length }
}

/** A Nextcloud with the app GPodder Sync, which needs the header at every call. */
export function openNextcloud(host: FeedHost) {
  const app = '/index.php/apps/gpoddersync'
  const on = (path: string, answer: unknown) =>
    host.on(app + path, request =>
      request.headers.get('authorization') === basicAuthorization(login)
        ? new Response(Bun.gzipSync(Buffer.from(JSON.stringify(answer))), { headers: { 'Content-Encoding': 'gzip' } })
        : new Response('no', { status: 401 }),
    )
  host.on('/status.php', () => Response.json({ installed: true, productname: 'Nextcloud' }))
  on('/subscriptions', { add: feedsOf(host.origin), remove: [], timestamp: 9 })
  on('/episode_action', { actions: listActions(host.origin), timestamp: 0 })
  return host.origin
}
