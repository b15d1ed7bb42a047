import type { FeedKeys } from '../accounts/keys'
import type { Clock } from '../platform/clock'
import type { DomainEvents, Listeners, Publish } from '../platform/events'
import type { Playback } from '../playback/playback'
import type { Store } from '../store'
import type { DeviceType } from '../../shared/api/access'
import type { UserRow } from '../store/users'
import { createActions, type Actions } from './actions'
import { addressKey } from './addresses'
import { createPhones, createSyncClock } from './devices'
import { createLibraryAddresses } from './library'
import { createSubscriptions, type SubscribeTo, type Subscriptions } from './subscriptions'

export type Sync = ReturnType<typeof createSync>

type Needs = {
  store: Store
  now: Clock
  publish: Publish
  feedKeys: FeedKeys
  /** The server's public address without a slash at the end; null = taken from the request. */
  serverUrl: string | null
  playback: Pick<Playback, 'write' | 'announce'>
  subscribe: SubscribeTo
}

/** Podcast apps and the library, with one list of subscriptions and one record of what was played. */
export function createSync(needs: Needs) {
  const { store, now } = needs
  const clock = createSyncClock(store, now)
  const addresses = createLibraryAddresses(needs)
  const subscriptions = createSubscriptions({ ...needs, addresses, clock })
  const actions = createActions({ ...needs, addresses, clock })

  return {
    clock,
    addresses,
    phones: createPhones({ store, clock, now }),
    subscriptions,
    actions,
    listeners: listenersFor(needs, subscriptions, actions),
    /** Gives a user's first device what the library already has. */
    begin(user: UserRow) {
      if (store.sync.hasBegun(user.id)) return
      store.inTransaction(() => {
        if (!store.sync.begin(user.id)) return
        subscriptions.follow(user, store.sync.podcastsOf(user.id, user.explicit_consent === 1), true)
        actions.notePositions(user.id, null)
      })
    },
    saveDevice: (user: UserRow, name: string, edit: { caption?: string; type?: DeviceType }) =>
      store.sync.saveDevice(user.id, name, edit, now()),
    /** Notes a request of a device, which is created if it is new. `isUpToDate`: it has the whole list now. */
    noteDevice(user: UserRow, name: string, isUpToDate = false) {
      store.inTransaction(() => {
        store.sync.saveDevice(user.id, name, {}, now())
        store.sync.noteSync(user.id, name, clock(), isUpToDate)
      })
    },
  }
}

/** Passes changes of the library on to its users' devices. Changes that came from a device are in the list already. */
function listenersFor({ store, now, publish }: Needs, subscriptions: Subscriptions, actions: Actions): Listeners {
  const hasDevices = (userId: number) => store.sync.hasBegun(userId)

  function follow(userId: number | null, podcastId: number, isSubscribed: boolean) {
    const user = userId === null ? null : store.users.find(userId)
    const podcast = store.podcasts.find(podcastId)
    if (user && podcast && hasDevices(user.id)) subscriptions.follow(user, [podcast], isSubscribed)
  }

  /** Phones may have subscribed to a podcast before the library had it. */
  function favourForSubscribers(podcastId: number) {
    const keys = store.sync.feedsOf(podcastId).map(addressKey)
    for (const userId of store.sync.subscribersOf(keys)) {
      store.podcasts.favour(userId, podcastId, true, now())
      publish({ type: 'podcastFavoured', userId, podcastId, favoured: true, source: 'sync' })
    }
  }

  return {
    addedPodcast({ podcastId }) {
      follow(store.podcasts.find(podcastId)?.added_by ?? null, podcastId, true)
      favourForSubscribers(podcastId)
      actions.catchUp(podcastId)
    },
    addedEpisodes: ({ podcastId, episodeIds }) => actions.catchUp(podcastId, new Set(episodeIds)),
    podcastFavoured({ userId, podcastId, favoured, source }) {
      if (source !== 'sync') follow(userId, podcastId, favoured)
    },
    episodesMarked({ userId, episodeIds }) {
      if (hasDevices(userId)) actions.notePositions(userId, episodeIds)
    },
    progress({ userId, eid, source }: DomainEvents['progress']) {
      if (source === 'sync' || !hasDevices(userId)) return
      const episode = store.episodes.findByEid(eid)
      if (episode) actions.notePositions(userId, [episode.id])
    },
    feedKeyRenewed({ userId }) {
      const user = store.users.find(userId)
      if (user && hasDevices(userId)) subscriptions.renewKey(user)
    },
  }
}
