import { DAY, HOUR } from '../platform/clock'
import { invalidField } from '../platform/problem'
import type { Store } from '../store'
import type { Viewer } from '../store/visibility'

export type Overview = {
  podcasts: { id: number; seconds: number; episodes: number }[]
  episodes: number
  seconds: number
  /** Monday first. */
  weekdays: number[]
  days: { date: string; seconds: number }[]
}

/** What somebody heard between two moments, by the days of a time zone. */
export function overview(
  store: Store,
  viewer: Viewer,
  from: number | null,
  to: number | null,
  timeZone: string,
): Overview {
  const calendar = calendarOf(timeZone)
  const rows = store.listened.listFor(
    viewer,
    Math.floor((from ?? 0) / HOUR),
    Math.floor((to ?? Number.MAX_SAFE_INTEGER) / HOUR),
  )
  const podcasts = new Map<number, { seconds: number; episodes: Set<number> }>()
  const episodes = new Set<number>()
  const days = new Map<string, number>()
  const weekdays = [0, 0, 0, 0, 0, 0, 0]
  let total = 0
  for (const { hour, episode_id, podcast_id, seconds } of rows) {
    const podcast = podcasts.get(podcast_id) ?? { seconds: 0, episodes: new Set<number>() }
    podcast.seconds += seconds
    podcast.episodes.add(episode_id)
    podcasts.set(podcast_id, podcast)
    episodes.add(episode_id)
    const { date, weekday } = calendar(hour)
    days.set(date, (days.get(date) ?? 0) + seconds)
    weekdays[weekday]! += seconds
    total += seconds
  }
  return {
    podcasts: [...podcasts]
      .map(([id, heard]) => ({ id, seconds: heard.seconds, episodes: heard.episodes.size }))
      .sort((one, other) => other.seconds - one.seconds),
    episodes: episodes.size,
    seconds: total,
    weekdays,
    days: [...days]
      .map(([date, seconds]) => ({ date, seconds }))
      .sort((one, other) => one.date.localeCompare(other.date)),
  }
}

/** Date and weekday (0 = Monday) of an hour in a time zone; every hour is worked out once. */
function calendarOf(timeZone: string) {
  const format = formatOf(timeZone)
  const known = new Map<number, { date: string; weekday: number }>()
  return (hour: number) => {
    const found = known.get(hour)
    if (found) return found
    const date = format.format(hour * HOUR)
    const weekday = (new Date(`${date}T00:00:00Z`).getTime() / DAY + 3) % 7
    const day = { date, weekday }
    known.set(hour, day)
    return day
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  } catch {
    throw invalidField('tz', 'a time zone such as Europe/Copenhagen')
  }
}
