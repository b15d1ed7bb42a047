import type { FeedKeys } from '../accounts/keys'
import type { Store } from '../store'
import type { UserRow } from '../store/users'
import { addressKey } from './addresses'
import { privateMedia, readPrivateFeed } from './private-addresses'

type Needs = {
  store: Store
  feedKeys: Pick<FeedKeys, 'of' | 'read'>
  /** The server's public address without a slash at the end; null = as the request says. */
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
