import { SYNC_DAYS } from '../../../accounts/sign-in/session'
import type { Context } from '../../../context'
import { surroundingsOf } from '../../../outbound/address'
import { noteActor } from '../../../platform/events'
import { Problem } from '../../../platform/problem'
import { nameKey, type UserRow } from '../../../store/users'
import { inTime } from '../../core/body'
import { addressOf, type IncomingRequest, type Peer, peerOf, serverUrlOf } from '../../core/links'
import { diskFault, logFailedRequest } from '../../core/problems'
import { decodeSegment } from '../../core/query'
import { visitorOf } from '../../core/visitor'
import { type Call, createCalls, logoutPath } from './calls'
import { clientConfig } from './directory'
import { badRequest, emptyAnswer, SyncRefusal, withoutInterface } from './protocol'

/** A request with its path below our prefix, and the server's address as the app sees it. */
type Routed = IncomingRequest & { peer: Peer; path: string; base: string }

/** Answers requests of podcast apps, refusals and failures included. */
export function createServe(app: Context) {
  const withoutUser = createUserlessCalls(app)
  const withUser = createUserCalls(app)
  return async ({ request, server }: IncomingRequest): Promise<Response> => {
    const peer = peerOf(request, server)
    const path = withoutInterface(new URL(request.url).pathname.slice(app.config.prefix.length))
    const routed = { request, server, peer, path, base: serverUrlOf(request, peer, app.config) }
    const response = await serve(routed).catch((error: unknown) => answerRefusal(error, app))
    response.headers.set('Cache-Control', 'no-store')
    response.headers.set('X-Content-Type-Options', 'nosniff')
    return response
  }

  async function serve(routed: Routed): Promise<Response> {
    return (await withoutUser(routed)) ?? withUser(routed)
  }
}

/** Answers calls that need no user: sign-out, Nextcloud's login flow, client configuration. Null for other calls. */
function createUserlessCalls(app: Context) {
  const flow = loginFlow(app)
  return async ({ request, server, path, base }: Routed): Promise<Response | null> => {
    const { method } = request
    if (logoutPath.test(path)) return signOut(app, request, base)
    if (method === 'POST' && /^\/{1,2}index\.php\/login\/v2$/.test(path))
      return Response.json(flow.begin(request, base))
    if (method === 'POST' && /^\/{1,2}index\.php\/login\/v2\/poll$/.test(path))
      return Response.json(await inTime({ request, server }, app.bodySeconds, () => flow.poll(request, base)))
    if (method === 'GET' && path === '/clientconfig.json') return Response.json(clientConfig(base))
    return null
  }
}

function signOut({ sessions }: Context, request: Request, base: string): Response {
  const cookie = readSyncCookie(request)
  if (cookie !== null) sessions.end(cookie)
  const answer = emptyAnswer()
  answer.headers.set('Set-Cookie', syncCookie(base, ''))
  return answer
}

/** Returns the calls of a user: identifies the user, finds the call, and only then reads the body. */
function createUserCalls(app: Context) {
  const calls = createCalls(app)
  const identify = createIdentify(app)
  return async ({ request, server, peer, path, base }: Routed): Promise<Response> => {
    const { user, token } = await identify(request, peer)
    noteActor(user)
    const call = requireCall(calls, request.method, path)
    const parts = partsOf(call, path)
    if (parts.user !== undefined && nameKey(parts.user) !== user.name_key)
      throw new SyncRefusal(400, 'The path names another user')
    app.sync.begin(user)
    const shown = {
      appPassword: app.appPasswords.find(passwordIn(request) ?? ''),
      agent: request.headers.get('user-agent'),
    }
    const query = new URL(request.url).searchParams
    const body = await inTime({ request, server }, app.bodySeconds, () => readSyncBody(request))
    const answer = await call.answer({ user, parts, base, shown, query, body })
    const response = answer instanceof Response ? answer : Response.json(answer)
    if (token !== null) response.headers.set('Set-Cookie', syncCookie(base, token))
    return response
  }
}

