import type { Clock } from '../platform/clock'
import type { Store } from '../store'
import type { SyncSubject, DeviceRow } from '../store/episode-actions'
import type { UserRow } from '../store/users'
import { NAMELESS, type SyncClock } from './clock'

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
     * Answers from the second that a phone names by its own clock, but never from later than its last answer ended. A
     * phone that repeats a request did not get the answer: it gets that once more, with what came since.
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
      // Reading does not wait for another process that writes. The phone gets these changes once more.
      if (!store.isWritable()) return answer
      store.sync.noteRequest(phone.id, what, { since, begun_at, answered_at: answer.timestamp })
      store.sync.noteSync(phone.user_id, phone.name, answer.timestamp, what === 'subscriptions')
      return answer
    },
  }
}
