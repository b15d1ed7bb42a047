import type { UndoChange } from './batch'

/** Removes a transcript that the move brought; those of the publisher are other documents. */
export const undoTranscript: UndoChange = ({ store, texts }, { episode_id: episodeId, other_id: id }) => {
  if (!store.documents.removeGenerated(episodeId!, id!)) return 'gone'
  store.search.drop(episodeId!)
  texts.push(episodeId!)
  return 'undone'
}
