import { formatNumber } from '../shared/languages'
import { currentLanguage } from './i18n'

const DAY = 86_400_000
/**
 * Returns the language for dates and numbers: the browser's, including the region, if it matches the page's. An English
 * page in any other browser uses British formats: 15 Nov, 14:05.
 */
export function regionalLanguage(): string {
  const chosen = currentLanguage()
  const ofBrowser = globalThis.navigator?.languages
  if (known.chosen !== chosen || known.ofBrowser !== ofBrowser)
    known = { chosen, ofBrowser, regional: findRegional(chosen, ofBrowser) }
  return known.regional
}

type Known = { chosen: string; ofBrowser: readonly string[] | undefined; regional: string }
let known: Known = { chosen: '', ofBrowser: undefined, regional: '' }

function findRegional(chosen: string, ofBrowser: readonly string[] = []): string {
  const [base] = chosen.split('-')
  return ofBrowser.find(code => code.split('-')[0] === base && isTag(code)) ?? (chosen === 'en' ? 'en-GB' : chosen)
}

/** Returns whether the browser's name of a language is one that its own formatters accept: some systems add to it. */
function isTag(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length > 0
  } catch {
    return false
  }
}

/** Creates a formatter once for each language, since creating one is slow. */
function once<T>(make: (language: string) => T, languageNow = regionalLanguage): () => T {
  const made = new Map<string, T>()
  return () => {
    const language = languageNow()
    const known = made.get(language)
    if (known) return known
    const fresh = make(language)
    made.set(language, fresh)
    return fresh
  }
}
const relative = once(language => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
const dayOfYear = once(language => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }))
export const day = once(
  language => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' }),
)
const moment = once(language => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }))
const weekdayAndTime = once(
  language => new Intl.DateTimeFormat(language, { weekday: 'short', hour: 'numeric', minute: 'numeric' }),
)
const timeOfDay = once(language => new Intl.DateTimeFormat(language, { timeStyle: 'short' }))
export const inUnit = (unit: string) =>
  // Regions abbreviate differently: 5 min in English, 5 mins in British English.
  once(language => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }), currentLanguage)
export const inMinutes = inUnit('minute')
const shortHours = inUnit('hour')
/** Formats hours with the international symbol in English too, which has "hr" and, in some regions, "hrs". */
export const inHours = () => ({ format: (count: number) => shortHours().format(count).replace(/hrs?$/, 'h') })

/** Formats a moment of a known day as "today 14:05" or "Thu 14:05": a time alone reads like a length. */
export function formatTimeOn(instant: string, now = Date.now()): string {
  const days = daysUntil(instant, now)
  return weekdayAndTime()
    .formatToParts(new Date(instant))
    .map(({ type, value }) => (type === 'weekday' && Math.abs(days) < 2 ? relative().format(days, 'day') : value))
    .join('')
}

/** Formats a date as "today", "yesterday" or "3 days ago"; dates a week away or more in full. */
export function formatDate(instant: string, now = Date.now()): string {
  const date = new Date(instant)
  const days = daysUntil(instant, now)
  if (Math.abs(days) < 7) return relative().format(days, 'day')
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  return (isThisYear ? dayOfYear() : day()).format(date)
}

const daysUntil = (instant: string, now: number) =>
  Math.round((startOfDay(Date.parse(instant)) - startOfDay(now)) / DAY)

const startOfDay = (ms: number) => new Date(ms).setHours(0, 0, 0, 0)

/** Formats a moment as "21 Nov 2026, 14:05". */
export const formatMoment = (instant: string) => moment().format(new Date(instant))

/** Formats a moment, in milliseconds, as the time of day: "14:05". */
export const formatTime = (moment: number | string) => timeOfDay().format(new Date(moment))

/** Formats a moment as "12 minutes ago" or "in 2 hours". */
export function formatRelative(instant: string, now = Date.now()): string {
  const minutes = Math.round((Date.parse(instant) - now) / 60_000)
  if (Math.abs(minutes) < 60) return relative().format(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return Math.abs(hours) < 48 ? relative().format(hours, 'hour') : relative().format(Math.round(hours / 24), 'day')
}

/** Formats a length as "23 min" or "1 h 5 min"; at least a minute. */
export function formatMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes < 60) return inMinutes().format(minutes)
  const rest = minutes % 60
  const hours = inHours().format(Math.floor(minutes / 60))
  return rest === 0 ? hours : `${hours} ${inMinutes().format(rest)}`
}

/** Formats a speed: 1.35× in English, 1,35× in German. */
export const formatRate = (rate: number) => `${formatCount(rate)}×`

/** Formats a count as texts do: 2,000. */
export const formatCount = (count: number) => formatNumber(count, currentLanguage())

/** The language that a feed names, as an element's `lang`; undefined if it is no such name. */
export const langOf = (language: string | null | undefined) =>
  language && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language) ? language : undefined

/** Ends a message of a server or a host as a sentence, since another one follows. */
export const sentence = (text: string) => (/[\p{L}\p{N})]$/u.test(text) ? `${text}.` : text)
