import { invalidField } from './problem'

/** Writes days of a time zone as 2026-05-01. Throws `invalid-field` for an unknown time zone. */
export function dayFormatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  } catch {
    throw invalidField('tz', 'a time zone such as Europe/Copenhagen')
  }
}
