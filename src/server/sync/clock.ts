import { SECOND, type Clock } from '../clock'
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
export const EXCHANGE_SECONDS = 60

/** The name of what speaks Nextcloud's dialect, which knows no devices: there may be several. */
export const NAMELESS = 'nextcloud'
