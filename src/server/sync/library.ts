import type { FeedKeys } from '../accounts/keys'
import type { Store } from '../store'
import type { ActionForSync, NewAction } from '../store/episode-actions'
import type { KnownEpisode, SubscriptionRow } from '../store/subscriptions'
import type { UserRow } from '../store/users'
import { addressKey, privateMedia, readPrivateFeed, readPrivateMedia } from './addresses'

type Needs = {
  store: Store
  feedKeys: Pick<FeedKeys, 'of' | 'read'>
  /** The server's public address without a slash at the end; null = taken from the request. */
  serverUrl: string | null
}

export type FoundPodcast = {
  podcastId: number
  /** The address was that of a private feed. */
  isPrivate: boolean
}
export type FindPodcast = (address: string) => FoundPodcast | null

export type LibraryAddresses = ReturnType<typeof createLibraryAddresses>

/**
 * Finds podcasts by the addresses that apps have for them: the publisher's, past and present, and our private feeds'.
 */
export function createLibraryAddresses({ store, feedKeys, serverUrl }: Needs) {
  return {
    /** Finds podcasts among those that the library has at this moment. */
    finder(): FindPodcast {
      const feeds = store.sync.feeds()
      const byKey = new Map(feeds.map(({ id, url }) => [addressKey(url), id]))
      const byUuid = new Map(feeds.map(({ id, uuid }) => [uuid, id]))
      return address => {
        const published = byKey.get(addressKey(address))
        if (published !== undefined) return { podcastId: published, isPrivate: false }
        // The host and the key may differ from phone to phone; the podcast's id in the path is random, so it is ours.
        const own = byUuid.get(readPrivateFeed(address)?.of ?? '')
        return own === undefined ? null : { podcastId: own, isPrivate: true }
      }
    },
    /**
     * Returns whether an address is a private feed of ours without a podcast here: a feed of several podcasts, or of
     * one that was removed. `base`: the server's address for the caller, null if unknown.
     */
    isOurs(address: string, base: string | null): boolean {
      const feed = readPrivateFeed(address)
      if (!feed) return false
      const bases = [base, serverUrl && `${serverUrl}/`].filter(known => known !== null)
      return (
        (feed.key !== null && feedKeys.read(feed.key) !== null) ||
        bases.some(known => addressKey(known) === addressKey(feed.base))
      )
    },
    /** Address of an episode in the private feed at this address. */
    mediaIn(user: UserRow, feed: string, { eid, type }: { eid: string; type: string | null }): string {
      const base = serverUrl ? `${serverUrl}/` : (readPrivateFeed(feed)?.base ?? '/')
      return privateMedia(base, feedKeys.of(user), eid, type)
    },
    keyOf: (user: UserRow) => feedKeys.of(user),
    /** Returns whether the key in an address is one of ours, of any version. */
    hasFeedKey: (address: string) => {
      const key = readPrivateFeed(address)?.key
      return key !== null && key !== undefined && feedKeys.read(key) !== null
    },
  }
}

/** Each of these reads every podcast of the library. */
const MAX_SEARCHES = 500

/**
 * Finds episodes of the library by the names that apps have for them: the address of our media, the guid, or the
 * publisher's address. For an address spelled differently from the feed's, all addresses of the podcast are read, once.
 */
export function createEpisodeFinder(store: Store, addresses: LibraryAddresses) {
  const find = addresses.finder()
  const byPodcast = new Map<number, Map<string, number>>()
  function byAddress(podcastId: number, { media_url, media_key, guid }: NewAction): KnownEpisode | null {
    const exact = store.sync.findByMedia(podcastId, media_url)
    const [first = null, ...others] = exact
    // Several episodes share this address, and only a guid distinguishes them: none of them has this guid.
    if (first) return others.length > 0 && guid !== null ? null : first
    let known = byPodcast.get(podcastId)
    if (!known) {
      known = new Map(store.sync.mediaOf(podcastId).map(({ id, url }) => [addressKey(url), id]))
      byPodcast.set(podcastId, known)
    }
    const id = known.get(media_key)
    return id === undefined ? null : store.sync.findKnown(id)
  }

  let searches = 0
  /** Finds the episode of an action that names its address as the podcast's, too. */
  function ofAnyPodcast({ media_url }: NewAction): KnownEpisode | null {
    return searches++ < MAX_SEARCHES ? store.sync.findByAddress(media_url) : null
  }

  return (action: NewAction): KnownEpisode | null => {
    const eid = readPrivateMedia(action.media_url)
    const own = eid === null ? null : store.sync.findByEid(eid)
    if (own) return own
    const podcast = find(action.feed_url)
    if (!podcast) return action.feed_key === action.media_key ? ofAnyPodcast(action) : null
    const { guid } = action
    const byGuid = guid === null ? null : store.sync.findByGuid(podcast.podcastId, guid)
    if (!byGuid) return byAddress(podcast.podcastId, action)
    // Several episodes of the feed have this guid: the address distinguishes them.
    const here = store.sync.findByMedia(podcast.podcastId, action.media_url)
    return here.some(({ id }) => id === byGuid.id) ? byGuid : (here.find(known => known.feed_guid === guid) ?? byGuid)
  }
}

/** Names the library in the list of devices. */
export const LIBRARY = 'castellan'

/**
 * Hides from a user without consent what the library reported about explicit podcasts. Reports of the user's own
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
