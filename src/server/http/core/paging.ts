import { DAY } from '../../platform/clock'
import { invalidField } from '../../platform/problem'
import type { Position } from '../../store/episodes'

type Row = { published_at: number; id: number }

/** The most rows of one instant by which a page may grow. */
const LONGEST_RUN = 500

/** An opaque word for a place in a list. */
export const writeCursor = ({ published_at, id }: Row) => Buffer.from(`${published_at}.${id}`).toString('base64url')

export function readCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const match = /^(-?\d+)\.(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())
  if (!match) throw invalidField('cursor', 'the X-Next-Cursor of an earlier answer')
  return { publishedAt: Number(match[1]), id: Number(match[2]) }
}

/** An instant as clients send it: any offset, none = UTC, and a `+` that a query turned into a space. */
export function readInstant(field: string, text: string | undefined | null): number | undefined {
  if (text === undefined || text === null || text === '') return undefined
  const repaired = text.trim().replace(/ (\d\d:?\d\d)$/, '+$1')
  const zoned = /(z|[+-]\d\d:?\d\d)$/i.test(repaired) ? repaired : `${repaired}${repaired.includes('T') ? 'Z' : ''}`
  const at = Date.parse(zoned)
  if (Number.isNaN(at)) throw invalidField(field, 'an instant such as 2026-03-01T05:00:00.000Z')
  return at
}

/** The end of a span: a day without a time is meant whole. */
export function readEnd(field: string, text: string | undefined): number | undefined {
  const at = readInstant(field, text)
  return at !== undefined && text && /^\d{4}-\d\d-\d\d$/.test(text) ? at + DAY - 1 : at
}

/**
 * A page of at most `limit` rows. Clients that page by date alone would lose the rest of a run of equal instants, so a
 * page that ends inside one goes on to its end; only the cursor goes on beyond 500 rows.
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
  const longer = read(limit + LONGEST_RUN + 1)
  const isInRun = (row: T, index: number) => index < limit || row.published_at === last.published_at
  const end = longer.findIndex((row, index) => !isInRun(row, index))
  const cut = Math.min(end === -1 ? longer.length : end, Math.max(limit, LONGEST_RUN))
  const page = longer.slice(0, cut)
  return { rows: page, next: longer.length > cut ? writeCursor(page.at(-1)!) : null }
}
