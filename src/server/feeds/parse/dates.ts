/** The longest text of a date. */
const MAX_LENGTH = 100
const FIRST_YEAR = 1860
const LAST_YEAR = 2200
/** Between these a bare number is an instant: 1990 to 2100, in seconds. */
const FIRST_SECOND = 631_152_000
const LAST_SECOND = 4_102_444_800

// The first three letters distinguish the months in the languages that feeds use, except for `juil` and the like.
const months = new Map(
  [
    'jan ene gen sty ian oca led jän янв яну січ ιαν',
    'feb fev fév lut şub úno фев лют φεβ',
    'mar mär mrz maa már bře мар бер μαρ μάρ',
    'apr avr abr kwi ápr nis dub апр кві απρ',
    'may mai maj mei mag máj kvě май мая тра μαΐ μαϊ μάι',
    'jun jui giu cze jún iun haz čer июн юни чер ιου',
    'jul lug lip júl iul tem čvc июл юли лип',
    'aug aoû aou ago sie ağu agu srp авг сер αυγ',
    'sep set wrz eyl sze zář сен сеп вер σεπ',
    'oct okt out ott paź eki říj окт жов οκτ',
    'nov lis kas noi ноя ное лис νοε νοέ',
    'dec dez déc dic gru ara pro des дек гру δεκ',
  ].flatMap((names, index) => names.split(' ').map(name => [name, index + 1] as const)),
)

/** Minutes east of Greenwich. */
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
  wat: 60,
  cest: 120,
  mesz: 120,
  eet: 120,
  sast: 120,
  cat: 120,
  eest: 180,
  msk: 180,
  trt: 180,
  eat: 180,
  nst: -210,
  ndt: -150,
  ast: -240,
  adt: -180,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
  akst: -540,
  akdt: -480,
  hst: -600,
  brt: -180,
  brst: -120,
  art: -180,
  uyt: -180,
  clt: -240,
  clst: -180,
  cot: -300,
  pet: -300,
  gst: 240,
  pkt: 300,
  ist: 330,
  npt: 345,
  wib: 420,
  ict: 420,
  sgt: 480,
  hkt: 480,
  myt: 480,
  pht: 480,
  awst: 480,
  jst: 540,
  kst: 540,
  acst: 570,
  acdt: 630,
  aest: 600,
  aedt: 660,
  nzst: 720,
  nzdt: 780,
}

