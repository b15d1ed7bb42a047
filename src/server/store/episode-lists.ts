import type { Database } from 'bun:sqlite'
import { type EpisodeForUser, isNewToUser, playedJoins, type Position, selectEpisodeForUser } from './episodes'
import { type Viewer, visibleEpisode, visibleInPodcast } from './visibility'
import { newCount } from './podcasts'
import type { Filter, FilterEdit } from '../../shared/api/podcast'

type EpisodeFilter = {
  after?: Position | undefined
  /** Milliseconds, excluded. */
  before?: number | undefined
  unfinishedOnly?: boolean | undefined
  downloaded?: boolean | undefined
  likedOnly?: boolean | undefined
  newOnly?: boolean | undefined
  text?: string | undefined
  /** Null: the episodes without a season. */
  season?: number | null | undefined
  /** The year of publication, in UTC. */
  year?: number | undefined
  oldestFirst?: boolean | undefined
}

/** A season or a year of a podcast's episodes: their number, length in seconds and how many the viewer finished. */
type EpisodeGroup = { key: number | null; count: number; seconds: number; finished: number }

/** The fewest episodes of a podcast without seasons that is divided by years. */
const MIN_FOR_YEARS = 100

const yearOf = `CAST(strftime('%Y', e.published_at / 1000, 'unixepoch') AS INTEGER)`

