import type { Database } from 'bun:sqlite'

/** Devices and networks from which users have signed in, by a keyed hash; times in milliseconds. */
export const knownPlaceStore = (db: Database) => ({
  /** Whether the user has signed in from anywhere before. */
  hasAny: (userId: number) =>
    db.query<{ one: number }, [number]>('SELECT 1 AS one FROM known_place WHERE user_id = ? LIMIT 1').get(userId) !==
    null,
  has: (userId: number, hash: string) =>
    db
      .query<{ one: number }, [number, string]>('SELECT 1 AS one FROM known_place WHERE user_id = ? AND hash = ?')
      .get(userId, hash) !== null,
  /** Remembers a place that was seen; false = it was not known. */
  note(userId: number, hash: string, now: number): boolean {
    const seen = db
      .query('UPDATE known_place SET seen_at = ? WHERE user_id = ? AND hash = ?')
      .run(now, userId, hash).changes
    if (seen > 0) return true
    db.query('INSERT INTO known_place (user_id, hash, seen_at) VALUES (?, ?, ?)').run(userId, hash, now)
    return false
  },
  /** Forgets the places of a user that were last seen before a time, and all but the `most` that were seen last. */
  forget(userId: number, before: number, most: number) {
    db.query('DELETE FROM known_place WHERE user_id = ? AND seen_at < ?').run(userId, before)
    db.query(
      `DELETE FROM known_place WHERE (user_id, hash) IN (
         SELECT user_id, hash FROM known_place WHERE user_id = ? ORDER BY seen_at DESC, hash LIMIT -1 OFFSET ?)`,
    ).run(userId, most)
  },
})
