import type { OidcSettings } from '../../config'
import { MINUTE, type Clock } from '../../platform/clock'
import { makeToken } from '../../platform/crypto'
import type { UserRow } from '../../store/users'
import { notSignedIn } from '../not-signed-in'
import type { createOidcProvider } from './oidc-provider'

const FLOW_MS = 10 * MINUTE
const MAX_FLOWS = 1000
/** An address that begins more pushes out its own. */
const MAX_PER_ADDRESS = 20

type Needs = {
  provider: Pick<ReturnType<typeof createOidcProvider>, 'authorizationEndpoint' | 'exchange'>
  settings: OidcSettings
  now: Clock
  userOf: (token: string) => Promise<UserRow>
}

/** A sign-in of an app: `redirectUri` is ours, to which the provider returns; `target` is the app's own. */
export type AppFlow = { redirectUri: string; target: string; challenge: string; address: string }
type Flow = AppFlow & { startedAt: number; hasReturned: boolean }

/** The proof of the app that it began the flow, and the code that came back (RFC 7636). */
export type CodeProof = { state: string; code: string; verifier: string }

/**
 * Signs in apps by an authorization code. This server is a public client, so the proof is the app's own: its challenge
 * is sent to the provider, its verifier with the code to the token endpoint. Flows live in memory alone.
 */
export function createCodeSignIn({ provider, settings, now, userOf }: Needs) {
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
    /** The address of the app that a state belongs to, once; null for one that nobody waits for. */
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
