import type { Database } from 'bun:sqlite'
import { visibleEpisode, type Viewer } from './visibility'

type MarkAll = {
  podcastId: number
  finished: boolean
  /** Latest publication date to be marked, in milliseconds; null = all. */
  until: number | null
  /** Names the marking, to undo it. */
  mark: string
  now: number
}

/** Marks all episodes of a podcast as played or not, and undoes that. */
export const playbackMarks = (db: Database) => ({
  /** Answers the number of changed episodes. Keeps what they were before, and forgets that of the last marking. */
  markAll(viewer: Viewer, { podcastId, finished, until, mark, now }: MarkAll): number {
    const parameters = { userId: viewer.id, podcastId, finished: Number(finished), until }
    const concerned = `
        FROM episode e JOIN podcast p ON p.id = e.podcast_id
        LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id
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
  /** Undoes a marking, except for episodes that were played since; answers the number of changed episodes. */
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
})
