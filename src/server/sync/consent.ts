import type { Store } from '../store'
import type { ActionRow, SubscriptionRow } from '../store/sync'
import type { UserRow } from '../store/users'
import { addressKey } from './addresses'

/** The library among the devices. */
export const LIBRARY = 'castellan'

/**
 * What the library has told of explicit podcasts is told no more once its user's consent is taken away. What his own devices
 * told they always get back.
 */
export const createConsent = ({ sync }: Store) => ({
  ofSubscriptions(user: UserRow, rows: readonly SubscriptionRow[]): readonly SubscriptionRow[] {
    if (user.explicit_consent) return rows
    const hidden = new Set(sync.explicitFeeds().map(addressKey))
    return rows.filter(({ device, feed_key }) => device !== null || !hidden.has(feed_key))
  },
  ofActions(user: UserRow, rows: readonly ActionRow[]): readonly ActionRow[] {
    if (user.explicit_consent || !rows.some(({ device }) => device === LIBRARY)) return rows
    const hidden = new Set(sync.explicitHeardBy(user.id).map(addressKey))
    return rows.filter(({ device, media_key }) => device !== LIBRARY || !hidden.has(media_key))
  },
})