/** Lists episodes of one podcast. Positions count from the oldest, 1. */
export const episodeLists = (db: Database) => ({
  pageFor: (viewer: Viewer, podcastId: number, filter: EpisodeFilter, limit: number): EpisodeForUser[] =>
    db.query<EpisodeForUser, Record<string, string | number>>(pageQuery(filter, viewer)).all({
      userId: viewer.id,
      podcastId,
      limit,
      ...(filter.after && { afterDate: filter.after.publishedAt, afterId: filter.after.id }),
      ...(filter.before !== undefined && { before: filter.before }),
      ...parametersOf(filter),
    }),
  /** The ids of episodes that a filter leaves, in their order; `isBySeason`: those of a season together. */
  idsMatching: (
    viewer: Viewer,
    podcastId: number,
    filter: EpisodeFilter,
    { limit, offset = 0, isBySeason = false }: { limit: number; offset?: number; isBySeason?: boolean },
  ): number[] =>
    db
      .query<{ id: number }, Record<string, string | number>>(
        `SELECT e.id FROM episode e ${playedJoins} WHERE ${conditionsOf(filter, viewer)}
          ORDER BY ${orderOf(filter, isBySeason)} LIMIT $limit OFFSET $offset`,
      )
      .all({ userId: viewer.id, podcastId, limit, offset, ...parametersOf(filter) })
      .map(({ id }) => id),
  /** Episodes with what the viewer did with them, in the order of these ids. */
  rowsOf(viewer: Viewer, ids: readonly number[]): EpisodeForUser[] {
    const rows = db
      .query<EpisodeForUser, { userId: number; ids: string }>(
        `${selectEpisodeForUser} WHERE e.id IN (SELECT value FROM json_each($ids))`,
      )
      .all({ userId: viewer.id, ids: JSON.stringify(ids) })
    const byId = new Map(rows.map(row => [row.id, row]))
    return ids.flatMap(id => byId.get(id) ?? [])
  },
  /** How a podcast is divided: by seasons if most episodes name one, else a long one by years. */
  divisionOf(podcastId: number): 'season' | 'year' | null {
    const { episodes, tagged, seasons, years } = db
      .query<{ episodes: number; tagged: number; seasons: number; years: number }, [number]>(
        `SELECT count(*) AS episodes, count(e.season) AS tagged, count(DISTINCT e.season) AS seasons,
                count(DISTINCT ${yearOf}) AS years
           FROM episode e WHERE e.podcast_id = ?`,
      )
      .get(podcastId)!
    if (seasons > 1 && 2 * tagged >= episodes) return 'season'
    return episodes >= MIN_FOR_YEARS && years > 1 ? 'year' : null
  },
  /** The seasons or years of the episodes that a filter leaves, in the order of the list; one of all without either. */
  groupsFor(viewer: Viewer, podcastId: number, filter: EpisodeFilter, by: 'season' | 'year' | null): EpisodeGroup[] {
    const key = by === 'season' ? 'e.season' : by === 'year' ? yearOf : 'NULL'
    const order = filter.oldestFirst ? 'min(e.published_at), key' : 'max(e.published_at) DESC, key DESC'
    return db
      .query<EpisodeGroup, Record<string, string | number>>(
        `SELECT ${key} AS key, count(*) AS count, total(e.duration) AS seconds, total(h.finished) AS finished
           FROM episode e ${playedJoins} WHERE ${conditionsOf(filter, viewer)} GROUP BY key ORDER BY ${order}`,
      )
      .all({ userId: viewer.id, podcastId, ...parametersOf(filter) })
  },
  /** Position of an episode, and the number of all. */
  placeOf: (podcastId: number, { published_at, id }: { published_at: number; id: number }) =>
    db
      .query<{ number: number; count: number }, [number, number, number]>(
        `SELECT count(*) AS number, (SELECT episode_count FROM podcast WHERE id = ?1) AS count
           FROM episode WHERE podcast_id = ?1 AND (published_at, id) <= (?2, ?3)`,
      )
      .get(podcastId, published_at, id)!,
  /** Both ends included. */
  idsInRange: (viewer: Viewer, podcastId: number, from: number, to: number) =>
    db
      .query<{ id: number }, [number, number, number]>(
        `SELECT e.id FROM episode e JOIN podcast p ON p.id = e.podcast_id
          WHERE e.podcast_id = ? AND ${visibleEpisode(viewer)}
          ORDER BY e.published_at, e.id LIMIT ? OFFSET ?`,
      )
      .all(podcastId, to - from + 1, from - 1)
      .map(row => row.id),
  /** Newest first. */
  idsWithoutFile: (viewer: Viewer, podcastId: number) =>
    db
      .query<{ id: number }, [number]>(
        `SELECT e.id FROM episode e JOIN podcast p ON p.id = e.podcast_id
          WHERE e.podcast_id = ? AND +e.file_path IS NULL AND ${visibleEpisode(viewer)}
          ORDER BY e.published_at DESC, e.id DESC`,
      )
      .all(podcastId)
      .map(row => row.id),
  /** Number of episodes that can be downloaded, and their bytes as far as their feed states them. */
  missingSize: (viewer: Viewer, podcastId: number) =>
    db
      .query<{ episodes: number; bytes: number; unknown: number }, [number]>(
        `SELECT count(*) AS episodes, coalesce(sum(e.enclosure_size), 0) AS bytes,
                count(*) - count(e.enclosure_size) AS unknown
           FROM episode e JOIN podcast p ON p.id = e.podcast_id
          WHERE e.podcast_id = ? AND +e.file_path IS NULL AND e.superseded = 0 AND ${visibleEpisode(viewer)}`,
      )
      .get(podcastId)!,
  /** Those that a rule may download and that were never in the queue; in the order of these ids. */
  neverQueued: (ids: readonly number[]) =>
    db
      .query<{ id: number; enclosure_url: string }, [string]>(
        `SELECT e.id, e.enclosure_url FROM json_each(?) wanted CROSS JOIN episode e ON e.id = wanted.value
          WHERE e.file_path IS NULL AND e.removed = 0 AND e.superseded = 0
            AND NOT EXISTS (SELECT 1 FROM download d WHERE d.episode_id = e.id) ORDER BY wanted.key`,
      )
      .all(JSON.stringify(ids)),
  /** The newest episodes that a rule may download: no file yet, not removed, not superseded. */
  newestMissing: (podcastId: number, limit: number) =>
    db
      .query<{ id: number }, [number, number]>(
        `SELECT id FROM episode WHERE podcast_id = ? AND +file_path IS NULL AND removed = 0 AND superseded = 0 AND aside = 0
          ORDER BY published_at DESC, id DESC LIMIT ?`,
      )
      .all(podcastId, limit)
      .map(row => row.id),
})

