import { fold, isPlain, unspaced } from '../../shared/fold'

// Why: docs/internals/decisions/0010

const letters = '\\p{L}\\p{M}\\p{N}\\p{Co}'
const runs = `[[\\p{L}\\p{M}\\p{Nl}]&&[${unspaced}]]`
/** Characters of words that other characters separate. */
const spacedLetter = `[[${letters}]--${runs}]`

const words = new RegExp(`${runs}+|${spacedLetter}+`, 'gv')
const run = new RegExp(`${runs}+`, 'gv')
const isRun = new RegExp(`^${runs}`, 'v')
const isSpacedLetter = new RegExp(`^${spacedLetter}`, 'v')
const isAlphabetic = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Splits a text into folded words, as the index does; a run of a script without blanks is one. */
export const wordsIn = (text: string): string[] => fold(text).match(words) ?? []

/** Whether a folded text continues with a letter of a word that others separate. */
export function isLetterAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
  return at < text.length && isSpacedLetter.test(text.slice(at, at + 2))
}

export const isLetterBefore = (text: string, at: number): boolean =>
  at > 0 && isLetterAt(text, isLowSurrogate(text.charCodeAt(at - 1)) ? at - 2 : at - 1)

const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff

/** The length of the parts by which a run of a script without blanks is found; null for a word of another script. */
export function partLength(word: string): number | null {
  if (isPlain(word) || !isRun.test(word)) return null
  return isAlphabetic.test(word) ? 3 : 2
}

/** All parts of a run, from each of its characters on; those at its end are shorter. */
function partsOf(word: string, length: number): string[] {
  const characters = [...word]
  return characters.map((_, at) => characters.slice(at, at + length).join(''))
}

/**
 * Prepares a text for the index: folded, runs of scripts without blanks in overlapping parts, and marks that are letters
 * as what FTS5 takes for letters.
 */
export function indexedText(text: string): string {
  const folded = fold(text)
  if (isPlain(folded)) return folded
  return encodeMarks(folded.replace(run, found => ` ${partsOf(found, partLength(found)!).join(' ')} `))
}

/** FTS5 would split words at marks, such as the vowels of Hindi, so they become characters for private use. */
export const encodeMarks = (text: string) =>
  text.replace(/\p{M}/gu, mark => (mark.length === 1 ? String.fromCodePoint(0xf0000 + mark.charCodeAt(0)) : ''))

const MAX_PARTS = 24

/** Query for a folded word; a run of a script without blanks is found anywhere, all of its parts in any order. */
export function queryOfWord(word: string, isPrefix: boolean): string {
  const length = partLength(word)
  if (length === null) return `"${encodeMarks(word)}"${isPrefix ? '*' : ''}`
  const whole = partsOf(word, length).filter(part => [...part].length === length)
  if (whole.length === 0) return `"${encodeMarks(word)}"*`
  return whole
    .slice(0, MAX_PARTS)
    .map(part => `"${encodeMarks(part)}"`)
    .join(' AND ')
}
