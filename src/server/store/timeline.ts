import type { Database } from 'bun:sqlite'
import { type EpisodeForUser, playedJoins, type Position, selectEpisodeForUser } from './episodes'
import { facts } from './smart-conditions'
import { type Viewer, visibleEpisode, visiblePodcast } from './visibility'

export type TimelineFilter = {
  favouritesOnly: boolean
  likedOnly: boolean
  unplayedOnly: boolean
  unfinishedOnly?: boolean
  downloadedOnly?: boolean
  /** Leaves out podcasts that the viewer doesn't want in their timeline. */
  shownOnly?: boolean
  /** Limits to podcasts with this tag, by its row. */
  tagId?: number | undefined
  /** Seconds, excluded; episodes of unknown length are left out. */
  shorterThan?: number | undefined
  /** Milliseconds, included and excluded; episodes without a date are left out by both. */
  from?: number | undefined
  to?: number | undefined
}

/** Condition on the id of a podcast. */
const isShown = 'NOT IN (SELECT podcast_id FROM podcast_preference WHERE user_id = $userId AND in_timeline = 0)'

/** Two ways to say the same of an episode `e`: by columns that are stored with it, or that its indexes hold. */
const ofRow = { dated: 'e.dated', hasFile: 'e.file_path IS NOT NULL' }
const ofIndex = { dated: '(e.announced_at IS NOT NULL)', hasFile: 'e.downloaded_at IS NOT NULL' }

/** Conditions on an episode `e` of the podcast `p`, and `h`, what the user `$userId` played of it. */
const timelineConditions = (filter: TimelineFilter, viewer: Viewer, { dated, hasFile } = ofRow): string =>
  [
    visibleEpisode(viewer),
    filter.favouritesOnly &&
      'EXISTS (SELECT 1 FROM favourite f WHERE f.user_id = $userId AND f.podcast_id = e.podcast_id)',
    filter.likedOnly && 'EXISTS (SELECT 1 FROM episode_like l WHERE l.user_id = $userId AND l.episode_id = e.id)',
    filter.unplayedOnly && 'coalesce(h.played, 0) = 0',
    filter.unfinishedOnly && 'coalesce(h.finished, 0) = 0',
    filter.downloadedOnly && hasFile,
    filter.tagId !== undefined &&
      'EXISTS (SELECT 1 FROM podcast_tag t WHERE t.tag_id = $tagId AND t.podcast_id = e.podcast_id)',
    filter.shownOnly && `e.podcast_id ${isShown}`,
    filter.shorterThan !== undefined && 'e.duration > 0 AND e.duration < $shorterThan',
    (filter.from ?? filter.to) !== undefined && `${dated} = 1`,
    filter.from !== undefined && 'e.published_at >= $from',
    filter.to !== undefined && 'e.published_at < $to',
  ]
    .filter(Boolean)
    .join(' AND ')

/** The parameters of `timelineConditions`. */
const timelineParameters = (filter: TimelineFilter, viewer: Viewer): Record<string, number> => ({
  userId: viewer.id,
  ...(filter.tagId !== undefined && { tagId: filter.tagId }),
  ...(filter.shorterThan !== undefined && { shorterThan: filter.shorterThan }),
  ...(filter.from !== undefined && { from: filter.from }),
  ...(filter.to !== undefined && { to: filter.to }),
})

/** Number of episodes and their seconds within an hour's quarter, which is counted from 1970. */
type TimelineQuarter = { quarter: number; count: number; seconds: number }

/** The most that is counted where no stored counter helps. */
const MAX_COUNTED = 10_000

/** Query for a page of the timeline: episodes of all podcasts, newest first. */
export const timelineQuery = (filter: PageFilter, viewer: Viewer): string =>
  `${selectEpisodeForUser} WHERE ${pageConditions(viewer, filter)} ORDER BY ${pageOrder(filter)} LIMIT $limit`

const newest = 'episode e INDEXED BY episode_newest'
const isDated = 'e.announced_at IS NOT NULL'

/**
 * Query for places in the whole timeline, from indexes alone: the rows that are passed by, with their notes, are many
 * times as large.
 */
