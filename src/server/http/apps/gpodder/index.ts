import type { Context } from '../../../context'
import { describeError } from '../../../platform/log'
import { Problem } from '../../../platform/problem'
import { nameKey } from '../../../store/users'
import type { OpenRoutes } from '../../core/open-routes'
import { diskFault } from '../../core/problems'
import { peerOf, serverUrlOf } from '../../core/server-url'
import { inTime } from '../../core/body'
import { readSyncBody } from './body'
import { devices } from './devices'
import { clientConfig, directory } from './directory'
import { episodes } from './episodes'
import { groups } from './groups'
import { lists } from './lists'
import { createIdentify, passwordIn } from './identify'
import { loginFlow } from './login-flow'
import { appPaths, isForApps, withoutInterface } from './paths'
import { nextcloud } from './nextcloud'
import { emptyAnswer, SyncRefusal, type SyncRequest } from './protocol'
import { settings } from './settings'
import { readSyncCookie, syncCookie } from './cookie'
import { subscriptions } from './subscriptions'
import { updates } from './updates'

type Call = {
  method: string
  path: RegExp
  answer: (request: SyncRequest) => unknown
}

type Asked = { request: Request; server: Parameters<typeof peerOf>[1] }

const unread = { parse: 'none' } as const

const user = '(?<user>[^/]+?)'
const device = '(?<device>[\\w.-]{1,64})'
const name = '(?<name>[^/]+?)'
const format = '(?<format>txt|json|opml)'
// Some apps leave the first part out, or double the slash before it.
const nextcloudApp = '/{0,2}(?:index\\.php/)?apps/gpoddersync'
const at = (pattern: string) => new RegExp(`^${pattern}$`)

/**
 * The gPodder API (https://gpoddernet.readthedocs.io) and Nextcloud's gpoddersync: their addresses, shapes and statuses. The
 * rules are in `sync/`.
 */
