import type { Database } from 'bun:sqlite'
import { selectEpisodeForUser, type EpisodeColumns, type EpisodeForUser } from './episodes'
import { visibleEpisode, type Viewer } from './visibility'

type EpisodePlace = Pick<EpisodeColumns, 'podcast_id' | 'published_at' | 'id'>

/** The single episodes and the counts that the page of a podcast leads with. */
export function podcastOverview(db: Database) {
  const findFirst = (viewer: Viewer, podcastId: number, rest: string) =>
    db
      .query<EpisodeForUser, { userId: number; podcastId: number }>(
        `${selectEpisodeForUser} WHERE ${playable} AND ${visibleEpisode(viewer)} AND ${rest} LIMIT 1`,
      )
      .get({ userId: viewer.id, podcastId })
  const findOne = (viewer: Viewer, podcastId: number, rest: string) =>
    findFirst(viewer, podcastId, `e.podcast_id = $podcastId ${rest}`)
  /** Begins with the user's positions, by their index. */
  const findPlayed = (viewer: Viewer, podcastId: number, rest: string) =>
    findFirst(viewer, podcastId, `h.podcast_id = $podcastId AND ${rest}`)

  return {
    /** The episode that the user began last and has not finished. */
    findBegun: (viewer: Viewer, podcastId: number) =>
      findPlayed(viewer, podcastId, 'h.finished = 0 AND h.position > 0 ORDER BY h.updated_at DESC'),
    /** The episode that the user finished longest ago. */
    findLongPast: (viewer: Viewer, podcastId: number) =>
      findPlayed(viewer, podcastId, 'h.finished = 1 ORDER BY h.updated_at'),
    /** The first episode in order that the user has not finished; trailers are no parts. */
    findNextPart: (viewer: Viewer, podcastId: number) =>
      findOne(viewer, podcastId, `AND e.type <> 'trailer' AND ${unfinished} ORDER BY e.published_at, e.id`),
    /** The episode that comes after another one by date, in a serial even if it was played; trailers are no parts. */
    findFollowing: (viewer: Viewer, { podcast_id, published_at, id }: EpisodePlace, isSerial: boolean) =>
      db
        .query<EpisodeForUser, { userId: number; podcastId: number; at: number; id: number }>(
          `${selectEpisodeForUser}
            WHERE ${playable} AND ${visibleEpisode(viewer)} AND e.podcast_id = $podcastId
              AND (e.published_at, e.id) > ($at, $id) AND ${isSerial ? "e.type <> 'trailer'" : unfinished}
            ORDER BY e.published_at, e.id LIMIT 1`,
        )
        .get({ userId: viewer.id, podcastId: podcast_id, at: published_at, id }),
    findNewest: (viewer: Viewer, podcastId: number) =>
      findOne(viewer, podcastId, 'ORDER BY e.published_at DESC, e.id DESC'),
    findNewestUnfinished: (viewer: Viewer, podcastId: number) =>
      findOne(viewer, podcastId, `AND ${unfinished} ORDER BY e.published_at DESC, e.id DESC`),
    countDownloaded: (viewer: Viewer, podcastId: number) =>
      db
        .query<{ total: number }, [number]>(
          `SELECT count(*) AS total FROM episode e JOIN podcast p ON p.id = e.podcast_id
            WHERE e.podcast_id = ? AND e.file_path IS NOT NULL AND ${visibleEpisode(viewer)}`,
        )
        .get(podcastId)!.total,
    countLiked: (viewer: Viewer, podcastId: number) =>
      db
        .query<{ total: number }, [number, number]>(
          `SELECT count(*) AS total
             FROM episode_like k JOIN episode e ON e.id = k.episode_id JOIN podcast p ON p.id = e.podcast_id
            WHERE k.user_id = ? AND e.podcast_id = ? AND ${visibleEpisode(viewer)}`,
        )
        .get(viewer.id, podcastId)!.total,
  }
}

/** Condition on episodes `e`: their address still holds them, or their file is here. */
const playable = '(e.superseded = 0 OR e.file_path IS NOT NULL)'
const unfinished = 'coalesce(h.finished, 0) = 0'
