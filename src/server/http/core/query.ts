import { t } from 'elysia'
import { invalidField } from '../../platform/problem'

/** `true`, `false`, `1`, `0`; absent = false. Anything else is refused. */
export function readFlag(field: string, text: string | undefined): boolean {
  if (text === undefined || text === '' || text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  throw invalidField(field, 'true, false, 1 or 0')
}

/** The values are told in the description; `readFlag` checks them, and answers in its own words. */
export const Flag = t.Optional(t.String({ enum: ['true', 'false', '1', '0', ''] }))

/** A whole number of a query within bounds. Elysia's own type turns the text into a number. */
export const Limit = (maximum: number, fallback: number) => t.Integer({ minimum: 1, maximum, default: fallback })
