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

const quoted = (word: string) => `"${word}"`

/** All of the words, the last as the beginning of one; null where there is none to look for. */
export function titleQuery(words: readonly string[]): string | null {
  if (words.length === 0) return null
  return [...words.slice(0, -1).map(quoted), `${quoted(words.at(-1)!)}*`].join(' AND ')
}

/** The same for whole texts; a last word of a letter or two does not count there. */
export function textQuery(words: readonly string[], columns: readonly string[]): string | null {
  const isShort = (words.at(-1)?.length ?? 0) < SHORTEST_PREFIX
  const whole = words.slice(0, -1).map(quoted)
  const all = isShort ? whole : [...whole, `${quoted(words.at(-1)!)}*`]
  if (all.length === 0) return null
  return `{${columns.join(' ')}} : (${all.join(' AND ')})`
}

const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The words as a pattern that finds their beginnings in a folded text. */
const patternOf = (words: readonly string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(${words.map(word => folded(word)).join('|')})[\\p{L}\\p{N}]*`, 'gu')

export const holdsSome = (text: string, words: readonly string[]) => patternOf(words).test(folded(text))

const BEFORE = 50
const LENGTH = 180

/** A stretch of a text around the first word that was found, escaped, with `<mark>` around what was. */
export function snippetOf(text: string, words: readonly string[]): string {
  const plain = text.normalize('NFC')
  const found = folded(plain).search(patternOf(words))
  // Folding keeps the length of nearly every text; where it does not, the stretch is a little off.
  const from = found <= BEFORE ? 0 : Math.max(0, plain.indexOf(' ', found - BEFORE) + 1)
  const stretch = plain.slice(from, from + LENGTH)
  const marked = escapeText(stretch).replace(/[\p{L}\p{N}\p{M}]+/gu, word =>
    words.some(wanted => folded(word).startsWith(folded(wanted))) ? `<mark>${word}</mark>` : word,
  )
  return `${from > 0 ? '… ' : ''}${marked}${from + LENGTH < plain.length ? ' …' : ''}`
}
