import type { SmartOrder, SmartRule, SmartRules } from '../../shared/api/playlist'
import { ID_MASK } from './search'
import { hasPodcast, visibleInPodcast, visiblePodcast, type Viewer } from './visibility'
import type { Database } from 'bun:sqlite'
import { isRemoving } from './removals'

/** A rule with the rows that it is about. `nothing` is one whose podcasts or tags are all gone. */
export type SmartCondition =
  | { field: 'nothing' }
  | { field: 'podcast' | 'tag'; isNot: boolean; ids: readonly number[] }
  /** The same words as a query in the language of FTS5, which finds more if `isInexact`, and as a test of a title. */
  | { field: 'title'; isNot: boolean; match: string; isInexact?: boolean; isIn: (title: string) => boolean }
  /** Milliseconds: published since then, included, or before. */
  | { field: 'age'; op: Extract<SmartRule, { field: 'age' }>['op']; since: number }
  | Exclude<SmartRule, { field: 'podcast' | 'tag' | 'title' | 'age' }>

/** The episodes of a smart playlist. */
export type SmartQuery = {
  match: SmartRules['match']
  conditions: readonly SmartCondition[]
  order: SmartOrder
  limit: number
}

export type Values = Record<string, number | string>
type Sql = { sql: string; values: Values }

/** Rows named by a parameter that holds a JSON list. */
export const list = (name: string) => `(SELECT value FROM json_each($${name}))`

/** Episodes `e` by their ids, without reading their rows. */
export const facts = 'episode e INDEXED BY episode_facts'

const titled = (name: string) => `(SELECT t.rowid & ${ID_MASK} FROM title_index t WHERE title_index MATCH $${name})`
const unindexed = '(SELECT id FROM episode INDEXED BY episode_unindexed WHERE search_place IS NULL)'
const like = '(SELECT 1 FROM episode_like l WHERE l.user_id = $userId AND l.episode_id = e.id)'
const playedConditions = {
  unplayed: 'coalesce(h.played, 0) = 0',
  started: 'h.played = 1 AND h.finished = 0',
  finished: 'h.finished = 1',
} as const

/**
 * Condition on episodes `e`, and on `h`, what the user `$userId` played of them; null for rules that podcasts fulfil.
 * The plus signs keep the planner from choosing another index than that of the order.
 */
export function episodeCondition(condition: SmartCondition, name: string): Sql | null {
  switch (condition.field) {
    case 'played':
      return { sql: playedConditions[condition.is], values: {} }
    case 'downloaded':
      return { sql: `e.downloaded_at IS ${condition.is ? 'NOT ' : ''}NULL`, values: {} }
    case 'liked':
      return { sql: `${like} IS ${condition.is ? 'NOT ' : ''}NULL`, values: {} }
    case 'duration':
      return condition.op === 'at-least'
        ? { sql: `+e.duration >= $${name}`, values: { [name]: condition.seconds } }
        : { sql: `+e.duration > 0 AND +e.duration <= $${name}`, values: { [name]: condition.seconds } }
    case 'age':
      return {
        sql: `e.announced_at IS NOT NULL AND +e.published_at ${condition.op === 'within' ? '>=' : '<'} $${name}`,
        values: { [name]: condition.since },
      }
    case 'title':
      return {
        // A title that is not in the index yet matches neither "with" nor "without".
        sql: condition.isNot ? `e.id NOT IN ${titled(name)} AND e.id NOT IN ${unindexed}` : `e.id IN ${titled(name)}`,
        values: { [name]: condition.match },
      }
    case 'season':
      return { sql: `+e.season = $${name}`, values: { [name]: condition.is } }
    case 'type':
      return { sql: `+e.type = '${condition.is}'`, values: {} }
    default:
      return null
  }
}

