import type { JWTPayload } from 'jose'
import type { OidcSettings } from '../../config'
import type { Outbound } from '../../outbound/request'
import type { Clock } from '../../platform/clock'
import { makeToken } from '../../platform/secret'
import type { Publish } from '../../platform/events'
import type { Log } from '../../platform/log'
import { Problem } from '../../platform/problem'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import { MAX_WISH } from '../names'
import { type Credentials, notSignedIn, type SignedIn } from './credentials'
import type { Roles, Users } from '../users'
import type { Throttle } from '../throttle'
import { type AppFlow, createFlows } from './oidc-flows'
import {
  createOidcTokens,
  endByProvider,
  hasEnded,
  mergeClaims,
  type OidcTokens,
  OpenIdRefusal,
  sessionOf,
  type Tokens,
} from './oidc-tokens'
import { createOidcProvider, isExpired } from './oidc-provider'

// Why: docs/internals/decisions/0053

type OidcNeeds = {
  store: Store
  users: Users
  roles: Roles
  outbound: Outbound
  settings: OidcSettings
  admins: readonly string[]
  now: Clock
  log: Log
  throttle: Throttle
  publish: Publish
}

type Provider = ReturnType<typeof createOidcProvider>
type TokenNeeds = OidcNeeds & { provider: Provider; tokens: OidcTokens }

/**
 * Signs in by the OpenID provider. A browser's page and apps get their tokens through this server, which shows the
 * provider the client's secret and reads the claims. A request is signed in by a bearer token: an ID token, or a JWT
 * access token for our client.
 */
export function createOidcSignIn(given: OidcNeeds) {
  const provider = createOidcProvider(given)
  const needs = { ...given, provider, tokens: createOidcTokens({ ...given, provider }) }
  return {
    /** Ignores what isn't a token of the provider, such as an API key. */
    async signIn({ authorization, address }: Credentials): Promise<SignedIn | null> {
      const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
      if (!token || /^[0-9a-f]{32}$/i.test(token)) return null
      try {
        const payload = await verifyForUs(needs, token)
        return { user: requireUser(needs, payload, 'token'), by: 'token', providerSession: sessionOf(payload) }
      } catch (error) {
        // A page that was open for a while sends an expired token, and gets another one.
        if (error instanceof Problem && error.code === 'not-signed-in' && !isExpired(error))
          needs.throttle.reportRefusal({ way: 'openid', name: '' }, address())
        throw error
      }
    },
    ofPage: createPageSignIn(needs),
    /** Signs in apps that have no separate client at the provider. */
    ofApp: createCodeSignIn(needs),
    /** The origins that a browser visits to sign in. */
    providerOrigins: provider.origins,
  }
}

/** A page's request for tokens. The client's id and secret are added here. */
export type TokenRequest = { code: string; redirectUri: string; verifier: string } | { refreshToken: string }

/** Gets the tokens of a page, whose library checks state and nonce and holds the verifier of the code (PKCE). */
const createPageSignIn = (needs: TokenNeeds) => ({
  endpoints: needs.provider.endpoints,
  /** The provider's answer. Throws `OpenIdRefusal`, `not-signed-in`, `upstream-timeout`, `username-refused`. */
  async exchange(request: TokenRequest, origin: string): Promise<Tokens> {
    const isRenewal = 'refreshToken' in request
    const form: Record<string, string> = isRenewal
      ? { grant_type: 'refresh_token', refresh_token: request.refreshToken }
      : codeForm(request.code, request.redirectUri, request.verifier)
    // A public client is the page to its provider, as it was registered.
    const tokens = await needs.tokens.exchange(needs.settings.clientSecret === null ? { ...form, origin } : form)
    // A renewal need not bring another ID token.
    if (!isRenewal || tokens['id_token'] !== undefined) await userOfTokens(needs, tokens, null)
    return tokens
  },
  /** Revokes a token, where the provider can. Throws like `exchange`. */
  revoke: (token: string, hint: string): Promise<void> =>
    needs.tokens.revoke({ token, ...(hint && { token_type_hint: hint }) }),
  /** Ends a sign-in by the provider's token. Throws `not-signed-in`. */
  endByProvider: (token: string): Promise<void> => endByProvider(needs, token),
})

