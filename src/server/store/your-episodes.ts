import type { Database } from 'bun:sqlite'
import type { YourCounts } from '../../shared/api/episode'
import type { YourList } from '../../shared/choices'
import { coverJoins, episodeForUserColumns, type EpisodeForUser, type ListStart } from './episodes'
import { visibleEpisode, type Viewer } from './visibility'

/**
 * An episode in a list of its user; `listed_at` (milliseconds) and `listed_id` are its place, `bookmark_…` its
 * bookmark.
 */
export type YourEpisodeRow = EpisodeForUser & {
  listed_at: number
  listed_id: number
  bookmark_uuid: string | null
  bookmark_time: number | null
  bookmark_note: string | null
}

type Source = {
  /** Tables in the order in which they are read: an index of the first one has the order of the list. */
  from: string
  condition: string
  at: string
  id: string
  /** An index whose order is by `id` alone. */
  isById?: boolean
}

const podcast = 'CROSS JOIN podcast p ON p.id = e.podcast_id'
const played = 'LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id'
const begun = `playback h CROSS JOIN episode e ON e.id = h.episode_id ${podcast}`

const sources: Record<YourList, Source> = {
  liked: {
    from: `episode_like l CROSS JOIN episode e ON e.id = l.episode_id ${podcast} ${played}`,
    condition: 'l.user_id = $userId',
    at: 'l.created_at',
    id: 'l.episode_id',
  },
  bookmarked: {
    from: `bookmark b CROSS JOIN episode e ON e.id = b.episode_id ${podcast} ${played}`,
    condition: 'b.user_id = $userId',
    at: 'b.created_at',
    id: 'b.id',
    isById: true,
  },
  'in-progress': {
    from: begun,
    condition: 'h.user_id = $userId AND h.played = 1 AND h.finished = 0',
    at: 'h.updated_at',
    id: 'h.episode_id',
  },
  downloaded: {
    from: `episode e INDEXED BY episode_on_server ${podcast} ${played}`,
    condition: 'e.file_path IS NOT NULL',
    at: 'e.downloaded_at',
    id: 'e.id',
  },
  history: {
    from: begun,
    condition: 'h.user_id = $userId AND h.played = 1',
    at: 'h.updated_at',
    id: 'h.episode_id',
  },
}

const orderOf = ({ at, id, isById }: Source) => (isById ? `${id} DESC` : `${at} DESC, ${id} DESC`)

const MAX_COUNTED = 10_000

function pageQuery(list: YourList, viewer: Viewer, hasStart: boolean): string {
  const { from, condition, at, id, isById } = sources[list]
  const beyond = isById ? `${id} < $afterId` : `(${at}, ${id}) < ($afterDate, $afterId)`
  const bookmark =
    list === 'bookmarked'
      ? 'b.uuid AS bookmark_uuid, b.time AS bookmark_time, b.note AS bookmark_note'
      : 'NULL AS bookmark_uuid, NULL AS bookmark_time, NULL AS bookmark_note'
  return `SELECT ${episodeForUserColumns}, ${at} AS listed_at, ${id} AS listed_id, ${bookmark}
            FROM ${from} ${coverJoins}
           WHERE ${condition} AND ${visibleEpisode(viewer)} ${hasStart ? `AND ${beyond}` : ''}
           ORDER BY ${orderOf(sources[list])} LIMIT $limit OFFSET $offset`
}

/** Lists of a user's own episodes: liked, bookmarked, in progress, downloaded and played, each the latest first. */
export const yourEpisodeStore = (db: Database) => ({
  pageFor: (viewer: Viewer, list: YourList, { after, offset = 0 }: ListStart, limit: number) =>
    db.query<YourEpisodeRow, Record<string, number>>(pageQuery(list, viewer, after !== undefined)).all({
      userId: viewer.id,
      limit,
      offset,
      ...(after && { ...(!sources[list].isById && { afterDate: after.publishedAt }), afterId: after.id }),
    }),

  /** The episodes of a list; in `bookmarked`, an episode appears once for each of its bookmarks. */
  idsFor(viewer: Viewer, list: YourList, limit: number): number[] {
    const { from, condition } = sources[list]
    return db
      .query<{ id: number }, Record<string, number>>(
        `SELECT e.id FROM ${from} WHERE ${condition} AND ${visibleEpisode(viewer)}
          ORDER BY ${orderOf(sources[list])} LIMIT $limit`,
      )
      .all({ userId: viewer.id, limit })
      .map(row => row.id)
  },

  /** Sums a list up by quarters of an hour, in which every time zone begins its days; the latest first. */
  quartersFor(viewer: Viewer, list: YourList) {
    const { from, condition, at } = sources[list]
    return db
      .query<{ quarter: number; count: number }, Record<string, number>>(
        `SELECT ${at} / 900000 AS quarter, count(*) AS count FROM ${from}
          WHERE ${condition} AND ${visibleEpisode(viewer)} GROUP BY quarter ORDER BY quarter DESC`,
      )
      .all({ userId: viewer.id })
  },

  countsFor(viewer: Viewer): YourCounts {
    const count = (list: YourList) => {
      const { from, condition } = sources[list]
      return db
        .query<{ total: number }, Record<string, number>>(
          `SELECT count(*) AS total FROM (
             SELECT 1 FROM ${from} WHERE ${condition} AND ${visibleEpisode(viewer)} LIMIT ${MAX_COUNTED})`,
        )
        .get({ userId: viewer.id })!.total
    }
    return {
      liked: count('liked'),
      bookmarked: count('bookmarked'),
      'in-progress': count('in-progress'),
      downloaded: count('downloaded'),
    }
  },
})
