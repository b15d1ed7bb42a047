import { DAY, dayFormatIn, HOUR, SECOND } from '../platform/clock'
import type { DomainEvent, Events } from '../platform/events'
import type { Store } from '../store'
import type { ListenedRow } from '../store/listened'
import type { Viewer } from '../store/visibility'

type Overview = {
  /** Most played first. */
  podcasts: { id: number; seconds: number; episodes: number }[]
  episodes: number
  /** The time that it took. */
  seconds: number
  /** Seconds that a higher speed saved, and those of trimmed silence. */
  saved: number
  trimmed: number
  /** The day from which on these were measured, if it was not always so. */
  measuredSince: string | null
  /** Seconds by weekday, Monday first. */
  weekdays: number[]
  /** Days without playback are left out. */
  days: { date: string; seconds: number }[]
}

/**
 * Sums up a user's listening between two times (milliseconds; null = no limit), by the days of a time zone. Throws
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
  const since = measuredSince(rows)
  const byWeekday = Map.groupBy(rows, ({ hour }) => dayOf(hour).weekday)
  return {
    podcasts: [...Map.groupBy(rows, row => row.podcast_id)]
      .map(([id, ofPodcast]) => ({ id, seconds: secondsOf(ofPodcast), episodes: countEpisodes(ofPodcast) }))
      .sort((one, other) => other.seconds - one.seconds),
    episodes: countEpisodes(rows),
    seconds: secondsOf(rows),
    saved: sumOf(rows, ({ saved }) => saved ?? 0),
    trimmed: sumOf(rows, ({ trimmed }) => trimmed ?? 0),
    measuredSince: since === null ? null : dayOf(since).date,
    weekdays: Array.from({ length: 7 }, (_, weekday) => secondsOf(byWeekday.get(weekday) ?? [])),
    days: [...Map.groupBy(rows, ({ hour }) => dayOf(hour).date)]
      .map(([date, ofDay]) => ({ date, seconds: secondsOf(ofDay) }))
      .sort((one, other) => one.date.localeCompare(other.date)),
  }
}

/** The time that listening took. */
const secondsOf = (rows: readonly ListenedRow[]) =>
  sumOf(rows, ({ seconds, saved, trimmed }) => seconds - (saved ?? 0) - (trimmed ?? 0))
const sumOf = (rows: readonly ListenedRow[], of: (row: ListenedRow) => number) =>
  rows.reduce((sum, row) => sum + of(row), 0)

/** The hour from which on speed and silence are measured, if some hours before it were not; null = all were. */
function measuredSince(rows: readonly ListenedRow[]): number | null {
  const measured = rows.flatMap(({ hour, saved }) => (saved === null ? [] : [hour]))
  const first = measured.reduce((one, other) => Math.min(one, other), Infinity)
  return measured.length > 0 && rows.some(({ hour }) => hour < first) ? first : null
}
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

/** Upper bounds of the histogram, in seconds. */
const bounds = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10]
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export type RequestCounts = ReturnType<typeof createRequestCounts>

/**
 * Counts requests since the start of the process by method, part of the server and class of their status, and how long
 * they took to the first byte. The parts are those of the route table, so strangers cannot add any.
 */
export function createRequestCounts() {
  const requests = new Map<string, number>()
  const buckets = new Float64Array(bounds.length + 1)
  let seconds = 0

  return {
    requests: requests as ReadonlyMap<string, number>,
    count(method: string, part: string, status: number, tookMs: number) {
      const known = methods.has(method) ? method : 'other'
      const labels = `{method="${known}",route="${part}",status="${Math.floor(status / 100)}xx"}`
      requests.set(labels, (requests.get(labels) ?? 0) + 1)
      const took = tookMs / SECOND
      const place = bounds.findIndex(bound => took <= bound)
      buckets[place === -1 ? bounds.length : place]! += 1
      seconds += took
    },
    /** The cumulative histogram: each upper bound with the requests that took no longer. */
    histogram() {
      let total = 0
      const cumulative = [...bounds.map(String), '+Inf'].map((bound, at) => {
        total += buckets[at]!
        return [bound, total] as const
      })
      return { buckets: cumulative, sum: seconds, count: total }
    },
  }
}

/** The part of the server that a path of the route table, or of a request, belongs to: `/api/v1/podcasts`, `/media`. */
export function partOf(path: string): string {
  const isApi = path.startsWith('/api/v1/')
  const end = path.indexOf('/', isApi ? '/api/v1/'.length : 1)
  return end === -1 ? path : path.slice(0, end)
}

/** Counts events by type since the start of the process. */
export function countEvents(events: Pick<Events, 'listenToAll'>): ReadonlyMap<DomainEvent['type'], number> {
  const counts = new Map<DomainEvent['type'], number>()
  events.listenToAll(({ type }) => counts.set(type, (counts.get(type) ?? 0) + 1))
  return counts
}
