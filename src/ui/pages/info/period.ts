import type { Stats } from '../../../shared/api/system'
import { regionalLanguage } from '../../format'

export const spans = ['month', 'year', 'all'] as const
export type Span = (typeof spans)[number]

/** A stretch of time. `back`: how many of them before the one that is now; `start` and `end` are null for all time. */
export type Period = { span: Span; back: number; start: Date | null; end: Date | null }

export function periodOf(span: Span, back: number, now = new Date()): Period {
  if (span === 'all') return { span, back: 0, start: null, end: null }
  const [year, month] = [now.getFullYear(), now.getMonth()]
  const at = (steps: number) => (span === 'month' ? new Date(year, month + steps, 1) : new Date(year + steps, 0, 1))
  return { span, back, start: at(-back), end: at(1 - back) }
}

/** Names a period: "November 2026", "2026". */
export function titleOf({ span, start }: Period): string {
  if (!start) return ''
  const form = span === 'month' ? ({ month: 'long', year: 'numeric' } as const) : ({ year: 'numeric' } as const)
  return new Intl.DateTimeFormat(regionalLanguage(), form).format(start)
}

type Day = Stats['days'][number]

/** The day of a moment as 2026-05-01, in the time zone of this browser. */
export function isoOf(date: Date): string {
  const pad = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

export function daysWithin(days: readonly Day[], { start, end }: Period): Day[] {
  const [from, to] = [start ? isoOf(start) : '', end ? isoOf(end) : '9']
  return days.filter(({ date }) => date >= from && date < to)
}

export const secondsOf = (days: readonly Day[]) => days.reduce((sum, { listenedSeconds }) => sum + listenedSeconds, 0)

/** Seconds from which on a day counts for a streak. */
const MIN_STREAK_SECONDS = 300

/** The days in a row on which somebody listened: those that end today or yesterday, and the longest ones. `days`: by date. */
export function streaksOf(days: readonly Day[], today = new Date()) {
  /** The length of the streak so far, by each day that counts. */
  const lengths = new Map<string, number>()
  for (const { date, listenedSeconds } of days)
    if (listenedSeconds >= MIN_STREAK_SECONDS) lengths.set(date, (lengths.get(dayBefore(date)) ?? 0) + 1)
  const now = isoOf(today)
  return {
    current: lengths.get(now) ?? lengths.get(dayBefore(now)) ?? 0,
    longest: Math.max(0, ...lengths.values()),
  }
}

function dayBefore(date: string): string {
  const [year, month, day] = date.split('-').map(Number)
  return isoOf(new Date(year!, month! - 1, day! - 1))
}

/** The number of days of a period that have begun. */
export function daysBegun({ start, end }: Period, days: readonly Day[], now = new Date()): number {
  const first = start ?? (days[0] ? new Date(`${days[0].date}T00:00:00`) : now)
  const after = end && end < now ? dayNumber(end) : dayNumber(now) + 1
  return Math.max(1, after - dayNumber(first))
}

/** Counts days by the calendar, since a day on which the clocks change has no 24 hours. */
const dayNumber = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000
