import { DAY, HOUR } from '../platform/clock'
import { dayFormatIn } from '../platform/day-format'
import type { Store } from '../store'
import type { ListenedRow } from '../store/playback'
import type { Viewer } from '../store/visibility'

type Overview = {
  /** Most played first. */
  podcasts: { id: number; seconds: number; episodes: number }[]
  episodes: number
  seconds: number
  /** Seconds by weekday, Monday first. */
  weekdays: number[]
  /** Days without playback are left out. */
  days: { date: string; seconds: number }[]
}

/**
 * Sums up what a user played between two times (milliseconds; null = no limit), by the days of a time zone. Throws
 * `invalid-field` for an unknown time zone.
 */
export function overview(
  store: Store,
  viewer: Viewer,
  from: number | null,
  to: number | null,
  timeZone: string,
): Overview {
  const dayOf = createCalendar(timeZone)
  const [fromHour, toHour] = [from ?? 0, to ?? Number.MAX_SAFE_INTEGER].map(time => Math.floor(time / HOUR))
  const rows = store.listened.listFor(viewer, fromHour!, toHour!)
  const byWeekday = Map.groupBy(rows, ({ hour }) => dayOf(hour).weekday)
  return {
    podcasts: [...Map.groupBy(rows, row => row.podcast_id)]
      .map(([id, ofPodcast]) => ({ id, seconds: secondsOf(ofPodcast), episodes: countEpisodes(ofPodcast) }))
      .sort((one, other) => other.seconds - one.seconds),
    episodes: countEpisodes(rows),
    seconds: secondsOf(rows),
    weekdays: Array.from({ length: 7 }, (_, weekday) => secondsOf(byWeekday.get(weekday) ?? [])),
    days: [...Map.groupBy(rows, ({ hour }) => dayOf(hour).date)]
      .map(([date, ofDay]) => ({ date, seconds: secondsOf(ofDay) }))
      .sort((one, other) => one.date.localeCompare(other.date)),
  }
}

const secondsOf = (rows: readonly ListenedRow[]) => rows.reduce((sum, { seconds }) => sum + seconds, 0)
const countEpisodes = (rows: readonly ListenedRow[]) => new Set(rows.map(row => row.episode_id)).size

/** Finds date and weekday (0 = Monday) of an hour in a time zone; formats every hour only once, since that is slow. */
function createCalendar(timeZone: string) {
  const format = dayFormatIn(timeZone)
  const known = new Map<number, { date: string; weekday: number }>()
  return (hour: number) => {
    const found = known.get(hour)
    if (found) return found
    const date = format.format(hour * HOUR)
    // 1 January 1970 was a Thursday.
    const weekday = (new Date(`${date}T00:00:00Z`).getTime() / DAY + 3) % 7
    const day = { date, weekday }
    known.set(hour, day)
    return day
  }
}
