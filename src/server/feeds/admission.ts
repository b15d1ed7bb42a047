import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { UserRow } from '../store/users'
import { readUserAgent } from './fetch/address'
import { hasPlayable } from './fetch/find-feed'
import { alreadyAdded } from './problems'
import type { DigestSummary } from './tasks'

/** Throws `explicit-not-allowed`. Checked first: a user without consent must not learn what is in the library. */
export function requireConsent({ explicit }: { explicit: number }, user: UserRow) {
  if (explicit && !user.explicit_consent)
    throw new Problem('explicit-not-allowed', 'This podcast is explicit, and your account does not show such content')
}

/** Throws `podcast-limit-reached` if a plain user has added as many podcasts as allowed. */
export function requireShare(store: Store, { id, role }: UserRow, limit: number) {
  if (role !== 'user') return
  const current = store.podcasts.countAddedBy(id)
  if (current >= limit)
    throw new Problem('podcast-limit-reached', `You have added ${current} podcasts and may add no more than ${limit}`, {
      limit: String(limit),
      current: String(current),
      adding: '1',
    })
}

/** Throws `podcast-already-added` for the address of a podcast in the library. */
export function ensureIsNew(store: Store, address: string, user: UserRow) {
  const known = store.podcasts.findByFeed(address)
  if (known) requireConsent(known, user)
  if (known) throw alreadyAdded(known.title)
}

/**
 * The user agent that somebody chooses for a podcast, undefined for ours. It is a setting of the podcast, and sent to
 * other people's hosts in the name of this server. Throws `invalid-field`, and `not-uploader` for plain users.
 */
export function requireUserAgent({ role }: UserRow, typed: string | undefined): string | undefined {
  const userAgent = readUserAgent(typed) ?? undefined
  if (userAgent !== undefined && role === 'user')
    throw new Problem('not-uploader', 'Only an admin or an uploader may choose a User-Agent')
  return userAgent
}

/** Throws `nothing-playable`. */
export function requirePlayable(summary: DigestSummary) {
  const { feed_items } = summary.facts
  if (hasPlayable(summary)) return
  const items = String(feed_items)
  throw new Problem('nothing-playable', `The feed has ${items} items, and none of them can be played`, { items })
}
