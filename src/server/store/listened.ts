import type { Database } from 'bun:sqlite'
import { type Viewer, visibleEpisode } from './visibility'

/**
 * Seconds that a user played of an episode within an hour; `hour` counts from 1970. `saved`, `trimmed`: those of them
 * that took no time, because of a higher speed and because silence was trimmed; null = not measured.
 */
export type ListenedRow = {
  hour: number
  episode_id: number
  podcast_id: number
  seconds: number
  saved: number | null
  trimmed: number | null
}

/** Seconds that took no time. */
export type Skipped = Pick<ListenedRow, 'saved' | 'trimmed'>
const unmeasured: Skipped = { saved: null, trimmed: null }

/** Statistics of what users played, by the hour. */
export const listenedStore = (db: Database) => ({
  add(
    userId: number,
    hour: number,
    episodeId: number,
    podcastId: number,
    seconds: number,
    skipped: Skipped = unmeasured,
  ) {
    db.query(
      `INSERT INTO listened (user_id, hour, episode_id, podcast_id, seconds, saved, trimmed) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET seconds = seconds + excluded.seconds,
                                     saved = coalesce(saved + excluded.saved, saved, excluded.saved),
                                     trimmed = coalesce(trimmed + excluded.trimmed, trimmed, excluded.trimmed)`,
    ).run(userId, hour, episodeId, podcastId, seconds, skipped.saved, skipped.trimmed)
  },
  /** Raises what is known of an hour, each number for itself; false if none is more than before. */
  raise: (userId: number, hour: number, episodeId: number, podcastId: number, seconds: number, skipped = unmeasured) =>
    db
      .query(
        `INSERT INTO listened (user_id, hour, episode_id, podcast_id, seconds, saved, trimmed) VALUES (?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT DO UPDATE SET
               seconds = max(seconds, excluded.seconds),
               saved = coalesce(max(saved, excluded.saved), saved, excluded.saved),
               trimmed = coalesce(max(trimmed, excluded.trimmed), trimmed, excluded.trimmed)
             WHERE seconds < excluded.seconds OR ifnull(saved, -1) < excluded.saved OR ifnull(trimmed, -1) < excluded.trimmed`,
      )
      .run(userId, hour, episodeId, podcastId, seconds, skipped.saved, skipped.trimmed).changes > 0,
  /** Numbers of one hour; null = none. */
  find: (userId: number, hour: number, episodeId: number) =>
    db
      .query<Pick<ListenedRow, 'seconds' | 'saved' | 'trimmed'>, [number, number, number]>(
        'SELECT seconds, saved, trimmed FROM listened WHERE user_id = ? AND hour = ? AND episode_id = ?',
      )
      .get(userId, hour, episodeId),
  /** Both hours included. */
  listFor: (viewer: Viewer, fromHour: number, toHour: number) =>
    db
      .query<ListenedRow, [number, number, number]>(
        `SELECT l.hour, l.episode_id, l.podcast_id, l.seconds, l.saved, l.trimmed
           FROM listened l JOIN episode e ON e.id = l.episode_id JOIN podcast p ON p.id = l.podcast_id
          WHERE l.user_id = ? AND l.hour BETWEEN ? AND ? AND ${visibleEpisode(viewer)}`,
      )
      .all(viewer.id, fromHour, toHour),
  mediaByPodcast: (viewer: Viewer, limit: number) =>
    db
      .query<{ uuid: string; title: string; bytes: number; files: number }, [number]>(
        `SELECT p.uuid, p.title, sum(coalesce(e.file_size, 0)) AS bytes, count(*) AS files
           FROM episode e JOIN podcast p ON p.id = e.podcast_id
          WHERE e.file_path IS NOT NULL AND ${visibleEpisode(viewer)}
          GROUP BY p.id ORDER BY bytes DESC LIMIT ?`,
      )
      .all(limit),
  media: () =>
    db
      .query<{ bytes: number | null; files: number }, []>(
        'SELECT sum(file_bytes) AS bytes, coalesce(sum(file_count), 0) AS files FROM podcast',
      )
      .get()!,
})
