import type { Database } from 'bun:sqlite'
import { list, type SmartCondition, type Values } from './smart-conditions'
import type { SmartFilter } from './smart-filter'
import { orderOf, type Part, partsOf } from './smart-orders'
import { ofPodcasts, type Source } from './smart-sources'
import { sortByTitle } from './podcast-settings'
import { visiblePodcast } from './visibility'

// Why: docs/internals/decisions/0047

/** The values of an order's columns for one episode. */
type Place = Record<string, number>
/** All matches of a stretch of podcasts are read and sorted: it is shorter than others. */
const SHORTER = 4

type Found = { id: number; podcast_id: number; title?: string }

const playback = 'LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id'
const joinsOf = ({ isPlayed }: { isPlayed?: boolean }) => (isPlayed ? '' : playback)
const columnsOf = ({ isInTitle }: SmartFilter) => `e.id, e.podcast_id${isInTitle ? ', e.title' : ''}`

/** So many episodes are passed by, and so many are looked for. */
export type Wish = () => { length: number; limit: number }
/** Some episodes along an order: those that match, and how many there are in all. */
export type Stretch = { ids: number[]; length: number }

/** Walks along an order in stretches, as long as is wished by then. */
export function* walk(db: Database, filter: SmartFilter, wish: Wish): Generator<Stretch> {
  const { order, conditions } = filter
  if (order === 'podcast') return yield* walkPodcasts(db, filter, wish)
  for (const part of partsOf[order])
    if (!part.lacks || !conditions.some(part.lacks)) yield* walkPart(db, filter, part, wish)
}

function* walkPart(db: Database, filter: SmartFilter, part: Part, wish: Wish): Generator<Stretch> {
  const ranges = rangesOf(part, filter.conditions)
  const values = { ...filter.values, ...ranges.values }
  for (let begin: Place | null = null; ;) {
    const { length, limit } = wish()
    const end: Place | null = findPlace(db, part, ranges, { ...values, length }, begin)
    const found = db
      .query<Found, Values>(
        `SELECT ${columnsOf(filter)} FROM ${part.from} ${joinsOf(part)}
          WHERE ${part.condition} AND ${between(part, ranges, begin, end)} AND ${filter.sql}
          ORDER BY ${ordered(part)} LIMIT $limit`,
      )
      .iterate({ ...values, ...named('begin', begin), ...named('end', end), limit: mostRead(filter, limit) })
    yield { ids: firstOf(filter, found, limit), length }
    if (!end) return
    begin = end
  }
}

/** Walks along the podcasts by name, several at once. */
function* walkPodcasts(db: Database, filter: SmartFilter, wish: Wish): Generator<Stretch> {
  const podcasts = podcastsByName(db, filter)
  for (let at = 0; at < podcasts.length;) {
    const { length, limit } = wish()
    const batch: number[] = []
    let total = 0
    for (; at < podcasts.length && total < length / SHORTER; at++) {
      batch.push(podcasts[at]!.id)
      total += podcasts[at]!.episode_count
    }
    const source = { ...ofPodcasts('batch'), values: { batch: JSON.stringify(batch) } }
    yield { ids: collect(db, { ...filter, limit }, source), length: total }
  }
}

/** The last episode of a stretch; null = it continues to the end. */
function findPlace(db: Database, part: Part, ranges: Ranges, values: Values, begin: Place | null): Place | null {
  const columns = part.key.map((column, index) => `${column} AS k${index}`)
  return db
    .query<Place, Values>(
      `SELECT ${columns.join(', ')} FROM ${part.counted ?? part.from} ${part.condition.includes('h.played, 0') ? playback : ''}
        WHERE ${part.condition} AND ${between(part, ranges, begin, null)}
        ORDER BY ${ordered(part)} LIMIT 1 OFFSET $length - 1`,
    )
    .get({ ...values, ...named('begin', begin) })
}

const ordered = ({ key, direction }: Part) => key.map(column => `${column} ${direction}`).join(', ')

/** One limit for each side: of two, the planner may take the wider one. */
function between({ key, direction }: Part, { lower, upper }: Ranges, begin: Place | null, end: Place | null): string {
  const [before, after] = direction === 'ASC' ? [lower, upper] : [upper, lower]
  const compared = (sign: string, name: string) =>
    `(${key.join(', ')}) ${sign} (${key.map((_, index) => `$${name}${index}`).join(', ')})`
  return (
    [
      ...(begin ? [compared(direction === 'ASC' ? '>' : '<', 'begin')] : before),
      ...(end ? [compared(direction === 'ASC' ? '<=' : '>=', 'end')] : after),
    ].join(' AND ') || '1'
  )
}

