import type { Database } from 'bun:sqlite'
import { episodeForUser, type EpisodeForUser } from './episodes'
import { visibleEpisode, type Viewer } from './visibility'

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

export type MarkAll = {
  podcastId: number
  finished: boolean
  /** Milliseconds; null = all. */
  until: number | null
  mark: string
  now: number
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

  /**
   * Marks all episodes of a podcast, or those up to and including `until`; answers how many changed. What they were is
   * kept under `mark`, in place of what was kept before.
   */
  markAll(viewer: Viewer, { podcastId, finished, until, mark, now }: MarkAll): number {
    const parameters = { userId: viewer.id, podcastId, finished: Number(finished), until }
    const concerned = `
        FROM episode e JOIN podcast p ON p.id = e.podcast_id LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id
       WHERE e.podcast_id = $podcastId AND ${visibleEpisode(viewer)} AND coalesce(h.finished, 0) <> $finished
         AND ($until IS NULL OR e.published_at <= $until)`
    db.query('DELETE FROM marked_before WHERE user_id = ?').run(viewer.id)
    db.query<null, Record<string, string | number | null>>(
      `INSERT INTO marked_before (user_id, episode_id, mark, marked_at, position, finished)
       SELECT $userId, e.id, $mark, $now, coalesce(h.position, 0), coalesce(h.finished, 0) ${concerned}`,
    ).run({ ...parameters, mark, now })
    return db
      .query<{ episode_id: number }, Record<string, number | null>>(
        `INSERT INTO playback (user_id, episode_id, podcast_id, position, total, finished, device, updated_at)
         SELECT $userId, e.id, e.podcast_id, iif($finished, e.duration, 0), nullif(e.duration, 0), $finished, 'webview', $now
         ${concerned}
             ON CONFLICT DO UPDATE
            SET position = excluded.position, finished = excluded.finished, device = excluded.device,
                total = coalesce(excluded.total, total), updated_at = excluded.updated_at
      RETURNING episode_id`,
      )
      .all({ ...parameters, now }).length
  },
  /** Takes a marking back where nothing was heard since; answers how many changed. */
  unmark(userId: number, mark: string, now: number): number {
    const restored = db
      .query<{ episode_id: number }, Record<string, string | number>>(
        `UPDATE playback
            SET position = b.position, finished = b.finished, updated_at = $now
           FROM marked_before b
          WHERE b.user_id = $userId AND b.mark = $mark AND playback.user_id = $userId
            AND playback.episode_id = b.episode_id AND playback.updated_at = b.marked_at
      RETURNING playback.episode_id`,
      )
      .all({ userId, mark, now })
    db.query('DELETE FROM marked_before WHERE user_id = ? AND mark = ?').run(userId, mark)
    return restored.length
  },
  /** When a user was last heard of in a podcast; 0 = never. */
  latestOf: (userId: number, podcastId: number) =>
    db
      .query<{ at: number | null }, [number, number]>(
        'SELECT max(updated_at) AS at FROM playback WHERE user_id = ? AND podcast_id = ?',
      )
      .get(userId, podcastId)!.at ?? 0,
  /** Episodes of a podcast whose position was set at this moment. */
  changedAt: (userId: number, podcastId: number, at: number) =>
    db
      .query<{ episode_id: number }, [number, number, number]>(
        'SELECT episode_id FROM playback WHERE user_id = ? AND podcast_id = ? AND updated_at = ?',
      )
      .all(userId, podcastId, at)
      .map(row => row.episode_id),
  forgetMarks(before: number) {
    db.query('DELETE FROM marked_before WHERE marked_at < ?').run(before)
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
