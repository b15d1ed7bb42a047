import type { MediaFacts } from '../media/read'
import type { Store } from '../store'

/** In a transaction: what the file of an episode says of itself, for the chapters and the search. */
export function keepFacts(store: Store, episodeId: number, { chapters, unread }: MediaFacts) {
  store.episodes.noteUnread(episodeId, unread)
  store.chapters.replace(episodeId, 'file', chapters)
  store.search.drop(episodeId)
}
