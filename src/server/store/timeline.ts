import type { Database } from 'bun:sqlite'
import { playedJoins, selectEpisodeForUser, type EpisodeForUser, type Position } from './episodes'
import { visibleEpisode, visiblePodcast, type Viewer } from './visibility'

export type TimelineFilter = {
  favouritesOnly: boolean
  likedOnly: boolean
  unplayedOnly: boolean
  unfinishedOnly?: boolean
  downloadedOnly?: boolean
  /** Limits to podcasts with this tag, by its row. */
  tagId?: number | undefined
  /** Seconds, excluded; episodes of unknown length are left out. */
  shorterThan?: number | undefined
  /** Milliseconds, included and excluded; episodes without a date are left out by both. */
  from?: number | undefined
  to?: number | undefined
}

type PageFilter = TimelineFilter & {
  after?: Position | undefined
  before?: number | undefined
  /** Puts the episodes without a date behind all others. */
  undatedLast?: boolean
}

/** Number of episodes and their seconds within an hour's quarter, which is counted from 1970. */
type TimelineQuarter = { quarter: number; count: number; seconds: number }

/** The most that is counted where no stored counter helps. */
const MOST_COUNTED = 10_000

/** Conditions on an episode `e` of the podcast `p`, and `h`, what the user `$userId` played of it. */
export const timelineConditions = (filter: TimelineFilter, viewer: Viewer): string =>
  [
    visibleEpisode(viewer),
    filter.favouritesOnly &&
      'EXISTS (SELECT 1 FROM favourite f WHERE f.user_id = $userId AND f.podcast_id = e.podcast_id)',
    filter.likedOnly && 'EXISTS (SELECT 1 FROM episode_like l WHERE l.user_id = $userId AND l.episode_id = e.id)',
    filter.unplayedOnly && 'coalesce(h.played, 0) = 0',
    filter.unfinishedOnly && 'coalesce(h.finished, 0) = 0',
    filter.downloadedOnly && 'e.file_path IS NOT NULL',
    filter.tagId !== undefined &&
      'EXISTS (SELECT 1 FROM podcast_tag t WHERE t.tag_id = $tagId AND t.podcast_id = e.podcast_id)',
    filter.shorterThan !== undefined && 'e.duration > 0 AND e.duration < $shorterThan',
    (filter.from ?? filter.to) !== undefined && 'e.dated = 1',
    filter.from !== undefined && 'e.published_at >= $from',
    filter.to !== undefined && 'e.published_at < $to',
  ]
    .filter(Boolean)
    .join(' AND ')

/** The parameters of `timelineConditions`. */
export const timelineParameters = (filter: TimelineFilter, viewer: Viewer): Record<string, number> => ({
  userId: viewer.id,
  ...(filter.tagId !== undefined && { tagId: filter.tagId }),
  ...(filter.shorterThan !== undefined && { shorterThan: filter.shorterThan }),
  ...(filter.from !== undefined && { from: filter.from }),
  ...(filter.to !== undefined && { to: filter.to }),
})

/** Query for a page of the timeline: episodes of all podcasts, newest first. */
export function timelineQuery(filter: PageFilter, viewer: Viewer): string {
  const { after, before, undatedLast } = filter
  const conditions = [
    timelineConditions(filter, viewer),
    after &&
      (undatedLast
        ? '(e.dated, e.published_at, e.id) < ($afterDated, $afterDate, $afterId)'
        : '(e.published_at, e.id) < ($afterDate, $afterId)'),
    before !== undefined && 'e.published_at < $before',
  ].filter(Boolean)
  return `${selectEpisodeForUser} WHERE ${conditions.join(' AND ')}
          ORDER BY ${undatedLast ? 'e.dated DESC, ' : ''}e.published_at DESC, e.id DESC LIMIT $limit`
}

const listQuery = (columns: string, filter: TimelineFilter, viewer: Viewer) =>
  `SELECT ${columns} FROM episode e ${playedJoins} WHERE ${timelineConditions(filter, viewer)}`

function countQuery(filter: TimelineFilter, viewer: Viewer): string {
  const { favouritesOnly, likedOnly, unplayedOnly } = filter
  const wanted = `${visiblePodcast(viewer)} ${
    favouritesOnly ? 'AND p.id IN (SELECT podcast_id FROM favourite WHERE user_id = $userId)' : ''
  } ${filter.tagId === undefined ? '' : 'AND p.id IN (SELECT podcast_id FROM podcast_tag WHERE tag_id = $tagId)'}`
  const unplayed = unplayedOnly ? 'AND coalesce(h.played, 0) = 0' : ''
  if (filter.downloadedOnly || (filter.shorterThan ?? filter.from ?? filter.to) !== undefined)
    return `SELECT count(*) AS total FROM (${listQuery('1', filter, viewer)} LIMIT ${MOST_COUNTED})`
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
    const { after, before, undatedLast } = filter
    return db.query<EpisodeForUser, Record<string, number>>(timelineQuery(filter, viewer)).all({
      ...timelineParameters(filter, viewer),
      limit,
      ...(after && { afterDate: after.publishedAt, afterId: after.id }),
      ...(after && undatedLast && { afterDated: Number(!after.isUndated) }),
      ...(before !== undefined && { before }),
    })
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
        `${listQuery('e.published_at / 900000 AS quarter, count(*) AS count, sum(e.duration) AS seconds', filter, viewer)}
          GROUP BY quarter`,
      )
      .all(timelineParameters(filter, viewer)),

  /** Newest first. */
  idsFor: (viewer: Viewer, filter: TimelineFilter, limit: number) =>
    db
      .query<{ id: number }, Record<string, number>>(
        `${listQuery('e.id', filter, viewer)} ORDER BY e.published_at DESC, e.id DESC LIMIT $limit`,
      )
      .all({ ...timelineParameters(filter, viewer), limit })
      .map(row => row.id),
})
