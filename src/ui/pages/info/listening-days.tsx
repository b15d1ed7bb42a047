import { useTranslation } from 'react-i18next'
import type { Stats } from '../../../shared/api/system'
import { formatDay, formatMinutes, regionalLanguage } from '../../format'
import { firstDayOfWeek } from '../../library/episodes/time-groups'
import { isoOf, type Period } from './period'

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

/** Minutes above which a day has the next colour. */
const steps = [0, 50, 100]

type CellProps = Omit<PartProps, 'start'> & { date: Date; hasText?: boolean }

function Cell({ date, minutes, now, hasText = false }: CellProps) {
  const count = minutes.get(isoOf(date)) ?? 0
  const level = steps.filter(step => count > step).length
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
