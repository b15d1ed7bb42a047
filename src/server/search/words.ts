import { escapeText } from 'entities/escape'
import type { SearchField } from '../../shared/api/search'
import { fold, foldWithPlaces } from '../../shared/fold'
import { lineOf, searchedNotes } from '../feeds/parse/notes-text'
import type { Store } from '../store'
import type { ChapterRow } from '../store/documents'
import { hasTranscript } from '../store/episodes'
import { isLetterAt, isLetterBefore, partLength, queryOfWord, wordsIn } from '../store/index-text'
import type { FoundEpisode } from '../store/search'

const MAX_WORDS = 12
/** In texts, the beginning of a word must be this long: nearly every text contains shorter ones. */
const MIN_PREFIX = 3

/** A folded word to be found, as a whole or as the beginning of a longer one. */
export type Term = { word: string; isPrefix: boolean }

/**
 * Splits a search into folded words, as the index does. Operators, quotes and brackets don't count as words, so that
 * nothing people type is an error.
 */
export const wordsOf = (typed: string): string[] => wordsIn(typed).slice(0, MAX_WORDS)

export const isNumber = (word: string) => /^\p{N}+$/u.test(word)

/** Whether the index may find texts without these words: of a long run without blanks, it knows only the parts. */
export const areInexact = (words: readonly string[]) =>
  words.some(word => [...word].length > (partLength(word) ?? Infinity))

export const wholeTerms = (words: readonly string[]): Term[] => words.map(word => ({ word, isPrefix: false }))

/** Terms for titles: the last word may be incomplete. A run without blanks is found anywhere, complete or not. */
export const titleTerms = (words: readonly string[]): Term[] =>
  words.map((word, index) => ({ word, isPrefix: index === words.length - 1 && partLength(word) === null }))

/** Terms for texts, in which numbers and very short words count only as a whole. */
export const textTerms = (words: readonly string[]): Term[] =>
  titleTerms(words).map(({ word, isPrefix }) => ({
    word,
    isPrefix: isPrefix && word.length >= MIN_PREFIX && !isNumber(word),
  }))

/**
 * Writes a query for all of the terms in the language of FTS5; `columns` limits it within an index that has several.
 */
export const queryOf = (terms: readonly Term[], columns?: readonly string[]): string =>
  inColumns(terms.map(({ word, isPrefix }) => queryOfWord(word, isPrefix)).join(' AND '), columns)

export const inColumns = (query: string, columns?: readonly string[]) =>
  columns ? `{${columns.join(' ')}} : (${query})` : query

type Match = { start: number; end: number }

/** The first place from `from` on where a folded text contains one of the terms. */
export function nextMatch(text: string, terms: readonly Term[], from: number): Match | null {
  let first: Match | null = null
  for (const term of terms) {
    const match = matchOf(text, term, from)
    if (match && (!first || match.start < first.start)) first = match
  }
  return first
}

/** The first match of a term from `from` on. */
function matchOf(text: string, { word, isPrefix }: Term, from: number): Match | null {
  // A regular expression takes ten times as long: nearly every text lacks the word, or has it within others.
  const isRun = partLength(word) !== null
  for (let start = text.indexOf(word, from); start !== -1; start = text.indexOf(word, start + 1)) {
    let end = start + word.length
    if (isRun) return { start, end }
    if (isLetterBefore(text, start)) continue
    if (isPrefix) while (isLetterAt(text, end)) end++
    if (!isLetterAt(text, end)) return { start, end }
  }
  return null
}

/** Tests of folded texts for some terms. */
export type Matcher = {
  terms: readonly Term[]
  hasAny: (text: string) => boolean
  hasAll: (text: string) => boolean
}

export const matcherOf = (terms: readonly Term[]): Matcher => ({
  terms,
  hasAny: text => nextMatch(text, terms, 0) !== null,
  hasAll: text => terms.every(term => matchOf(text, term, 0) !== null),
})

/** A test whether a title contains all of these words as a whole. */
export function titleTest(words: readonly string[]): (title: string) => boolean {
  const { hasAll } = matcherOf(wholeTerms(words))
  return title => hasAll(fold(title))
}

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
  return row => hitOf(store, row, fields, inTitle, inTexts)
}

/** Shows where terms are in an episode that has at least some of them. */
export function showTerms(store: Store, row: FoundEpisode, terms: readonly Term[], fields: ReadonlySet<SearchField>) {
  const matcher = matcherOf(terms)
  return hitOf(store, row, fields, matcher, matcher)
}

const hitOf = (
  store: Store,
  row: FoundEpisode,
  fields: ReadonlySet<SearchField>,
  inTitle: Matcher,
  inTexts: Matcher,
): Hit =>
  fields.has('titles') && inTitle.hasAll(fold(row.title))
    ? { row, matchedIn: 'titles', snippet: snippetOf(row.title, inTitle.terms) }
    : textHitOf(store, row, inTexts, fields)

