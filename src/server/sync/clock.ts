import { SECOND, type Clock } from '../platform/clock'
import type { Store } from '../store'

/** Seconds that never go back, not even when the machine's clock does: apps ask for what came since the last they were told. */
export type SyncClock = () => number

export function createSyncClock(store: Store, now: Clock): SyncClock {
  let last = 0
  return () => {
    const at = Math.floor(now() / SECOND)
    // Told already, and kept.
    if (at === last) return last
    last = store.sync.tick(at)
    return last
  }
}

/**
 * So long may pass between what an app fetches and what it then sends: AntennaPod asks next from the time of its last upload on,
 * and would never hear of what others sent in between.
 */
export const EXCHANGE_SECONDS = 300

/** Between two parts of one upload. */
const PAUSE_SECONDS = 60
/** Whoever goes on for longer reports while it plays, and is told of nothing again for that. */
const LONGEST_EXCHANGE = 1800
const MOST_EXCHANGES = 1000

/** Uploads in parts, one after the other, are one exchange, however long all of them take. */
export function createExchanges() {
  const known = new Map<string, { since: number; until: number }>()
  return {
    /** The second from which on whoever uploads may not know of others yet. */
    begin(name: string, at: number): number {
      const last = known.get(name)
      const isSame = last !== undefined && at - last.until <= PAUSE_SECONDS
      const since = isSame ? Math.max(last.since, at - LONGEST_EXCHANGE) : at - EXCHANGE_SECONDS
      if (known.size >= MOST_EXCHANGES) known.clear()
      known.set(name, { since, until: at })
      return since
    },
  }
}

/** The name of what speaks Nextcloud's dialect by its owner's own password: there may be several. */
export const NAMELESS = 'nextcloud'
