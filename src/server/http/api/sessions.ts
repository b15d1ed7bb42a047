import { t } from 'elysia'
import { Session, type SessionWay } from '../../../shared/api/sign-in'
import { OpenIdAddresses } from '../../../shared/api/system'
import { Login, SessionStart, User } from '../../../shared/api/user'
import { bearerKey } from '../../accounts/sign-in/keys'
import type { WayIn } from '../../accounts/sign-in/credentials'
import type { TokenRequest } from '../../accounts/sign-in/oidc'
import { OpenIdRefusal } from '../../accounts/sign-in/oidc-tokens'
import type { Context } from '../../context'
import { surroundingsOf } from '../../outbound/address'
import { noSuchPath, Problem } from '../../platform/problem'
import { createTurns } from '../../platform/turns'
import type { AppSessionRow } from '../../store/app-sessions'
import type { SessionRow } from '../../store/sessions'
import { inTime, jsonBody, readText } from '../core/body'
import { readCookie, sessionCookie, visitorOf } from '../core/visitor'
import { writeInstant } from '../core/instants'
import type { OpenRoutes } from '../core/open-routes'
import { addressOf, type IncomingRequest, peerOf, serverUrlOf } from '../core/links'
import type { SignedInRoutes } from '../core/signed-in'
import { presentUser } from './users'

/** Signs in with a name and a password. */
export function signInRoutes(routes: OpenRoutes, app: Context) {
  const { config, signIn, sessions } = app
  routes.post(
    '/api/v1/login',
    async ({ body, request, server, set }) => {
      if (!config.byPassword) throw new Problem('basic-auth-off', 'Signing in with a password is turned off')
      const peer = peerOf(request, server)
      const remembered = body.remember ?? false
      const address = addressOf(request, peer, config)
      const user = await signIn.byPassword(body.username, body.password, body.code ?? null, address)
      const token = sessions.start(user, readCookie(request), {
        apiKey: null,
        way: 'password',
        // With a second factor a password alone opens nothing: the browser keeps none, and the cookie takes its place.
        carriesApi: user.second_factor === 1,
        remembered,
        keepsPassword: user.second_factor === 0,
        providerSession: null,
        visitor: visitorOf(request, peer, config),
      })
      set.headers['set-cookie'] = sessionCookie(serverUrlOf(request, peer, config), token, remembered)
      return presentUser(app, user)
    },
    { parse: jsonBody(app), body: Login, response: User },
  )
}

/** The way of a session by what began it; a feed key and a session begin none. */
const wayOf: Partial<Record<WayIn, SessionWay>> = {
  password: 'password',
  token: 'single-sign-on',
  proxy: 'proxy',
  'api-key': 'key',
}

/** Begins, prolongs and ends the session of a browser; open mode needs none. */
export function session(routes: SignedInRoutes, { config, sessions }: Context) {
  routes
    .post(
      '/api/v1/session',
      ({ user, links, by, providerSession, body, request, server, set }) => {
        set.status = 204
        if (config.isOpen) return
        const old = readCookie(request)
        const visitor = visitorOf(request, peerOf(request, server), config)
        const remembered = body?.remember ?? false
        const owner = old === null ? null : sessions.ownerOf(old)
        const isSame = owner?.id === user.id && owner.keeps_password === 1 && owner.remembered === Number(remembered)
        if (owner && (by === 'session' || (by === 'password' && isSame))) {
          // Other tabs may be using the token at this moment: it stays.
          set.headers['set-cookie'] = sessionCookie(links.base, old!, sessions.prolong(owner, visitor.address))
          return
        }
        const token = sessions.start(user, old, {
          apiKey: by === 'api-key' ? bearerKey(request.headers.get('authorization')) : null,
          way: (by && wayOf[by]) ?? 'password',
          carriesApi: false,
          remembered,
          keepsPassword: by === 'password',
          providerSession,
          visitor,
        })
        set.headers['set-cookie'] = sessionCookie(links.base, token, remembered)
      },
      { body: SessionStart },
    )
    .delete('/api/v1/session', ({ links, request, set }) => {
      set.status = 204
      const token = readCookie(request)
      if (token !== null) sessions.end(token)
      set.headers['set-cookie'] = sessionCookie(links.base, '', false)
    })
}

/** Everything that is signed in as the caller: listed, ended one by one, or all but the caller's own. */
export function sessionList(routes: SignedInRoutes, { sessionList: list }: Context) {
  routes
    .get(
      '/api/v1/users/me/sessions',
      ({ user, ownSessionId }) => {
        const { sessions, apps } = list.of(user.id)
        return [...sessions.map(row => presentSession(row, ownSessionId)), ...apps.map(presentApp)].toSorted(
          (one, other) => other.lastSeenAt.localeCompare(one.lastSeenAt),
        )
      },
      { response: t.Array(Session) },
    )
    .delete('/api/v1/users/me/sessions', ({ user, ownSessionId, set }) => {
      list.endOthers(user.id, ownSessionId)
      set.status = 204
    })
    .delete('/api/v1/users/me/sessions/:id', ({ user, params, set }) => {
      list.end(user.id, params.id)
      set.status = 204
    })
}

const presentSession = (row: SessionRow, ownId: number | null): Session => ({
  id: row.uuid,
  kind: row.kind,
  device: row.device,
  place: row.address,
  way: row.way,
  createdAt: writeInstant(row.created_at),
  lastSeenAt: writeInstant(row.seen_at),
  isCurrent: row.id === ownId,
  keepsPassword: row.keeps_password === 1,
})

