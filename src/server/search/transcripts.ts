import type { Store } from '../store'
import type { FoundEpisode } from '../store/search'
import type { Viewer } from '../store/visibility'
import { snippetOf } from './snippet'
import { containsAll, containsAny, queryOf, textTerms, wordsOf, type Term } from './words'

/** A place in a transcript; `startMs` is null where the transcript has no times. */
type Passage = { transcriptId: string; startMs: number | null; snippet: string }

const MAX_PASSAGES = 3

/** Finds episodes whose transcripts contain the words, newest first, with the passages. */
export function searchTranscripts(
  store: Store,
  viewer: Viewer,
  typed: string,
  podcastId: number | undefined,
  from: number,
  limit: number,
): { row: FoundEpisode; hits: Passage[] }[] {
  const terms = textTerms(wordsOf(typed))
  if (terms.length === 0) return []
  return store.search
    .find(viewer, 'text_index', queryOf(terms, ['transcript']), { podcastId }, from + limit)
    .slice(from)
    .map(row => ({ row, hits: passagesOf(store, row.id, terms, MAX_PASSAGES) }))
}

/** Finds the first passages of an episode's transcripts that contain all of the words, else those that contain some. */
export function passagesOf(store: Store, episodeId: number, terms: readonly Term[], most: number): Passage[] {
  const some = store.documents
    .of(episodeId, 'transcript')
    .filter(({ state }) => state === 'parsed')
    .flatMap(({ id, uuid }) => store.documents.segmentsOf(id).map(segment => ({ ...segment, uuid })))
    .filter(({ text }) => containsAny(text, terms))
  const all = some.filter(({ text }) => containsAll(text, terms))
  return (all.length > 0 ? all : some)
    .slice(0, most)
    .map(({ startMs, text, uuid }) => ({ transcriptId: uuid, startMs, snippet: snippetOf(text, terms) }))
}
