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

/** `failures` counts guesses that are under way as well: forty at once are no way around it. */
type Record = { failures: number; lastAt: number }

/**
 * Slows down guessing, and refuses it after a while (429 `too-many-attempts`), by the pair of user and address; an
 * address that fails with many users is refused for all. A guess that was right takes its pair's failures away.
 */
export function createThrottle(now: Clock, limits: ThrottleLimits = throttleLimits) {
  const pairs = new Map<string, Record>()
  const addresses = new Map<string, Record>()

  function recordOf(records: Map<string, Record>, key: string): Record {
    const known = records.get(key)
    if (known && now() - known.lastAt < REFUSED_FOR_MS) return known
    if (!known && records.size >= MOST_REMEMBERED) records.delete(records.keys().next().value!)
    const fresh = { failures: 0, lastAt: now() }
    records.set(key, fresh)
    return fresh
  }

  function refuseBeyond(record: Record, most: number) {
    if (record.failures < most) return
    const seconds = Math.ceil((record.lastAt + REFUSED_FOR_MS - now()) / 1000)
    throw new Problem('too-many-attempts', 'Too many attempts', { seconds: String(seconds) }, seconds)
  }

  return {
    /** Runs a guess; null from `check` means that it was wrong. */
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
