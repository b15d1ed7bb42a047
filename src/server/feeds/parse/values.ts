import { decodeHTML } from '../../platform/markup'

/** The length to which a text of one line is cut before it is decoded. */
const MAX_TEXT = 20_000

/** Reads text of one line: entities decoded once, white space folded. Null when nothing is left. */
export function parseText(raw: string | null | undefined): string | null {
  // SQLite stores half a pair of surrogates as another character: a guid would not be recognised again.
  if (!raw) return null
  const text = oneLine(decodeHTML(raw.length > MAX_TEXT ? raw.slice(0, MAX_TEXT) : raw).toWellFormed())
  return text === '' ? null : text
}

const oneLine = (text: string) => (/[^\S ]|\s\s/.test(text) ? text.replace(/\s+/g, ' ') : text).trim()

const escaped = /&(amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});/i

/** Reads a title as text, whatever feeds put into it: HTML is removed, and text escaped twice is decoded twice. */
export function parseTitle(raw: string | null | undefined): string | null {
  const once = parseText(raw)
  const text = once && escaped.test(once) ? parseText(once) : once
  return text?.includes('<') ? parseText(text.replace(lineBreaks, ' ').replace(titleTags, '')) : text
}

/** The elements that mark up text. `<T>`, `<Title>` and `<main>` are words: a title may be about them. */
const markupNames =
  'a|abbr|acronym|b|bdi|bdo|big|blockquote|center|cite|code|del|dfn|em|embed|font|h[1-6]|hr|i|iframe|img|ins|kbd|li|mark|nobr|noscript|object|ol|pre|q|rp|rt|ruby|s|samp|script|small|span|strike|strong|style|sub|sup|svg|table|tbody|td|th|thead|tr|tt|u|ul|var|wbr'
const titleTags = new RegExp(String.raw`<\/?(?:${markupNames})(?=[\s/>])[^<>]*>`, 'gi')
const lineBreaks = /<(?:br|\/?p|\/?div)(?=[\s/>])[^<>]*>/gi

/** An absolute http(s) address, or null. `www.h.example` without a scheme is a host, not a path. */
export function parseAddress(raw: string | null | undefined, base: string): string | null {
  if (!raw || raw.length > MAX_TEXT) return null
  const href = isParsed.test(raw) ? raw : parsed(raw, base)
  if (!href || href.length > MAX_ADDRESS) return null
  addressLetters += href.length
  return href
}

function parsed(raw: string, base: string): string | null {
  const text = withoutBreaks(decodeHTML(raw))
  if (text === '') return null
  // Parsing an absolute address without a base takes half the time.
  return isHttp.test(text) ? (URL.parse(text)?.href ?? null) : resolved(text, base)
}

let addressLetters = 0

/** Counts the characters of all addresses read so far: a relative one may become hundreds of times as long. */
export const countAddressLetters = () => addressLetters

function resolved(text: string, base: string): string | null {
  const url = URL.parse(isHost.test(text) ? `https://${text}` : text, base)
  return url && isHttp.test(url.href) ? url.href : null
}

