import { SECOND, type Clock } from '../platform/clock'
import type { Store } from '../store'

// Why: docs/internals/decisions/0016

/**
 * Seconds that never go back, even when the machine's clock does: apps ask for changes since the last second they got.
 */
export type SyncClock = () => number

export function createSyncClock(store: Store, now: Clock): SyncClock {
  let last = 0
  return () => {
    const at = Math.floor(now() / SECOND)
    // This second is stored already.
    if (at === last) return last
    // Reading does not wait for another process that writes. Nothing is stored under this second yet.
    if (!store.isWritable()) return Math.max(last, at)
    last = store.sync.tick(at)
    return last
  }
}

/**
 * Longest time between an app's download and its upload. AntennaPod asks next from the time of its last upload, and
 * would miss what others sent in between.
 */
export const EXCHANGE_SECONDS = 300

/** Longest pause between two parts of one upload. */
const PAUSE_SECONDS = 60
/** An app that uploads for longer reports while it plays; nothing is repeated for it. */
const MAX_EXCHANGE = 1800
const MAX_EXCHANGES = 1000

/** Groups uploads that follow each other closely into one exchange, however long all of them take. */
export function createExchanges() {
  const known = new Map<string, { since: number; until: number }>()
  return {
    /** Returns the second from which the uploading app may lack changes of others. */
    begin(name: string, at: number): number {
      const last = known.get(name)
      const isSame = last !== undefined && at - last.until <= PAUSE_SECONDS
      const since = isSame ? Math.max(last.since, at - MAX_EXCHANGE) : at - EXCHANGE_SECONDS
      if (known.size >= MAX_EXCHANGES) known.clear()
      known.set(name, { since, until: at })
      return since
    },
  }
}

/** Device name of all phones that speak Nextcloud's dialect with their owner's own password. */
export const NAMELESS = 'nextcloud'
