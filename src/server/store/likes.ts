import type { Database } from 'bun:sqlite'

/** Episodes that users like. */
export const episodeLikes = (db: Database) => ({
  /** Whether anybody likes an episode. */
  isLiked: (id: number) =>
    db.query<{ one: number }, [number]>('SELECT 1 AS one FROM episode_like WHERE episode_id = ?').get(id) !== null,
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
