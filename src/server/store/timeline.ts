import type { Database } from 'bun:sqlite'
import { selectEpisodeForUser, type EpisodeForUser, type Position } from './episodes'
import { visibleEpisode, visiblePodcast, type Viewer } from './visibility'

type TimelineFilter = {
  favouritesOnly: boolean
  likedOnly: boolean
  unplayedOnly: boolean
  downloadedOnly?: boolean
  /** Limits to podcasts with this tag, by its row. */
  tagId?: number
  after?: Position | undefined
  before?: number | undefined
}

/** Query for a page of the timeline: episodes of all podcasts, newest first. */
export function timelineQuery(
  { favouritesOnly, likedOnly, unplayedOnly, downloadedOnly, tagId, after, before }: TimelineFilter,
  viewer: Viewer,
): string {
  const conditions = [
    visibleEpisode(viewer),
    favouritesOnly && 'EXISTS (SELECT 1 FROM favourite f WHERE f.user_id = $userId AND f.podcast_id = e.podcast_id)',
    likedOnly && 'EXISTS (SELECT 1 FROM episode_like l WHERE l.user_id = $userId AND l.episode_id = e.id)',
    unplayedOnly && 'coalesce(h.played, 0) = 0',
    downloadedOnly && 'e.file_path IS NOT NULL',
    tagId !== undefined &&
      'EXISTS (SELECT 1 FROM podcast_tag t WHERE t.tag_id = $tagId AND t.podcast_id = e.podcast_id)',
    after && '(e.published_at, e.id) < ($afterDate, $afterId)',
    before !== undefined && 'e.published_at < $before',
  ].filter(Boolean)
  return `${selectEpisodeForUser} WHERE ${conditions.join(' AND ')}
          ORDER BY e.published_at DESC, e.id DESC LIMIT $limit`
}

function countQuery({ favouritesOnly, likedOnly, unplayedOnly }: TimelineFilter, viewer: Viewer): string {
  const wanted = `${visiblePodcast(viewer)} ${
    favouritesOnly ? 'AND p.id IN (SELECT podcast_id FROM favourite WHERE user_id = $userId)' : ''
  }`
  const unplayed = unplayedOnly ? 'AND coalesce(h.played, 0) = 0' : ''
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
  pageFor(viewer: Viewer, filter: TimelineFilter, limit: number): EpisodeForUser[] {
    return db.query<EpisodeForUser, Record<string, number>>(timelineQuery(filter, viewer)).all({
      userId: viewer.id,
      limit,
      ...(filter.after && { afterDate: filter.after.publishedAt, afterId: filter.after.id }),
      ...(filter.before !== undefined && { before: filter.before }),
      ...(filter.tagId !== undefined && { tagId: filter.tagId }),
    })
  },

  /** Number of episodes that match a filter, from stored counters; only likes, which are few, are counted. */
  countFor(viewer: Viewer, filter: TimelineFilter): number {
    return db.query<{ total: number }, { userId: number }>(countQuery(filter, viewer)).get({ userId: viewer.id })!.total
  },
})
