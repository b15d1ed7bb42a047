import type { Database } from 'bun:sqlite'
import { selectEpisodeForUser, type EpisodeForUser } from './episodes'
import { visibleEpisode, type Viewer } from './visibility'

/** A user's position in an episode; seconds, but `updated_at` in milliseconds. */
export type PlaybackRow = {
  user_id: number
  episode_id: number
  podcast_id: number
  started: number | null
  position: number
  total: number | null
  finished: number
  device: string
  updated_at: number
}

/** Positions of users in episodes. */
export const playbackStore = (db: Database) => ({
  find: (userId: number, episodeId: number) =>
    db
      .query<PlaybackRow, [number, number]>('SELECT * FROM playback WHERE user_id = ? AND episode_id = ?')
      .get(userId, episodeId),

  finishedAmong: (userId: number, episodeIds: readonly number[]) =>
    db
      .query<{ episode_id: number }, [number, string]>(
        `SELECT episode_id FROM playback
          WHERE user_id = ? AND finished = 1 AND episode_id IN (SELECT value FROM json_each(?))`,
      )
      .all(userId, JSON.stringify(episodeIds))
      .map(row => row.episode_id),

  save(row: PlaybackRow) {
    db.query<null, PlaybackRow>(
      `INSERT INTO playback (user_id, episode_id, podcast_id, started, position, total, finished, device, updated_at)
       VALUES ($user_id, $episode_id, $podcast_id, $started, $position, $total, $finished, $device, $updated_at)
       ON CONFLICT DO UPDATE
          SET started = $started, position = $position, total = $total, finished = $finished,
              device = $device, updated_at = $updated_at`,
    ).run(row)
  },

  /** Latest moment at which a user's position in a podcast changed; 0 = never. */
  latestOf: (userId: number, podcastId: number) =>
    db
      .query<{ at: number | null }, [number, number]>(
        'SELECT max(updated_at) AS at FROM playback WHERE user_id = ? AND podcast_id = ?',
      )
      .get(userId, podcastId)!.at ?? 0,
  /** Latest moment at which a user played anything or marked it as played; 0 = never. */
  latestOfAll: (userId: number) =>
    db
      .query<{ at: number | null }, [number]>(
        'SELECT max(updated_at) AS at FROM playback WHERE user_id = ? AND played = 1',
      )
      .get(userId)!.at ?? 0,
  /** Episodes that a user played, the latest first. */
  listRecent: (viewer: Viewer, limit: number, includeFinished: boolean) =>
    db
      .query<EpisodeForUser, { userId: number; limit: number }>(
        `${selectEpisodeForUser}
          WHERE h.played = 1 ${includeFinished ? '' : 'AND h.finished = 0'} AND ${visibleEpisode(viewer)}
          ORDER BY h.updated_at DESC LIMIT $limit`,
      )
      .all({ userId: viewer.id, limit }),
})
