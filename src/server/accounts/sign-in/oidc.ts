import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload } from 'jose'
import { MINUTE, SECOND, type Clock } from '../../platform/clock'
import type { OidcSettings } from '../../config'
import type { Log } from '../../platform/log'
import { readBody } from '../../outbound/body'
import type { Outbound } from '../../outbound/request'
import { Problem } from '../../platform/problem'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import type { Roles } from '../roles-by-rule'
import type { Users } from '../users'
import { notSignedIn, type Credentials, type SignedIn } from './credentials'

type OidcNeeds = {
  store: Store
  users: Users
  roles: Roles
  outbound: Outbound
  settings: OidcSettings
  admins: readonly string[]
  now: Clock
  log: Log
}

/** Signatures by a key pair: a secret that both sides know would make our own client id a password. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const MAX_BYTES = 1024 * 1024
const KEYS_GROW_OLD_MS = 10 * MINUTE
const KEYS_COOL_DOWN_MS = 10 * SECOND
/** Anybody may send a token, and anybody may open a page: neither makes us ask without end. */
const DISCOVERY_PAUSE_MS = SECOND
const DISCOVERY_PAUSE_FOR_STRANGERS_MS = 30 * SECOND
const CLOCK_TOLERANCE_SECONDS = 30

type Provider = { issuers: string[]; keys: ReturnType<typeof createRemoteJWKSet> }

/**
 * A bearer token of the OpenID provider: an ID token, or a JWT access token for our client. The keys are fetched when
 * one is missing, and now and then; while the provider is away, those that are known go on counting.
 */