const presentApp = (row: AppSessionRow): Session => ({
  id: row.uuid,
  kind: 'app',
  device: row.name,
  place: surroundingsOf(row.last_address),
  way: null,
  createdAt: writeInstant(row.created_at),
  lastSeenAt: writeInstant(row.last_used_at),
  isCurrent: false,
  keepsPassword: false,
})

/** Fits every token; small, because strangers may send it. */
const MAX_FORM_BYTES = 32 * 1024
/** A browser that signs out revokes two tokens. */
const MAX_REVOKED_A_MINUTE = 30

type Form = URLSearchParams

/** The page's way to the OpenID provider: this server is the client that is registered there. */
export function openId(routes: OpenRoutes, app: Context) {
  const parse = formBody(app)
  // Strangers must not make us ask the provider again and again.
  const requireTurn = createTurns<string>(app.now, MAX_REVOKED_A_MINUTE, 'Too many tokens were revoked')
  routes
    .get('/api/v1/sys/openid', () => addressesOf(app), { response: OpenIdAddresses })
    .post(
      '/api/v1/sys/openid/token',
      ({ body, request, server }) => answerTokens(app, { request, server }, body as Form),
      { parse },
    )
    .post(
      '/api/v1/sys/openid/revoke',
      ({ body, request, server }) => {
        requireTurn(addressOf(request, peerOf(request, server), app.config))
        return revoke(app, body as Form)
      },
      { parse },
    )
    .post('/api/v1/sys/openid/logout', ({ body }) => endByProvider(app, body as Form), { parse })
}

const formBody =
  ({ bodySeconds }: Context) =>
  async ({ request, server }: IncomingRequest): Promise<Form> => {
    const text = await inTime({ request, server }, bodySeconds, () => readText(request, MAX_FORM_BYTES))
    if (text === null) throw new Problem('too-large', 'The form is too large', { limit: String(MAX_FORM_BYTES) })
    return new URLSearchParams(text)
  }

function requireOpenId({ signIn }: Context) {
  if (!signIn.ofPageByCode) throw noSuchPath()
  return signIn.ofPageByCode
}

/** Empty where single sign-on is off. */
async function addressesOf({ signIn }: Context): Promise<OpenIdAddresses> {
  if (!signIn.ofPageByCode) return {}
  const { issuer, authorization, endSession } = await signIn.ofPageByCode.endpoints()
  return {
    issuer,
    authorization_endpoint: authorization,
    ...(endSession !== null && { end_session_endpoint: endSession }),
  }
}

/** The provider's answer, in its own shape: the page's library knows that of OAuth. */
async function answerTokens(app: Context, { request, server }: IncomingRequest, form: Form): Promise<Response> {
  const wanted = tokenRequestOf(form)
  if (wanted === null) return refuse('invalid_request', 'A code with its verifier, or a refresh token, is needed')
  const openId = requireOpenId(app)
  const peer = peerOf(request, server)
  const address = addressOf(request, peer, app.config)
  const { origin } = new URL(serverUrlOf(request, peer, app.config))
  let refusal = new OpenIdRefusal('access_denied', '')
  // Anybody may send an invented code. Beyond the limit the provider is not asked about it.
  const tokens = await app.throttle.guess({ way: 'openid', name: '' }, address, () =>
    openId.exchange(wanted, origin).catch((error: unknown) => {
      refusal = refusalOf(error)
      return null
    }),
  )
  return tokens ? Response.json(tokens, { headers: noStore }) : refuse(refusal.code, refusal.description)
}

function refusalOf(error: unknown): OpenIdRefusal {
  if (error instanceof OpenIdRefusal) return error
  if (error instanceof Problem && (error.code === 'not-signed-in' || error.code === 'username-refused'))
    return new OpenIdRefusal('access_denied', error.message)
  throw error
}

function tokenRequestOf(form: Form): TokenRequest | null {
  const [code, redirectUri, verifier, refreshToken] = ['code', 'redirect_uri', 'code_verifier', 'refresh_token'].map(
    name => form.get(name) ?? '',
  ) as [string, string, string, string]
  if (form.get('grant_type') === 'refresh_token') return refreshToken ? { refreshToken } : null
  return form.get('grant_type') === 'authorization_code' && code && verifier ? { code, redirectUri, verifier } : null
}

async function revoke(app: Context, form: Form): Promise<Response> {
  const token = form.get('token')
  if (!token) return refuse('invalid_request', 'A token is needed')
  const openId = requireOpenId(app)
  try {
    await openId.revoke(token, form.get('token_type_hint') ?? '')
  } catch (error) {
    if (!(error instanceof OpenIdRefusal)) throw error
  }
  // By RFC 7009 an unknown token is not an error either.
  return new Response(null, { status: 200, headers: noStore })
}

/** Ends a sign-in that the provider has ended. */
async function endByProvider(app: Context, form: Form): Promise<Response> {
  const token = form.get('logout_token')
  if (!token) return refuse('invalid_request', 'A logout token is needed')
  const openId = requireOpenId(app)
  try {
    await openId.endByProvider(token)
  } catch (error) {
    const { code, description } = refusalOf(error)
    return refuse(code === 'access_denied' ? 'invalid_request' : code, description)
  }
  return new Response(null, { status: 200, headers: noStore })
}

const noStore = { 'Cache-Control': 'no-store' }

const refuse = (error: string, description: string) =>
  Response.json({ error, error_description: description }, { status: 400, headers: noStore })
