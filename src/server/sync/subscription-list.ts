import type { Store } from '../store'
import { isFolderAddress } from '../store/feeds'
import type { PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'
import { addressKey, withKey } from './addresses'
import type { SyncClock } from './devices'
import type { FindPodcast, FoundPodcast, LibraryAddresses } from './library'

type List = {
  store: Store
  find: FindPodcast
  userId: number
  /** The device that makes the changes; null for the library. */
  device: string | null
  at: number
  /** Subscribed addresses by podcast of the library. */
  byPodcast: Map<number, Set<string>>
}

/**
 * Opens a user's list for the changes of one device. A podcast is in it by one address: the first that was given, or
 * that of our private feed, which replaces the publisher's and earlier ones, so that no phone lists a podcast twice.
 */
export function openList(
  { store, addresses }: { store: Store; addresses: LibraryAddresses },
  user: UserRow,
  device: string | null,
  at: number,
) {
  const list: List = { store, find: addresses.finder(), userId: user.id, device, at, byPodcast: new Map() }
  for (const { url } of store.sync.subscriptions(user.id)) keep(list, url, true)
  return {
    find: list.find,
    set: (url: string, isSubscribed: boolean) => set(list, url, isSubscribed),
    leave: (podcastId: number) => leave(list, podcastId),
    join: (found: FoundPodcast, url: string) => join(list, found, url),
    drop: (found: FoundPodcast, url: string) => drop(list, found, url),
    /** Gives the same feed another address, on all devices. */
    readdress(from: string, to: string, owner: string | null) {
      set(list, from, false)
      keep(list, to, true)
      store.sync.announce({ ...rowOf(list, to, true), device: owner })
      const found = list.find(to)
      if (found) store.sync.resendPositions(user.id, found.podcastId, at)
    },
  }
}

function keep({ find, byPodcast }: List, url: string, isSubscribed: boolean) {
  const found = find(url)
  if (!found) return
  const urls = byPodcast.get(found.podcastId) ?? new Set()
  byPodcast.set(found.podcastId, urls)
  if (isSubscribed) urls.add(url)
  else urls.delete(url)
}

const rowOf = ({ userId, device, at }: List, url: string, isSubscribed: boolean) => ({
  user_id: userId,
  feed_key: addressKey(url),
  url,
  subscribed: Number(isSubscribed),
  device,
  changed_at: at,
})

const urlsOf = ({ byPodcast }: List, podcastId: number) => [...(byPodcast.get(podcastId) ?? [])]

/** Returns whether anything changed. */
function set(list: List, url: string, isSubscribed: boolean): boolean {
  keep(list, url, isSubscribed)
  return list.store.sync.subscribe(rowOf(list, url, isSubscribed))
}

/** Sends the current state to all devices. */
function announce(list: List, url: string, isSubscribed: boolean) {
  keep(list, url, isSubscribed)
  list.store.sync.announce(rowOf(list, url, isSubscribed))
}

/** Returns whether the podcast was in the list. */
function leave(list: List, podcastId: number): boolean {
  const urls = urlsOf(list, podcastId)
  for (const url of urls) set(list, url, false)
  return urls.length > 0
}

/** Subscribes to a podcast of the library. Returns whether it is new in the list. */
function join(list: List, { podcastId, isPrivate }: FoundPodcast, url: string): boolean {
  const { store, userId, device, at } = list
  const known = urlsOf(list, podcastId)
  const ours = known.filter(other => isPrivateFeed(list, other))
  const isKnown = known.some(other => addressKey(other) === addressKey(url))
  if (isKnown || (known.length > 0 && !isPrivate && ours.length === 0)) {
    if (device !== null) for (const other of known) store.sync.claim(userId, addressKey(other), device)
    return false
  }
  if (!isPrivate && ours.length > 0) {
    // A phone that has both learns which to drop, and again which to keep.
    if (device === null) return false
    announce(list, url, false)
    for (const other of ours) announce(list, other, true)
    return false
  }
  set(list, url, true)
  for (const other of known) set(list, other, false)
  // A device that starts with this podcast, or with another address of it, has none of its positions.
  store.sync.resendPositions(userId, podcastId, at)
  return true
}

/**
 * Unsubscribes one address. Returns whether the podcast left the list: one that stays under another address does not,
 * since phones report as removed what we made them drop.
 */
function drop(list: List, { podcastId, isPrivate }: FoundPodcast, url: string): boolean {
  const known = urlsOf(list, podcastId)
  const isKnown = known.some(other => addressKey(other) === addressKey(url))
  const hasOther = isPrivate ? !isKnown : known.some(other => isPrivateFeed(list, other))
  if (!hasOther) return leave(list, podcastId)
  if (isKnown) set(list, url, false)
  return false
}

const isPrivateFeed = ({ find }: List, url: string) => find(url)?.isPrivate === true

type Needs = { store: Store; addresses: LibraryAddresses; clock: SyncClock }
type Followed = Pick<PodcastRow, 'id' | 'feed_url'>

/** Applies the library's changes to the list of subscriptions. */
export function createFollow({ store, addresses, clock }: Needs) {
  const open = (user: UserRow) => openList({ store, addresses }, user, null, clock())
  const withPresentKey = (user: UserRow, url: string) =>
    addresses.hasFeedKey(url) ? withKey(url, addresses.keyOf(user)) : url

  /** Prefers the private address of a podcast, if that was the last one that the user had. */
  function createAddressFor(user: UserRow) {
    const find = addresses.finder()
    const last = new Map(store.sync.subscriptionsEver(user.id).map(({ url }) => [find(url)?.podcastId, url]))
    return ({ id, feed_url }: Followed) => {
      const known = last.get(id)
      return known !== undefined && find(known)!.isPrivate ? withPresentKey(user, known) : feed_url
    }
  }

  return {
    /** Called when podcasts were added, became favourites, or are no longer. */
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