export function placesQuery(filter: PageFilter, viewer: Viewer): string {
  const conditions = timelineConditions(filter, viewer, ofIndex)
  const part = (from: string, only: string, of: string) =>
    `SELECT e.id FROM ${from} ${playedJoins} WHERE ${only} AND ${conditions}
      ORDER BY ${of}.published_at DESC, ${of}.id DESC LIMIT $offset + $limit`
  const parts = filter.undatedLast
    ? [
        part(newest, isDated, 'e'),
        part(`episode u INDEXED BY episode_timeline CROSS JOIN ${facts} ON e.id = u.id`, 'u.dated = 0', 'u'),
      ]
    : [part(newest, '1', 'e')]
  return `${parts.map(query => `SELECT * FROM (${query})`).join(' UNION ALL ')} LIMIT $limit OFFSET $offset`
}

const listQuery = (columns: string, filter: TimelineFilter, viewer: Viewer) =>
  `SELECT ${columns} FROM episode e ${playedJoins} WHERE ${timelineConditions(filter, viewer)}`

function countQuery(filter: TimelineFilter, viewer: Viewer): string {
  const { favouritesOnly, likedOnly, unplayedOnly } = filter
  const wanted = `${visiblePodcast(viewer)} ${
    favouritesOnly ? 'AND p.id IN (SELECT podcast_id FROM favourite WHERE user_id = $userId)' : ''
  } ${filter.tagId === undefined ? '' : 'AND p.id IN (SELECT podcast_id FROM podcast_tag WHERE tag_id = $tagId)'}
    ${filter.shownOnly ? `AND p.id ${isShown}` : ''}`
  const unplayed = unplayedOnly ? 'AND coalesce(h.played, 0) = 0' : ''
  if (filter.downloadedOnly || (filter.shorterThan ?? filter.from ?? filter.to) !== undefined)
    return `SELECT count(*) AS total FROM (${listQuery('1', filter, viewer)} LIMIT ${MAX_COUNTED})`
  if (likedOnly)
    return `SELECT count(*) AS total
              FROM episode_like l JOIN episode e ON e.id = l.episode_id JOIN podcast p ON p.id = e.podcast_id
              LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id
             WHERE l.user_id = $userId AND ${visibleEpisode(viewer)} AND ${wanted} ${unplayed}`
  const all = `SELECT coalesce(sum(p.episode_count), 0) FROM podcast p WHERE ${wanted}`
  const played = `SELECT coalesce(sum(l.played), 0) FROM listening l JOIN podcast p ON p.id = l.podcast_id
                   WHERE l.user_id = $userId AND ${wanted}`
  // The counters include explicit episodes of other podcasts: they are subtracted for viewers who may not see them.
  const hidden = `SELECT count(*) FROM episode e JOIN podcast p ON p.id = e.podcast_id
                    LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id
                   WHERE e.explicit = 1 AND ${wanted} ${unplayed}`
  const subtracted = [unplayedOnly && played, !viewer.explicit_consent && hidden].filter(Boolean)
  return `SELECT (${all}) ${subtracted.map(query => `- (${query})`).join(' ')} AS total`
}