const codeForm = (code: string, redirectUri: string, verifier: string) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: redirectUri,
  code_verifier: verifier,
})

/** The proof of the app that it began the flow, and the code that came back (RFC 7636). */
type CodeProof = { state: string; code: string; verifier: string }

/**
 * Signs in apps by an authorization code. The proof is the app's own: its challenge is sent to the provider, its
 * verifier with the code to the token endpoint. Flows are kept only in memory.
 */
function createCodeSignIn(needs: TokenNeeds) {
  const { provider, settings, now } = needs
  const flows = createFlows(now)
  return {
    /** The address of the provider's sign-in page. `wish`: the state that the app would like, null = any. */
    async begin(begun: Omit<AppFlow, 'nonce'>, wish: string | null): Promise<string> {
      const url = new URL((await provider.endpoints()).authorization)
      const flow = { ...begun, nonce: makeToken() }
      const parameters = {
        ...settings.parameters,
        response_type: 'code',
        client_id: settings.clientId,
        redirect_uri: flow.redirectUri,
        scope: settings.scope,
        state: flows.add(flow, wish),
        nonce: flow.nonce,
        code_challenge: flow.challenge,
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },
    /** The address of the app that a state belongs to, once; null if nobody waits for it. */
    targetOf: (state: string): string | null => flows.noteReturn(state),
    /** The user of a code, whose state ends. Throws `not-signed-in`, `upstream-timeout`. */
    async finish({ state, code, verifier }: CodeProof): Promise<ByProvider> {
      const flow = flows.claim(state)
      if (!flow || challengeOf(verifier) !== flow.challenge) throw notSignedIn()
      const tokens = await needs.tokens.exchange(codeForm(code, flow.redirectUri, verifier)).catch((error: unknown) => {
        throw error instanceof OpenIdRefusal ? notSignedIn() : error
      })
      return userOfTokens(needs, tokens, flow.nonce)
    },
  }
}

const challengeOf = (verifier: string) => new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')

/** The claims of a token that is meant for us, of a sign-in that lasts. Throws `not-signed-in`. */
async function verifyForUs({ provider, settings, store }: TokenNeeds, token: string): Promise<JWTPayload> {
  const payload = await provider.verify(token)
  if (!isForUs(payload, settings.clientId) || hasEnded(store, payload)) throw notSignedIn()
  return payload
}

/**
 * Whether the token is meant for us: an ID token names us as its audience, an access token may name an API there. A
 * token with events, such as a logout token, reports something and signs nobody in (RFC 8417).
 */
const isForUs = (payload: JWTPayload, clientId: string) =>
  payload['events'] === undefined && [payload.aud, payload['azp'], payload['client_id']].flat().includes(clientId)

/** A user, and the sign-in at the provider as `SessionRow` has it. */
type ByProvider = { user: UserRow; providerSession: string | null }

/** The user of tokens that the provider has just given to us; `nonce`: the one of the request, null = none here. */
async function userOfTokens(needs: TokenNeeds, tokens: Tokens, nonce: string | null): Promise<ByProvider> {
  const [idToken, accessToken] = [tokens['id_token'], tokens['access_token']].map(token =>
    typeof token === 'string' ? token : null,
  )
  const token = idToken ?? accessToken
  if (!token) throw notSignedIn()
  const payload = await verifyForUs(needs, token)
  if (nonce !== null && idToken && payload['nonce'] !== nonce) throw notSignedIn()
  const { store, settings, log } = needs
  const known = store.users.findBySubject(payload.iss!, payload.sub!)
  const lacksRole = settings.adminClaim !== null && !(settings.adminClaim.name in payload)
  const lacksName = (known === null || isNamedBySubject(known)) && typeof payload['preferred_username'] !== 'string'
  const userBy = (claims: JWTPayload, extent: Extent): ByProvider => ({
    user: requireUser(needs, claims, extent),
    providerSession: sessionOf(payload),
  })
  if (!accessToken || !(lacksRole || lacksName)) return userBy(payload, 'whole')
  try {
    const more = await needs.tokens.userInfo(accessToken)
    // An answer about somebody else must not be used (OpenID Connect Core 5.3.2).
    if ((more && more.sub !== payload.sub) || hasEnded(store, payload)) throw notSignedIn()
    return userBy(more ? mergeClaims(payload, more) : payload, 'whole')
  } catch (error) {
    if (error instanceof Problem) throw error
    if (known === null) throw needs.provider.unavailable('OpenID userinfo endpoint failed', error)
    log.warn('OpenID userinfo endpoint failed', { authority: settings.authority, error: String(error) })
    return userBy(payload, 'unread')
  }
}

/**
 * Whether claims are all that the provider says, those of a token that was issued earlier, or those of a new one whose
 * userinfo could not be read.
 */
type Extent = 'whole' | 'token' | 'unread'

/** The user that the claims name, created at the first sign-in. */
function requireUser(needs: OidcNeeds, payload: JWTPayload, extent: Extent): UserRow {
  const { store, users, roles, settings, admins, publish } = needs
  const [issuer, subject] = [payload.iss!, payload.sub!]
  const isNamed = admins.includes(subject)
  const isAdmin = isNamed || hasAdminClaim(payload, settings)
  const known = store.users.findBySubject(issuer, subject)
  if (!known) {
    const user = users.add({
      username: users.requireOneOf([...wishesOf(payload), subject]),
      issuer,
      subject,
      ...roles.forNewUser(isAdmin),
    })
    noteClaims(needs, user, payload, extent)
    publish({
      type: 'recorded',
      kind: 'user-added',
      actor: user,
      about: user,
      via: 'single-sign-on',
      detail: user.role,
    })
    return user
  }
  noteClaims(needs, known, payload, extent)
  const user = renameOnce(needs, known, wishesOf(payload))
  const saysRole = isNamed || settings.adminClaim === null || settings.adminClaim.name in payload
  const wasRead = (payload.iat ?? Infinity) <= (known.claims_issued_at ?? -1)
  const isKept = !saysRole && (extent === 'unread' || (extent === 'token' && wasRead))
  return isKept ? user : roles.apply(user, isAdmin)
}

/** Notes that the claims that belong to a token were read: until a newer one, its silence about roles says nothing. */
function noteClaims({ store }: OidcNeeds, user: UserRow, { iat }: JWTPayload, extent: Extent) {
  if (extent !== 'token' && iat !== undefined && iat > (user.claims_issued_at ?? -1))
    store.users.noteClaims(user.id, iat)
}

/** Names for the account, in order of preference. */
const wishesOf = (payload: JWTPayload): string[] =>
  ['preferred_username', 'name', 'email']
    .map(claim => payload[claim])
    .filter((name): name is string => typeof name === 'string' && name.trim() !== '')

/** Whether an account was named after its subject, numbered or not: its provider gave no other name then. */
function isNamedBySubject({ username, subject }: UserRow): boolean {
  const name = (subject ?? '').trim()
  const stem = name.slice(0, MAX_WISH)
  return username === name || (stem !== '' && username.startsWith(stem) && /^\d+$/.test(username.slice(stem.length)))
}

/** Gives an account that was named after its subject the name that the provider now has for it, and says so to its user. */
function renameOnce({ store, users, now, publish }: OidcNeeds, user: UserRow, wishes: readonly string[]): UserRow {
  if (wishes.length === 0 || !isNamedBySubject(user) || wishes.includes(user.username)) return user
  const name = users.findUsable(wishes)
  if (name === null) return user
  const notificationId = store.inTransaction(() => {
    store.users.rename(user.id, name)
    return store.notifications.addPersonal('Renamed', user.id, name, now())
  })
  publish({ type: 'signInChanged', userId: user.id })
  publish({ type: 'notification', userId: user.id, notificationId })
  publish({ type: 'recorded', kind: 'user-renamed', about: user, via: 'single-sign-on', detail: name })
  return store.users.find(user.id)!
}

/** A claim may be one value or a list of them; scopes are words in one text. */
function hasAdminClaim(payload: JWTPayload, { adminClaim }: OidcSettings): boolean {
  if (adminClaim === null) return false
  const { name, value } = adminClaim
  const claim = payload[name]
  if (Array.isArray(claim)) return claim.includes(value)
  if (typeof claim === 'string')
    return claim === value || (/^(scope|scp)$/.test(name) && claim.split(' ').includes(value))
  return claim === true && value === 'true'
}
