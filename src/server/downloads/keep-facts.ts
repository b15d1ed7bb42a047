import type { MediaFacts } from '../media/read'
import type { Store } from '../store'

/** Stores the chapters that the file of an episode holds, and marks the episode for indexing. Call in a transaction. */
export function keepFacts(store: Store, episodeId: number, { chapters, unread }: MediaFacts) {
  store.episodes.noteUnread(episodeId, unread)
  store.chapters.replace(episodeId, 'file', chapters)
  store.search.drop(episodeId)
}
