import { decodeHTML } from '../platform/html-entities'

/** The length to which a text of one line is cut before it is decoded. */
const LONGEST_TEXT = 20_000

/** Reads text of one line: entities decoded once, white space folded. Null when nothing is left. */
export function parseText(raw: string | null | undefined): string | null {
  // SQLite stores half a pair of surrogates as another character: a guid would not be recognised again.
  const text = raw ? decodeHTML(raw.slice(0, LONGEST_TEXT)).toWellFormed().replace(/\s+/g, ' ').trim() : ''
  return text === '' ? null : text
}

const escaped = /&(amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});/i

/** Reads a title as text, whatever feeds put into it: markup is removed, and text escaped twice is decoded twice. */
export function parseTitle(raw: string | null | undefined): string | null {
  const once = parseText(raw)
  const text = once && escaped.test(once) ? parseText(once) : once
  return text && /<\/?[a-z][^<>]*>/i.test(text)
    ? parseText(text.replace(lineBreaks, ' ').replace(/<\/?[a-z][^<>]*>/gi, ''))
    : text
}
const lineBreaks = /<(br|\/?p|\/?div)\b[^<>]*>/gi

/** An absolute http(s) address, or null. */
export function parseAddress(raw: string | null | undefined, base: string): string | null {
  const text =
    raw && raw.length <= LONGEST_TEXT
      ? decodeHTML(raw)
          .split(/[\r\n]+/)
          .map(line => line.trim())
          .join('')
      : ''
  if (text === '') return null
  const url = URL.parse(text, base)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.href.length > 4096) return null
  return url.href
}

const truths = new Set(['yes', 'true', 'explicit', '1'])
const lies = new Set(['no', 'false', 'clean', '0'])

export function parseExplicit(raw: string | null | undefined): boolean | null {
  const word = raw?.trim().toLowerCase() ?? ''
  if (truths.has(word)) return true
  return lies.has(word) ? false : null
}

/** A whole number from 0 on; `S01`, `12a` and negative ones are null. */
export function parseWhole(raw: string | null | undefined): number | null {
  const text = raw?.trim() ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

/** The bytes of a file: a whole number of up to 15 digits. */
export function parseSize(raw: string | null | undefined): number | null {
  const text = raw?.trim() ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** A number from 0 on, with a fraction if need be (episode 12.5). */
export function parseNumber(raw: string | null | undefined): number | null {
  const text = raw?.trim() ?? ''
  return /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) : null
}

/** The longest text of a duration. */
const LONGEST = 100

/** Seconds, 0 = unknown: `3600`, `3600.5`, `60:00`, `01:00:00.000`, `1h 2m`, `PT1H2M`. */
export function parseDuration(raw: string | null | undefined): number {
  const text = raw?.trim().toLowerCase() ?? ''
  if (text === '' || text.length > LONGEST) return 0
  if (/^\d+([.,]\d+)?$/.test(text)) return bounded(Number(text.replace(',', '.')))
  if (/^\d+(:\d+){1,2}([.,]\d+)?$/.test(text))
    return bounded(text.split(':').reduce((sum, part) => sum * 60 + Number(part.replace(',', '.')), 0))
  const units = /^(?:pt)?\s*(?:(\d+)\s*h[a-z]*)?[\s,]*(?:(\d+)\s*m[a-z]*)?[\s,]*(?:(\d+)(?:\.\d+)?\s*s[a-z]*)?$/.exec(
    text,
  )
  if (!units) return 0
  return bounded(Number(units[1] ?? 0) * 3600 + Number(units[2] ?? 0) * 60 + Number(units[3] ?? 0))
}

const bounded = (seconds: number) => (Number.isFinite(seconds) && seconds < 10_000_000 ? Math.floor(seconds) : 0)