function requireCall(calls: readonly Call[], method: string, path: string): Call {
  const found = calls.filter(call => call.path.test(path))
  if (found.length === 0) throw new SyncRefusal(404, 'There is nothing at this address')
  const call = found.find(candidate => candidate.method === method)
  if (!call) throw new SyncRefusal(405, `Method ${method} is not allowed here`)
  return call
}

const partsOf = (call: Call, path: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(call.path.exec(path)!.groups ?? {}).map(([name, part]) => [name, part && decodeSegment(part)]),
  )

/**
 * Answers an error as the protocol does: a status and a line of text. A 401 has a challenge, which makes an app
 * ask for a password, or try again with one.
 */
function answerRefusal(error: unknown, logs: Pick<Context, 'log' | 'room'>): Response {
  if (error instanceof SyncRefusal) return write(error.status, error.message)
  if (error instanceof Problem && /^(not-signed-in|wrong-user-or-password|second-factor-needed)$/.test(error.code))
    return write(401, error.message)
  if (error instanceof Problem && error.code === 'too-many-attempts') {
    const response = write(429, error.message)
    if (error.retryAfter !== undefined) response.headers.set('Retry-After', String(error.retryAfter))
    return response
  }
  const fault = diskFault(error)
  if (fault?.code === 'database-busy') {
    const response = write(503, fault.message)
    response.headers.set('Retry-After', String(fault.retryAfter))
    return response
  }
  logFailedRequest(logs, 'request of a podcast app failed', error)
  if (fault) return write(503, "The server's disk cannot be written to")
  return write(500, "Something went wrong. The server's log has the details.")
}

const write = (status: number, message: string): Response =>
  new Response(`${message}\n`, {
    status,
    headers: {
      'Content-Type': 'text/plain;charset=utf-8',
      ...(status === 401 && { 'WWW-Authenticate': 'Basic realm="Castellan", charset="UTF-8"' }),
    },
  })

const MAX_TOKEN = 1000
/** Small, because strangers may send it. */
const MAX_TOKEN_BYTES = 4096

/**
 * Nextcloud's login flow v2: the app opens our page in a browser, where the user signs in and grants access. Until then
 * the app asks every second for its password.
 */
function loginFlow({ appPasswords }: Context) {
  return {
    /** Begins a flow; `base` is the server's address with a trailing slash. */
    begin(request: Request, base: string) {
      const { token, id } = appPasswords.begin(request.headers.get('user-agent') ?? '')
      return {
        poll: { token, endpoint: `${base}index.php/login/v2/poll` },
        login: `${base}ui/grant/${id}`,
      }
    },
    async poll(request: Request, base: string) {
      const granted = appPasswords.claim(readToken(await readSyncBody(request, MAX_TOKEN_BYTES)))
      if (!granted) throw new SyncRefusal(404, 'Access has not been granted yet')
      return { server: base.replace(/\/$/, ''), loginName: granted.username, appPassword: granted.password }
    },
  }
}

/** Reads the token from a form or from JSON. */
function readToken(body: string): string {
  if (body.length > MAX_TOKEN) throw badRequest(`The body is too large, the limit is ${MAX_TOKEN} characters`)
  if (!body.trimStart().startsWith('{')) return new URLSearchParams(body.trim()).get('token') ?? ''
  try {
    const { token } = JSON.parse(body) as { token?: unknown }
    return typeof token === 'string' ? token : ''
  } catch {
    throw badRequest('The body is not valid JSON')
  }
}

const MAX_REMEMBERED = 1000

