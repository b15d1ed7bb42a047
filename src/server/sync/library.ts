import type { FeedKeys } from '../accounts/keys'
import type { Store } from '../store'
import type { UserRow } from '../store/users'
import { addressKey } from './addresses'
import { privateMedia, readPrivateFeed } from './private-addresses'

type Needs = {
  store: Store
  feedKeys: Pick<FeedKeys, 'of' | 'read'>
  /** Where people find us, without a slash at the end; null = as the request says. */
  serverUrl: string | null
}

export type FoundPodcast = {
  podcastId: number
  /** By the address of one of our private feeds. */
  isPrivate: boolean
}
export type FindPodcast = (address: string) => FoundPodcast | null

export type LibraryAddresses = ReturnType<typeof createLibraryAddresses>

/** The library's podcasts by the addresses that apps have for them: the publishers', past and present, and those of our private feeds. */
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
        // Whatever the host is called from where the phone is, and whichever key it has: nobody else's feed has this name.
        const own = byUuid.get(readPrivateFeed(address)?.of ?? '')
        return own === undefined ? null : { podcastId: own, isPrivate: true }
      }
    },
    /**
     * Whether an address is that of a private feed of ours that is no podcast's: of several, or of one that is not here any
     * more. `base`: where whoever asks finds us, null where that is not known.
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
    /** Where the feed at this address finds an episode. */
    mediaIn(user: UserRow, feed: string, { eid, type }: { eid: string; type: string | null }): string {
      const base = serverUrl ? `${serverUrl}/` : (readPrivateFeed(feed)?.base ?? '/')
      return privateMedia(base, feedKeys.of(user), eid, type)
    },
    keyOf: (user: UserRow) => feedKeys.of(user),
    /** Whether the key in an address is one of ours, of whatever version. */
    hasFeedKey: (address: string) => {
      const key = readPrivateFeed(address)?.key
      return key !== null && key !== undefined && feedKeys.read(key) !== null
    },
  }
}
