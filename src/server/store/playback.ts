import type { Database } from 'bun:sqlite'
import { episodeForUser, type EpisodeForUser } from './episodes'
import { visibleEpisode, type Viewer } from './users'

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

  /** Marks all episodes of a podcast, or those up to and including `until`; answers how many changed. */
  markAll(viewer: Viewer, podcastId: number, finished: boolean, until: number | null, now: number): number {
    return db
      .query<{ episode_id: number }, Record<string, number | null>>(
        `INSERT INTO playback (user_id, episode_id, podcast_id, position, total, finished, device, updated_at)
         SELECT $userId, e.id, e.podcast_id, iif($finished, e.duration, 0), nullif(e.duration, 0), $finished, 'webview', $now
           FROM episode e JOIN podcast p ON p.id = e.podcast_id LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id
          WHERE e.podcast_id = $podcastId AND ${visibleEpisode(viewer)} AND coalesce(h.finished, 0) <> $finished
            AND ($until IS NULL OR e.published_at <= $until)
             ON CONFLICT DO UPDATE
            SET position = excluded.position, finished = excluded.finished, device = excluded.device,
                total = coalesce(excluded.total, total), updated_at = excluded.updated_at
      RETURNING episode_id`,
      )
      .all({ userId: viewer.id, podcastId, finished: Number(finished), until, now }).length
  },

  /** What the user played last, newest first. */
  listRecent: (viewer: Viewer, limit: number, includeFinished: boolean) =>
    db
      .query<EpisodeForUser, { userId: number; limit: number }>(
        `${episodeForUser}
          WHERE h.played = 1 ${includeFinished ? '' : 'AND h.finished = 0'} AND ${visibleEpisode(viewer)}
          ORDER BY h.updated_at DESC LIMIT $limit`,
      )
      .all({ userId: viewer.id, limit }),
})
