import type { Database } from 'bun:sqlite'

/** Episodes that hold a place among those that a playlist by rules keeps downloaded. */
export const keptEpisodeStore = (db: Database) => ({
  of: (playlistId: number): number[] =>
    db
      .query<{ episode_id: number }, [number]>('SELECT episode_id FROM kept_episode WHERE playlist_id = ?')
      .all(playlistId)
      .map(({ episode_id }) => episode_id),
  /** Those of them that nobody has removed, and that their user has not finished. */
  lastingOf: (playlistId: number, userId: number): number[] =>
    db
      .query<{ id: number }, [number, number]>(
        `SELECT e.id FROM kept_episode k CROSS JOIN episode e ON e.id = k.episode_id
          WHERE k.playlist_id = ? AND e.removed = 0
            AND NOT EXISTS (SELECT 1 FROM playback h
                             WHERE h.user_id = ? AND h.episode_id = e.id AND h.finished = 1)`,
      )
      .all(playlistId, userId)
      .map(({ id }) => id),
  /** Those of some episodes, in their order, that have a file and that a user has not finished. */
  hereAmong: (userId: number, ids: readonly number[]): number[] =>
    db
      .query<{ id: number }, [string, number]>(
        `SELECT e.id FROM json_each(?) wanted CROSS JOIN episode e ON e.id = wanted.value
          WHERE e.file_path IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM playback h
                             WHERE h.user_id = ? AND h.episode_id = e.id AND h.finished = 1)
          ORDER BY wanted.key`,
      )
      .all(JSON.stringify(ids), userId)
      .map(({ id }) => id),
  /** Replaces the episodes of a playlist. */
  replace(playlistId: number, episodeIds: readonly number[]) {
    const wanted = JSON.stringify(episodeIds)
    db.query(
      'DELETE FROM kept_episode WHERE playlist_id = ? AND episode_id NOT IN (SELECT value FROM json_each(?))',
    ).run(playlistId, wanted)
    db.query('INSERT OR IGNORE INTO kept_episode (playlist_id, episode_id) SELECT ?, value FROM json_each(?)').run(
      playlistId,
      wanted,
    )
  },
})