const MAX_ADDRESS = 4096
/** Matches an address that parsing leaves as it is, as most are: no port, nothing to encode, no `..`. */
const isParsed =
  /^https?:\/\/(?:(?!xn--)[a-z\d-]+\.)+(?!xn--)[a-z]{2,}(?:\/(?![.%])[\w!$&'()*+,.:=@~%-]*)+(?:\?[\w!$&()*+,./:=?@~%-]*)?$/
const isHttp = /^https?:\/\//i
const isHost = /^www\.[^./?#]+\./i

const withoutBreaks = (text: string) =>
  /[\r\n]/.test(text)
    ? text
        .split(/[\r\n]+/)
        .map(line => line.trim())
        .join('')
    : text.trim()

const truths = new Set('yes y true explicit 1 on oui si sí sim ja да adult'.split(' '))
const lies = new Set('no n false clean 0 off non não nein nee nej нет nonadult'.split(' '))

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

/** A season: a whole number, also as `S2`, `Season 2` or `2.0`. */
export function parseSeason(raw: string | null | undefined): number | null {
  const text = raw?.trim() ?? ''
  return parseWhole(
    /^(?:(?:s|t|season|staffel|saison|seizoen|stagione|temporada)\.?)?\s?(\d{1,9})(?:\.0)?$/i.exec(text)?.[1],
  )
}

/** The bytes of a file: a whole number of up to 15 digits, which may be in groups of three (`12,345,678`). */
export function parseSize(raw: string | null | undefined): number | null {
  const text = raw?.trim() ?? ''
  if (/^\d{1,15}$/.test(text)) return Number(text)
  return /^\d{1,3}(?:([,.'\s])\d{3})(?:\1\d{3}){0,3}$/.test(text) ? Number(text.replace(/\D/g, '')) : null
}

/** The number of an episode, with a fraction if need be (12.5), also as `#12`, `Ep. 12` or `12a`. */
export function parseNumber(raw: string | null | undefined): number | null {
  const text = raw?.trim() ?? ''
  const found =
    /^(?:(?:ep|e|eps|[eé]pisode|epis[oó]dio|folge|no|nr|n[º°]|№|#)\.?)?\s?#?(\d{1,9}(?:\.\d+)?)[a-z]?$/i.exec(text)
  return found && Number(found[1])
}

/** The longest text of a duration. */
const MAX_LENGTH = 100

/** A hundred hours: a bare number above that counts milliseconds. */
const MAX_SECONDS = 360_000
const LONG = 10 * 3600
const clock = /^(\d+(?::\d+){1,3}|\d+(?:\.\d+){2})(?:[.,]\d+)?\s*(?:(h|std|stu)|[ms])?[a-z]*\.?$/
const amount = String.raw`(\d+(?:[.,]\d+)?)\s*`
const units = new RegExp(
  String.raw`^p?(?:${amount}d[a-z]*)?[\s,]*t?(?:${amount}(?:h|std|stu)[a-z]*\.?)?[\s,]*(?:and\s|und\s)?(?:${amount}m[a-z]*\.?)?[\s,]*(?:${amount}s[a-z]*\.?)?$`,
)

/**
 * Seconds, 0 = unknown: `3600`, `3600.5`, `60:00`, `01:00:00.000`, `00.45.10`, `~45:00 min`, `1.5 hours`, `1h 2m`,
 * `P0DT1H2M`; also milliseconds, where seconds would be more than a hundred hours.
 */
export function parseDuration(raw: string | null | undefined): number {
  const text = (raw?.trim().toLowerCase() ?? '')
    .slice(0, MAX_LENGTH + 1)
    .replace(/^(?:~|≈|ca?\.|ca |about |approx\. )\s*/, '')
  if (text === '' || text.length > MAX_LENGTH) return 0
  if (/^\d+([.,]\d+)?$/.test(text)) {
    const count = decimal(text)
    return bounded(count < MAX_SECONDS ? count : count / 1000)
  }
  const shown = clock.exec(text)
  if (shown) return bounded(clockSeconds(shown[1]!.split(/[:.]/).map(Number), Boolean(shown[2])))
  const [, days, hours, minutes, seconds] = units.exec(text) ?? []
  return bounded(decimal(days) * 86_400 + decimal(hours) * 3600 + decimal(minutes) * 60 + decimal(seconds))
}

const decimal = (text = '0') => Number(text.replace(',', '.'))

/**
 * Four numbers begin with days (`00:00:45:10`) or, if that makes a very long episode, end with the frames of a video
 * editor (`00:45:10:12`). Two may be hours and minutes (`1:30 h`).
 */
function clockSeconds(parts: readonly number[], isInHours: boolean): number {
  if (parts.length === 4) {
    const [days, hours, ...rest] = parts as [number, number, number, number]
    const seconds = clockSeconds([days * 24 + hours, ...rest], false)
    return seconds < LONG ? seconds : clockSeconds(parts.slice(0, 3), false)
  }
  const total = parts.reduce((sum, part) => sum * 60 + part, 0)
  return isInHours && parts.length === 2 ? total * 60 : total
}

const bounded = (seconds: number) => (Number.isFinite(seconds) && seconds < 10_000_000 ? Math.floor(seconds) : 0)

const MAX_GUID = 2000

/** Cuts a guid to the length that the library stores; two long ones that begin alike stay different. */
export const fitGuid = (guid: string) =>
  guid.length <= MAX_GUID ? guid : `${guid.slice(0, MAX_GUID - 20)}#${Bun.hash(guid).toString(36)}`
