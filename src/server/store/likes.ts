import type { Database } from 'bun:sqlite'

/** Episodes that users like. */
export const episodeLikes = (db: Database) => ({
  /** Likes episodes, or no longer; answers the number of changes. */
  likeAll(userId: number, episodeIds: readonly number[], liked: boolean, now: number): number {
    const ids = JSON.stringify(episodeIds)
    if (liked)
      return db
        .query(
          `INSERT OR IGNORE INTO episode_like (user_id, episode_id, created_at)
           SELECT ?, value, ? FROM json_each(?)`,
        )
        .run(userId, now, ids).changes
    return db
      .query('DELETE FROM episode_like WHERE user_id = ? AND episode_id IN (SELECT value FROM json_each(?))')
      .run(userId, ids).changes
  },
  like(userId: number, episodeId: number, liked: boolean, now: number) {
    if (liked)
      db.query('INSERT OR IGNORE INTO episode_like (user_id, episode_id, created_at) VALUES (?, ?, ?)').run(
        userId,
        episodeId,
        now,
      )
    else db.query('DELETE FROM episode_like WHERE user_id = ? AND episode_id = ?').run(userId, episodeId)
  },
})