const named = (name: string, place: Place | null): Values =>
  Object.fromEntries(Object.values(place ?? {}).map((value, index) => [`${name}${index}`, value]))

/** The limit of the rows to read: none where titles are inspected afterwards, until enough of them fit. */
const mostRead = ({ isInTitle }: SmartFilter, limit: number) => (isInTitle ? -1 : limit)

function firstOf({ isInTitle }: SmartFilter, found: Iterable<Found>, limit: number): number[] {
  const ids: number[] = []
  for (const { id, title } of found) {
    if (!isInTitle || isInTitle(title!)) ids.push(id)
    if (ids.length >= limit) break
  }
  return ids
}

/** Whether a source has so many episodes or fewer. */
export function holdsAtMost(db: Database, filter: SmartFilter, source: Source, most: number): boolean {
  if (source.count !== undefined) return source.count <= most
  const { total } = db
    .query<{ total: number }, Values>(
      `SELECT count(*) AS total FROM (
         SELECT 1 FROM ${source.counted ?? source.from} WHERE ${source.condition} LIMIT $most + 1)`,
    )
    .get({ ...filter.values, ...source.values, most })!
  return total <= most
}

/** Sorts all matches of a source, and returns the first of them. */
export function collect(db: Database, filter: SmartFilter, source: Source): number[] {
  const isByPodcast = filter.order === 'podcast'
  const found = db
    .query<Found, Values>(
      `SELECT ${columnsOf(filter)} FROM ${source.from} ${joinsOf(source)}
        WHERE ${source.condition} AND ${filter.sql} ORDER BY ${orderOf[filter.order]} LIMIT $limit`,
    )
    .iterate({ ...filter.values, ...source.values, limit: isByPodcast ? -1 : mostRead(filter, filter.limit) })
  return isByPodcast ? firstByPodcast(db, filter, found) : firstOf(filter, found, filter.limit)
}

/** Podcasts are compared by the rules of a language, which the database does not know. */
function firstByPodcast(db: Database, filter: SmartFilter, found: Iterable<Found>): number[] {
  const ranks = new Map(podcastsByName(db, filter).map(({ id }, rank) => [id, rank]))
  const rows = [...found].toSorted((a, b) => ranks.get(a.podcast_id)! - ranks.get(b.podcast_id)!)
  return firstOf(filter, rows, filter.limit)
}

/** The podcasts that may hold matches, by name. */
function podcastsByName(db: Database, { viewer, podcasts, values }: SmartFilter) {
  const wanted = podcasts.ids === null ? '1' : `p.id IN ${list('podcasts')}`
  return sortByTitle(
    db
      .query<{ id: number; title: string; episode_count: number }, Values>(
        `SELECT p.id, p.title, p.episode_count FROM podcast p WHERE ${wanted} AND ${visiblePodcast(viewer)} ORDER BY p.id`,
      )
      .all(values),
  )
}

/** Limits of the first column of an order, which its index serves. */
type Ranges = { lower: string[]; upper: string[]; values: Values }

/** The limits that rules set to a part. */
function rangesOf(part: Part, conditions: readonly SmartCondition[]): Ranges {
  const ranges: Ranges = { lower: [], upper: [], values: {} }
  for (const [index, condition] of conditions.entries()) {
    const range = condition.field === part.ranged ? rangeOf(condition, `r${index}`) : null
    if (!range) continue
    ranges[range.side].push(range.sql)
    ranges.values[`r${index}`] = range.value
  }
  if (ranges.lower.length === 0 && part.lower) ranges.lower.push(part.lower)
  return ranges
}

function rangeOf(condition: SmartCondition, name: string) {
  if (condition.field === 'age')
    return condition.op === 'within'
      ? ({ side: 'lower', sql: `e.published_at >= $${name}`, value: condition.since } as const)
      : ({ side: 'upper', sql: `e.published_at < $${name}`, value: condition.since } as const)
  if (condition.field === 'duration')
    return condition.op === 'at-least'
      ? ({ side: 'lower', sql: `e.duration >= $${name}`, value: condition.seconds } as const)
      : ({ side: 'upper', sql: `e.duration <= $${name}`, value: condition.seconds } as const)
  return null
}
