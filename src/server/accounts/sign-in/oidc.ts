import type { JWTPayload } from 'jose'
import type { OidcSettings } from '../../config'
import type { Outbound } from '../../outbound/request'
import { type Clock, MINUTE } from '../../platform/clock'
import { makeToken } from '../../platform/secret'
import type { Publish } from '../../platform/events'
import type { Log } from '../../platform/log'
import { Problem } from '../../platform/problem'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import { type Credentials, notSignedIn, type SignedIn } from './credentials'
import type { Roles, Users } from '../users'
import type { Throttle } from '../throttle'
import { createOidcProvider, isExpired } from './oidc-provider'

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

/** Signs in by a bearer token of the OpenID provider: an ID token, or a JWT access token for our client. */
export function createOidcSignIn(needs: OidcNeeds) {
  const provider = createOidcProvider(needs)

  async function userOf(token: string): Promise<UserRow> {
    const payload = await provider.verify(token)
    if (!isForUs(payload, needs.settings.clientId)) throw notSignedIn()
    return requireUser(needs, payload.iss!, payload)
  }

  return {
    /** Ignores what isn't a token of the provider, such as an API key. */
    async signIn({ authorization, address }: Credentials): Promise<SignedIn | null> {
      const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
      if (!token || /^[0-9a-f]{32}$/i.test(token)) return null
      try {
        return { user: await userOf(token), by: 'token' }
      } catch (error) {
        // A page that was open for a while sends an expired token, and gets another one.
        if (error instanceof Problem && error.code === 'not-signed-in' && !isExpired(error))
          needs.throttle.reportRefusal({ way: 'openid', name: '' }, address())
        throw error
      }
    },
    /** Signs in apps that have no separate client at the provider. */
    ofApp: createCodeSignIn({ ...needs, provider, userOf }),
    /** The origins that the interface must be allowed to call. */
    providerOrigins: provider.origins,
  }
}

/** The user that the token names, created at the first sign-in. */
function requireUser(
  { store, users, roles, settings, admins, publish }: OidcNeeds,
  issuer: string,
  payload: JWTPayload,
): UserRow {
  const subject = payload.sub!
  const isAdmin = admins.includes(subject) || hasAdminClaim(payload, settings)
  const known = store.users.findBySubject(issuer, subject)
  if (known) return roles.apply(known, isAdmin)
  const names = [payload['preferred_username'], payload['email'], subject]
  const wishes = names.filter((name): name is string => typeof name === 'string' && name.trim() !== '')
  const user = users.add({
    username: users.requireOneOf(wishes),
    issuer,
    subject,
    ...roles.forNewUser(isAdmin),
  })
  publish({ type: 'recorded', kind: 'user-added', actor: user, about: user, via: 'single-sign-on', detail: user.role })
  return user
}

/** Whether the token is meant for us: an ID token names us as its audience, an access token may name an API there. */
const isForUs = (payload: JWTPayload, clientId: string) =>
  [payload.aud, payload['azp'], payload['client_id']].flat().includes(clientId)

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

const FLOW_MS = 10 * MINUTE
const MAX_FLOWS = 1000
/** If an address begins more, its own earlier ones are dropped. */
const MAX_PER_ADDRESS = 20

type FlowNeeds = {
  provider: Pick<ReturnType<typeof createOidcProvider>, 'authorizationEndpoint' | 'exchange'>
  settings: OidcSettings
  now: Clock
  userOf: (token: string) => Promise<UserRow>
}

/** A sign-in of an app: `redirectUri` is ours, to which the provider returns; `target` is the app's own. */
type AppFlow = { redirectUri: string; target: string; challenge: string; address: string }
type Flow = AppFlow & { startedAt: number; hasReturned: boolean }

/** The proof of the app that it began the flow, and the code that came back (RFC 7636). */
type CodeProof = { state: string; code: string; verifier: string }

/**
 * Signs in apps by an authorization code. This server is a public client, so the proof is the app's own: its challenge
 * is sent to the provider, its verifier with the code to the token endpoint. Flows are kept only in memory.
 */
function createCodeSignIn({ provider, settings, now, userOf }: FlowNeeds) {
  const flows = createFlows(now)
  return {
    /** The address of the provider's sign-in page. `wish`: the state that the app would like, null = any. */
    async begin(flow: AppFlow, wish: string | null): Promise<string> {
      const url = new URL(await provider.authorizationEndpoint())
      const parameters = {
        response_type: 'code',
        client_id: settings.clientId,
        redirect_uri: flow.redirectUri,
        scope: settings.scope,
        state: flows.add(flow, wish),
        code_challenge: flow.challenge,
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },
    /** The address of the app that a state belongs to, once; null if nobody waits for it. */
    targetOf: (state: string): string | null => flows.noteReturn(state),
    /** The user of a code; the state ends. Throws `not-signed-in`, `upstream-timeout`. */
    async finish({ state, code, verifier }: CodeProof): Promise<UserRow> {
      const flow = flows.claim(state)
      if (!flow || challengeOf(verifier) !== flow.challenge) throw notSignedIn()
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: flow.redirectUri,
        client_id: settings.clientId,
        code_verifier: verifier,
      }
      return userOf(await provider.exchange(new URLSearchParams(form)))
    },
  }
}

/** Flows by their state, the oldest first. */
function createFlows(now: Clock) {
  const flows = new Map<string, Flow>()
  const find = (state: string) => {
    const flow = flows.get(state)
    return flow && flow.startedAt > now() - FLOW_MS ? flow : null
  }

  /** Removes what has ended and, where an address or all have too many, the oldest of the address with the most. */
  function makeRoom(address: string) {
    for (const [state, { startedAt }] of flows) {
      if (startedAt > now() - FLOW_MS) break
      flows.delete(state)
    }
    const counts = new Map<string, number>()
    for (const flow of flows.values()) counts.set(flow.address, (counts.get(flow.address) ?? 0) + 1)
    const theirs = counts.get(address) ?? 0
    if (theirs >= MAX_PER_ADDRESS) removeOldestOf(address)
    else if (flows.size >= MAX_FLOWS) removeOldestOf(withMost(counts.set(address, theirs + 1)))
  }

  function removeOldestOf(address: string) {
    for (const [state, flow] of flows)
      if (flow.address === address) {
        flows.delete(state)
        return
      }
  }

  return {
    add(flow: AppFlow, wish: string | null): string {
      makeRoom(flow.address)
      // Some apps compare the state with their own. It must not be another's.
      const state = wish !== null && isState(wish) && !flows.has(wish) ? wish : makeToken()
      flows.set(state, { ...flow, startedAt: now(), hasReturned: false })
      return state
    },
    noteReturn(state: string): string | null {
      const flow = find(state)
      if (!flow || flow.hasReturned) return null
      flow.hasReturned = true
      return flow.target
    },
    claim(state: string): Flow | null {
      const flow = find(state)
      if (!flow?.hasReturned) return null
      flows.delete(state)
      return flow
    },
  }
}

/** The key with the highest count, the first of equal ones. */
function withMost(counts: ReadonlyMap<string, number>): string {
  const [first, ...others] = [...counts]
  return others.reduce((most, entry) => (entry[1] > most[1] ? entry : most), first!)[0]
}

/** Whether a state is long enough to be random. */
const isState = (text: string) => /^[\w.~-]{16,200}$/.test(text)

const challengeOf = (verifier: string) => new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')
