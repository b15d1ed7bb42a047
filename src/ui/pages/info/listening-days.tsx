import { useTranslation } from 'react-i18next'
import type { Stats } from '../../../shared/api/system'
import { formatDay } from '../../format-facts'
import { formatMinutes, regionalLanguage } from '../../format'
import { firstDayOfWeek } from '../../library/episodes/time-groups'

type Props = { period: Period; days: Stats['days']; now: Date }

/** The minutes of each day: a month by weeks, a year by months. */
export function Days({ period, days, now }: Props) {
  const { t } = useTranslation()
  const minutes = new Map(days.map(({ date, listenedSeconds }) => [date, Math.round(listenedSeconds / 60)]))
  return (
    <section className="card padded" aria-labelledby="days">
      <h2 id="days">
        {t('days')} <span className="muted regular">{t('minutes')}</span>
      </h2>
      {period.span === 'month' ? (
        <Month start={period.start!} minutes={minutes} now={now} />
      ) : (
        <Year start={period.start!} minutes={minutes} now={now} />
      )}
    </section>
  )
}

type Minutes = ReadonlyMap<string, number>

type PartProps = { start: Date; minutes: Minutes; now: Date }

function Month({ start, minutes, now }: PartProps) {
  const { t } = useTranslation()
  const lead = (start.getDay() - firstDayOfWeek() + 7) % 7
  const count = new Date(start.getFullYear(), start.getMonth() + 1, 0).getDate()
  const weeks = Array.from({ length: Math.ceil((lead + count) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, place) => week * 7 + place - lead + 1),
  )
  const weekday = new Intl.DateTimeFormat(regionalLanguage(), { weekday: 'narrow' })
  const weekdayLong = new Intl.DateTimeFormat(regionalLanguage(), { weekday: 'long' })
  return (
    <table className="listening-month flush">
      <caption className="visually-hidden">{t('minutes-by-day')}</caption>
      <thead>
        <tr>
          {weeks[1]!.map(day => {
            const date = new Date(start.getFullYear(), start.getMonth(), day)
            return (
              <th key={day} scope="col" abbr={weekdayLong.format(date)}>
                {weekday.format(date)}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>
        {weeks.map(week => (
          <tr key={week[0]}>
            {week.map(day =>
              day < 1 || day > count ? (
                <td key={day} aria-hidden="true" />
              ) : (
                <Cell
                  key={day}
                  date={new Date(start.getFullYear(), start.getMonth(), day)}
                  minutes={minutes}
                  now={now}
                  hasText
                />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Year({ start, minutes, now }: PartProps) {
  const { t } = useTranslation()
  const month = new Intl.DateTimeFormat(regionalLanguage(), { month: 'short' })
  return (
    <table className="listening-year flush">
      <caption className="visually-hidden">{t('minutes-by-day')}</caption>
      <tbody>
        {Array.from({ length: 12 }, (_, at) => (
          <tr key={at}>
            <th className="muted regular" scope="row">
              {month.format(new Date(start.getFullYear(), at, 1))}
            </th>
            {Array.from({ length: 31 }, (_, day) => {
              const date = new Date(start.getFullYear(), at, day + 1)
              return date.getMonth() === at ? (
                <Cell key={day} date={date} minutes={minutes} now={now} />
              ) : (
                <td key={day} aria-hidden="true" />
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The share of the longest day above which a day has the next colour, so that short days differ, too. */
const steps = [0, 1 / 3, 2 / 3]

type CellProps = Omit<PartProps, 'start'> & { date: Date; hasText?: boolean }

function Cell({ date, minutes, now, hasText = false }: CellProps) {
  const count = minutes.get(isoOf(date)) ?? 0
  const longest = Math.max(...minutes.values())
  const level = steps.filter(step => count > step * longest).length
  const isFuture = date > now
  const classes = [
    'listening-day numbers center shaded faint strong',
    isFuture ? 'is-future' : `is-${level}`,
    isoOf(date) === isoOf(now) && 'is-today',
  ]
  const text = isFuture ? '' : `${formatDay(date.toISOString())}: ${count > 0 ? formatMinutes(60 * count) : '–'}`
  return (
    <td>
      <span className={classes.filter(Boolean).join(' ')} title={text || undefined}>
        {hasText && (
          <span aria-hidden="true">
            {date.getDate()}
            {!isFuture && <small className="block regular">{count > 0 ? count : '–'}</small>}
          </span>
        )}
        {text && <span className="visually-hidden">{text}</span>}
      </span>
    </td>
  )
}

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
