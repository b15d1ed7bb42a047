import type { Database } from 'bun:sqlite'
import { playedJoins, selectEpisodeForUser, type EpisodeForUser } from './episodes'
import { timelineConditions, timelineParameters, type TimelineFilter } from './timeline-conditions'
import { idsOfFew, pageConditions, pageOrder, pageParameters, type PageFilter } from './timeline-ids'
import { visibleEpisode, visiblePodcast, type Viewer } from './visibility'

/** Number of episodes and their seconds within an hour's quarter, which is counted from 1970. */
type TimelineQuarter = { quarter: number; count: number; seconds: number }

/** The most that is counted where no stored counter helps. */
const MOST_COUNTED = 10_000

/** Query for a page of the timeline: episodes of all podcasts, newest first. */
export const timelineQuery = (filter: PageFilter, viewer: Viewer): string =>
  `${selectEpisodeForUser} WHERE ${pageConditions(viewer, filter)} ORDER BY ${pageOrder(filter)} LIMIT $limit`

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
        `${listQuery('e.published_at / 900000 AS quarter, count(*) AS count, sum(e.duration) AS seconds', filter, viewer)}
          GROUP BY quarter`,
      )
      .all(timelineParameters(filter, viewer)),

  /** Newest first. */
  idsFor: (viewer: Viewer, filter: Omit<PageFilter, 'after' | 'before'>, limit: number): number[] =>
    idsOfFew(db, viewer, filter, limit) ??
    db
      .query<{ id: number }, Record<string, number>>(
        `${listQuery('e.id', filter, viewer)} ORDER BY ${pageOrder(filter)} LIMIT $limit`,
      )
      .all(pageParameters(viewer, filter, limit))
      .map(row => row.id),
})
