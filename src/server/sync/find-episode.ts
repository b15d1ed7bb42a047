import type { Store } from '../store'
import type { NewAction } from '../store/episode-actions'
import type { KnownEpisode } from '../store/subscriptions'
import { addressKey } from './addresses'
import type { LibraryAddresses } from './library'
import { readPrivateMedia } from './private-addresses'

/** Each of these asks every podcast of the library. */
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
    // Several episodes share this address, and only a guid distinguishes them: this guid is none of theirs.
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
  /** Finds the episode of an action that gives its address as that of the podcast, too. */
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
    // The feed gives several episodes this guid: the address distinguishes them.
    const here = store.sync.findByMedia(podcast.podcastId, action.media_url)
    return here.some(({ id }) => id === byGuid.id) ? byGuid : (here.find(known => known.feed_guid === guid) ?? byGuid)
  }
}