export function gpodder(routes: OpenRoutes, app: Context) {
  if (!app.config.sync) return
  const of = {
    devices: devices(app),
    subscriptions: subscriptions(app),
    episodes: episodes(app),
    groups: groups(app),
    settings: settings(app),
    updates: updates(app),
    lists: lists(app),
    directory: directory(app),
  }
  const cloud = nextcloud(app)
  const flow = loginFlow(app)
  const { sync, sessions, config, log } = app
  const identify = createIdentify(app)

  const calls: readonly Call[] = [
    { method: 'POST', path: at(`/api/2/auth/${user}/login\\.json`), answer: () => emptyAnswer() },
    { method: 'GET', path: at(`/api/2/devices/${user}\\.json`), answer: of.devices.list },
    { method: 'POST', path: at(`/api/2/devices/${user}/${device}\\.json`), answer: of.devices.save },
    { method: 'PUT', path: at(`/api/2/devices/${user}/${device}\\.json`), answer: of.devices.save },
    { method: 'GET', path: at(`/api/2/subscriptions/${user}/${device}\\.json`), answer: of.subscriptions.changes },
    { method: 'POST', path: at(`/api/2/subscriptions/${user}/${device}\\.json`), answer: of.subscriptions.change },
    { method: 'GET', path: at(`/api/2/sync-devices/${user}\\.json`), answer: of.groups.list },
    { method: 'POST', path: at(`/api/2/sync-devices/${user}\\.json`), answer: of.groups.change },
    { method: 'GET', path: at(`/api/2/favorites/${user}\\.json`), answer: of.episodes.favourites },
    { method: 'GET', path: at(`/api/2/episodes/${user}\\.json`), answer: of.episodes.list },
    { method: 'POST', path: at(`/api/2/episodes/${user}\\.json`), answer: of.episodes.upload },
    { method: 'GET', path: at(`/subscriptions/${user}/${device}\\.${format}`), answer: of.subscriptions.list },
    { method: 'PUT', path: at(`/subscriptions/${user}/${device}\\.${format}`), answer: of.subscriptions.replace },
    { method: 'POST', path: at(`/subscriptions/${user}/${device}\\.${format}`), answer: of.subscriptions.replace },
    { method: 'GET', path: at(`/subscriptions/${user}\\.${format}`), answer: of.subscriptions.all },
    { method: 'GET', path: at(`/api/2/settings/${user}/(?<scope>\\w+)\\.json`), answer: of.settings.list },
    { method: 'POST', path: at(`/api/2/settings/${user}/(?<scope>\\w+)\\.json`), answer: of.settings.change },
    { method: 'GET', path: at(`/api/2/updates/${user}/${device}\\.json`), answer: of.updates },
    { method: 'GET', path: at(`/api/2/lists/${user}\\.json`), answer: of.lists.all },
    { method: 'POST', path: at(`/api/2/lists/${user}/create\\.${format}`), answer: of.lists.create },
    { method: 'GET', path: at(`/api/2/lists/${user}/list/${name}\\.${format}`), answer: of.lists.one },
    { method: 'PUT', path: at(`/api/2/lists/${user}/list/${name}\\.${format}`), answer: of.lists.replace },
    { method: 'DELETE', path: at(`/api/2/lists/${user}/list/${name}\\.${format}`), answer: of.lists.remove },
    { method: 'GET', path: at(`/search\\.${format}`), answer: of.directory.search },
    { method: 'GET', path: at(`/toplist(?:/(?<count>\\d{1,3}))?\\.${format}`), answer: of.directory.toplist },
    { method: 'GET', path: at(`/suggestions/(?<count>\\d{1,3})\\.${format}`), answer: of.directory.suggestions },
    { method: 'GET', path: at(`${nextcloudApp}/subscriptions`), answer: cloud.subscriptions },
    { method: 'POST', path: at(`${nextcloudApp}/subscription_change/create`), answer: cloud.change },
    { method: 'GET', path: at(`${nextcloudApp}/episode_action`), answer: cloud.actions },
    { method: 'POST', path: at(`${nextcloudApp}/episode_action/create`), answer: cloud.upload },
  ]
  const logout = at(`/api/2/auth/${user}/logout\\.json`)

  async function handle(asked: Asked): Promise<Response> {
    const { request } = asked
    const peer = peerOf(request, asked.server)
    const url = new URL(request.url)
    const path = withoutInterface(url.pathname.slice(config.prefix.length))
    const base = serverUrlOf(request, peer, config)
    if (logout.test(path)) {
      const cookie = readSyncCookie(request)
      if (cookie !== null) sessions.end(cookie)
      const answer = emptyAnswer()
      answer.headers.set('Set-Cookie', syncCookie(base, ''))
      return answer
    }
    if (request.method === 'POST' && /^\/{1,2}index\.php\/login\/v2$/.test(path))
      return Response.json(flow.begin(request, base))
    if (request.method === 'POST' && /^\/{1,2}index\.php\/login\/v2\/poll$/.test(path))
      return Response.json(await inTime(asked, app.bodySeconds, () => flow.poll(request, base)))
    if (request.method === 'GET' && path === '/clientconfig.json') return Response.json(clientConfig(base))
    const { user, token } = await identify(request, peer)
    const found = calls.filter(call => call.path.test(path))
    if (found.length === 0) throw new SyncRefusal(404, 'There is nothing at this address')
    const call = found.find(({ method }) => method === request.method)
    if (!call) throw new SyncRefusal(405, 'Not this way')
    const parts = Object.fromEntries(
      Object.entries(call.path.exec(path)!.groups ?? {}).map(([name, part]) => [name, part && decode(part)]),
    )
    if (parts.user !== undefined && nameKey(parts.user) !== user.name_key)
      throw new SyncRefusal(400, 'This is another user')
    sync.begin(user)
    const shown = {
      appPassword: app.appPasswords.find(passwordIn(request) ?? ''),
      agent: request.headers.get('user-agent'),
    }
    const answer = call.answer({ user, parts, base, shown, query: url.searchParams, body: await bodyOf(asked) })
    const response = answer instanceof Response ? answer : Response.json(answer)
    if (token !== null) response.headers.set('Set-Cookie', syncCookie(base, token))
    return response
  }

  const bodyOf = (asked: Asked) => inTime(asked, app.bodySeconds, () => readSyncBody(asked.request))

  const answer = async ({ request, server }: Asked) => {
    const response = await handle({ request, server }).catch(refuse)
    response.headers.set('Cache-Control', 'no-store')
    response.headers.set('X-Content-Type-Options', 'nosniff')
    return response
  }
  /** In the protocol's way; with a challenge, so that apps ask their user, or try again with what they know. */
  function refuse(error: unknown): Response {
    if (error instanceof SyncRefusal) return refusal(error.status, error.message)
    if (error instanceof Problem && /^(not-signed-in|wrong-user-or-password)$/.test(error.code))
      return refusal(401, error.message)
    if (error instanceof Problem && error.code === 'too-many-attempts') {
      const response = refusal(429, error.message)
      if (error.retryAfter !== undefined) response.headers.set('Retry-After', String(error.retryAfter))
      return response
    }
    log.error('a podcast app could not be answered', { error: describeError(error) })
    if (diskFault(error)) return refusal(503, 'The disk of the server cannot be written to')
    return refusal(500, 'Something went wrong; the log of the server knows more')
  }
  for (const path of appPaths) {
    routes.get(path, answer)
    // Its call reads the body, once it is known who asks.
    if (path.endsWith('*')) routes.post(path, answer, unread).put(path, answer, unread).delete(path, answer, unread)
  }
  // People paste the address of the interface: below it there is nothing else that has these names.
  routes.onRequest(({ request, server }) => {
    if (!request.url.includes('/ui/')) return
    const path = new URL(request.url).pathname.slice(config.prefix.length)
    const meant = withoutInterface(path)
    if (meant !== path && isForApps(meant, '')) return answer({ request, server })
  })
}

function refusal(status: number, message: string): Response {
  return new Response(`${message}\n`, {
    status,
    headers: {
      'Content-Type': 'text/plain;charset=utf-8',
      ...(status === 401 && { 'WWW-Authenticate': 'Basic realm="Castellan", charset="UTF-8"' }),
    },
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
