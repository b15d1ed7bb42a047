import type { AppAccess, FirstTokens, NewSession } from '../../../accounts/app-sessions'
import { isKey } from '../../../accounts/keys'
import { notSignedIn } from '../../../accounts/sign-in/credentials'
import type { AppSignedIn } from '../../../accounts/sign-in/apps'
import type { Context } from '../../../context'
import { Problem } from '../../../platform/problem'
import type { UserRow } from '../../../store/users'
import { accountOf } from './account'
import {
  type AppCall,
  AppRefusal,
  fieldsOf,
  nameOfApp,
  notFound,
  type OpenCall,
  type OpenRequest,
  textOf,
} from './protocol'
import { libraryIdOf } from './shapes/library'
import { authMethodsOf, serverSettings } from './status'

/** Begins, renews and ends the sign-in of an app. */
export function signInCalls(app: Context): OpenCall[] {
  const { appSessions, throttle } = app

  /** The limits of guessing are those of every other sign-in. */
  async function requireRenewed(refresh: string, address: OpenRequest['address']) {
    const renewed = appSessions.renew(refresh, address)
    if (renewed) return renewed
    await throttle.recordFailure({ way: 'app-token', name: '' }, address())
    throw refused('Invalid refresh token')
  }

  return [
    [
      'POST /login',
      async request => {
        const { user, appPasswordId, apiKey } = await identify(app, request)
        const by = { app_password_id: appPasswordId, apiKey, provider_session: null }
        const tokens = startSession(app, request, user, by)
        return loginPayload(app, user, { ...tokens, refresh: wantsTokens(request) ? tokens.refresh : null })
      },
    ],
    [
      'POST /auth/refresh',
      async ({ request, address }) => {
        const refresh = request.headers.get('x-refresh-token')
        if (!refresh) throw refused('No refresh token provided')
        const renewed = await requireRenewed(refresh, address)
        return loginPayload(app, renewed.user, renewed)
      },
    ],
    [
      'POST /logout',
      ({ request, query }) => {
        const refresh = request.headers.get('x-refresh-token')
        if (refresh && query.get('allDevices') === '1') appSessions.endAll(refresh)
        else if (refresh) appSessions.end(refresh)
        return { redirect_url: null }
      },
    ],
  ]
}

type Shown = Pick<OpenRequest, 'request' | 'query' | 'address'>

/**
 * Finds out which app sends a request: by the token of its header, or of its address where it only reads; `changes`: a
 * call that does more. In the header an API key or app password is a token, too: its first use begins a session, which lists the
 * program. A cookie never counts, so that pages of other sites gain nothing. Throws `AppRefusal`: 401 makes an app renew
 * its access.
 */
export const createIdentify =
  ({ appSessions, signIn }: Context) =>
  async ({ request, query, address }: Shown, changes: boolean): Promise<AppAccess> => {
    const token = tokenIn(request, query, changes)
    if (token === null) throw new AppRefusal(401, 'Unauthorized')
    const access = appSessions.accessOf(token, address)
    if (access) return access
    const owner = await signIn.ofAppKey(token, address())
    if (!owner) throw new AppRefusal(401, 'Unauthorized')
    const { user, appPasswordId, apiKey } = owner
    return appSessions.startByKey(user, token, {
      app_password_id: appPasswordId,
      apiKey,
      provider_session: null,
      name: nameOfApp(request),
      last_address: address(),
    })
  }

function tokenIn({ headers, method }: Request, query: URLSearchParams, changes: boolean): string | null {
  const bearer = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const inAddress = query.get('token')
  // Addresses are logged on their way, and a key opens more than an app's token.
  if (inAddress === null || isKey(inAddress)) return null
  return !changes && (method === 'GET' || method === 'HEAD') ? inAddress : null
}

/** The user of the name and password that an app sends; in open mode everybody is the built-in admin. */
async function identify(
  { config, signIn, store, admin }: Context,
  { body, address }: OpenRequest,
): Promise<AppSignedIn> {
  if (config.isOpen) return { user: store.users.find(admin.id)!, appPasswordId: null, apiKey: null }
  const { username, password } = fieldsOf(body)
  if (typeof password !== 'string') throw new AppRefusal(400, 'Password is missing')
  return signIn.ofApp(textOf(username), password, address())
}

type BegunBy = Pick<NewSession, 'app_password_id' | 'apiKey' | 'provider_session'>

/** Begins the session of an app, which is listed under the app's name. */
const startSession = (app: Context, { request, address }: OpenRequest, user: UserRow, by: BegunBy): FirstTokens =>
  app.appSessions.start(user, { ...by, name: nameOfApp(request), last_address: address() })

