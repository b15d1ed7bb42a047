import type { Database } from 'bun:sqlite'
import type { UserRow } from './users'

/** The newest sessions of a user that are kept: enough for every browser of a household. */
const MOST_PER_USER = 50

export const sessionStore = (db: Database) => ({
  /** Whose session it is, unless it is over: expired, or from before a change of password or role. */
  findUser: (tokenHash: string, now: number) =>
    db
      .query<UserRow, [string, number]>(
        `SELECT u.* FROM session s JOIN user u ON u.id = s.user_id
          WHERE s.token_hash = ? AND s.expires_at > ? AND s.epoch = u.epoch`,
      )
      .get(tokenHash, now),

  add(tokenHash: string, user: UserRow, now: number, expiresAt: number) {
    db.query('INSERT INTO session (token_hash, user_id, epoch, created_at, expires_at) VALUES (?, ?, ?, ?, ?)').run(
      tokenHash,
      user.id,
      user.epoch,
      now,
      expiresAt,
    )
    db.query(
      `DELETE FROM session WHERE token_hash IN (
         SELECT token_hash FROM session WHERE user_id = ? ORDER BY created_at DESC LIMIT -1 OFFSET ${MOST_PER_USER})`,
    ).run(user.id)
  },
  remove(tokenHash: string) {
    db.query('DELETE FROM session WHERE token_hash = ?').run(tokenHash)
  },
  removeExpired(now: number) {
    db.query('DELETE FROM session WHERE expires_at <= ?').run(now)
  },
})
