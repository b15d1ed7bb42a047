import { folded } from '../store/podcast-settings'

const MAX_WORDS = 12
/** In texts, the beginning of a word must be this long: nearly every text contains shorter ones. */
const MIN_PREFIX = 3

/** A word to be found, as a whole or as the beginning of a longer one. */
export type Term = { word: string; isPrefix: boolean }

/**
 * Splits a search into words, as the index does. Operators, quotes and brackets don't count as words, so that nothing
 * people type is an error.
 */
export const wordsOf = (typed: string): string[] =>
  (typed.normalize('NFKC').match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []).slice(0, MAX_WORDS)

export const isNumber = (word: string) => /^\p{N}+$/u.test(word)

export const wholeTerms = (words: readonly string[]): Term[] => words.map(word => ({ word, isPrefix: false }))

/** Terms for titles: the last word may be incomplete. */
export const titleTerms = (words: readonly string[]): Term[] =>
  words.map((word, index) => ({ word, isPrefix: index === words.length - 1 }))

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
  inColumns(terms.map(queryOfTerm).join(' AND '), columns)

export const queryOfTerm = ({ word, isPrefix }: Term) => `"${word}"${isPrefix ? '*' : ''}`

export const inColumns = (query: string, columns?: readonly string[]) =>
  columns ? `{${columns.join(' ')}} : (${query})` : query

/** A pattern that matches any of the terms in a folded text. */
export function patternOf(terms: readonly Term[]): RegExp {
  const sources = terms.map(
    ({ word, isPrefix }) => `${folded(word)}${isPrefix ? '[\\p{L}\\p{N}]*' : '(?![\\p{L}\\p{N}])'}`,
  )
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})`, 'u')
}

/** Tests of folded texts for some terms. */
export type Matcher = {
  terms: readonly Term[]
  hasAny: (text: string) => boolean
  hasAll: (text: string) => boolean
}

export function matcherOf(terms: readonly Term[]): Matcher {
  const any = patternOf(terms)
  const each = terms.map(term => patternOf([term]))
  return { terms, hasAny: text => any.test(text), hasAll: text => each.every(pattern => pattern.test(text)) }
}

/** A test whether a title contains all of these words as a whole. */
export function titleTest(words: readonly string[]): (title: string) => boolean {
  const { hasAll } = matcherOf(wholeTerms(words))
  return title => hasAll(folded(title))
}
