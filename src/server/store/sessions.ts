import type { Database } from 'bun:sqlite'
import type { UserRow } from './users'

/** A browser's session reads media and opens the socket, and nothing else; a podcast app's session syncs. */
type SessionKind = 'browser' | 'sync'
export type SessionOwner = UserRow & { session_id: number }

/** Older sessions of a user end: these are enough for every browser of a household. */
const MOST_PER_USER = 50

/** Sessions, by the hash of their token. */
export const sessionStore = (db: Database) => ({
  /** The owner of a session that has not expired, and that began after the last change of password or role. */
  findOwner: (tokenHash: string, kind: SessionKind, now: number) =>
    db
      .query<SessionOwner, [string, SessionKind, number]>(
        `SELECT u.*, s.id AS session_id FROM session s JOIN user u ON u.id = s.user_id
          WHERE s.token_hash = ? AND s.kind = ? AND s.expires_at > ? AND s.epoch = u.epoch`,
      )
      .get(tokenHash, kind, now),
  isValid: (id: number, now: number) =>
    db
      .query<{ one: number }, [number, number]>(
        `SELECT 1 AS one FROM session s JOIN user u ON u.id = s.user_id
          WHERE s.id = ? AND s.expires_at > ? AND s.epoch = u.epoch`,
      )
      .get(id, now) !== null,

  add(tokenHash: string, user: UserRow, kind: SessionKind, now: number, expiresAt: number) {
    db.query(
      'INSERT INTO session (token_hash, user_id, epoch, kind, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(tokenHash, user.id, user.epoch, kind, now, expiresAt)
    db.query(
      `DELETE FROM session WHERE id IN (
         SELECT id FROM session WHERE user_id = ? AND kind = ?
          ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ${MOST_PER_USER})`,
    ).run(user.id, kind)
  },
  /** Continues a session under another token. */
  rotate(id: number, tokenHash: string, expiresAt: number) {
    db.query('UPDATE session SET token_hash = ?, expires_at = ? WHERE id = ?').run(tokenHash, expiresAt, id)
  },
  /** Ends a session; answers its id, null = there was none. */
  remove: (tokenHash: string): number | null =>
    db.query<{ id: number }, [string]>('DELETE FROM session WHERE token_hash = ? RETURNING id').get(tokenHash)?.id ??
    null,
  /** Ends the sessions of all podcast apps of a user; an app that still knows a valid password gets a new one. */
  removeSync(userId: number) {
    db.query(`DELETE FROM session WHERE user_id = ? AND kind = 'sync'`).run(userId)
  },
  removeExpired(now: number) {
    db.query('DELETE FROM session WHERE expires_at <= ?').run(now)
  },
})
