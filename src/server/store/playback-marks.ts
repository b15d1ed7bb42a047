import type { Database } from 'bun:sqlite'
import { visibleEpisode, type Viewer } from './visibility'

type Marking = {
  finished: boolean
  /** Names the marking, to undo it. */
  mark: string
  now: number
}

/** An episode whose mark changed. */
export type Marked = { episode_id: number; podcast_id: number }

/** Marks many episodes as played or not, and undoes that. */
export const playbackMarks = (db: Database) => ({
  /**
   * Ids of the episodes of a podcast that `finished` would change, up to a publication date in milliseconds (null =
   * all).
   */
  idsToMark: (viewer: Viewer, podcastId: number, until: number | null, finished: boolean): number[] =>
    db
      .query<{ id: number }, Record<string, number | null>>(
        `SELECT e.id FROM episode e JOIN podcast p ON p.id = e.podcast_id
           LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id
          WHERE e.podcast_id = $podcastId AND ${visibleEpisode(viewer)}
            AND ($until IS NULL OR e.published_at <= $until) AND coalesce(h.finished, 0) <> $finished`,
      )
      .all({ userId: viewer.id, podcastId, until, finished: Number(finished) })
      .map(({ id }) => id),
  /** Marks these episodes, which the user may see, and keeps what they were before. Returns the changed ones. */
  markEpisodes(userId: number, episodeIds: readonly number[], { finished, mark, now }: Marking): Marked[] {
    const parameters = { userId, ids: JSON.stringify(episodeIds), finished: Number(finished), now }
    db.query<null, Record<string, string | number>>(
      `INSERT INTO marked_before (user_id, episode_id, mark, marked_at, position, finished)
       SELECT $userId, e.id, $mark, $now, coalesce(h.position, 0), coalesce(h.finished, 0) ${concerned}`,
    ).run({ ...parameters, mark })
    return db
      .query<Marked, Record<string, string | number>>(
        `INSERT INTO playback (user_id, episode_id, podcast_id, position, total, finished, device, updated_at)
         SELECT $userId, e.id, e.podcast_id, iif($finished, e.duration, 0), nullif(e.duration, 0), $finished, 'webview', $now
         ${concerned}
             ON CONFLICT DO UPDATE
            SET position = excluded.position, finished = excluded.finished, device = excluded.device,
                total = coalesce(excluded.total, total), updated_at = excluded.updated_at
      RETURNING episode_id, podcast_id`,
      )
      .all(parameters)
  },
  /**
   * Undoes up to `most` episodes of a marking, except those that were played since. `restored`: the changed ones;
   * `count`: those that the marking is forgotten of, 0 = all of it is undone.
   */
  unmark(userId: number, mark: string, now: number, most: number): { restored: Marked[]; count: number } {
    const ids = db
      .query<{ id: number }, [number, string, number]>(
        'SELECT episode_id AS id FROM marked_before WHERE user_id = ? AND mark = ? LIMIT ?',
      )
      .all(userId, mark, most)
      .map(({ id }) => id)
    const some = JSON.stringify(ids)
    const restored = db
      .query<Marked, Record<string, string | number>>(
        `UPDATE playback
            SET position = b.position, finished = b.finished, updated_at = max($now, b.marked_at)
           FROM marked_before b
          WHERE b.user_id = $userId AND b.episode_id IN (SELECT value FROM json_each($some))
            AND playback.user_id = $userId AND playback.episode_id = b.episode_id AND playback.updated_at = b.marked_at
      RETURNING playback.episode_id, playback.podcast_id`,
      )
      .all({ userId, some, now })
    const count = db
      .query('DELETE FROM marked_before WHERE user_id = ? AND episode_id IN (SELECT value FROM json_each(?))')
      .run(userId, some).changes
    return { restored, count }
  },
  /** Forgets up to `most` episodes of a user's last marking; returns their number. */
  forgetMarksOf: (userId: number, most: number): number =>
    db
      .query(
        `DELETE FROM marked_before WHERE (user_id, episode_id) IN (
           SELECT user_id, episode_id FROM marked_before WHERE user_id = ? LIMIT ?)`,
      )
      .run(userId, most).changes,
  /** The same for what everybody marked before a moment. */
  forgetMarks: (before: number, most: number): number =>
    db
      .query(
        `DELETE FROM marked_before WHERE (user_id, episode_id) IN (
           SELECT user_id, episode_id FROM marked_before WHERE marked_at < ? LIMIT ?)`,
      )
      .run(before, most).changes,
})

const concerned = `
        FROM episode e LEFT JOIN playback h ON h.user_id = $userId AND h.episode_id = e.id
       WHERE e.id IN (SELECT value FROM json_each($ids)) AND coalesce(h.finished, 0) <> $finished`
