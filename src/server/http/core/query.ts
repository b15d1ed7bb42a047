import { t } from 'elysia'
import { invalidField } from '../../platform/problem'
import { type SearchCursor, stageNames } from '../../search/find'
import type { Position } from '../../store/episodes'

/** Reads `true`, `false`, `1` or `0`; absent or empty means false. Throws `invalid-field` for anything else. */
export function readFlag(field: string, text: string | undefined): boolean {
  if (text === undefined || text === '' || text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  throw invalidField(field, 'true, false, 1 or 0')
}

/** The schema of a flag. It only documents the values: `readFlag` checks them, with its own message. */
export const Flag = t.Optional(t.String({ enum: ['true', 'false', '1', '0', ''] }))

/** The schema of a page size. It is Elysia's own integer, which converts the text of a query. */
export const Limit = (maximum: number, fallback: number) => t.Integer({ minimum: 1, maximum, default: fallback })

/** The schema of a place in a list, which replaces the cursor. */
export const Offset = t.Optional(t.Integer({ minimum: 0, maximum: 10_000_000 }))

/** Reads a value that may be repeated or comma-separated; throws `invalid-field` unless all of it is in `known`. */
export function readWords<T extends string>(field: string, value: string | string[], known: readonly T[]): T[] {
  const words = [value].flat().flatMap(part => part.split(','))
  if (!words.every((word): word is T => known.includes(word as T))) throw invalidField(field, known.join(', '))
  return words
}

/** Decodes a segment of a path; a segment that is not valid UTF-8 stays as it is. */
export function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type Row = { published_at: number; id: number; dated?: number }

/** The number of rows up to which a page may grow to finish a run of equal instants. */
const MAX_RUN = 500

/** Writes a place in a list as an opaque word. */
const writeCursor = ({ published_at, id, dated }: Row) =>
  Buffer.from(`${published_at}.${id}${dated === 0 ? 'u' : ''}`).toString('base64url')

export function readCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const match = /^(-?\d+)\.(\d+)(u?)$/.exec(Buffer.from(cursor, 'base64url').toString())
  if (!match) throw invalidField('cursor', 'the X-Next-Cursor of an earlier response')
  return { publishedAt: Number(match[1]), id: Number(match[2]), ...(match[3] && { isUndated: true }) }
}

/**
 * A page of at most `limit` rows, and the cursor of the next one. A client that pages by date alone (`byDate`) would
 * lose the rest of a run of equal instants, so a page that ends inside a run grows to include all of it, up to 500
 * rows; beyond that only the cursor reaches the rest.
 */
export function cutPage<T extends Row>(
  limit: number,
  byDate: boolean,
  read: (limit: number) => T[],
): { rows: T[]; next: string | null } {
  const rows = read(limit + 1)
  if (rows.length <= limit) return { rows, next: null }
  const last = rows[limit - 1]!
  if (!byDate || rows[limit]!.published_at !== last.published_at) {
    return { rows: rows.slice(0, limit), next: writeCursor(last) }
  }
  const longer = read(limit + MAX_RUN + 1)
  const isInRun = (row: T, index: number) => index < limit || row.published_at === last.published_at
  const end = longer.findIndex((row, index) => !isInRun(row, index))
  const cut = Math.min(end === -1 ? longer.length : end, Math.max(limit, MAX_RUN))
  const page = longer.slice(0, cut)
  return { rows: page, next: longer.length > cut ? writeCursor(page.at(-1)!) : null }
}

/** Cuts a list in another order into a page: `placeOf` gives the time and id by which a row is ordered. */
export function cutList<T>(
  limit: number,
  placeOf: (row: T) => Row,
  read: (limit: number) => T[],
): { rows: T[]; next: string | null } {
  const rows = read(limit + 1)
  const last = rows[limit - 1]
  return rows.length <= limit || !last
    ? { rows, next: null }
    : { rows: rows.slice(0, limit), next: writeCursor(placeOf(last)) }
}

/** Writes where the next page of a search begins; null at its end. */
export const writeSearchCursor = (next: SearchCursor | null): string | null => next && `${next.stage}.${next.before}`

/** Reads such a place. Throws `invalid-field`. */
export function readSearchCursor(text: string | undefined): SearchCursor | null {
  if (text === undefined) return null
  const [, name, before] = /^([a-z]+)\.(\d{1,16})$/.exec(text) ?? []
  const stage = stageNames.find(known => known === name)
  if (!stage || !before) throw invalidField('cursor', 'the X-Next-Cursor of an earlier response')
  return { stage, before: Number(before) }
}