/** Conditions on the episodes `e` of the podcast `$podcastId`; need `playedJoins`. */
function conditionsOf(
  { after, before, unfinishedOnly, downloaded, likedOnly, newOnly, text, season, year, oldestFirst }: EpisodeFilter,
  viewer: Viewer,
): string {
  return [
    'e.podcast_id = $podcastId',
    visibleEpisode(viewer),
    after && `(e.published_at, e.id) ${oldestFirst ? '>' : '<'} ($afterDate, $afterId)`,
    before !== undefined && 'e.published_at < $before',
    unfinishedOnly && 'coalesce(h.finished, 0) = 0',
    downloaded && 'e.file_path IS NOT NULL',
    likedOnly && 'EXISTS (SELECT 1 FROM episode_like k WHERE k.user_id = $userId AND k.episode_id = e.id)',
    newOnly && isNewToUser,
    season !== undefined && (season === null ? 'e.season IS NULL' : '+e.season = $season'),
    year !== undefined && 'e.published_at >= $yearStart AND e.published_at < $yearEnd',
    text && `(e.title LIKE $text ESCAPE '\\' OR e.notes LIKE $text ESCAPE '\\')`,
  ]
    .filter(Boolean)
    .join(' AND ')
}

/** By season, the one with the newest episode is first, or in a list from the oldest on, the one with the oldest. */
function orderOf({ oldestFirst }: EpisodeFilter, isBySeason: boolean): string {
  const [direction, edge] = oldestFirst ? ['ASC', 'min'] : ['DESC', 'max']
  const season = `${edge}(e.published_at) OVER (PARTITION BY e.season) ${direction}, e.season ${direction},`
  return `${isBySeason ? season : ''} e.published_at ${direction}, e.id ${direction}`
}

/** Query for a page of a podcast's episodes. */
export function pageQuery(filter: EpisodeFilter, viewer: Viewer): string {
  return `${selectEpisodeForUser} WHERE ${conditionsOf(filter, viewer)} ORDER BY ${orderOf(filter, false)} LIMIT $limit`
}

const parametersOf = ({ text, season, year }: EpisodeFilter) => ({
  ...(text && { text: `%${text.replace(/[%_\\]/g, '\\$&')}%` }),
  ...(season != null && { season }),
  ...(year !== undefined && { yearStart: startOfYear(year), yearEnd: startOfYear(year + 1) }),
})

/** Unlike `Date.UTC`, takes years before 100 as they are. */
const startOfYear = (year: number) => new Date(0).setUTCFullYear(year, 0, 1)

type FilterRow = { title: string | null; ascending: number; sort: Filter['filter']; only_favored: number }

/** The order and filter in which a user last looked at the podcasts. */
export const listFilters = (db: Database) => ({
  findFilter(userId: number): Omit<Filter, 'user_id'> | null {
    const row = db
      .query<FilterRow, [number]>('SELECT title, ascending, sort, only_favored FROM list_filter WHERE user_id = ?')
      .get(userId)
    return (
      row && {
        title: row.title,
        ascending: row.ascending === 1,
        filter: row.sort,
        only_favored: row.only_favored === 1,
      }
    )
  },
  setFilter(userId: number, { title = null, ascending, filter, only_favored }: FilterEdit) {
    db.query(
      `INSERT OR REPLACE INTO list_filter (user_id, title, ascending, sort, only_favored) VALUES (?, ?, ?, ?, ?)`,
    ).run(userId, title, Number(ascending), filter, Number(only_favored))
  },
})

