import type { Database } from 'bun:sqlite'
import { isRemoving } from './removals'
import {
  always,
  episodeCondition,
  joinConditions,
  podcastCondition,
  smartPodcastsQuery,
  type SmartCondition,
  type SmartPodcasts,
  type SmartQuery,
  type Values,
} from './smart-conditions'
import type { Viewer } from './visibility'

/** Rules that all have to match, as a condition on episodes `e` and `h`, what the viewer played of them. */
export type SmartFilter = Pick<SmartQuery, 'conditions' | 'order' | 'limit'> & {
  viewer: Viewer
  podcasts: SmartPodcasts
  sql: string
  values: Values
  /** The words that the index of titles is not asked about, since most of the library has them. */
  isInTitle: ((title: string) => boolean) | null
}

/** More titles are not collected: each is looked at in its turn. */
const MAX_TITLES = 6000

export function filterOf(db: Database, viewer: Viewer, { conditions, order, limit }: SmartQuery): SmartFilter {
  const podcasts = podcastsFor(db, viewer, conditions)
  const common = conditions.filter(condition => isCommonTitle(db, condition))
  const { sql, values } = joinConditions(
    conditions,
    (condition, name) => (common.includes(condition) ? isIndexed : episodeCondition(condition, name)),
    always(viewer, podcasts, !isRemoving(db)),
  )
  return {
    viewer,
    conditions,
    order,
    limit,
    podcasts,
    sql,
    values: { ...values, userId: viewer.id, podcasts: podcasts.ids ?? '[]' },
    isInTitle: common.length === 0 ? null : title => common.every(condition => isTitled(condition, title)),
  }
}

const isIndexed = { sql: 'e.search_place IS NOT NULL', values: {} }
const everyPodcast: SmartPodcasts = { ids: null, count: 1, episodes: Infinity, files: Infinity }

/** Only rules about podcasts, what was played and what is downloaded leave some podcasts out. */
function podcastsFor(db: Database, viewer: Viewer, conditions: readonly SmartCondition[]): SmartPodcasts {
  const { sql, values } = joinConditions(conditions, podcastCondition, [])
  if (sql === '1' && viewer.explicit_consent) return everyPodcast
  return db.query<SmartPodcasts, Values>(smartPodcastsQuery(sql, viewer)).get({ ...values, userId: viewer.id })!
}

function isCommonTitle(db: Database, condition: SmartCondition): boolean {
  if (condition.field !== 'title') return false
  const { total } = db
    .query<{ total: number }, Values>(
      `SELECT count(*) AS total FROM (
         SELECT 1 FROM title_index WHERE title_index MATCH $match LIMIT ${MAX_TITLES + 1})`,
    )
    .get({ match: condition.match })!
  return total > MAX_TITLES
}

const isTitled = (condition: SmartCondition, title: string) =>
  condition.field !== 'title' || condition.isIn(title) !== condition.isNot
