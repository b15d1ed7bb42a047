import { escapeText } from 'entities'

const MOST_WORDS = 12
/** Shorter beginnings of words are in nearly every text: they are looked for in titles alone. */
export const SHORTEST_PREFIX = 3

/**
 * The words of what somebody typed, as the index splits them. Operators, quotes and brackets are no words, so that
 * nothing anybody types is an error.
 */
export const wordsOf = (typed: string): string[] =>
  (typed.normalize('NFKC').match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []).slice(0, MOST_WORDS)

/** A word as it is looked for: as a whole, or as the beginning of one. */
export type Term = { word: string; isPrefix: boolean }

export const isNumber = (word: string) => /^\p{N}+$/u.test(word)

export const wholeTerms = (words: readonly string[]): Term[] => words.map(word => ({ word, isPrefix: false }))

/** The last word is still being typed. */
export const titleTerms = (words: readonly string[]): Term[] =>
  words.map((word, place) => ({ word, isPrefix: place === words.length - 1 }))

/** In whole texts a number and a word of a letter or two are what they are, and no beginnings. */
export const textTerms = (words: readonly string[]): Term[] =>
  titleTerms(words).map(({ word, isPrefix }) => ({
    word,
    isPrefix: isPrefix && word.length >= SHORTEST_PREFIX && !isNumber(word),
  }))

/** All of the terms, in the language of FTS5; `columns` of those indexes that have several. */
export function queryOf(terms: readonly Term[], columns?: readonly string[]): string {
  const all = terms.map(({ word, isPrefix }) => `"${word}"${isPrefix ? '*' : ''}`).join(' AND ')
  return columns ? `{${columns.join(' ')}} : (${all})` : all
}

const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The terms as a pattern that finds them in a folded text. */
function patternOf(terms: readonly Term[]) {
  const sources = terms.map(
    ({ word, isPrefix }) => `${folded(word)}${isPrefix ? '[\\p{L}\\p{N}]*' : '(?![\\p{L}\\p{N}])'}`,
  )
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})`, 'u')
}

export const holdsSome = (text: string, terms: readonly Term[]) => patternOf(terms).test(folded(text))
export const holdsAll = (text: string, terms: readonly Term[]) => terms.every(term => holdsSome(text, [term]))

const BEFORE = 50
const LENGTH = 180

/** A stretch of a text around the first word that was found, escaped, with `<mark>` around what was. */
export function snippetOf(text: string, terms: readonly Term[]): string {
  const plain = text.normalize('NFC')
  const found = folded(plain).search(patternOf(terms))
  // Folding keeps the length of nearly every text; where it does not, the stretch is a little off.
  const from = found <= BEFORE ? 0 : Math.max(0, plain.indexOf(' ', found - BEFORE) + 1)
  const stretch = plain.slice(from, from + LENGTH)
  const isWanted = (found: string) =>
    terms.some(({ word, isPrefix }) => (isPrefix ? found.startsWith(folded(word)) : found === folded(word)))
  const marked = escapeText(stretch).replace(/[\p{L}\p{N}\p{M}]+/gu, word =>
    isWanted(folded(word)) ? `<mark>${word}</mark>` : word,
  )
  return `${from > 0 ? '… ' : ''}${marked}${from + LENGTH < plain.length ? ' …' : ''}`
}