/** Answers an app about its user. */
export function userCalls(app: Context): AppCall[] {
  return [
    ['POST /api/authorize', ({ user }) => loginPayload(app, user, null)],
    ['GET /api/me', ({ user }) => accountOf(app, user)],
  ]
}

/** `lasting`: given at a sign-in alone; an app that finds its token in a later answer signs out. */
type Tokens = { access: string; refresh: string | null; lasting?: string }

/** The library of an app, and its user; the tokens only if they were requested. */
const loginPayload = (app: Context, user: UserRow, tokens: Tokens | null) => ({
  user: {
    ...accountOf(app, user),
    ...(tokens?.lasting && { token: tokens.lasting }),
    ...(tokens && { accessToken: tokens.access, refreshToken: tokens.refresh }),
  },
  userDefaultLibraryId: libraryIdOf(app),
  serverSettings: serverSettings(authMethodsOf(app)),
  ereaderDevices: [],
  Source: 'castellan',
})

const refused = (error: string) => new AppRefusal(401, 'Unauthorized', { error })
const wantsTokens = ({ request }: OpenRequest) => request.headers.get('x-return-tokens') === 'true'

/** Sign-in of apps by the OpenID provider: on its page, with a code that returns through this server. */
export function openIdCalls(app: Context): OpenCall[] {
  return [
    ['GET /auth/openid', request => begin(app, request)],
    ['GET /auth/openid/mobile-redirect', request => passOn(app, request)],
    ['GET /auth/openid/callback', request => finish(app, request)],
  ]
}

/** Sends an app to the provider. */
async function begin(app: Context, { query, base, address }: OpenRequest): Promise<Response> {
  const signIn = requireOpenId(app)
  const target = query.get('redirect_uri') ?? ''
  const challenge = query.get('code_challenge') ?? ''
  if (query.get('response_type') !== 'code') throw invalid('response_type')
  // A code is sent to no address that isn't a known app's.
  if (!app.config.oidc!.appRedirects.includes(target)) throw invalid('redirect_uri')
  if (query.get('code_challenge_method') !== 'S256') throw invalid('code_challenge_method')
  if (!/^[\w-]{43}$/.test(challenge)) throw invalid('code_challenge')
  const redirectUri = `${base}auth/openid/mobile-redirect`
  return redirect(await signIn.begin({ redirectUri, target, challenge, address: address() }, query.get('state')))
}

/** Passes the provider's answer on to the app. */
function passOn(app: Context, { request, query }: OpenRequest): Response {
  const signIn = requireOpenId(app)
  // A HEAD request must not use it up.
  if (request.method !== 'GET') throw new AppRefusal(405, 'Method HEAD is not allowed here')
  const state = query.get('state') ?? ''
  const target = signIn.targetOf(state)
  if (target === null) throw invalid('state')
  const code = query.get('code')
  const reason = /^[a-z_]{1,40}$/.exec(query.get('error') ?? '')?.[0] ?? 'server_error'
  const answer = new URLSearchParams({ ...(code === null ? { error: reason } : { code }), state })
  return redirect(`${target}?${answer}`)
}

/** Signs the app in by the code and the proof that it began the flow. */
async function finish(app: Context, request: OpenRequest) {
  const signIn = requireOpenId(app)
  const [state, code, verifier] = ['state', 'code', 'code_verifier'].map(name => request.query.get(name) ?? '')
  if (!state || !code || !verifier) throw new AppRefusal(400, 'state, code and code_verifier are needed')
  // Anybody can begin a flow and invent a code. Beyond the limit the provider is not asked about it.
  const found = await app.throttle.guess({ way: 'openid', name: '' }, request.address(), () =>
    signIn.finish({ state, code, verifier }).catch(nullIfNotSignedIn),
  )
  if (found === null) throw notSignedIn()
  const { user, providerSession } = found
  const by = { app_password_id: null, apiKey: null, provider_session: providerSession }
  return loginPayload(app, user, startSession(app, request, user, by))
}

function nullIfNotSignedIn(error: unknown): null {
  if (error instanceof Problem && error.code === 'not-signed-in') return null
  throw error
}

function requireOpenId({ signIn }: Context) {
  if (!signIn.ofAppByCode) throw notFound('Single sign-on is turned off')
  return signIn.ofAppByCode
}

const invalid = (name: string) => new AppRefusal(400, `Invalid ${name}`)

const redirect = (location: string) =>
  new Response('Continue in the app', {
    status: 302,
    headers: { Location: location, 'Referrer-Policy': 'no-referrer', 'Content-Type': 'text/plain;charset=utf-8' },
  })
