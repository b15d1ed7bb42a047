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

/** The longest text of a date or a duration. */
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

// The first three letters are enough to tell the months apart in the languages that feeds are found in.
const months: Record<string, number> = {
  jan: 1,
  ene: 1,
  gen: 1,
  sty: 1,
  feb: 2,
  fev: 2,
  fév: 2,
  lut: 2,
  mar: 3,
  mär: 3,
  mrz: 3,
  maa: 3,
  apr: 4,
  avr: 4,
  abr: 4,
  kwi: 4,
  may: 5,
  mai: 5,
  maj: 5,
  mei: 5,
  mag: 5,
  jun: 6,
  jui: 6,
  giu: 6,
  cze: 6,
  jul: 7,
  lug: 7,
  lip: 7,
  aug: 8,
  aoû: 8,
  aou: 8,
  ago: 8,
  sie: 8,
  sep: 9,
  set: 9,
  wrz: 9,
  oct: 10,
  okt: 10,
  out: 10,
  ott: 10,
  paź: 10,
  nov: 11,
  lis: 11,
  dec: 12,
  dez: 12,
  déc: 12,
  dic: 12,
  gru: 12,
}

const zones: Record<string, number> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 60,
  bst: 60,
  cet: 60,
  mez: 60,
  cest: 120,
  mesz: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
  akst: -540,
  hst: -600,
  jst: 540,
  kst: 540,
  aest: 600,
  aedt: 660,
  nzst: 720,
  nzdt: 780,
  ist: 330,
}

// The form of nearly all feeds: it spares looking for all others.
const rfc822 = /^[a-z]{3}, (\d{1,2}) ([a-z]{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2})() (gmt|[+-]\d{4})$/i
const time = String.raw`(?:[T,\s]+(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2})(?:[.,]\d+)?)?\s*([ap]m)?)?\s*(.*)$`
const dayFirst = new RegExp(String.raw`(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+(\p{L}{3,})\.?,?[\s-]+(\d{2,4})${time}`, 'iu')
const monthFirst = new RegExp(String.raw`(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${time}`, 'iu')
// The form of C's `asctime` and Unix's `date`, with the zone, if any, between time and year.
const yearLast =
  /(\p{L}{3,})\s+(\d{1,2})\s+(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?\s+(?:([a-z]{1,5}|[+-]\d{2}:?\d{2})\s+)?(\d{4})$/iu
const yearFirst = new RegExp(String.raw`(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${time}`, 'iu')

/**
 * Reads the many ways in which feeds write a date, as ms since 1970; null when none fits. A wrong weekday is ignored.
 */
export function parseDate(raw: string | null | undefined): number | null {
  const text = raw?.trim().slice(0, LONGEST) ?? ''
  const usual = rfc822.exec(text)
  if (usual) return assemble(Number(usual[3]), monthOf(usual[2]!), Number(usual[1]), usual.slice(4))
  const iso = yearFirst.exec(text)
  if (iso) return assemble(Number(iso[1]), Number(iso[2]), Number(iso[3]), iso.slice(4))
  const unix = yearLast.exec(text)
  if (unix) {
    const [, month, day, hours, minutes, seconds, zone, year] = unix
    return assemble(Number(year), monthOf(month!), Number(day), [hours, minutes, seconds, undefined, zone])
  }
  const british = dayFirst.exec(text)
  if (british) return assemble(fullYear(british[3]!), monthOf(british[2]!), Number(british[1]), british.slice(4))
  const american = monthFirst.exec(text)
  if (american) return assemble(Number(american[3]), monthOf(american[1]!), Number(american[2]), american.slice(4))
  return null
}

const monthOf = (name: string) => (/^juil/i.test(name) ? 7 : (months[name.slice(0, 3).toLowerCase()] ?? 0))

function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length > 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}

function assemble(year: number, month: number, day: number, rest: readonly (string | undefined)[]): number | null {
  const [hours = '0', minutes = '0', seconds = '0', half = '', zone = ''] = rest
  if (month < 1 || month > 12 || day < 1 || day > 31) return null
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hours)
  const utc = Date.UTC(year, month - 1, day, hour, Number(minutes), Number(seconds))
  return Number.isFinite(utc) ? utc - offsetOf(zone) * 60_000 : null
}

/** Minutes east of Greenwich; an unknown zone counts as UTC. */
function offsetOf(zone: string): number {
  const numeric = /([+-])(\d{1,2}):?(\d{2})?/.exec(zone)
  if (numeric) return (numeric[1] === '-' ? -1 : 1) * (Number(numeric[2]) * 60 + Number(numeric[3] ?? 0))
  const name = /[a-z]+/i.exec(zone)?.[0]?.toLowerCase()
  return (name && zones[name]) || 0
}
