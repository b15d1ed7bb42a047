import type { Naming } from '../../shared/api/settings'

const MAX_BYTES = 200

// Never part of a name: separators, control characters, and what turns the direction of writing.
const dangerous = /[\u0000-\u001f\u007f-\u009f/\\\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
// Refused by one file system or another.
const refused = /[:*?"<>|]/g
const reserved = /^(con|prn|aux|nul|(com|lpt)[\d¹²³]) *(\.|$)/i

export type NamingRules = Pick<Naming, 'replaceInvalidCharacters' | 'replacementStrategy'>
const asUsual: NamingRules = { replaceInvalidCharacters: true, replacementStrategy: 'replace-with-dash' }

const replacements: Record<Naming['replacementStrategy'], (refused: string) => string> = {
  'replace-with-dash': () => '-',
  'replace-with-dash-and-underscore': character => (character === ':' ? '-' : '_'),
  remove: () => '',
}

/**
 * One path segment that every file system takes, at most 200 bytes with its extension: never empty, never hidden,
 * never `..`, without a dot or space at its end.
 */
export function safeSegment(text: string, fallback: string, rules = asUsual): string {
  const replace = replacements[rules.replacementStrategy]
  const separated = text.toWellFormed().normalize('NFC').replace(dangerous, replace)
  const clean = (rules.replaceInvalidCharacters ? separated.replace(refused, replace) : separated)
    .replace(/\s+/g, ' ')
    .replace(/^[.\s]+/, '')
  return fitted(clean, MAX_BYTES) || fallback
}

/** So long at most, and no name that a system keeps for itself: also by what is cut off. */
function fitted(text: string, bytes: number): string {
  const short = cutToBytes(text, bytes)
  return reserved.test(short) ? `_${cutToBytes(short, bytes - 1)}` : short
}

/** `name`, or `name (2)` and so on, the first that is not taken. */
export function firstFree(name: string, extension: string, isTaken: (candidate: string) => boolean): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` (${number})`
    const candidate = `${fitted(name, MAX_BYTES - Buffer.byteLength(suffix + extension))}${suffix}${extension}`
    if (!isTaken(candidate)) return candidate
  }
}

/** Without a dot or space at its end, and cut at a whole character, so that no half of an emoji is left. */
function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text.replace(/(?<![.\s])[.\s]+$/, '')
  const characters = Iterator.from(new Intl.Segmenter().segment(text)).map(({ segment }) => segment)
  // A letter may carry accents without end: then as many of them as there is room for.
  const kept = takeBytes(characters, bytes) || takeBytes(text, bytes)
  return kept.replace(/(?<![.\s])[.\s]+$/, '')
}

function takeBytes(characters: Iterable<string>, bytes: number): string {
  let length = 0
  let kept = ''
  for (const character of characters) {
    length += Buffer.byteLength(character)
    if (length > bytes) break
    kept += character
  }
  return kept
}
