import { DAY } from '../../platform/clock'
import { invalidField } from '../../platform/problem'

/** Milliseconds as the wire writes an instant: ISO 8601 in UTC. */
export const writeInstant = (ms: number) => new Date(ms).toISOString()
export const writeInstantOrNull = (ms: number | null) => (ms === null ? null : writeInstant(ms))

/** Reads an instant in milliseconds: any offset, none means UTC, and a `+` may have become a space in the query. */
export function readInstant(field: string, text: string | undefined | null): number | undefined {
  if (text === undefined || text === null || text === '') return undefined
  const repaired = text.trim().replace(/ (\d\d:?\d\d)$/, '+$1')
  const zoned = /(z|[+-]\d\d:?\d\d)$/i.test(repaired) ? repaired : `${repaired}${repaired.includes('T') ? 'Z' : ''}`
  const at = Date.parse(zoned)
  if (Number.isNaN(at))
    throw invalidField(field, 'an instant such as 2026-03-01T05:00:00.000Z, or a day such as 2026-03-01')
  return at
}

/** Reads the end of a span; a day without a time includes the whole day. */
export function readEnd(field: string, text: string | undefined): number | undefined {
  const at = readInstant(field, text)
  return at !== undefined && text && /^\d{4}-\d\d-\d\d$/.test(text) ? at + DAY - 1 : at
}
