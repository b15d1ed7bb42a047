import type { Store } from '../store'
import type { ActionForSync } from '../store/episode-actions'
import type { SubscriptionRow } from '../store/subscriptions'
import type { UserRow } from '../store/users'
import type { LibraryAddresses } from './library'

/** Names the library in the list of devices. */
export const LIBRARY = 'castellan'

/**
 * Hides from a user without consent what the library itself reported of explicit podcasts. Reports of the user's own
 * devices are always sent back.
 */
export const createConsent = ({ sync }: Store, addresses: LibraryAddresses) => ({
  ofSubscriptions(user: UserRow, rows: readonly SubscriptionRow[]): readonly SubscriptionRow[] {
    if (user.explicit_consent) return rows
    const hidden = new Set(sync.explicitPodcasts())
    const find = addresses.finder()
    return rows.filter(({ device, url }) => device !== null || !hidden.has(find(url)?.podcastId ?? -1))
  },
  ofActions: (user: UserRow, rows: readonly ActionForSync[]): readonly ActionForSync[] =>
    user.explicit_consent ? rows : rows.filter(({ device, is_explicit }) => device !== LIBRARY || is_explicit === 0),
})
