import { findMeant } from '../feeds/fetch/address'
import type { Store } from '../store'
import type { PodcastRow } from '../store/podcasts'
import type { Viewer } from '../store/visibility'

/** Finds the podcast of a feed in the library; null if there is none, or if the viewer may not know of it. */
export function findKnownFeed(store: Store, viewer: Viewer, feedUrl: string): PodcastRow | null {
  const podcast = findMeant(store, feedUrl)
  return podcast && (podcast.explicit === 0 || viewer.explicit_consent === 1) ? podcast : null
}
