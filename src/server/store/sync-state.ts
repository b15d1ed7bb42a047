import type { Database } from 'bun:sqlite'

/** The sync clock, and how users sync. */
export const syncState = (db: Database) => ({
  /** Reads the sync clock after moving it forward to `atLeast`; it never runs backwards. */
  tick: (atLeast: number) =>
    db.query<{ at: number }, [number]>('UPDATE sync_clock SET at = max(at, ?) RETURNING at').get(atLeast)!.at,
  setAutoAdd(userId: number, autoAdd: boolean) {
    db.query('UPDATE user SET sync_auto_add = ? WHERE id = ?').run(Number(autoAdd), userId)
  },
  /** Marks that a user's devices receive favourites and positions from before; answers true the first time. */
  begin: (userId: number): boolean =>
    db.query('UPDATE user SET sync_begun = 1 WHERE id = ? AND sync_begun = 0').run(userId).changes > 0,
  hasBegun: (userId: number) =>
    db.query<{ one: number }, [number]>('SELECT 1 AS one FROM user WHERE id = ? AND sync_begun = 1').get(userId) !==
    null,
})
