import { HOUR, type Clock } from '../../platform/clock'
import type { Publish } from '../../platform/events'
import type { UserRow } from '../../store/users'
import type { WayIn } from './credentials'

const MAX_REMEMBERED = 5000
const keys = new Set<string>(['password', 'api-key', 'feed-key', 'assistant-key'])

type Address = () => string
export type KeyUses = ReturnType<typeof createKeyUses>
export type NoteKey = KeyUses['noteKey']

/** Publishes how keys and passwords are used: seldom more than once for each, since apps send theirs all the time. */
export function createKeyUses({ publish, now }: { publish: Publish; now: Clock }) {
  const seen = new Map<string, number>()

  /** Whether this was not seen within a time. Forgets the oldest. */
  function isNew(use: string, withinMs: number): boolean {
    const before = seen.get(use)
    if (before !== undefined && now() - before < withinMs) return false
    seen.delete(use)
    if (seen.size >= MAX_REMEMBERED) seen.delete(seen.keys().next().value!)
    seen.set(use, now())
    return true
  }

  return {
    /** Notes that a key, or a password sent with a request, was used; published once for an address. */
    noteKey(user: UserRow, by: WayIn | 'assistant-key', address: Address) {
      if (!keys.has(by) || !isNew(`${user.id} ${by} ${address()}`, Number.POSITIVE_INFINITY)) return
      publish({ type: 'recorded', kind: 'key-used', actor: user, about: user, via: by })
    },
    /** Notes that a right password came without the code that it needs; published once an hour for an address. */
    noteCodeWanted(user: UserRow, address: Address) {
      if (!isNew(`${user.id} code ${address()}`, HOUR)) return
      publish({ type: 'recorded', kind: 'code-wanted', actor: user, about: user, via: 'password' })
    },
  }
}
