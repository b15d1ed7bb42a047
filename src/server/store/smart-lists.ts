import type { Database } from 'bun:sqlite'
import { selectEpisodeForUser, type EpisodeForUser } from './episodes'
import type { EpisodesSize } from './playlists'
import { facts, filterOf, list, type SmartQuery, type Values } from './smart-conditions'
import { sourcesOf } from './smart-sources'
import { collect, holdsAtMost, walk } from './smart-walk'
import { visibleEpisode, type Viewer } from './visibility'

/** The number of episodes up to which the matches of a rule are collected at once. */
const FEW = 800
/** The number of episodes that are walked along an order before it is checked whether a rule leaves fewer. */
const FIRST_STRETCH = 4000
/** The number of episodes that can be walked in the time in which one is collected and sorted. */
const COLLECTED = 10

/** Lists the episodes of smart playlists. */
export const smartListStore = (db: Database) => ({
  /** In order, without hidden episodes. */
  idsFor: (viewer: Viewer, query: SmartQuery): number[] =>
    query.match === 'all' ? idsOfAll(db, viewer, query) : idsOfAny(db, viewer, query),

  /** Those of some episodes that match all of the conditions, without hidden ones. */
  amongFor(viewer: Viewer, query: SmartQuery, ids: readonly number[]): number[] {
    if (query.conditions.some(({ field }) => field === 'nothing')) return []
    const filter = filterOf(db, viewer, { ...query, limit: ids.length })
    const values = { among: JSON.stringify(ids) }
    return collect(db, filter, { from: 'episode e', condition: `e.id IN ${list('among')}`, values })
  },

  /** In the order of these ids, without hidden episodes and those that are gone. */
  rowsFor(viewer: Viewer, ids: readonly number[]): EpisodeForUser[] {
    const rows = db
      .query<EpisodeForUser, Values>(
        `${selectEpisodeForUser} WHERE e.id IN ${list('ids')} AND ${visibleEpisode(viewer)}`,
      )
      .all({ userId: viewer.id, ids: JSON.stringify(ids) })
    const byId = new Map(rows.map(row => [row.id, row]))
    return ids.flatMap(id => byId.get(id) ?? [])
  },

  /** The number and seconds of these, without reading their rows. */
  sizeOf: (ids: readonly number[]) =>
    db
      .query<EpisodesSize, Values>(
        `SELECT count(*) AS episodes, coalesce(sum(e.duration), 0) AS seconds FROM ${facts} WHERE e.id IN ${list('ids')}`,
      )
      .get({ ids: JSON.stringify(ids) })!,

  /** Their first different podcasts, by their uuids. */
  podcastsOf: (ids: readonly number[], limit: number): string[] =>
    db
      .query<{ uuid: string }, Values>(
        `SELECT p.uuid FROM json_each($ids) wanted CROSS JOIN episode e ON e.id = wanted.value
           CROSS JOIN podcast p ON p.id = e.podcast_id
          GROUP BY p.id ORDER BY min(wanted.key) LIMIT $limit`,
      )
      .all({ ids: JSON.stringify(ids), limit })
      .map(({ uuid }) => uuid),
})

/** The first episodes that match any rule are among the first ones of each rule. */
function idsOfAny(db: Database, viewer: Viewer, query: SmartQuery): number[] {
  const found = query.conditions.flatMap(condition => idsOfAll(db, viewer, { ...query, conditions: [condition] }))
  return collect(db, filterOf(db, viewer, { ...query, conditions: [] }), {
    from: 'episode e',
    condition: `e.id IN ${list('found')}`,
    values: { found: JSON.stringify(found) },
  })
}

/**
 * Walks along the order, in stretches that double. As soon as a rule leaves fewer episodes than were walked, those are
 * collected and sorted instead: the total costs little more than twice the cheaper way.
 */
function idsOfAll(db: Database, viewer: Viewer, query: SmartQuery): number[] {
  if (query.conditions.some(({ field }) => field === 'nothing')) return []
  const filter = filterOf(db, viewer, query)
  if (filter.podcasts.count === 0) return []
  const sources = sourcesOf(query.conditions, filter.podcasts)
  const holding = (most: number) => sources.find(source => holdsAtMost(db, filter, source, most))
  const few = holding(FEW)
  if (few) return collect(db, filter, few)

  const found: number[] = []
  let [passed, asked] = [0, FIRST_STRETCH]
  const wish = () => ({ length: Math.max(FIRST_STRETCH, passed), limit: query.limit - found.length })
  for (const { ids, length } of walk(db, filter, wish)) {
    found.push(...ids)
    if (found.length >= query.limit) return found
    passed += length
    if (passed < asked) continue
    const source = holding(Math.floor(passed / COLLECTED))
    if (source) return collect(db, filter, source)
    asked = 2 * passed
  }
  return found
}
