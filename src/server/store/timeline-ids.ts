import type { Database } from 'bun:sqlite'
import { playedJoins, type Position } from './episodes'
import { timelineConditions, timelineParameters, type TimelineFilter } from './timeline-conditions'
import { visiblePodcast, type Viewer } from './visibility'

export type PageFilter = TimelineFilter & {
  after?: Position | undefined
  /** Milliseconds, excluded. */
  before?: number | undefined
  /** Puts the episodes without a date behind all others. */
  undatedLast?: boolean
}

/** So many podcasts are asked one by one unless they are most of the library. */
const FEW_PODCASTS = 20

/**
 * Finds the episodes of a page of the timeline where a filter leaves few of the library: in the liked episodes, or in
 * the newest of each podcast that has any. Reading the whole timeline by date would pass by all the others first.
 */
export function idsOfFew(db: Database, viewer: Viewer, filter: PageFilter, limit: number): number[] | null {
  const ids = (source: string) =>
    db
      .query<{ id: number }, Record<string, number>>(
        `SELECT e.id FROM ${source} ORDER BY ${pageOrder(filter)} LIMIT $limit`,
      )
      .all(pageParameters(viewer, filter, limit))
      .map(row => row.id)
  if (filter.likedOnly) return ids(likedEpisodes(viewer, filter))
  return leavesFew(db, viewer, filter) ? ids(newestByPodcast(viewer, filter)) : null
}

export const pageOrder = ({ undatedLast }: PageFilter) =>
  `${undatedLast ? 'e.dated DESC, ' : ''}e.published_at DESC, e.id DESC`

/** Conditions on an episode `e`, as `timelineConditions`, and on its place in the list. */
export function pageConditions(viewer: Viewer, { after, before, ...filter }: PageFilter): string {
  const place = filter.undatedLast
    ? '(e.dated, e.published_at, e.id) < ($afterDated, $afterDate, $afterId)'
    : '(e.published_at, e.id) < ($afterDate, $afterId)'
  return [timelineConditions(filter, viewer), after && place, before !== undefined && 'e.published_at < $before']
    .filter(Boolean)
    .join(' AND ')
}

export const pageParameters = (viewer: Viewer, filter: PageFilter, limit: number): Record<string, number> => ({
  ...timelineParameters(filter, viewer),
  limit,
  ...(filter.after && { afterDate: filter.after.publishedAt, afterId: filter.after.id }),
  ...(filter.after && filter.undatedLast && { afterDated: Number(!filter.after.isUndated) }),
  ...(filter.before !== undefined && { before: filter.before }),
})

const likedEpisodes = (viewer: Viewer, filter: PageFilter) =>
  `episode_like l CROSS JOIN episode e ON e.id = l.episode_id ${playedJoins}
   WHERE l.user_id = $userId AND ${pageConditions(viewer, filter)}`

/** The podcasts that have what is wanted, with the newest of each; those without a date apart, as each has an index. */
function newestByPodcast(viewer: Viewer, filter: PageFilter): string {
  const newest = (only: string) =>
    `SELECT * FROM (SELECT e.id FROM episode e ${playedJoins}
       WHERE e.podcast_id = w.id AND ${pageConditions(viewer, filter)} ${only}
       ORDER BY e.published_at DESC, e.id DESC LIMIT $limit)`
  const wanted = filter.undatedLast ? `${newest('AND e.dated = 1')} UNION ALL ${newest('AND e.dated = 0')}` : newest('')
  return `(SELECT p.id FROM ${wantedPodcasts(viewer, filter)}) w CROSS JOIN episode e ON e.id IN (${wanted})`
}

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