// The form that nearly all feeds use, checked before all others.
const rfc822 = /^[a-z]{3}, (\d{1,2}) ([a-z]{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2})() (gmt|[+-]\d{4})$/i
const time = String.raw`(?:[T,\s]+(?:(?:[-–—|@]|at|um|om|kl\.?|à)\s+)?(\d{1,2})(?:[:.h](\d{1,2})(?:[:.](\d{1,2})(?:[.,]\d+)?)?|(?=\s?[ap]\.?m\b))\s*([ap]\.?m\b\.?)?)?\s*(.*)$`
const dayFirst = new RegExp(
  String.raw`(\d{1,2})(?:st|nd|rd|th|\.)?[\s/.-]+(?:de\s+)?(\p{L}{3,})\.?,?[\s/.-]+(?:de\s+)?(\d{2,4})(?:\s*г\.?)?${time}`,
  'iu',
)
const monthFirst = new RegExp(String.raw`(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${time}`, 'iu')
// The form of C's `asctime` and Unix's `date`, with the zone, if any, between time and year.
const yearLast =
  /(\p{L}{3,})\s+(\d{1,2})\s+(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?\s+(?:([a-z]{1,5}|[+-]\d{2}:?\d{2})\s+)?(\d{4})$/iu
const yearFirst = new RegExp(String.raw`(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${time}`, 'iu')
const numbersOnly = new RegExp(String.raw`(?<!\d)(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4})(?!\d)${time}`, 'iu')
/** ISO 8601 without its separators. */
const compact =
  /^(\d{4})(\d{2})(\d{2})(?:[T\s]?(\d{2}):?(\d{2}):?(\d{2})?(?:[.,]\d+)?()\s*(z|[a-z]{2,5}|[+-][\d:]+)?)?$/i

/**
 * Reads the many ways in which feeds write a date, as ms since 1970; null if none fits, or the year is impossible. A
 * wrong weekday is ignored.
 */
export function parseDate(raw: string | null | undefined): number | null {
  const text = raw?.trim().slice(0, MAX_LENGTH) ?? ''
  const usual = rfc822.exec(text)
  if (usual) return assemble(Number(usual[3]), monthOf(usual[2]!), Number(usual[1]), usual.slice(4))
  if (/^\d+(?:\.\d+)?$/.test(text)) return instantOf(text) ?? compactDate(text)
  return /[年년]/.test(text) ? writtenDate(withoutIdeographs(text)) : (compactDate(text) ?? writtenDate(text))
}

function writtenDate(text: string): number | null {
  const iso = yearFirst.exec(text)
  if (iso) return assemble(Number(iso[1]), Number(iso[2]), Number(iso[3]), iso.slice(4))
  const numeric = numbersOnly.exec(text)
  if (numeric) return numericDate(numeric)
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

/** A bare number: seconds since 1970, or milliseconds if it has 13 digits. */
function instantOf(text: string): number | null {
  const whole = text.split('.')[0]!
  if (whole.length !== 9 && whole.length !== 10 && whole.length !== 13) return null
  const seconds = whole.length === 13 ? Number(whole) / 1000 : Number(whole)
  return seconds >= FIRST_SECOND && seconds < LAST_SECOND ? Math.floor(seconds * 1000) : null
}

function compactDate(text: string): number | null {
  const found = compact.exec(text)
  return found && assemble(Number(found[1]), Number(found[2]), Number(found[3]), found.slice(4))
}

/** `26.11.2026` or `11/26/2026`. A number above 12 is the day. Otherwise the day comes first, unless AM or PM follows. */
function numericDate([, first, , second, year, ...rest]: RegExpExecArray): number | null {
  const isAmerican = Number(first) <= 12 && (Number(second) > 12 || Boolean(rest[3]))
  const [month, day] = isAmerican ? [first, second] : [second, first]
  return assemble(Number(year), Number(month), Number(day), rest)
}

/** `at`: the instant; `day`: the beginning of the day that is written, in UTC. */
type Reading = { at: number; day: number } | null

/**
 * A date in digits read with the day first, and with the month first; each is null if it isn't a date. `hasHalf`: AM or
 * PM follows. Null for a date in another form.
 */
export function readBothWays(raw: string) {
  const text = raw.trim().slice(0, MAX_LENGTH)
  const found = /\d[/.-]\s?\d/.test(text) && !yearFirst.test(text) ? numbersOnly.exec(text) : null
  if (!found) return null
  const [, first, separator, second, year, ...rest] = found
  function read(day: number, month: number): Reading {
    const at = assemble(Number(year), month, day, rest)
    return at === null ? null : { at, day: Date.UTC(Number(year), month - 1, day) }
  }
  return {
    dayFirst: read(Number(first), Number(second)),
    monthFirst: read(Number(second), Number(first)),
    hasHalf: Boolean(rest[3]),
    isSlashed: separator === '/',
  }
}

/** Chinese, Japanese and Korean dates in digits and separators: `2026年11月26日(木) 午後3時05分`. */
const withoutIdeographs = (text: string) => {
  const digits = text
    .replace(/\s/g, '')
    .replace(/[年월月년]/g, '-')
    .replace(/[日일]/, ' ')
    .replace(/[時时点點시]/, ':')
    .replace(/[分분]/, ':')
    .replace(/:(?=\D|$)/, ':00')
  const [day = '', clock = ''] = digits.split(/ (.*)/s)
  const at = /\d.*/s.exec(clock)?.[0] ?? ''
  return `${day} ${at}${/午後|下午|오후/.test(clock) ? ' pm' : ''}`
}

function monthOf(name: string): number {
  const word = name.toLowerCase()
  if (word.length > 3 && /^(?:juil|červenec|ιουλ|ιούλ)/.test(word)) return 7
  return months.get(word.slice(0, 3)) ?? 0
}

function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length > 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}

function assemble(year: number, month: number, day: number, rest: readonly (string | undefined)[]): number | null {
  const [hours = '0', minutes = '0', seconds = '0', half = '', zone = ''] = rest
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12 || day < 1 || day > 31) return null
  const hour = half ? (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hours)
  const local = Date.UTC(year, month - 1, day, hour, Number(minutes), Number(seconds))
  return Number.isFinite(local) ? local - offsetOf(zone, local) * 60_000 : null
}

/** Minutes east of Greenwich; an unknown zone counts as UTC. */
function offsetOf(zone: string, local: number): number {
  if (zone === '' || zone === 'GMT') return 0
  const place = zone.includes('/') ? /\b[a-z]{2,20}\/[a-z_+\d/-]{2,40}/i.exec(zone)?.[0] : undefined
  if (place) return offsetOfPlace(place, local)
  const numeric = /([+-])(\d{1,2}):?(\d{2})?/.exec(zone)
  if (numeric) return (numeric[1] === '-' ? -1 : 1) * (Number(numeric[2]) * 60 + Number(numeric[3] ?? 0))
  const name = /[a-z]+/i.exec(zone)?.[0]?.toLowerCase()
  return (name && zones[name]) || 0
}

// A feed has at most one place; the clocks of all places would fill the memory.
let clock: { place: string; format: Intl.DateTimeFormat | null } = { place: '', format: null }

/** `America/New_York` at a local time, with summer time; 0 if there is no such place. */
function offsetOfPlace(place: string, local: number): number {
  if (clock.place !== place) clock = { place, format: clockOf(place) }
  const { format } = clock
  if (!format) return 0
  const shownAt = (instant: number) => {
    const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
    return Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!)
  }
  const about = local - (shownAt(local) - local)
  return Math.round((shownAt(about) - about) / 60_000)
}

function clockOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return null
  }
}
