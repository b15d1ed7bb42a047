import { escapeText } from 'entities/escape'
import { folded } from '../store/podcast-settings'
import { patternOf, type Term } from './words'

/** So few that the match is in sight where a phone cuts the line. */
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
