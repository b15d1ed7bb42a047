import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload } from 'jose'
import type { OidcSettings } from '../../config'
import { fetchBytes, type Outbound } from '../../outbound/request'
import { type Clock, MINUTE, SECOND } from '../../platform/clock'
import type { Log } from '../../platform/log'
import { Problem } from '../../platform/problem'
import { notSignedIn } from './credentials'

type Needs = { outbound: Outbound; settings: OidcSettings; now: Clock; log: Log }

/** Signatures by a key pair: a secret that both sides know would make our own client id a password. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const MAX_BYTES = 1024 * 1024
const KEYS_GROW_OLD_MS = 10 * MINUTE
const KEYS_COOL_DOWN_MS = 10 * SECOND
// Anybody may send a token, and anybody may open a page: neither must make us ask the provider again and again.
const DISCOVERY_PAUSE_MS = SECOND
const DISCOVERY_PAUSE_FOR_STRANGERS_MS = 30 * SECOND
/** Clocks of small machines differ. */
const CLOCK_TOLERANCE_SECONDS = 120

/** Addresses of the provider; null = it has none. `authMethods`: how clients may show their secret. */
export type Endpoints = {
  issuer: string
  authorization: string
  token: string
  userInfo: string | null
  revocation: string | null
  endSession: string | null
  authMethods: readonly unknown[]
}

/** `endpoints`: null = not known, because the discovery failed. */
type Provider = {
  issuers: string[]
  keys: ReturnType<typeof createRemoteJWKSet>
  endpoints: Endpoints | null
}

type State = Needs & {
  provider: Provider | null
  discovering: Promise<Provider> | null
  discoveryFailedAt: number
  keysReadAt: number
  keyMissedAt: number
  reloading: Promise<void> | null
  renewing: Promise<void> | null
  origins: readonly string[]
}

/**
 * The OpenID provider: its keys are fetched when one is missing and every ten minutes. While the provider can't be
 * reached, the known keys stay valid.
 */
export function createOidcProvider(needs: Needs) {
  const state: State = {
    ...needs,
    provider: null,
    discovering: null,
    discoveryFailedAt: -Infinity,
    keysReadAt: 0,
    keyMissedAt: 0,
    reloading: null,
    renewing: null,
    origins: [new URL(needs.settings.authority).origin],
  }
  return {
    /**
     * The claims of a token. Throws `not-signed-in` for a bad one, `upstream-timeout` when the keys can't be fetched.
     */
    verify: (token: string): Promise<JWTPayload> => verify(state, token, { requiredClaims: ['sub', 'exp', 'aud'] }),
    /** The claims of another signed message to our client, issued within the last hour. Throws like `verify`. */
    verifySigned: (token: string, requiredClaims: string[]): Promise<JWTPayload> =>
      verify(state, token, { requiredClaims, audience: needs.settings.clientId, maxTokenAge: '1 hour' }),
    /** The addresses of the provider. Throws `upstream-timeout` while they are not known. */
    endpoints: (): Promise<Endpoints> => requireEndpoints(state),
    /** The addresses as the provider gives them now, unless they were read a moment ago. Throws like `endpoints`. */
    freshEndpoints: (): Promise<Endpoints> => freshEndpoints(state),
    /** Notes a failure of the provider; the error to throw. */
    unavailable(what: string, error: unknown): Problem {
      needs.log.warn(what, { authority: needs.settings.authority, error: String(error) })
      return unavailable(state)
    },
    /**
     * Origins that a browser visits to sign in: the authority at first, every address of the discovery once it is read.
     */
    origins(): readonly string[] {
      if (needs.now() - state.discoveryFailedAt > DISCOVERY_PAUSE_FOR_STRANGERS_MS)
        void requireProvider(state).catch(() => undefined)
      return state.origins
    },
  }
}

type Wanted = { requiredClaims: string[]; audience?: string; maxTokenAge?: string }

