import type { MediaFacts } from '../media/read'
import type { Store } from '../store'

/**
 * Stores the chapters of an episode's media file, or the reason why they were not read, and marks the episode for
 * indexing. Call in a transaction. The duration is stored by the caller, together with the size.
 */
export function keepFacts(store: Store, episodeId: number, { chapters, unread }: MediaFacts) {
  store.episodes.noteUnread(episodeId, unread)
  store.chapters.replace(episodeId, 'file', chapters)
  store.search.drop(episodeId)
}
