import type { Credentials, Surface, WayIn } from '../../accounts/sign-in/credentials'
import type { Sessions } from '../../accounts/sign-in/session'
import type { Context } from '../../context'
import { surroundingsOf } from '../../outbound/address'
import { noteActor } from '../../platform/events'
import { Problem } from '../../platform/problem'
import type { UserRow } from '../../store/users'
import { jsonBody } from './body'
import { readCookie } from './visitor'
import { comesFromOurPage } from './guard'
import { addressOf, type IncomingRequest, isTrusted, peerOf, serverUrlOf, episodeOfMedia, type Links } from './links'
import type { Lists } from './lists'
import type { OpenRoutes } from './open-routes'

/** The caller of a request: the user, and the addresses that this user is given. */
export type RequestContext = {
  user: UserRow
  links: Links
  /** The browser session that signed this request in; null if something else did. */
  sessionId: number | null
  /** The credential that signed this request in; null in open mode. */
  by: WayIn | null
  /** The session of the caller's browser, whatever signed this request in; null without one. */
  ownSessionId: number | null
  /** The sign-in at an OpenID provider that signed this request in; null if something else did. */
  providerSession: string | null
}

type SignIn = (request: IncomingRequest & { path: string }) => RequestContext | Promise<RequestContext>

/** Gives every later route `user` and `links`, or answers 401; a route's `role` refuses other roles with 403. */
export function forSignedIn(open: OpenRoutes, app: Context, lists: Lists) {
  const signIn: SignIn = app.config.isOpen ? asBuiltIn(app) : byHeaders(app)
  const known = new WeakMap<Request, RequestContext>()
  const readBody = jsonBody(app)
  return (
    open
      // Before the body is read: strangers learn nothing from a 400, and cost no reading.
      .onParse(async ({ request, server, path }) => {
        const context = await signIn({ request, server, path })
        noteActor(context.user)
        known.set(request, context)
      })
      // Also where a route declares no body: Elysia reads one for every route that has a parser.
      .onParse(({ request, server }) => readBody({ request, server }))
      .derive(async ({ request, server, path }) => {
        const before = known.get(request)
        // A client can take its time to send a body; afterwards the credential must still be valid.
        const context = before && isAsBefore(app, before.user) ? before : await signIn({ request, server, path })
        noteActor(context.user)
        // On a full disk: deleting writes a little before it frees anything.
        if (request.method === 'DELETE') app.room.makeRoom()
        return context
      })
      .onBeforeHandle(context => lists.recall(context))
      .macro({
        role: (needed: 'admin' | 'uploader') => ({
          // Before the body is validated: a caller without the role learns nothing from a 422.
          transform: context => requireRole((context as unknown as RequestContext).user, needed),
        }),
      })
  )
}

const isAsBefore = ({ store }: Context, { id, epoch }: UserRow) => store.users.find(id)?.epoch === epoch

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
    by: null,
    ownSessionId: null,
    providerSession: null,
  })
}

function byHeaders(app: Context): SignIn {
  const { config, signIn, feedKeys, sessions } = app
  return async ({ request, server, path }) => {
    const peer = peerOf(request, server)
    const surface = surfaceOf(path.slice(config.prefix.length))
    const session = readCookie(request)
    const address = () => addressOf(request, peer, config)
    const place = () => surroundingsOf(address())
    const {
      user,
      by,
      sessionId = null,
      providerSession = null,
    } = await signIn.require({
      surface,
      isReading: request.method === 'GET' || request.method === 'HEAD',
      authorization: request.headers.get('authorization'),
      proxied: config.proxy && isTrusted(peer, config) ? request.headers.get(config.proxy.header) : null,
      key: keyIn(request.url),
      mediaKey: mediaKeyIn(request.url, path.slice(config.prefix.length)),
      // A page of another site may open a socket, and the browser would send our cookie with it.
      session: surface === 'socket' && !request.headers.has('origin') ? null : session,
      isOurPage: comesFromOurPage(request, serverUrlOf(request, peer, config)),
      address,
      place,
    })
    const feedKey = feedKeys.of(user)
    const ownSessionId = sessionId ?? cookieSession(sessions, session, user, place)
    return {
      user,
      links: { base: serverUrlOf(request, peer, config), key: ownSessionId === null ? feedKey : null, feedKey },
      sessionId,
      by,
      ownSessionId,
      providerSession,
    }
  }
}

/** The browser session whose cookie was sent with other credentials of the same user; null if none did. */
function cookieSession({ ownerOf, noteUse }: Sessions, token: string | null, user: UserRow, place: () => string) {
  const owner = token === null ? null : ownerOf(token)
  if (owner?.id !== user.id) return null
  noteUse(owner, place)
  return owner.session_id
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

/** The key in `?mediaKey=`, with the episode of `/media/{eid}.mp3`; null without one. */
function mediaKeyIn(url: string, path: string): Credentials['mediaKey'] {
  if (!url.includes('mediaKey=')) return null
  const key = new URL(url).searchParams.get('mediaKey')
  if (key === null) return null
  const [, file] = /^\/media\/([^/]+)$/.exec(path) ?? []
  return { key, eid: file === undefined ? null : episodeOfMedia(decodeURIComponent(file)) }
}

/** The key in `?apiKey=` or `/apiKey/…`; null without one. An empty key is '', and no user has it. */
function keyIn(url: string): string | null {
  if (!url.includes('apiKey')) return null
  const { searchParams, pathname } = new URL(url)
  return searchParams.get('apiKey') ?? /\/apiKey\/([^/]*)/.exec(pathname)?.[1] ?? null
}
