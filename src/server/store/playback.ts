import type { Database } from 'bun:sqlite'
import { selectEpisodeForUser, type EpisodeForUser } from './episodes'
import { hiddenColumn, notHidden } from './playback-hidden'
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

/** A position with the identifiers of its episode and podcast; seconds, but `updated_at` in milliseconds. */
export type ProgressRow = Pick<PlaybackRow, 'position' | 'total' | 'finished' | 'updated_at'> & {
  episode: string
  podcast: string
  /** The length of the episode by its feed or file; 0 = unknown. */
  duration: number
  /** Removed from what is to be continued. */
  hidden: number
}

const selectProgress = `
  SELECT h.position, h.total, h.finished, h.updated_at, e.uuid AS episode, p.uuid AS podcast, e.duration, ${hiddenColumn}
    FROM playback h JOIN episode e ON e.id = h.episode_id JOIN podcast p ON p.id = e.podcast_id`

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
  /** Everything that a user has begun or finished, the latest first. */
  listProgress: (viewer: Viewer) =>
    db
      .query<ProgressRow, { userId: number }>(
        `${selectProgress}
          WHERE h.user_id = $userId AND h.played = 1 AND ${visibleEpisode(viewer)} ORDER BY h.updated_at DESC`,
      )
      .all({ userId: viewer.id }),
  /** The position of a user in an episode that was begun or finished. */
  findProgress: (viewer: Viewer, episodeUuid: string) =>
    db
      .query<ProgressRow, { userId: number; uuid: string }>(
        `${selectProgress}
          WHERE h.user_id = $userId AND h.played = 1 AND e.uuid = $uuid AND ${visibleEpisode(viewer)}`,
      )
      .get({ userId: viewer.id, uuid: episodeUuid }),
  /** The position of a user in the episode of a podcast that was played last. */
  latestProgressOf: (viewer: Viewer, podcastId: number) =>
    db
      .query<ProgressRow, { userId: number; podcastId: number }>(
        `${selectProgress}
          WHERE h.user_id = $userId AND h.podcast_id = $podcastId AND h.played = 1 AND ${visibleEpisode(viewer)}
          ORDER BY h.updated_at DESC LIMIT 1`,
      )
      .get({ userId: viewer.id, podcastId }),
  /** Episodes that a user played, the latest first; those to continue without the ones removed from the list. */
  listRecent: (viewer: Viewer, limit: number, includeFinished: boolean) =>
    db
      .query<EpisodeForUser, { userId: number; limit: number }>(
        `${selectEpisodeForUser}
          WHERE h.played = 1 ${includeFinished ? '' : `AND h.finished = 0 AND ${notHidden}`} AND ${visibleEpisode(viewer)}
          ORDER BY h.updated_at DESC LIMIT $limit`,
      )
      .all({ userId: viewer.id, limit }),
})