export function createOidcSignIn({ store, users, roles, outbound, settings, admins, now, log }: OidcNeeds) {
  let provider: Provider | null = null
  let discovering: Promise<Provider> | null = null
  let discoveryFailedAt = -Infinity
  let keysReadAt = 0
  let keyMissedAt = 0
  let reloading: Promise<void> | null = null
  let origins: readonly string[] = [new URL(settings.authority).origin]

  // The administrator chose the provider, so it may be on a private address; what its discovery names may not be on another.
  const homes = [settings.jwksUri, settings.authority].flatMap(address => (address ? [new URL(address).hostname] : []))
  async function fetchJson(address: string, signal?: AbortSignal): Promise<unknown> {
    const { hostname } = new URL(address)
    const { response } = await outbound.get(address, {
      reach: { home: homes.includes(hostname) ? hostname : homes.at(-1)! },
      headers: { Accept: 'application/json' },
      timeoutMs: 5 * SECOND,
      ...(signal && { signal }),
    })
    const limits = { maxBytes: MAX_BYTES, idleMs: 5 * SECOND, totalMs: 10 * SECOND }
    const body = await readBody(response, { ...limits, host: new URL(address).hostname })
    if (!response.ok) throw new Error(`${address} answered ${response.status}`)
    return JSON.parse(Buffer.from(body).toString('utf8'))
  }

  async function discover(): Promise<Provider> {
    const found = (await fetchJson(`${settings.authority}/.well-known/openid-configuration`)) as Record<string, unknown>
    const { issuer, jwks_uri } = found
    if (typeof issuer !== 'string' || withoutSlash(issuer) !== settings.authority)
      throw new Error(`the provider says that its issuer is ${String(issuer)}, OIDC_AUTHORITY is ${settings.authority}`)
    origins = originsOf(found)
    return { issuers: [issuer], keys: keySetAt(settings.jwksUri ?? String(jwks_uri)) }
  }

  const keySetAt = (address: string) =>
    createRemoteJWKSet(new URL(address), {
      cacheMaxAge: Infinity,
      cooldownDuration: Infinity,
      [customFetch]: async (url, { signal }) => Response.json(await fetchJson(url, signal)),
    })

  /** The provider as it was found; asked for once at a time, and after a failure only a moment later. */
  async function requireProvider(): Promise<Provider> {
    if (provider) return provider
    discovering ??= findProvider().finally(() => (discovering = null))
    provider = await discovering
    keysReadAt = now()
    return provider
  }

  async function findProvider(): Promise<Provider> {
    await Bun.sleep(Math.max(0, discoveryFailedAt + DISCOVERY_PAUSE_MS - now()))
    return discover().catch(error => {
      log.warn('the OpenID provider could not be asked', { error: String(error) })
      discoveryFailedAt = now()
      if (settings.jwksUri === null) throw away()
      // Where its keys are was said; it signs with its own address, with a slash at the end or without.
      return { issuers: [settings.authority, `${settings.authority}/`], keys: keySetAt(settings.jwksUri) }
    })
  }

  /** Now and then: keys that were taken back end, and so does an old address of theirs. */
  async function renewProvider() {
    keysReadAt = now()
    const fresh = await discover()
    await fresh.keys.reload()
    provider = fresh
  }

  function reload(keys: Provider['keys']): Promise<void> {
    keyMissedAt = now()
    return keys.reload().finally(() => (reloading = null))
  }

  async function verify(token: string): Promise<JWTPayload> {
    const { issuers, keys } = await requireProvider()
    const check = async () => {
      const { payload } = await jwtVerify(token, keys, {
        issuer: issuers,
        algorithms,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(now()),
        requiredClaims: ['sub', 'exp', 'aud'],
      })
      return payload
    }
    if (now() - keysReadAt > KEYS_GROW_OLD_MS) void renewProvider().catch(warn)
    try {
      return await check().catch(async error => {
        // The provider may have new keys; a stranger's invented ones do not make us ask all the time.
        const mayAsk = reloading !== null || now() - keyMissedAt >= KEYS_COOL_DOWN_MS
        if (!(error instanceof errors.JWKSNoMatchingKey) || !mayAsk) throw error
        // A page asks for several things at once: all of them wait for the one answer.
        reloading ??= reload(keys)
        await reloading
        return check()
      })
    } catch (error) {
      if (isRefusal(error)) {
        log.debug('a bearer token was refused', { reason: (error as Error).message })
        throw notSignedIn()
      }
      warn(error)
      throw away()
    }
  }

  const { host } = new URL(settings.authority)
  const away = () => new Problem('upstream-timeout', 'The sign-in service does not answer', { host }, 5)
  const warn = (error: unknown) => log.warn('the keys of the provider could not be read', { error: String(error) })

  const isAdmin = (payload: JWTPayload) => {
    const { adminClaim } = settings
    if (admins.includes(payload.sub!)) return true
    return adminClaim !== null && holds(payload[adminClaim.name], adminClaim)
  }

  function userOf(issuer: string, payload: JWTPayload): UserRow {
    const admin = isAdmin(payload)
    const known = store.users.findBySubject(issuer, payload.sub!)
    if (known) return roles.apply(known, admin)
    const names = [payload['preferred_username'], payload['email'], payload.sub]
    const wish = names.find((name): name is string => typeof name === 'string' && name.trim() !== '')
    return users.add({
      username: users.freeNameLike(wish ?? 'user'),
      issuer,
      subject: payload.sub!,
      ...roles.ofNewcomer(admin),
    })
  }

  /** A token that is none of ours is not looked at. */
  async function signIn({ authorization }: Credentials): Promise<SignedIn | null> {
    const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (!token || /^[0-9a-f]{32}$/i.test(token)) return null
    const payload = await verify(token)
    if (!isForUs(payload, settings.clientId)) throw notSignedIn()
    return { user: userOf(payload.iss!, payload), by: 'token' }
  }

  return {
    signIn,
    /** Where a browser goes to sign in: the authority at first, all that discovery names once it has answered. */
    providerOrigins(): readonly string[] {
      if (now() - discoveryFailedAt > DISCOVERY_PAUSE_FOR_STRANGERS_MS) void requireProvider().catch(() => undefined)
      return origins
    },
  }
}

/** The origins of the addresses that a browser calls. */
function originsOf(discovered: Record<string, unknown>): string[] {
  const names = [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'userinfo_endpoint',
    'revocation_endpoint',
    'end_session_endpoint',
    'jwks_uri',
  ]
  const found = names.map(name => URL.parse(String(discovered[name]))).filter(url => url?.protocol.startsWith('http'))
  return [...new Set(found.map(url => url!.origin))]
}

/** The token is at fault, not the way to the keys. A key that is still unknown after asking is the token's fault. */
const isRefusal = (error: unknown) =>
  error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && error.code !== 'ERR_JOSE_GENERIC'

/** An ID token names us as its audience; an access token may name an API there, and us as the one who asked. */
const isForUs = (payload: JWTPayload, clientId: string) =>
  [payload.aud, payload['azp'], payload['client_id']].flat().includes(clientId)

/** A claim may be one value or a list of them; scopes are words in one text. */
function holds(claim: unknown, { name, value }: { name: string; value: string }): boolean {
  if (Array.isArray(claim)) return claim.includes(value)
  if (typeof claim === 'string')
    return claim === value || (/^(scope|scp)$/.test(name) && claim.split(' ').includes(value))
  return claim === true && value === 'true'
}

const withoutSlash = (address: string) => address.replace(/(?<!\/)\/+$/, '')
