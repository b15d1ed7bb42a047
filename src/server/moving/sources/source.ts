import type { Outline } from '../../opml/parse'
import { DAY, SECOND } from '../../platform/clock'
import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { DumpTables } from '../dump/load'
import type { Item } from '../item'

/** A file that somebody imports: our own copy, which nobody else writes to. */
export type SourceFile = {
  /** Its path, or that of a file in the archive. */
  path: string
  /** Null for a file that is neither an SQLite database nor a dump of another database. */
  db: ForeignDatabase | null
  /** The beginning of the file, as text. */
  head: string
  /** Reads an OPML list. Throws `Problem`. */
  readOpml: () => readonly Outline[]
  /**
   * Reads a text line by line: this file, or one next to it, which has no lines if there was none. Throws
   * `MoveRefused`.
   */
  readLines: (beside?: string) => Iterable<string>
  /** Reads the OPML list that was given with the file or is in the same archive; null = none. Throws `Problem`. */
  readList: () => readonly Outline[] | null
  /** Reads a small text file of the same archive by its name; null = none. Throws `MoveRefused`. */
  readBeside: (name: string) => Promise<string | null>
  /** Reads the copy of a server, a line of JSON at a time. Throws `MoveRefused`. */
  records: () => Generator<ForeignRow>
  /** The time of the move: later times are unknown. */
  now: number
}

/** A program that people move from. */
export type Source = {
  /** The name that `--from` and the report use. */
  name: string
  title: string
  /** Whether people bring its file; `move-where.NAME` in `locales/` says where it is. */
  isFile: boolean
  recognise: (file: SourceFile) => boolean
  /** Reads everything, in the same order every time. Throws `ForeignDatabaseError` or `Problem`. */
  read: (file: SourceFile) => AsyncIterable<Item>
  /** Its tables in a dump of PostgreSQL or MySQL, which are read like those of an SQLite database. */
  dump?: DumpTables
}

/** Seconds from 1970 to 2001, from which Apple's programs count. */
const COCOA = 978_307_200
type Unit = 's' | 'ms' | 'cocoa'

const EARLIEST = Date.UTC(1995, 0, 1)
/** A time without a zone is UTC: every program that writes such text writes UTC. */
const writtenTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i

/** Text without the characters that no text contains; null for anything else, and for blanks only. */
export function text(value: unknown, most = 4096): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const cleaned = String(value)
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .toWellFormed()
    .trim()
    .slice(0, most)
  return cleaned === '' ? null : cleaned
}

/** A finite number, also one that is written as text. */
export function number(value: unknown): number | null {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof found === 'number' && Number.isFinite(found) ? found : null
}

export const isTrue = (value: unknown) => (number(value) ?? 0) !== 0

/** Whole seconds of a duration in the given unit; null for none, and for more than a signed number of 32 bits. */
export function seconds(value: unknown, unit: 's' | 'ms' = 's'): number | null {
  const found = Math.floor((number(value) ?? 0) / (unit === 'ms' ? SECOND : 1))
  return found > 0 && found < 2 ** 31 ? found : null
}

/** Bytes of a file; null for none and for more than any file can have. */
export function bytes(value: unknown): number | null {
  const found = number(value)
  return found !== null && found > 0 && Number.isSafeInteger(found) ? found : null
}

/** Milliseconds since 1970; null for a time before 1995 or more than a day after `now`, which can't be meant. */
export function time(value: unknown, unit: Unit | 'text', now: number): number | null {
  const at = unit === 'text' ? readWritten(value) : readCounted(number(value) ?? 0, unit)
  if (at === null || at < EARLIEST || at > now + DAY) return null
  return Math.min(Math.floor(at), now)
}

function readCounted(value: number, unit: Unit): number | null {
  if (value <= 0) return null
  return unit === 'ms' ? value : (unit === 'cocoa' ? value + COCOA : value) * SECOND
}

function readWritten(value: unknown): number | null {
  const match = writtenTime.exec(text(value) ?? '')
  if (!match) return null
  const [, date, hours, fraction = '', zone = 'Z'] = match
  const at = Date.parse(`${date}T${hours}${fraction.slice(0, 4)}${zoneOf(zone)}`)
  return Number.isNaN(at) ? null : at
}

/** PostgreSQL writes whole hours without minutes. */
const zoneOf = (zone: string) => (/^z$/i.test(zone) ? 'Z' : zone.length === 3 ? `${zone}:00` : zone)

/** Whether an address can be subscribed to: `antennapod_local:`, `file:`, `yt:` cannot. */
export const isOnTheWeb = (address: string) => /^https?:\/\/[^/]/i.test(address)

/** The members of an object of JSON; none for anything else. */
export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** The items of an array of JSON; none for anything else. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
