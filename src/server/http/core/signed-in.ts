import type { Surface } from '../../accounts/sign-in/credentials'
import type { Context } from '../../context'
import { Problem } from '../../platform/problem'
import type { UserRow } from '../../store/users'
import { jsonBody } from './body'
import { readCookie } from './cookie'
import type { IncomingRequest } from './incoming'
import type { Links } from './links'
import type { OpenRoutes } from './open-routes'
import { addressOf, isTrusted, peerOf, serverUrlOf } from './server-url'

/** The caller of a request: the user, and the addresses that this user is given. */
export type RequestContext = {
  user: UserRow
  links: Links
  /** The browser session that signed this request in; null if something else did. */
  sessionId: number | null
}

type SignIn = (request: IncomingRequest & { path: string }) => RequestContext | Promise<RequestContext>

/** Gives every later route `user` and `links`, or answers 401; a route's `role` refuses other roles with 403. */
export function forSignedIn(open: OpenRoutes, app: Context) {
  const signIn: SignIn = app.config.isOpen ? asBuiltIn(app) : byHeaders(app)
  const known = new WeakMap<Request, RequestContext>()
  const readBody = jsonBody(app)
  return (
    open
      // Before the body is read: strangers learn nothing from a 400, and cost no reading.
      .onParse(async ({ request, server, path }) => {
        known.set(request, await signIn({ request, server, path }))
      })
      .onParse(({ request, server }) => readBody({ request, server }))
      .derive(({ request, server, path }) => known.get(request) ?? signIn({ request, server, path }))
      .macro({
        role: (needed: 'admin' | 'uploader') => ({
          // Before the body is validated: a caller without the role learns nothing from a 422.
          transform: context => requireRole((context as unknown as RequestContext).user, needed),
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

/** Open mode: every caller is the built-in admin. */
function asBuiltIn({ config, store, admin }: Context): SignIn {
  return ({ request, server }) => ({
    user: store.users.find(admin.id)!,
    links: { base: serverUrlOf(request, peerOf(request, server), config), key: null, feedKey: null },
    sessionId: null,
  })
}

function byHeaders(app: Context): SignIn {
  const { config, signIn, feedKeys, sessions } = app
  return async ({ request, server, path }) => {
    const peer = peerOf(request, server)
    const surface = surfaceOf(path.slice(config.prefix.length))
    const session = readCookie(request)
    const { user, sessionId = null } = await signIn.require({
      surface,
      isReading: request.method === 'GET' || request.method === 'HEAD',
      authorization: request.headers.get('authorization'),
      proxied: config.proxy && isTrusted(peer, config) ? request.headers.get(config.proxy.header) : null,
      key: keyIn(request.url),
      // A page of another site may open a socket, and the browser would send our cookie with it.
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
  ['/api/v1/users/me/everything.zip', 'download'],
  ['/api/v1/', 'api'],
  ['/media/', 'media'],
  ['/covers/', 'media'],
  ['/proxy/', 'media'],
  ['/rss', 'feed'],
  ['/ws', 'socket'],
]
const surfaceOf = (path: string): Surface => surfaces.find(([start]) => path.startsWith(start))?.[1] ?? 'api'

/** The key in `?apiKey=` or `/apiKey/…`; null without one. An empty key is '', and no user has it. */
function keyIn(url: string): string | null {
  if (!url.includes('apiKey')) return null
  const { searchParams, pathname } = new URL(url)
  return searchParams.get('apiKey') ?? /\/apiKey\/([^/]*)/.exec(pathname)?.[1] ?? null
}
