import type { Publish } from '../../platform/events'
import type { UserRow } from '../../store/users'
import type { WayIn } from './credentials'

const MOST_REMEMBERED = 5000
const keys = new Set<string>(['password', 'api-key', 'feed-key', 'assistant-key'])

export type NoteKey = ReturnType<typeof createKeyUses>

/** Publishes that a key, or a password sent with a request, was used from an address; seldom more than once for each. */
export function createKeyUses(publish: Publish) {
  const seen = new Set<string>()
  return (user: UserRow, by: WayIn | 'assistant-key', address: () => string) => {
    if (!keys.has(by)) return
    const use = `${user.id} ${by} ${address()}`
    if (seen.has(use)) return
    if (seen.size >= MOST_REMEMBERED) seen.delete(seen.values().next().value!)
    seen.add(use)
    publish({ type: 'recorded', kind: 'key-used', actor: user, about: user, via: by })
  }
}