function createIdentify({ signIn, sessions, appPasswords, config }: Context) {
  // Some apps never send a cookie; the same Basic header gets the same session each time.
  const begun = new Map<string, string>()

  /**
   * Identifies the user of a podcast app by password, key or session. `token` belongs to a session that was begun for
   * the app, null if it has one. Throws `SyncRefusal` and `Problem`.
   */
  return async function identify(request: Request, peer: Peer): Promise<{ user: UserRow; token: string | null }> {
    const authorization = request.headers.get('authorization')
    const address = () => addressOf(request, peer, config)
    const place = () => surroundingsOf(address())
    const cookie = readSyncCookie(request)
    if (authorization === null) {
      const owner = cookie === null ? null : sessions.syncOwnerOf(cookie, place)
      if (!owner) throw new SyncRefusal(401, 'Sign in with your user name and password')
      return { user: owner, token: null }
    }
    if (/^basic /i.test(authorization) && !isReadable(authorization))
      throw new SyncRefusal(400, 'The Authorization header is not valid Basic')
    // Some apps send the password that Nextcloud's login flow gave them as a Bearer token.
    const bearer = /^bearer +([0-9a-f]{32})$/i.exec(authorization)?.[1]
    const holder = bearer === undefined ? null : appPasswords.ownerOf(bearer.toLowerCase(), address())
    if (holder) return { user: holder, token: null }
    const { user, by } = await signIn.require({
      surface: 'sync',
      isReading: false,
      authorization,
      proxied: null,
      key: null,
      mediaKey: null,
      session: null,
      isOurPage: false,
      address,
      place,
    })
    // Other tokens expire within hours; they must not begin a session of a year.
    if (!/^basic /i.test(authorization)) return { user, token: null }
    if (cookie !== null && sessions.syncOwnerOf(cookie)?.id === user.id) return { user, token: null }
    const digest = new Bun.CryptoHasher('sha256').update(authorization).digest('base64')
    const known = begun.get(digest)
    if (known && sessions.syncOwnerOf(known)?.id === user.id) return { user, token: known }
    const way = by === 'api-key' ? 'key' : 'password'
    const shown = way === 'key' ? passwordIn(request) : null
    const apiKey = shown !== null && appPasswords.find(shown) === null ? shown : null
    const token = sessions.startSync(user, way, apiKey, visitorOf(request, peer, config))
    if (begun.size >= MAX_REMEMBERED) begun.clear()
    begun.set(digest, token)
    return { user, token }
  }
}

/** The password or token in a request's Authorization header; null if there is none. */
function passwordIn(request: Request): string | null {
  const [, scheme, shown] = /^(basic|bearer) +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (scheme === undefined || shown === undefined) return null
  if (scheme.toLowerCase() === 'bearer') return shown.toLowerCase()
  const text = Buffer.from(shown, 'base64').toString('latin1')
  return text.slice(text.indexOf(':') + 1)
}

function isReadable(authorization: string): boolean {
  const payload = authorization.slice(6).trim()
  return /^[A-Za-z0-9+/]+=*$/.test(payload) && Buffer.from(payload, 'base64').includes(':')
}

/** Ten times what the largest known upload needs: 5,000 actions are 1.5 MB. */
const MAX_BYTES = 16 * 1024 * 1024

/** Reads the body as text, and inflates one that was sent with gzip. Throws `SyncRefusal`. */
export async function readSyncBody(request: Request, maxBytes = MAX_BYTES): Promise<string> {
  const tooLarge = () => new SyncRefusal(413, `The body is too large, the limit is ${maxBytes} bytes`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const bytes = await request.bytes()
  if (bytes.byteLength > maxBytes) throw tooLarge()
  if (request.headers.get('content-encoding')?.toLowerCase() !== 'gzip') return new TextDecoder().decode(bytes)
  const { gunzipSync } = await import('node:zlib')
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes }).toString('utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new SyncRefusal(400, 'The body is not valid gzip')
  }
}

const NAME = 'sessionid'

/** The session token in an app's cookie; null if there is none. The cookie has the name that gpodder.net gives it. */
const readSyncCookie = (request: Request): string | null =>
  new RegExp(`(?:^|;\\s*)${NAME}=([^;]+)`).exec(request.headers.get('cookie') ?? '')?.[1] ?? null

/** A `Set-Cookie` for an app's session, `Secure` only over https. An empty token deletes the cookie. */
function syncCookie(base: string, token: string): string {
  const { pathname, protocol } = new URL(base)
  const age = token === '' ? 0 : SYNC_DAYS * 86_400
  return `${NAME}=${token}; HttpOnly; SameSite=Lax; Path=${pathname}; Max-Age=${age}${protocol === 'https:' ? '; Secure' : ''}`
}
