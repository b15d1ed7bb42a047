import { MINUTE, type Clock } from '../platform/clock'
import { Problem } from '../platform/problem'

export type ThrottleLimits = {
  freeFailures: number
  mostFailures: number
  mostOfAddress: number
  firstPauseMs: number
  longestPauseMs: number
}

export const throttleLimits: ThrottleLimits = {
  freeFailures: 5,
  mostFailures: 20,
  mostOfAddress: 100,
  firstPauseMs: 250,
  longestPauseMs: 8000,
}

const REFUSED_FOR_MS = 15 * MINUTE
const MOST_REMEMBERED = 10_000
const MOST_OF_NAME = 100

/** `failures` counts running guesses as well, so that forty at once are no way around the limit. */
type Guesses = { failures: number; lastAt: number }

/**
 * Slows down guessing and later refuses it (429 `too-many-attempts`), for each pair of user and address; an address
 * that fails with many users is refused for all of them. A right guess clears the failures of its pair.
 */
export function createThrottle(now: Clock, limits: ThrottleLimits = throttleLimits) {
  const pairs = new Map<string, Guesses>()
  const addresses = new Map<string, Guesses>()

  function recordOf(records: Map<string, Guesses>, key: string): Guesses {
    const known = records.get(key)
    if (known && now() - known.lastAt < REFUSED_FOR_MS) return known
    if (!known && records.size >= MOST_REMEMBERED) records.delete(records.keys().next().value!)
    const fresh = { failures: 0, lastAt: now() }
    records.set(key, fresh)
    return fresh
  }

  function refuseBeyond(record: Guesses, most: number) {
    if (record.failures < most) return
    const seconds = Math.ceil((record.lastAt + REFUSED_FOR_MS - now()) / 1000)
    throw new Problem(
      'too-many-attempts',
      `Too many attempts. Try again in ${seconds} seconds.`,
      { seconds: String(seconds) },
      seconds,
    )
  }

  return {
    /** Runs a guess; `check` answers null for a wrong one. */
    async guess<T>(who: string, address: string, check: () => T | null | Promise<T | null>): Promise<T | null> {
      const key = `${address} ${who.slice(0, MOST_OF_NAME)}`
      const pair = recordOf(pairs, key)
      const all = recordOf(addresses, address)
      refuseBeyond(all, limits.mostOfAddress)
      refuseBeyond(pair, limits.mostFailures)
      const beyondFree = pair.failures - limits.freeFailures
      pair.failures += 1
      all.failures += 1
      pair.lastAt = all.lastAt = now()
      if (beyondFree >= 0) await Bun.sleep(Math.min(limits.firstPauseMs * 2 ** beyondFree, limits.longestPauseMs))
      const found = await check()
      if (found !== null) {
        pairs.delete(key)
        all.failures = Math.max(0, all.failures - 1)
      }
      return found
    },
  }
}
export type Throttle = ReturnType<typeof createThrottle>
