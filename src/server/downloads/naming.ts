import type { Naming } from '../../shared/api/settings'

const MAX_BYTES = 200

// Separators, control characters and marks that change the direction of text are never part of a name.
const dangerous = /[\u0000-\u001f\u007f-\u009f/\\\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
// Some file systems refuse these.
const refused = /[:*?"<>|]/g
const reserved = /^(con|prn|aux|nul|(com|lpt)[\d¹²³]) *(\.|$)/i

type NamingRules = Pick<Naming, 'replaceInvalidCharacters' | 'replacementStrategy'>
const defaultRules: NamingRules = { replaceInvalidCharacters: true, replacementStrategy: 'replace-with-dash' }

const replacements: Record<Naming['replacementStrategy'], (refused: string) => string> = {
  'replace-with-dash': () => '-',
  'replace-with-dash-and-underscore': character => (character === ':' ? '-' : '_'),
  remove: () => '',
}

/**
 * Makes one path segment that every file system accepts, of at most 200 bytes: never empty, never hidden, never `..`,
 * without a dot or space at its end. `fallback` replaces a text of which nothing is left.
 */
export function safeSegment(text: string, fallback: string, rules = defaultRules): string {
  const replace = replacements[rules.replacementStrategy]
  const separated = text.toWellFormed().normalize('NFC').replace(dangerous, replace)
  const clean = (rules.replaceInvalidCharacters ? separated.replace(refused, replace) : separated)
    .replace(/\s+/g, ' ')
    .replace(/^[.\s]+/, '')
  return fit(clean, MAX_BYTES) || fallback
}

/** Cuts a text to `bytes` and escapes the names that Windows reserves, also where the cut has produced one. */
function fit(text: string, bytes: number): string {
  const short = cutToBytes(text, bytes)
  return reserved.test(short) ? `_${cutToBytes(short, bytes - 1)}` : short
}

/** The first of `name`, `name (2)`, `name (3)` … that is not taken, with its extension, in at most 200 bytes. */
export function firstFree(name: string, extension: string, isTaken: (candidate: string) => boolean): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` (${number})`
    const candidate = `${fit(name, MAX_BYTES - Buffer.byteLength(suffix + extension))}${suffix}${extension}`
    if (!isTaken(candidate)) return candidate
  }
}

/** Cuts at a whole character, so that no half of an emoji is left, and removes dots and spaces at the end. */
function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text.replace(/(?<![.\s])[.\s]+$/, '')
  const characters = Iterator.from(new Intl.Segmenter().segment(text)).map(({ segment }) => segment)
  // A single letter may carry more accents than fit: then it keeps some of them.
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
