import { type Clock, MINUTE } from '../../platform/clock'
import { makeToken } from '../../platform/secret'

const FLOW_MS = 10 * MINUTE
const MAX_FLOWS = 1000
/** If an address begins more, its own earlier ones are dropped. */
const MAX_PER_ADDRESS = 20

/** A sign-in of an app: `redirectUri` is ours, to which the provider returns; `target` is the app's own. */
export type AppFlow = { redirectUri: string; target: string; challenge: string; nonce: string; address: string }
type Flow = AppFlow & { startedAt: number; hasReturned: boolean }

/** Flows by their state, the oldest first. */
export function createFlows(now: Clock) {
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
