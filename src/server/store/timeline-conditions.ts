import { visibleEpisode, type Viewer } from './visibility'

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
