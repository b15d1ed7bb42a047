import type { DomainEvent, Publish } from '../platform/events'
import type { Store } from '../store'
import type { UserRow } from '../store/users'
import type { Clock } from '../platform/clock'
import type { Listeners, Recorded, Report } from '../playback/record'
import type { DeviceType } from '../store/devices'
import type { FeedKeys } from '../accounts/keys'
import { createActions } from './actions'
import { addressKey } from './addresses'
import { createSyncClock } from './clock'
import { createLibraryAddresses } from './library'
import { createPhones } from './phones'
import { createSubscriptions } from './subscriptions'

type Needs = {
  store: Store
  now: Clock
  feedKeys: FeedKeys
  /** Where people find us, without a slash at the end; null = as the request says. */
  serverUrl: string | null
  record: (userId: number, episode: Recorded, report: Report & { at: number }, listeners: Listeners) => unknown
  queue: Listeners['queue']
  publish: Publish
  subscribe: (user: UserRow, address: string) => Promise<unknown>
}

/** Podcast apps and the library, with one list of subscriptions and one record of what was heard. */
export function createSync({ store, now, feedKeys, serverUrl, record, queue, publish, subscribe }: Needs) {
  const clock = createSyncClock(store, now)
  const addresses = createLibraryAddresses({ store, feedKeys, serverUrl })
  const subscriptions = createSubscriptions({ store, addresses, clock, now, subscribe })
  const actions = createActions({ store, addresses, clock, now, record, queue, publish })

  /** The first device finds what its user has in the library already. */
  function begin(user: UserRow) {
    if (store.sync.hasBegun(user.id)) return
    store.inTransaction(() => {
      if (!store.sync.begin(user.id)) return
      subscriptions.follow(user, store.sync.podcastsOf(user.id, user.explicit_consent === 1), true)
      actions.tell(user.id, null)
    })
  }
  /** What the library did, for whoever has devices. */
  function follow(userId: number | null, podcastId: number, subscribed: boolean) {
    const user = userId === null ? null : store.users.find(userId)
    const podcast = store.podcasts.find(podcastId)
    if (user && podcast && store.sync.hasBegun(user.id)) subscriptions.follow(user, [podcast], subscribed)
  }

  /** Whose phones are subscribed to a podcast that is in the library now. */
  function favourForSubscribers(podcastId: number) {
    const keys = store.sync.feedsOf(podcastId).map(addressKey)
    for (const userId of store.sync.subscribersOf(keys)) store.podcasts.favour(userId, podcastId, true, now())
  }

  return {
    clock,
    addresses,
    phones: createPhones({ store, clock, now }),
    subscriptions,
    actions,
    begin,
    /** In the library: a podcast is a favourite now, or is none any more. */
    favoured: (user: UserRow, podcastId: number, favoured: boolean) => follow(user.id, podcastId, favoured),
    /** Many positions were set at once. */
    marked(user: UserRow, episodeIds: readonly number[]) {
      if (store.sync.hasBegun(user.id)) actions.tell(user.id, episodeIds)
    },
    saveDevice: (user: UserRow, name: string, edit: { caption?: string; type?: DeviceType }) =>
      store.sync.saveDevice(user.id, name, edit, now()),
    /** A device asked, or sent something; it is made where it was never seen. `told`: it knows its list now. */
    noteDevice(user: UserRow, name: string, told = false) {
      store.inTransaction(() => {
        store.sync.saveDevice(user.id, name, {}, now())
        store.sync.noteSync(user.id, name, clock(), told)
      })
    },
    /** The user's feed key is another now. */
    keyRenewed(user: UserRow) {
      if (store.sync.hasBegun(user.id)) subscriptions.renewKey(user)
    },
    listen(event: DomainEvent) {
      if (event.type === 'addedPodcast') {
        follow(store.podcasts.find(event.podcastId)?.added_by ?? null, event.podcastId, true)
        favourForSubscribers(event.podcastId)
        actions.catchUp(event.podcastId)
      } else if (event.type === 'addedEpisodes') actions.catchUp(event.podcastId, new Set(event.episodeIds))
      else if (event.type === 'progress' && !actions.isApplying() && store.sync.hasBegun(event.userId)) {
        const episode = store.episodes.findByEid(event.eid)
        if (episode) actions.tell(event.userId, [episode.id])
      }
    },
  }
}
export type Sync = ReturnType<typeof createSync>
