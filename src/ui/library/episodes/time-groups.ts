import type { EpisodeWrapper } from '../../../shared/api/episode'
import { groupOfDay } from '../../../shared/timeline-group'
import { regionalLanguage } from '../../format'
import { translate } from '../../i18n'

const DAY = 86_400_000
export const UNDATED = 'undated'
/** Beyond the days and months that are summed up. */
export const EARLIER = 'earlier'

/** The day of a moment in the reader's time zone, as `2026-11-22`. */
export function dayOf(moment: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}

/** Returns the group of the timeline in which an episode is: its day, its month after a year, or `UNDATED`. */
export const timelineGroupOf = ({ podcastEpisode: episode }: EpisodeWrapper, now = Date.now()): string =>
  episode.undated ? UNDATED : groupOfDay(dayOf(new Date(episode.date_of_recording)), dayOf(new Date(now)))

/** The hour is enough below the heading of a day. */
export const dateFormOf = (wrapper: EpisodeWrapper) => (isMonth(timelineGroupOf(wrapper)) ? 'day' : 'hour')

type GroupName = {
  name: string
  /** Its date, or day of the week, if the name does not show it. */
  date: string | null
  /** The same for narrow screens. */
  shortDate: string | null
}

/** Names a group of the timeline. */
export function nameTimelineGroup(group: string, now = Date.now()): GroupName {
  if (group === UNDATED || group === EARLIER) return { name: translate(group), date: null, shortDate: null }
  const start = startOf(group)
  if (isMonth(group)) return { name: format(start, { month: 'long', year: 'numeric' }), date: null, shortDate: null }
  const age = Math.round((startOf(dayOf(new Date(now))).getTime() - start.getTime()) / DAY)
  const date = { day: 'numeric', month: 'long', ...yearUnlessThis(start, now) } as const
  const shortDate = format(start, { ...date, month: 'short' })
  const weekday = format(start, { weekday: 'long' })
  if (age === 0 || age === 1)
    return {
      name: translate(age === 0 ? 'today' : 'yesterday'),
      date: format(start, { weekday: 'long', ...date }),
      shortDate,
    }
  if (age > 0 && age < 7) return { name: weekday, date: format(start, date), shortDate }
  return { name: format(start, date), date: weekday, shortDate: format(start, { weekday: 'short' }) }
}

/** The moments at which a day or month begins and ends in the reader's time zone. */
export function spanOf(group: string): { from: string; to: string } {
  const start = startOf(group)
  const end = new Date(start)
  if (isMonth(group)) end.setMonth(end.getMonth() + 1)
  else end.setDate(end.getDate() + 1)
  return { from: start.toISOString(), to: end.toISOString() }
}

/** Returns the week or month of a moment, for lists of what was done when: `this-week`, `last-week` or `2026-10`. */
export function periodOf(moment: Date, now = Date.now()): string {
  const week = startOfWeek(new Date(now))
  if (moment >= week) return 'this-week'
  week.setDate(week.getDate() - 7)
  return moment >= week ? 'last-week' : dayOf(moment).slice(0, 7)
}

export function namePeriod(period: string, now = Date.now()): string {
  if (!isMonth(period)) return translate(period)
  const start = startOf(period)
  return format(start, { month: 'long', ...yearUnlessThis(start, now) })
}

const isMonth = (group: string) => group.length === 7

/** The moment at which a day or month begins in the reader's time zone. */
export function startOf(group: string): Date {
  const [year, month, day = 1] = group.split('-').map(Number)
  return new Date(year!, month! - 1, day)
}

function startOfWeek(moment: Date): Date {
  const start = startOf(dayOf(moment))
  start.setDate(start.getDate() - ((start.getDay() - firstDayOfWeek() + 7) % 7))
  return start
}

type WithWeekInfo = Intl.Locale & { getWeekInfo?: () => { firstDay: number } }

/** 0 = Sunday. Not every browser supports this; most languages here begin on Monday. */
export const firstDayOfWeek = () =>
  ((new Intl.Locale(regionalLanguage()) as WithWeekInfo).getWeekInfo?.().firstDay ?? 1) % 7

const yearUnlessThis = (moment: Date, now: number) =>
  moment.getFullYear() === new Date(now).getFullYear() ? {} : ({ year: 'numeric' } as const)

const format = (moment: Date, options: Intl.DateTimeFormatOptions) =>
  capitalised(new Intl.DateTimeFormat(regionalLanguage(), options).format(moment))

/** Headings begin with a capital, also in languages whose days and months do not. */
const capitalised = (text: string) => text.charAt(0).toLocaleUpperCase(regionalLanguage()) + text.slice(1)
