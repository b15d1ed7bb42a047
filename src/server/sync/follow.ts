import type { Store } from '../store'
import { isFolderAddress } from '../store/feeds'
import type { PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'
import { withKey } from './private-addresses'
import type { SyncClock } from './clock'
import type { LibraryAddresses } from './library'
import { openList } from './subscription-list'

type Needs = { store: Store; addresses: LibraryAddresses; clock: SyncClock }
type Followed = Pick<PodcastRow, 'id' | 'feed_url'>

/** Carries the library's own changes into the list of subscriptions. */
export function createFollow({ store, addresses, clock }: Needs) {
  const open = (user: UserRow) => openList({ store, addresses }, user, null, clock())
  const withPresentKey = (user: UserRow, url: string) =>
    addresses.hasFeedKey(url) ? withKey(url, addresses.keyOf(user)) : url

  /** Prefers the private address that a user had of a podcast, if it was the last one. */
  function createAddressFor(user: UserRow) {
    const find = addresses.finder()
    const last = new Map(store.sync.subscriptionsEver(user.id).map(({ url }) => [find(url)?.podcastId, url]))
    return ({ id, feed_url }: Followed) => {
      const known = last.get(id)
      return known !== undefined && find(known)!.isPrivate ? withPresentKey(user, known) : feed_url
    }
  }

  return {
    /** Podcasts were added, made favourites, or are favourites no more. */
    follow(user: UserRow, podcasts: readonly Followed[], isSubscribed: boolean) {
      store.inTransaction(() => {
        const list = open(user)
        const addressFor = createAddressFor(user)
        for (const podcast of podcasts) {
          const url = addressFor(podcast)
          if (isFolderAddress(url)) continue
          const found = list.find(url)
          if (!isSubscribed) list.leave(podcast.id)
          else if (found) list.join(found, url)
        }
      })
    },
    /** Replaces the old feed key in private addresses. */
    renewKey(user: UserRow) {
      store.inTransaction(() => {
        const list = open(user)
        for (const { url, device } of store.sync.subscriptions(user.id)) {
          const renewed = withPresentKey(user, url)
          if (renewed !== url) list.readdress(url, renewed, device)
        }
      })
    },
  }
}