async function verify(state: State, token: string, wanted: Wanted): Promise<JWTPayload> {
  const { now, log } = state
  const provider = await requireProvider(state)
  if (now() - state.keysReadAt > KEYS_GROW_OLD_MS) void renewProvider(state).catch(error => warnOfKeys(state, error))
  try {
    return await verifyWithFreshKeys(state, provider, token, wanted)
  } catch (error) {
    if (isRefusal(error)) {
      log.debug('Bearer token refused', { reason: (error as Error).message })
      throw Object.assign(notSignedIn(), { cause: error })
    }
    warnOfKeys(state, error)
    throw unavailable(state)
  }
}

/** Reads the keys again when the token's is unknown: the provider may have new ones. */
async function verifyWithFreshKeys(
  state: State,
  { issuers, keys }: Provider,
  token: string,
  wanted: Wanted,
): Promise<JWTPayload> {
  const check = async () => {
    const { payload } = await jwtVerify(token, keys, {
      issuer: issuers,
      algorithms,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(state.now()),
      ...wanted,
    })
    return payload
  }
  try {
    return await check()
  } catch (error) {
    // A stranger's invented keys must not make us ask all the time.
    const mayAsk = state.reloading !== null || state.now() - state.keyMissedAt >= KEYS_COOL_DOWN_MS
    if (!(error instanceof errors.JWKSNoMatchingKey) || !mayAsk) throw error
    // A page sends several requests at once: all of them wait for one answer.
    state.reloading ??= reload(state, keys)
    await state.reloading
    return check()
  }
}

function reload(state: State, keys: Provider['keys']): Promise<void> {
  state.keyMissedAt = state.now()
  return keys.reload().finally(() => (state.reloading = null))
}

/** The provider; discovered once at a time, and again a moment after a failure. */
async function requireProvider(state: State): Promise<Provider> {
  if (state.provider) return state.provider
  state.discovering ??= discoverOrAssume(state).finally(() => (state.discovering = null))
  state.provider = await state.discovering
  state.keysReadAt = state.now()
  return state.provider
}

async function discoverOrAssume(state: State): Promise<Provider> {
  const { settings, now, log } = state
  await Bun.sleep(Math.max(0, state.discoveryFailedAt + DISCOVERY_PAUSE_MS - now()))
  return discover(state).catch(error => {
    log.warn('OpenID discovery failed', { authority: settings.authority, error: String(error) })
    state.discoveryFailedAt = now()
    if (settings.jwksUri === null) throw unavailable(state)
    // The configuration says where the keys are; the issuer is the authority, with a slash at the end or without.
    const issuers = [settings.authority, `${settings.authority}/`]
    return { issuers, keys: keySetAt(state, settings.jwksUri), endpoints: null }
  })
}

async function discover(state: State): Promise<Provider> {
  const { settings } = state
  const found = await fetchJson(state, `${settings.authority}/.well-known/openid-configuration`)
  const { issuer, jwks_uri } = found as Record<string, unknown>
  if (typeof issuer !== 'string' || withoutSlash(issuer) !== settings.authority)
    throw new Error(`The provider names ${String(issuer)} as its issuer, but OIDC_AUTHORITY is ${settings.authority}`)
  state.origins = originsOf(found as Record<string, unknown>)
  return {
    issuers: [issuer],
    keys: keySetAt(state, settings.jwksUri ?? String(jwks_uri)),
    endpoints: endpointsOf(issuer, found as Record<string, unknown>),
  }
}

function endpointsOf(issuer: string, found: Record<string, unknown>): Endpoints | null {
  const { authorization_endpoint: authorization, token_endpoint: token } = found
  if (!isWebAddress(authorization) || !isWebAddress(token)) return null
  const optional = (name: string) => (isWebAddress(found[name]) ? found[name] : null)
  const authMethods = found['token_endpoint_auth_methods_supported']
  return {
    issuer,
    authorization,
    token,
    userInfo: optional('userinfo_endpoint'),
    revocation: optional('revocation_endpoint'),
    endSession: optional('end_session_endpoint'),
    authMethods: Array.isArray(authMethods) ? authMethods : [],
  }
}

