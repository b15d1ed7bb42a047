import type { TimelineGroup } from '../../shared/api/timeline'
import type { YourOutline } from '../../shared/api/episode'
import { groupOfDay } from '../../shared/timeline-group'
import { DAY, dayFormatIn } from '../platform/clock'
import type { Store } from '../store'
import type { TimelineFilter } from '../store/timeline'
import type { Viewer } from '../store/visibility'

const QUARTER_MS = 900_000
/** At least the length of a group: a day has 25 hours when summer time ends. */
const reachOf = (group: string) => (group.length === 7 ? 32 : 2) * DAY

type Row = { published_at: number; dated: number }

/**
 * Sums up the days, or months, of a time zone that rows of the timeline belong to: each as a whole, including episodes
 * that are not among the rows. Throws `invalid-field` for an unknown time zone.
 */
export function timelineGroups(
  { store, now }: { store: Store; now: number },
  viewer: Viewer,
  filter: TimelineFilter,
  { rows, timeZone }: { rows: readonly Row[]; timeZone: string },
): TimelineGroup[] {
  const groupOf = createGroups(timeZone, now)
  const times = rows.filter(row => row.dated === 1).map(row => row.published_at)
  if (times.length === 0) return []
  const wanted = new Map<string, TimelineGroup>()
  for (const time of times) wanted.set(groupOf(time), { group: groupOf(time), count: 0, seconds: 0 })
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const span = { from: first - reachOf(groupOf(first)), to: last + reachOf(groupOf(last)) }
  for (const { quarter, count, seconds } of store.timeline.quartersFor(viewer, { ...filter, ...span })) {
    const group = wanted.get(groupOf(quarter * QUARTER_MS))
    if (!group) continue
    group.count += count
    group.seconds += seconds
  }
  return [...wanted.values()]
}

/** The most episodes whose days and months are summed up. */
const MAX_OUTLINED = 10_000

/**
 * Sums up the timeline, with those without a date last, by the days and months of a time zone: `undated` for episodes
 * without a date, `earlier` for what is beyond the newest 10,000. Throws `invalid-field` for an unknown time zone.
 */
export function timelineOutline(
  { store, now }: { store: Store; now: number },
  viewer: Viewer,
  filter: TimelineFilter,
  timeZone: string,
): { total: number; groups: TimelineGroup[] } {
  const groupOf = createGroups(timeZone, now)
  const ids = store.timeline.idsFor(viewer, { ...filter, undatedLast: true }, MAX_OUTLINED)
  const total = ids.length < MAX_OUTLINED ? ids.length : Math.max(ids.length, store.timeline.countFor(viewer, filter))
  const groups = new Map<string, TimelineGroup>()
  function add(name: string, count: number, seconds: number) {
    const known = groups.get(name) ?? { group: name, count: 0, seconds: 0 }
    groups.set(name, { group: name, count: known.count + count, seconds: known.seconds + seconds })
  }
  for (const { dated, quarter, count, seconds } of store.timeline.quartersOf(ids))
    add(dated === 1 ? groupOf(quarter * QUARTER_MS) : 'undated', count, seconds)
  if (total > ids.length) add('earlier', total - ids.length, 0)
  return { total, groups: [...groups.values()] }
}

/** Sums quarters of an hour up by the days of a time zone, in their order. Throws `invalid-field` for an unknown one. */
export function daysOf(quarters: readonly { quarter: number; count: number }[], timeZone: string): YourOutline {
  const format = dayFormatIn(timeZone)
  const days = new Map<string, number>()
  for (const { quarter, count } of quarters) {
    const day = format.format(quarter * QUARTER_MS)
    days.set(day, (days.get(day) ?? 0) + count)
  }
  return {
    total: quarters.reduce((sum, { count }) => sum + count, 0),
    days: [...days].map(([day, count]) => ({ day, count })),
  }
}

function createGroups(timeZone: string, now: number): (time: number) => string {
  const format = dayFormatIn(timeZone)
  const today = format.format(now)
  const known = new Map<number, string>()
  return time => {
    const quarter = Math.floor(time / QUARTER_MS)
    const group = known.get(quarter) ?? groupOfDay(format.format(quarter * QUARTER_MS), today)
    known.set(quarter, group)
    return group
  }
}
