import { searchedNotes } from '../feeds/parse/notes-text'
import type { SearchField } from '../../shared/api/search'
import type { Store } from '../store'
import type { ChapterRow } from '../store/documents'
import { hasTranscript } from '../store/episodes'
import type { FoundEpisode } from '../store/search'
import { snippetOf } from './snippet'
import { passagesOf } from './transcripts'
import { containsAll, containsAny, textTerms, titleTerms, type Term } from './words'

/** A found episode, with the place in which the words are; `startMs`: when the episode gets there. */
export type Hit = { row: FoundEpisode; matchedIn: SearchField; snippet: string; startMs?: number }

/** Shows where the words are in an episode: in its title, else in the first text that contains them. */
export function hitOf(
  store: Store,
  row: FoundEpisode,
  words: readonly string[],
  fields: ReadonlySet<SearchField>,
): Hit {
  const inTitle = titleTerms(words)
  if (fields.has('titles') && containsAll(row.title, inTitle))
    return { row, matchedIn: 'titles', snippet: snippetOf(row.title, inTitle) }
  return textHitOf(store, row, textTerms(words), fields)
}

/** Looks for all of the words in notes, chapters and transcript, in this order, then for some of them. */
function textHitOf(store: Store, row: FoundEpisode, terms: readonly Term[], fields: ReadonlySet<SearchField>): Hit {
  const notes = searchedNotes(row)
  const inNotes: Hit = { row, matchedIn: 'notes', snippet: snippetOf(notes, terms) }
  if (fields.has('notes') && containsAll(notes, terms)) return inNotes

  const chapters = fields.has('chapters') && row.has_own_chapters ? store.chapters.of(row.id) : []
  const chapter = chapters.find(({ title }) => containsAll(title, terms))
  if (chapter) return chapterHitOf(row, chapter, terms)

  const mayBeSpoken = fields.has('transcripts') && hasTranscript(row)
  const [passage] = mayBeSpoken ? passagesOf(store, row.id, terms, 1) : []
  if (passage) {
    const { snippet, startMs } = passage
    return { row, matchedIn: 'transcripts', snippet, ...(startMs !== null && { startMs }) }
  }
  const partly = chapters.find(({ title }) => containsAny(title, terms))
  return partly ? chapterHitOf(row, partly, terms) : inNotes
}

const chapterHitOf = (row: FoundEpisode, { title, start_ms }: ChapterRow, terms: readonly Term[]): Hit => ({
  row,
  matchedIn: 'chapters',
  snippet: snippetOf(title, terms),
  startMs: start_ms,
})
