import type { Database } from 'bun:sqlite'

/** Condition on episodes `e`: the user `$userId` did not remove them from what is to be continued. */
export const notHidden =
  'NOT EXISTS (SELECT 1 FROM playback_hidden x WHERE x.user_id = $userId AND x.episode_id = e.id)'

/** Column `hidden` of an episode `e`, for the user `$userId`. */
export const hiddenColumn =
  'EXISTS (SELECT 1 FROM playback_hidden x WHERE x.user_id = $userId AND x.episode_id = e.id) AS hidden'

/** Episodes that users do not want to continue; a trigger removes the row when the position changes. */
export const playbackHiddenStore = (db: Database) => ({
  /** False if it was hidden already, or never played. */
  add: (userId: number, episodeId: number, now: number): boolean =>
    db
      .query(
        `INSERT INTO playback_hidden (user_id, episode_id, at)
         SELECT user_id, episode_id, max(?, updated_at) FROM playback
          WHERE user_id = ? AND episode_id = ? AND played = 1
             ON CONFLICT DO NOTHING`,
      )
      .run(now, userId, episodeId).changes > 0,
  /** False if it was not hidden. */
  remove: (userId: number, episodeId: number): boolean =>
    db.query('DELETE FROM playback_hidden WHERE user_id = ? AND episode_id = ?').run(userId, episodeId).changes > 0,
})