/** Episodes that are new to users. */
export const newEpisodeStore = (db: Database) => ({
  /** Marks an episode that a feed has just added as new for everyone. */
  arrived(podcastId: number, episodeId: number) {
    db.query('INSERT OR IGNORE INTO new_episode (user_id, podcast_id, episode_id) SELECT id, ?, ? FROM user').run(
      podcastId,
      episodeId,
    )
  },
  /** Makes episodes new to a user, or not new any more; returns the ids of those that were not so before. */
  set(userId: number, episodeIds: readonly number[], isNew: boolean): number[] {
    const ids = JSON.stringify(episodeIds)
    if (isNew)
      return db
        .query<{ id: number }, [number, string]>(
          `INSERT INTO new_episode (user_id, podcast_id, episode_id)
           SELECT ?, e.podcast_id, e.id FROM json_each(?) wanted CROSS JOIN episode e ON e.id = wanted.value WHERE true
               ON CONFLICT DO UPDATE SET played = 0 WHERE played = 1
        RETURNING episode_id AS id`,
        )
        .all(userId, ids)
        .map(({ id }) => id)
    return db
      .query<{ id: number }, [number, string]>(
        `DELETE FROM new_episode
          WHERE user_id = ? AND played = 0 AND (podcast_id, episode_id) IN (
            SELECT e.podcast_id, e.id FROM json_each(?) wanted CROSS JOIN episode e ON e.id = wanted.value)
      RETURNING episode_id AS id`,
      )
      .all(userId, ids)
      .map(({ id }) => id)
  },
  /** The ids of all episodes of a podcast that are new to the viewer, newest first. */
  idsFor: (viewer: Viewer, podcastId: number): { id: number; uuid: string }[] =>
    db
      .query<{ id: number; uuid: string }, { userId: number; podcastId: number }>(
        `SELECT e.id, e.uuid FROM new_episode w CROSS JOIN episode e ON e.id = w.episode_id
          WHERE w.user_id = $userId AND w.podcast_id = $podcastId AND w.played = 0 AND ${visibleInPodcast(viewer)}
          ORDER BY w.episode_id DESC`,
      )
      .all({ userId: viewer.id, podcastId }),
  countFor: (viewer: Viewer, podcastId: number): number =>
    db
      .query<{ total: number }, { userId: number; podcastId: number }>(
        `SELECT ${newCount(viewer)} AS total FROM podcast p WHERE p.id = $podcastId`,
      )
      .get({ userId: viewer.id, podcastId })?.total ?? 0,
})

/** Episodes that users like. */
export const episodeLikes = (db: Database) => ({
  /** Likes or unlikes episodes; returns the ids of those that were not so before. */
  likeAll(userId: number, episodeIds: readonly number[], liked: boolean, now: number): number[] {
    const ids = JSON.stringify(episodeIds)
    if (liked)
      return db
        .query<{ id: number }, [number, number, string]>(
          `INSERT OR IGNORE INTO episode_like (user_id, episode_id, created_at)
           SELECT ?, value, ? FROM json_each(?) RETURNING episode_id AS id`,
        )
        .all(userId, now, ids)
        .map(({ id }) => id)
    return db
      .query<{ id: number }, [number, string]>(
        `DELETE FROM episode_like WHERE user_id = ? AND episode_id IN (SELECT value FROM json_each(?))
         RETURNING episode_id AS id`,
      )
      .all(userId, ids)
      .map(({ id }) => id)
  },
  like(userId: number, episodeId: number, liked: boolean, now: number) {
    if (liked)
      db.query('INSERT OR IGNORE INTO episode_like (user_id, episode_id, created_at) VALUES (?, ?, ?)').run(
        userId,
        episodeId,
        now,
      )
    else db.query('DELETE FROM episode_like WHERE user_id = ? AND episode_id = ?').run(userId, episodeId)
  },
})