/** Episodes of all podcasts, newest first. */
export const timelineStore = (db: Database) => ({
  pageFor(viewer: Viewer, filter: PageFilter, limit: number): EpisodeForUser[] {
    const ids = idsOfFew(db, viewer, filter, limit)
    if (!ids)
      return db
        .query<EpisodeForUser, Record<string, number>>(timelineQuery(filter, viewer))
        .all(pageParameters(viewer, filter, limit))
    const rows = db
      .query<EpisodeForUser, Record<string, number | string>>(
        `${selectEpisodeForUser} WHERE e.id IN (SELECT value FROM json_each($ids))`,
      )
      .all({ userId: viewer.id, ids: JSON.stringify(ids) })
    const byId = new Map(rows.map(row => [row.id, row]))
    return ids.map(id => byId.get(id)!)
  },

  /**
   * Number of episodes that match a filter, from stored counters; only likes, which are few, are counted, and up to
   * 10,000 where the filter is about files, lengths or dates.
   */
  countFor(viewer: Viewer, filter: TimelineFilter): number {
    return db
      .query<{ total: number }, Record<string, number>>(countQuery(filter, viewer))
      .get(timelineParameters(filter, viewer))!.total
  },

  /** Sums up the episodes with a date by quarters of an hour, in which every time zone begins its days. */
  quartersFor: (viewer: Viewer, filter: TimelineFilter) =>
    db
      .query<TimelineQuarter, Record<string, number>>(
        `SELECT e.published_at / 900000 AS quarter, count(*) AS count, sum(e.duration) AS seconds
           FROM ${newest} ${playedJoins} WHERE ${timelineConditions(filter, viewer, ofIndex)}
          GROUP BY quarter`,
      )
      .all(timelineParameters(filter, viewer)),

  /** Newest first. */
  idsFor: (viewer: Viewer, filter: Omit<PageFilter, 'after' | 'before'>, limit: number, offset = 0): number[] =>
    idsOfFew(db, viewer, filter, offset + limit)?.slice(offset) ??
    db
      .query<{ id: number }, Record<string, number>>(placesQuery(filter, viewer))
      .all({ ...pageParameters(viewer, filter, limit), offset })
      .map(row => row.id),

  /** Sums up these episodes by quarters of an hour, those without a date apart. */
  quartersOf: (ids: readonly number[]) =>
    db
      .query<TimelineQuarter & { dated: number }, [string]>(
        `SELECT ${ofIndex.dated} AS dated, e.published_at / 900000 AS quarter, count(*) AS count,
                sum(e.duration) AS seconds
           FROM json_each(?) wanted CROSS JOIN ${facts} ON e.id = wanted.value
          GROUP BY dated, quarter ORDER BY dated DESC, quarter DESC`,
      )
      .all(JSON.stringify(ids)),
})

type PageFilter = TimelineFilter & {
  after?: Position | undefined
  /** Milliseconds, excluded. */
  before?: number | undefined
  /** Puts the episodes without a date behind all others. */
  undatedLast?: boolean
}

/** Largest number of podcasts queried one by one, unless they are most of the library. */
const FEW_PODCASTS = 20

/**
 * Finds the episodes of a page of the timeline where a filter leaves few of the library: in the liked episodes, or in
 * the newest of each podcast that has any. Reading the whole timeline by date would pass by all the others first.
 */
function idsOfFew(db: Database, viewer: Viewer, filter: PageFilter, limit: number): number[] | null {
  const ids = (source: string) =>
    db
      .query<{ id: number }, Record<string, number>>(
        `SELECT e.id FROM ${source} ORDER BY ${pageOrder(filter, ofIndex)} LIMIT $limit`,
      )
      .all(pageParameters(viewer, filter, limit))
      .map(row => row.id)
  if (filter.likedOnly) return ids(likedEpisodes(viewer, filter))
  if (filter.shorterThan !== undefined && areFewShort(db, filter.shorterThan))
    return ids(`episode e INDEXED BY episode_length ${playedJoins} WHERE ${pageConditions(viewer, filter, ofIndex)}`)
  return leavesFew(db, viewer, filter) ? ids(newestByPodcast(viewer, filter)) : null
}

const pageOrder = ({ undatedLast }: PageFilter, { dated } = ofRow) =>
  `${undatedLast ? `${dated} DESC, ` : ''}e.published_at DESC, e.id DESC`

/** Conditions on an episode `e`, as `timelineConditions`, and on its place in the list. */
function pageConditions(viewer: Viewer, { after, before, ...filter }: PageFilter, columns = ofRow): string {
  const place = filter.undatedLast
    ? `(${columns.dated}, e.published_at, e.id) < ($afterDated, $afterDate, $afterId)`
    : '(e.published_at, e.id) < ($afterDate, $afterId)'
  return [
    timelineConditions(filter, viewer, columns),
    after && place,
    before !== undefined && 'e.published_at < $before',
  ]
    .filter(Boolean)
    .join(' AND ')
}

const pageParameters = (viewer: Viewer, filter: PageFilter, limit: number): Record<string, number> => ({
  ...timelineParameters(filter, viewer),
  limit,
  ...(filter.after && { afterDate: filter.after.publishedAt, afterId: filter.after.id }),
  ...(filter.after && filter.undatedLast && { afterDated: Number(!filter.after.isUndated) }),
  ...(filter.before !== undefined && { before: filter.before }),
})

