import type { Database } from 'bun:sqlite'
import { list, type SmartCondition, type Values, type SmartFilter, facts } from './smart-conditions'
import { ofPodcasts, type Source } from './smart-sources'
import { sortByTitle } from './podcast-settings'
import { visiblePodcast } from './visibility'
import type { SmartOrder } from '../../shared/api/playlist'

// Why: docs/internals/decisions/0047

/** The values of an order's columns for one episode. */
type Place = Record<string, number>
/** All matches of a stretch of podcasts are read and sorted: it is shorter than others. */
const SHORTER = 4

type Found = { id: number; podcast_id: number; title?: string }

const playback = 'LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id'
const joinsOf = ({ isPlayed }: { isPlayed?: boolean }) => (isPlayed ? '' : playback)
const columnsOf = ({ isInTitle }: SmartFilter) => `e.id, e.podcast_id${isInTitle ? ', e.title' : ''}`

/** How many episodes to examine (`length`), and how many to find (`limit`). */
export type Wish = () => { length: number; limit: number }
/** Some episodes along an order: those that match, and how many there are in all. */
export type Stretch = { ids: number[]; length: number }

/** Walks along an order in stretches; `wish` is called for the size of each. */
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

/** Whether a source has at most `most` episodes. */
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

/** Episodes `e` along an index that has the order, `key`. */
export type Part = {
  from: string
  /** Another way to read as many rows. */
  counted?: string
  condition: string
  key: readonly string[]
  direction: 'ASC' | 'DESC'
  /** The rules that limit the first column of the key, and where it begins without any. */
  ranged?: 'age' | 'duration'
  lower?: string
  /** Whether a rule matches none of its episodes. */
  lacks?: (condition: SmartCondition) => boolean
  /** Whether `from` holds what the user played, `h`. */
  isPlayed?: boolean
}

const dated = (direction: 'ASC' | 'DESC'): Part => ({
  from: 'episode e INDEXED BY episode_newest',
  condition: 'e.announced_at IS NOT NULL',
  key: ['e.published_at', 'e.id'],
  direction,
  ranged: 'age',
})

const undated = (direction: 'ASC' | 'DESC'): Part => ({
  from: 'episode e INDEXED BY episode_timeline',
  condition: 'e.dated = 0',
  key: ['e.published_at', 'e.id'],
  direction,
  lacks: ({ field }) => field === 'age',
})

const byLength = (direction: 'ASC' | 'DESC'): Part => ({
  from: 'episode e INDEXED BY episode_length',
  condition: '1',
  key: ['e.duration', 'e.published_at', 'e.id'],
  direction,
  ranged: 'duration',
})

const ofUnknownLength: Part = {
  from: 'episode e INDEXED BY episode_length',
  condition: 'e.duration = 0',
  key: ['e.published_at', 'e.id'],
  direction: 'ASC',
  lacks: ({ field }) => field === 'duration',
}

const recentlyPlayed: Part = {
  from: `playback h INDEXED BY playback_recent CROSS JOIN ${facts} ON e.id = h.episode_id`,
  counted: 'playback h INDEXED BY playback_recent',
  condition: 'h.user_id = $userId AND h.played = 1',
  key: ['h.updated_at', 'h.episode_id'],
  direction: 'DESC',
  isPlayed: true,
  lacks: condition => condition.field === 'played' && condition.is === 'unplayed',
}

/** The episodes of a part that were not played. */
const unplayed = (part: Part): Part => ({
  ...part,
  condition: `${part.condition} AND coalesce(h.played, 0) = 0`,
  lacks: condition =>
    (condition.field === 'played' && condition.is !== 'unplayed') || (part.lacks?.(condition) ?? false),
})

/**
 * The parts of an order, one after the other. Episodes without a date stand behind all others by date, and those of
 * unknown length by length.
 */
export const partsOf: Record<Exclude<SmartOrder, 'podcast'>, readonly Part[]> = {
  newest: [dated('DESC'), undated('DESC')],
  oldest: [dated('ASC'), undated('ASC')],
  shortest: [{ ...byLength('ASC'), lower: 'e.duration > 0' }, ofUnknownLength],
  longest: [byLength('DESC')],
  played: [recentlyPlayed, unplayed(dated('DESC')), unplayed(undated('DESC'))],
}

/** The same order over episodes `e` and `h`, what the user played; by podcast, the order within each. */
export const orderOf: Record<SmartOrder, string> = {
  newest: 'e.announced_at IS NULL, e.published_at DESC, e.id DESC',
  oldest: 'e.announced_at IS NULL, e.published_at, e.id',
  shortest: 'e.duration = 0, e.duration, e.published_at, e.id',
  longest: 'e.duration DESC, e.published_at DESC, e.id DESC',
  podcast: 'e.published_at DESC, e.id DESC',
  played: `coalesce(h.played, 0) DESC, iif(h.played, h.updated_at, 0) DESC, iif(h.played, 0, e.announced_at IS NULL),
           iif(h.played, 0, e.published_at) DESC, e.id DESC`,
}
