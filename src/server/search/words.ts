import { fold } from '../../shared/fold'
import { isLetterAt, isLetterBefore, partLength, wordsIn, queryOfWord } from '../store/index-text'

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

/** A pattern for this would take ten times as long: nearly every text lacks the word, or has it between others. */
function matchOf(text: string, { word, isPrefix }: Term, from: number): Match | null {
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