const likedEpisodes = (viewer: Viewer, filter: PageFilter) =>
  `episode_like l CROSS JOIN ${facts} ON e.id = l.episode_id ${playedJoins}
   WHERE l.user_id = $userId AND ${pageConditions(viewer, filter, ofIndex)}`

/** The podcasts that have what is wanted, with the newest of each; those without a date apart, as each has an index. */
function newestByPodcast(viewer: Viewer, filter: PageFilter): string {
  // Only the condition on the path finds the index of files.
  const conditions = pageConditions(viewer, filter, { ...ofIndex, hasFile: ofRow.hasFile })
  const newest = (only: string) =>
    `SELECT * FROM (SELECT e.id FROM episode e ${playedJoins}
       WHERE e.podcast_id = w.id AND ${conditions} AND ${only} ORDER BY e.published_at DESC, e.id DESC LIMIT $limit)`
  const wanted = filter.undatedLast ? `${newest(isDated)} UNION ALL ${newest('e.dated = 0')}` : newest('1')
  return `(SELECT p.id FROM ${wantedPodcasts(viewer, filter)}) w CROSS JOIN ${facts} ON e.id IN (${wanted})`
}

/** Short episodes that are sorted in the time in which a page of others is found. */
const FEW_SHORT = 5000

const areFewShort = (db: Database, shorterThan: number) =>
  db
    .query<{ total: number }, Record<string, number>>(
      `SELECT count(*) AS total FROM (
         SELECT 1 FROM episode e INDEXED BY episode_length
          WHERE e.duration > 0 AND e.duration < $shorterThan LIMIT ${FEW_SHORT})`,
    )
    .get({ shorterThan })!.total < FEW_SHORT

/** Weighs asking each podcast for a page against passing by the episodes of all others. */
function leavesFew(db: Database, viewer: Viewer, filter: PageFilter): boolean {
  const { favouritesOnly, unplayedOnly, unfinishedOnly, downloadedOnly, tagId } = filter
  if (!favouritesOnly && !unplayedOnly && !unfinishedOnly && !downloadedOnly && tagId === undefined) return false
  const { podcasts, episodes, all } = db
    .query<{ podcasts: number; episodes: number; all: number }, Record<string, number>>(
      `SELECT count(*) AS podcasts, total(${leftOf(filter)}) AS episodes,
              (SELECT total(episode_count) FROM podcast) AS "all"
         FROM ${wantedPodcasts(viewer, filter)}`,
    )
    .get({ userId: viewer.id, ...(tagId !== undefined && { tagId }) })!
  return podcasts * episodes <= all || (podcasts <= FEW_PODCASTS && episodes <= all / 2)
}

/** Podcasts `p` with episodes that a filter leaves, and `n`, how much the user `$userId` listened to them. */
function wantedPodcasts(viewer: Viewer, filter: TimelineFilter): string {
  const conditions = [
    visiblePodcast(viewer),
    `${leftOf(filter)} > 0`,
    filter.favouritesOnly && 'p.id IN (SELECT podcast_id FROM favourite WHERE user_id = $userId)',
    filter.tagId !== undefined && 'p.id IN (SELECT podcast_id FROM podcast_tag WHERE tag_id = $tagId)',
    filter.shownOnly && `p.id ${isShown}`,
    filter.downloadedOnly &&
      'EXISTS (SELECT 1 FROM episode d INDEXED BY episode_downloaded WHERE d.podcast_id = p.id AND d.file_path IS NOT NULL)',
  ]
  return `podcast p LEFT JOIN listening n ON n.user_id = $userId AND n.podcast_id = p.id
          WHERE ${conditions.filter(Boolean).join(' AND ')}`
}

/** The number of a podcast's episodes that are not played, or not finished, where that is wanted. */
function leftOf({ unplayedOnly, unfinishedOnly }: TimelineFilter): string {
  if (unplayedOnly) return 'p.episode_count - coalesce(n.played, 0)'
  if (unfinishedOnly) return 'p.episode_count - coalesce(n.finished, 0)'
  return 'p.episode_count'
}