/** Looks for all of the words in notes, chapters and transcript, in this order, then for some of them. */
function textHitOf(store: Store, row: FoundEpisode, matcher: Matcher, fields: ReadonlySet<SearchField>): Hit {
  const { terms, hasAll, hasAny } = matcher
  const notes = searchedNotes(row)
  const inNotes = (): Hit => ({ row, matchedIn: 'notes', snippet: snippetOf(shownNotes(row), terms) })
  if (fields.has('notes') && hasAll(fold(notes))) return inNotes()

  const chapters = fields.has('chapters') && row.has_own_chapters ? store.chapters.of(row.id) : []
  const chapter = chapters.find(({ title }) => hasAll(fold(title)))
  if (chapter) return chapterHitOf(row, chapter, terms)

  const mayBeSpoken = fields.has('transcripts') && hasTranscript(row)
  const [passage] = mayBeSpoken ? passagesOf(store, row.id, matcher, 1) : []
  if (passage) {
    const { snippet, startMs } = passage
    return { row, matchedIn: 'transcripts', snippet, ...(startMs !== null && { startMs }) }
  }
  const partly = chapters.find(({ title }) => hasAny(fold(title)))
  return partly ? chapterHitOf(row, partly, terms) : inNotes()
}

const shownNotes = ({ author, notes }: FoundEpisode) => (author === null ? '' : `${author} · `) + lineOf(notes)

/** Whether each of the words is in one of the texts of an episode, or in its title. */
export function containsWords(
  store: Store,
  row: FoundEpisode,
  { terms }: Matcher,
  fields: ReadonlySet<SearchField>,
): boolean {
  const texts = [
    () => (fields.has('titles') ? row.title : ''),
    () => (fields.has('notes') ? searchedNotes(row) : ''),
    () => (fields.has('chapters') && row.has_own_chapters ? chaptersOf(store, row.id) : ''),
    () => (fields.has('transcripts') && hasTranscript(row) ? transcriptOf(store, row.id) : ''),
  ]
  let left = terms
  for (const text of texts) {
    const folded = fold(text())
    left = left.filter(term => nextMatch(folded, [term], 0) === null)
    if (left.length === 0) return true
  }
  return false
}

/** The titles of the chapters that an episode has apart from its feed. */
export const chaptersOf = (store: Store, id: number): string =>
  store.chapters
    .of(id)
    .map(chapter => chapter.title)
    .join(' ')

/** The texts of the transcripts that were fetched; an episode may have one in each language. */
export const transcriptOf = (store: Store, id: number): string =>
  store.documents
    .of(id, 'transcript')
    .filter(({ state }) => state === 'parsed')
    .flatMap(({ id }) => store.documents.segmentsOf(id))
    .map(segment => segment.text)
    .join(' ')

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
  const { folded, placeOf } = foldWithPlaces(plain)
  const first = nextMatch(folded, terms, 0)
  const from = beginningOf(plain, first ? placeOf(first.start) : 0)
  const to = from + LENGTH
  let marked = ''
  let end = from
  for (let match = first; match && placeOf(match.start) < to; match = nextMatch(folded, terms, match.end)) {
    const [begins, ends] = [placeOf(match.start), Math.min(placeOf(match.end), to)]
    marked += `${escapeText(plain.slice(end, begins))}<mark>${escapeText(plain.slice(begins, ends))}</mark>`
    end = ends
  }
  marked += escapeText(plain.slice(end, to))
  return `${from > 0 ? '… ' : ''}${marked}${to < plain.length ? ' …' : ''}`
}

/** The beginning of a snippet: a word a little before the match, or any place in scripts without blanks. */
function beginningOf(text: string, match: number): number {
  const earliest = match - BEFORE
  if (earliest <= 0) return 0
  const blank = text.indexOf(' ', earliest)
  return blank === -1 || blank >= match ? earliest : blank + 1
}

/** A place in a transcript; `startMs` is null if the transcript has no times. */
export type Passage = { transcriptId: string; startMs: number | null; snippet: string }

/** Finds the first passages of an episode's transcripts that contain all of the words, else those that contain some. */
export function passagesOf(store: Store, episodeId: number, matcher: Matcher, most: number): Passage[] {
  const { terms, hasAll, hasAny } = matcher
  const some = store.documents
    .of(episodeId, 'transcript')
    .filter(({ state }) => state === 'parsed')
    .flatMap(({ id, uuid }) =>
      store.documents.segmentsOf(id).map(segment => ({ ...segment, uuid, folded: fold(segment.text) })),
    )
    .filter(segment => hasAny(segment.folded))
  const all = some.filter(segment => hasAll(segment.folded))
  return (all.length > 0 ? all : some)
    .slice(0, most)
    .map(({ startMs, text, uuid }) => ({ transcriptId: uuid, startMs, snippet: snippetOf(text, terms) }))
}
