import type { Store } from '../store'
import type { SyncClock } from './clock'
import type { LibraryAddresses } from './library'

type Needs = { store: Store; addresses: LibraryAddresses; clock: SyncClock }

/** Takes back what the library subscribed to since a second of the sync clock. */
export function createUnfollow({ store, addresses, clock }: Needs) {
  function subscribedSince(userId: number, since: number) {
    const rows = store.sync.subscriptions(userId).filter(({ changed_at }) => changed_at >= since)
    if (rows.length === 0) return []
    const find = addresses.finder()
    return rows.map(row => ({ ...row, podcastId: find(row.url)?.podcastId ?? null }))
  }

  return {
    /** Ids of the podcasts among these that a device of the user names as its own since then. */
    onDevicesSince(userId: number, since: number): Set<number | null> {
      const own = subscribedSince(userId, since).filter(({ device }) => device !== null)
      return new Set(own.map(({ podcastId }) => podcastId))
    },
    /** Ends the subscriptions to these podcasts that are the library's alone. */
    unfollow(userId: number, podcastIds: ReadonlySet<number>, since: number) {
      const ended = subscribedSince(userId, since).filter(
        ({ device, podcastId }) => device === null && podcastId !== null && podcastIds.has(podcastId),
      )
      const changed_at = clock()
      for (const { user_id, feed_key, url } of ended)
        store.sync.subscribe({ user_id, feed_key, url, subscribed: 0, device: null, changed_at })
    },
  }
}
