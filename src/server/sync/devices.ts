import { type Clock, SECOND } from '../platform/clock'
import type { Store } from '../store'
import type { DeviceRow, SyncSubject } from '../store/episode-actions'
import type { UserRow } from '../store/users'

// Why: docs/internals/decisions/0016

/**
 * Seconds that never decrease, even if the machine's clock does: apps ask for changes since the last second they got.
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
 * Longest time between an app's download and its upload. AntennaPod next asks for changes since its last upload, and
 * would miss what others sent in between.
 */
export const EXCHANGE_SECONDS = 300

/** Longest pause between two parts of one upload. */
const PAUSE_SECONDS = 60
/** An app that uploads for longer is reporting while it plays; nothing is repeated for it. */
const MAX_EXCHANGE = 1800
const MAX_EXCHANGES = 1000

/** Groups uploads that follow each other closely into one exchange, however long they take in total. */
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

/** Device name of all phones that speak Nextcloud's dialect with their owner's password. */
export const NAMELESS = 'nextcloud'

/** Marks of a phone without a name: the app password made for it, and the name that its app sends. */
export type Shown = { appPassword: { id: number; name: string } | null; agent: string | null }

/** Phones that speak Nextcloud's dialect: one device for each app password, with its own clock. */
export function createPhones({ store, clock, now }: { store: Store; clock: SyncClock; now: Clock }) {
  return {
    /** Phones that use their owner's own password count as one device: nothing distinguishes them. */
    find(user: UserRow, { appPassword, agent }: Shown): DeviceRow {
      const name = appPassword ? `${NAMELESS}-${appPassword.id}` : NAMELESS
      const caption = appPassword?.name ?? (agent?.trim().slice(0, 100) || 'Nextcloud')
      return (
        store.sync.findDevice(user.id, name) ??
        store.sync.addPhone(user.id, name, caption, appPassword?.id ?? null, now())
      )
    },
    /**
     * Answers from the second that a phone names by its own clock, but never from later than where its last answer
     * ended. A phone that repeats a request did not get the answer: it gets that again, with what has been added since.
     */
    answer<T extends { timestamp: number }>(
      phone: DeviceRow,
      what: SyncSubject,
      since: number,
      work: (since: number) => T,
    ): T {
      const last = store.sync.findLastRequest(phone.id, what)
      const until = last === null ? clock() : last.since === since ? last.begun_at : last.answered_at
      const begun_at = Math.min(since, until)
      const answer = work(begun_at)
      // Reading does not wait for another process that writes. The phone gets these changes again.
      if (!store.isWritable()) return answer
      store.sync.noteRequest(phone.id, what, { since, begun_at, answered_at: answer.timestamp })
      store.sync.noteSync(phone.user_id, phone.name, answer.timestamp, what === 'subscriptions')
      return answer
    },
  }
}
