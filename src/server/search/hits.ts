import { escapeText } from 'entities/escape'
import type { SearchField } from '../../shared/api/search'
import { searchedNotes } from '../feeds/parse/notes-text'
import type { Store } from '../store'
import type { ChapterRow } from '../store/documents'
import { hasTranscript } from '../store/episodes'
import { folded } from '../store/podcast-settings'
import type { FoundEpisode } from '../store/search'
import { type Matcher, matcherOf, patternOf, type Term, textTerms, titleTerms } from './words'

/** A found episode, with the place in which the words are; `startMs`: when that part of the episode begins. */
export type Hit = { row: FoundEpisode; matchedIn: SearchField; snippet: string; startMs?: number }

/** Shows where the words are in episodes: in the title, else in the first text that contains them. */
export function showWords(
  store: Store,
  words: readonly string[],
  fields: ReadonlySet<SearchField>,
): (row: FoundEpisode) => Hit {
  const inTitle = matcherOf(titleTerms(words))
  const inTexts = matcherOf(textTerms(words))
  return row =>
    fields.has('titles') && inTitle.hasAll(folded(row.title))
      ? { row, matchedIn: 'titles', snippet: snippetOf(row.title, inTitle.terms) }
      : textHitOf(store, row, inTexts, fields)
}

/** Looks for all of the words in notes, chapters and transcript, in this order, then for some of them. */
function textHitOf(store: Store, row: FoundEpisode, matcher: Matcher, fields: ReadonlySet<SearchField>): Hit {
  const { terms, hasAll, hasAny } = matcher
  const notes = searchedNotes(row)
  const inNotes = (): Hit => ({ row, matchedIn: 'notes', snippet: snippetOf(notes, terms) })
  if (fields.has('notes') && hasAll(folded(notes))) return inNotes()

  const chapters = fields.has('chapters') && row.has_own_chapters ? store.chapters.of(row.id) : []
  const chapter = chapters.find(({ title }) => hasAll(folded(title)))
  if (chapter) return chapterHitOf(row, chapter, terms)

  const mayBeSpoken = fields.has('transcripts') && hasTranscript(row)
  const [passage] = mayBeSpoken ? passagesOf(store, row.id, matcher, 1) : []
  if (passage) {
    const { snippet, startMs } = passage
    return { row, matchedIn: 'transcripts', snippet, ...(startMs !== null && { startMs }) }
  }
  const partly = chapters.find(({ title }) => hasAny(folded(title)))
  return partly ? chapterHitOf(row, partly, terms) : inNotes()
}

const chapterHitOf = (row: FoundEpisode, { title, start_ms }: ChapterRow, terms: readonly Term[]): Hit => ({
  row,
  matchedIn: 'chapters',
  snippet: snippetOf(title, terms),
  startMs: start_ms,
})

/** Few enough that the match is visible before a phone cuts the line. */
const BEFORE = 25
const LENGTH = 180

/** Cuts out the text around the first match, escapes it, and puts `<mark>` around every match. */
export function snippetOf(text: string, terms: readonly Term[]): string {
  const plain = text.normalize('NFC')
  const found = folded(plain).search(patternOf(terms))
  // Folding keeps the length of nearly every text; for others the cut is a little off.
  const from = found <= BEFORE ? 0 : Math.max(0, plain.indexOf(' ', found - BEFORE) + 1)
  const escaped = escapeText(plain.slice(from, from + LENGTH))
  const marked = escaped.replace(/[\p{L}\p{N}\p{M}]+/gu, word =>
    isMatch(folded(word), terms) ? `<mark>${word}</mark>` : word,
  )
  return `${from > 0 ? '… ' : ''}${marked}${from + LENGTH < plain.length ? ' …' : ''}`
}

const isMatch = (found: string, terms: readonly Term[]) =>
  terms.some(({ word, isPrefix }) => (isPrefix ? found.startsWith(folded(word)) : found === folded(word)))

/** A place in a transcript; `startMs` is null if the transcript has no times. */
export type Passage = { transcriptId: string; startMs: number | null; snippet: string }

/** Finds the first passages of an episode's transcripts that contain all of the words, else those that contain some. */
export function passagesOf(store: Store, episodeId: number, matcher: Matcher, most: number): Passage[] {
  const { terms, hasAll, hasAny } = matcher
  const some = store.documents
    .of(episodeId, 'transcript')
    .filter(({ state }) => state === 'parsed')
    .flatMap(({ id, uuid }) =>
      store.documents.segmentsOf(id).map(segment => ({ ...segment, uuid, folded: folded(segment.text) })),
    )
    .filter(segment => hasAny(segment.folded))
  const all = some.filter(segment => hasAll(segment.folded))
  return (all.length > 0 ? all : some)
    .slice(0, most)
    .map(({ startMs, text, uuid }) => ({ transcriptId: uuid, startMs, snippet: snippetOf(text, terms) }))
}
