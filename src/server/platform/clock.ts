import { invalidField } from './problem'

/** The one source of time: milliseconds since 1970, UTC. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
/** Milliseconds since the start of the process; never runs backwards. */
export const monotonicClock: Clock = () => performance.now()

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Writes days of a time zone as 2026-05-01. Throws `invalid-field` for an unknown time zone. */
export function dayFormatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  } catch {
    throw invalidField('tz', 'a time zone such as Europe/Copenhagen')
  }
}
