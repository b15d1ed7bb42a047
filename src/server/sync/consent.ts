import type { Store } from '../store'
import type { ActionForSync } from '../store/episode-actions'
import type { SubscriptionRow } from '../store/subscriptions'
import type { UserRow } from '../store/users'
import type { LibraryAddresses } from './library'

/** The library among the devices. */
export const LIBRARY = 'castellan'

/**
 * What the library has told of explicit podcasts is told no more once its user's consent is taken away. What a person's own
 * devices told they always get back.
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
