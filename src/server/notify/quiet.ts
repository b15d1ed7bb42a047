import { DAY, MINUTE } from '../platform/clock'
import type { DestinationRow } from '../store/destinations'

type Quiet = Pick<DestinationRow, 'quiet_from' | 'quiet_to' | 'time_zone'>

const DAY_MINUTES = DAY / MINUTE

/** The end of the quiet hours that a moment is in, in ms; null = none. The end itself is not quiet. */
export function quietUntil({ quiet_from: from, quiet_to: to, time_zone }: Quiet, now: number): number | null {
  if (from === null || to === null || from === to) return null
  const minute = minuteOfDay(now, time_zone)
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to
  if (!isQuiet) return null
  const left = (to - minute + DAY_MINUTES) % DAY_MINUTES
  return now - (now % MINUTE) + left * MINUTE
}

/** Whether the runtime knows a time zone by this name. */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

function minuteOfDay(now: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
    .formatToParts(now)
    .map(({ type, value }) => [type, Number(value)])
  const { hour, minute } = Object.fromEntries(parts) as { hour: number; minute: number }
  return hour * 60 + minute
}

/** Reads `HH:MM` as minutes of the day. */
export function readMinute(text: string): number {
  const [hour, minute] = text.split(':').map(Number)
  return hour! * 60 + minute!
}

export const writeMinute = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map(part => String(part).padStart(2, '0')).join(':')