/** Discovers the provider again, so that revoked keys end and a new key address is used. */
async function renewProvider(state: State) {
  state.keysReadAt = state.now()
  const fresh = await discover(state)
  await fresh.keys.reload()
  state.provider = fresh
}

const keySetAt = (state: State, address: string) =>
  createRemoteJWKSet(new URL(address), {
    cacheMaxAge: Infinity,
    cooldownDuration: Infinity,
    [customFetch]: async (url, { signal }) => Response.json(await fetchJson(state, url, signal)),
  })

async function fetchJson({ outbound, settings }: State, address: string, signal?: AbortSignal): Promise<unknown> {
  const body = await fetchBytes(outbound, address, {
    ...outgoingTo(settings, address),
    ...limits,
    ...(signal && { signal }),
  })
  return JSON.parse(Buffer.from(body).toString('utf8'))
}

export const limits = { maxBytes: MAX_BYTES, idleMs: 5 * SECOND, totalMs: 10 * SECOND }

/** The bounds of a request to the provider. */
export function outgoingTo({ jwksUri, authority }: OidcSettings, address: string) {
  // The administrator chose the provider, so it may be on a private address; its discovery may not name another one.
  const homes = [jwksUri, authority].flatMap(home => (home ? [new URL(home).hostname] : []))
  const { hostname } = new URL(address)
  return {
    reach: { home: homes.includes(hostname) ? hostname : homes.at(-1)! },
    headers: { Accept: 'application/json' },
    timeoutMs: 5 * SECOND,
  }
}

async function requireEndpoints(state: State) {
  const { endpoints } = await requireProvider(state)
  if (endpoints) return endpoints
  if (state.now() - state.discoveryFailedAt > DISCOVERY_PAUSE_FOR_STRANGERS_MS) {
    state.discoveryFailedAt = state.now()
    await renewProvider(state).catch(error => warnOfKeys(state, error))
  }
  if (state.provider?.endpoints) return state.provider.endpoints
  throw unavailable(state)
}

async function freshEndpoints(state: State) {
  // Anyone can make the provider refuse: it must not be asked each time.
  if (state.renewing || state.now() - state.keysReadAt >= KEYS_COOL_DOWN_MS) {
    state.renewing ??= renewProvider(state)
      .catch(error => warnOfKeys(state, error))
      .finally(() => (state.renewing = null))
    await state.renewing
  }
  return requireEndpoints(state)
}

const isWebAddress = (text: unknown): text is string =>
  typeof text === 'string' && (URL.parse(text)?.protocol.startsWith('http') ?? false)

const unavailable = ({ settings }: State) =>
  new Problem('upstream-timeout', 'The sign-in service does not answer', { host: new URL(settings.authority).host }, 5)

const warnOfKeys = ({ log, settings }: State, error: unknown) =>
  log.warn('OpenID keys could not be read', { authority: settings.authority, error: String(error) })

/** Whether the token is at fault rather than the request for keys: also if its key is still unknown after that. */
const isRefusal = (error: unknown) =>
  error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && error.code !== 'ERR_JOSE_GENERIC'

/** Whether a token was refused only because it has expired. */
export const isExpired = ({ cause }: Error) => cause instanceof errors.JWTExpired

const browserEndpoints = ['issuer', 'authorization_endpoint', 'end_session_endpoint']

/** The origins of the addresses that a browser visits. */
function originsOf(discovered: Record<string, unknown>): string[] {
  const addresses = browserEndpoints.map(name => URL.parse(String(discovered[name])))
  return [...new Set(addresses.flatMap(url => (url?.protocol.startsWith('http') ? [url.origin] : [])))]
}

const withoutSlash = (address: string) => address.replace(/(?<!\/)\/+$/, '')
