import type { Server } from 'bun'
import type { Surface } from '../../accounts/sign-in/credentials'
import type { Context } from '../../context'
import { Problem } from '../../platform/problem'
import type { UserRow } from '../../store/users'
import { jsonBody } from './body'
import { readCookie } from './cookie'
import type { Links } from './links'
import type { OpenRoutes } from './open-routes'
import { addressOf, isTrusted, peerOf, serverUrlOf } from './server-url'

/** Who asks, and the addresses they are given. */
export type Asking = {
  user: UserRow
  links: Links
  /** The browser's session, where it is what signed this request in. */
  sessionId: number | null
}

type Asked = { request: Request; server: Server<unknown> | null; path: string }

/** From here on every route has `user` and `links`, or the request is answered 401; `role` says who else is refused. */
export function forSignedIn(open: OpenRoutes, context: Context) {
  const { config } = context
  const ask = config.isOpen ? asBuiltIn(context) : asSignedIn(context)
  const asked = new WeakMap<Request, Asking>()
  const readBody = jsonBody(context)
  return (
    open
      // Before the body is read: strangers learn nothing from a 400, and make us read nothing.
      .onParse(async ({ request, server, path }) => {
        asked.set(request, await ask({ request, server, path }))
      })
      .onParse(({ request, server }) => readBody({ request, server }))
      .derive(({ request, server, path }) => asked.get(request) ?? ask({ request, server, path }))
      .macro({
        role: (needed: 'admin' | 'uploader') => ({
          // Before the body is looked at: whoever may not ask learns nothing from a 422.
          transform: context => requireRole((context as unknown as Asking).user, needed),
        }),
      })
  )
}
export type SignedInRoutes = ReturnType<typeof forSignedIn>

function requireRole(user: UserRow, needed: 'admin' | 'uploader') {
  if (user.role === 'admin' || user.role === needed) return
  if (needed === 'admin') throw new Problem('not-admin', 'You are not an admin')
  throw new Problem('not-uploader', 'You are not an admin or an uploader')
}

/** Open mode. */
function asBuiltIn({ config, store, admin }: Context) {
  return ({ request, server }: Asked): Asking => ({
    user: store.users.find(admin.id)!,
    links: { base: serverUrlOf(request, peerOf(request, server), config), key: null, feedKey: null },
    sessionId: null,
  })
}

function asSignedIn(context: Context) {
  const { config, signIn, feedKeys, sessions } = context
  return async ({ request, server, path }: Asked): Promise<Asking> => {
    const peer = peerOf(request, server)
    const surface = surfaceOf(path.slice(config.prefix.length))
    const session = readCookie(request)
    const { user, sessionId = null } = await signIn.require({
      surface,
      isReading: request.method === 'GET' || request.method === 'HEAD',
      authorization: request.headers.get('authorization'),
      proxied: config.proxy && isTrusted(peer, config) ? request.headers.get(config.proxy.header) : null,
      key: keyIn(request.url),
      // A page of another site may open a socket, and the browser would send the cookie along.
      session: surface === 'socket' && !request.headers.has('origin') ? null : session,
      address: () => addressOf(request, peer, config),
    })
    const feedKey = feedKeys.of(user)
    const hasSession = sessionId !== null || (session !== null && sessions.ownerOf(session)?.id === user.id)
    return {
      user,
      links: { base: serverUrlOf(request, peer, config), key: hasSession ? null : feedKey, feedKey },
      sessionId,
    }
  }
}

const surfaces: readonly (readonly [string, Surface])[] = [
  ['/api/v1/', 'api'],
  ['/media/', 'media'],
  ['/covers/', 'media'],
  ['/proxy/', 'media'],
  ['/rss', 'feed'],
  ['/ws', 'socket'],
]
const surfaceOf = (path: string): Surface => surfaces.find(([start]) => path.startsWith(start))?.[1] ?? 'api'

/** `?apiKey=` or `/apiKey/…`. An empty one is a wrong one. */
function keyIn(url: string): string | null {
  if (!url.includes('apiKey')) return null
  const { searchParams, pathname } = new URL(url)
  return searchParams.get('apiKey') ?? /\/apiKey\/([^/]*)/.exec(pathname)?.[1] ?? null
}