/** Condition on podcasts `p`, and on `n`, how much the user `$userId` listened to them. */
export function podcastCondition(condition: SmartCondition, name: string): Sql | null {
  switch (condition.field) {
    case 'podcast':
      return { sql: `p.id ${condition.isNot ? 'NOT ' : ''}IN ${list(name)}`, values: listed(name, condition.ids) }
    case 'tag':
      return {
        sql: `p.id ${condition.isNot ? 'NOT ' : ''}IN
                (SELECT podcast_id FROM podcast_tag WHERE tag_id IN ${list(name)})`,
        values: listed(name, condition.ids),
      }
    case 'favourite':
      return {
        sql: `p.id ${condition.is ? '' : 'NOT '}IN (SELECT podcast_id FROM favourite WHERE user_id = $userId)`,
        values: {},
      }
    case 'played':
      return { sql: `${leftOf[condition.is]} > 0`, values: {} }
    case 'downloaded':
      return { sql: condition.is ? 'p.file_count > 0' : 'p.episode_count > p.file_count', values: {} }
    default:
      return null
  }
}

const leftOf = {
  unplayed: 'p.episode_count - coalesce(n.played, 0)',
  started: 'coalesce(n.played, 0) - coalesce(n.finished, 0)',
  finished: 'coalesce(n.finished, 0)',
} as const

const listed = (name: string, ids: readonly number[]): Values => ({ [name]: JSON.stringify(ids) })

/** Joins the conditions that `of` gives, and those on what the viewer may see. */
export function joinConditions(
  conditions: readonly SmartCondition[],
  of: (condition: SmartCondition, name: string) => Sql | null,
  always: readonly string[],
): Sql {
  const given = conditions.flatMap((condition, index) => of(condition, `v${index}`) ?? [])
  return {
    sql: [...always, ...given.map(({ sql }) => sql)].join(' AND ') || '1',
    values: Object.assign({}, ...given.map(({ values }) => values)) as Values,
  }
}

/** Podcasts that may hold matches, as JSON; null = all of them. `episodes` and `files` are what they hold. */
export type SmartPodcasts = { ids: string | null; count: number; episodes: number; files: number }

export const smartPodcastsQuery = (condition: string, viewer: Viewer) => `
  SELECT json_group_array(p.id) AS ids, count(*) AS count, total(p.episode_count) AS episodes,
         total(p.file_count) AS files
    FROM podcast p LEFT JOIN listening n ON n.user_id = $userId AND n.podcast_id = p.id
   WHERE ${visiblePodcast(viewer)} AND ${condition}`

/** Conditions on episodes `e` that hold for every rule. */
export const always = (viewer: Viewer, podcasts: SmartPodcasts, areAllHere: boolean): string[] => [
  ...(areAllHere ? [] : [hasPodcast]),
  ...(viewer.explicit_consent ? [] : [visibleInPodcast(viewer)]),
  ...(podcasts.ids === null ? [] : [`e.podcast_id IN ${list('podcasts')}`]),
]

/** Rules that all have to match, as a condition on episodes `e` and `h`, what the viewer played of them. */
export type SmartFilter = Pick<SmartQuery, 'conditions' | 'order' | 'limit'> & {
  viewer: Viewer
  podcasts: SmartPodcasts
  sql: string
  values: Values
  /** The words that aren't looked up in the index of titles, or not only: most of the library may have them. */
  isInTitle: ((title: string) => boolean) | null
}

/** Beyond this, titles are not collected: each is checked in turn. */
const MAX_TITLES = 6000

export function filterOf(db: Database, viewer: Viewer, { conditions, order, limit }: SmartQuery): SmartFilter {
  const podcasts = podcastsFor(db, viewer, conditions)
  const common = new Set(conditions.filter(condition => isCommonTitle(db, condition)))
  const tested = conditions.filter(condition => common.has(condition) || isInexact(condition))
  const { sql, values } = joinConditions(
    conditions,
    (condition, name) =>
      common.has(condition) || isInexact(condition, true) ? isIndexed : episodeCondition(condition, name),
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
    isInTitle: tested.length === 0 ? null : title => tested.every(condition => isTitled(condition, title)),
  }
}

const isIndexed = { sql: 'e.search_place IS NOT NULL', values: {} }
const everyPodcast: SmartPodcasts = { ids: null, count: 1, episodes: Infinity, files: Infinity }

/** Only rules about podcasts, playing and downloads can exclude podcasts. */
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

/** Whether the index finds more titles than have the words; `isNot`: than lack them. */
const isInexact = (condition: SmartCondition, isNot = false) =>
  condition.field === 'title' && condition.isInexact === true && (!isNot || condition.isNot)

const isTitled = (condition: SmartCondition, title: string) =>
  condition.field !== 'title' || condition.isIn(title) !== condition.isNot
