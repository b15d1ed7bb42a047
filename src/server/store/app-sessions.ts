import type { Database } from 'bun:sqlite'
import type { EndedSession } from './sessions'
import type { UserRow } from './users'

/** A sign-in of an app that renews its access automatically; times in milliseconds. */
export type AppSessionRow = {
  id: number
  uuid: string
  user_id: number
  app_password_id: number | null
  epoch: number
  name: string
  /** As `SessionRow` has it. */
  provider_session: string | null
  created_at: number
  last_used_at: number
  last_address: string
}
export type NewAppSession = Pick<
  AppSessionRow,
  'uuid' | 'app_password_id' | 'provider_session' | 'name' | 'last_address'
>

export type TokenKind = 'access' | 'refresh'
export type TokenOwner = UserRow & { app_session_id: number; last_used_at: number }

/** An app that signs in again each time would otherwise fill the list. */
const MAX_PER_USER = 50
/** The parts of one app each renew their access. */
const MAX_TOKENS = 10

/** Sign-ins of apps, and their tokens by their hash. */
export const appSessionStore = (db: Database) => ({
  list: (userId: number) =>
    db
      .query<AppSessionRow, [number]>(
        `SELECT s.* FROM app_session s JOIN user u ON u.id = s.user_id
          WHERE s.user_id = ? AND s.epoch = u.epoch ORDER BY s.created_at DESC, s.id DESC`,
      )
      .all(userId),
  /** The owner of a token that has not expired, of a session that began after the last change of password or role. */
  findOwner: (hash: string, kind: TokenKind, now: number) =>
    db
      .query<TokenOwner, [string, TokenKind, number]>(
        `SELECT u.*, s.id AS app_session_id, s.last_used_at
           FROM app_token t JOIN app_session s ON s.id = t.session_id JOIN user u ON u.id = s.user_id
          WHERE t.hash = ? AND t.kind = ? AND t.expires_at > ? AND s.epoch = u.epoch`,
      )
      .get(hash, kind, now),
  isValid: (id: number) =>
    db
      .query<{ one: number }, [number]>(
        'SELECT 1 AS one FROM app_session s JOIN user u ON u.id = s.user_id WHERE s.id = ? AND s.epoch = u.epoch',
      )
      .get(id) !== null,

  /** Begins a session. Ends those that a user has beyond the limit, the least recently used; returns them. */
  add(user: UserRow, session: NewAppSession, now: number): { id: number; ended: EndedSession[] } {
    const { id } = db
      .query<{ id: number }, NewAppSession & { userId: number; epoch: number; now: number }>(
        `INSERT INTO app_session (uuid, user_id, app_password_id, provider_session, epoch, name, created_at,
                last_used_at, last_address)
         VALUES ($uuid, $userId, $app_password_id, $provider_session, $epoch, $name, $now, $now, $last_address)
         RETURNING id`,
      )
      .get({ ...session, userId: user.id, epoch: user.epoch, now })!
    const ended = db
      .query<EndedSession, [number, number]>(
        `DELETE FROM app_session WHERE id IN (
           SELECT id FROM app_session WHERE user_id = ? AND id <> ?
            ORDER BY last_used_at DESC, id DESC LIMIT -1 OFFSET ${MAX_PER_USER - 1}) RETURNING id, name`,
      )
      .all(user.id, id)
    return { id, ended }
  },
  /** Adds a token. A key that gave access to another session gives access to this one. */
  addToken(sessionId: number, hash: string, kind: TokenKind, expiresAt: number) {
    db.query('INSERT OR REPLACE INTO app_token (hash, session_id, kind, expires_at) VALUES (?, ?, ?, ?)').run(
      hash,
      sessionId,
      kind,
      expiresAt,
    )
    db.query(
      `DELETE FROM app_token WHERE hash IN (
         SELECT hash FROM app_token WHERE session_id = ? AND kind = ?
          ORDER BY expires_at DESC LIMIT -1 OFFSET ${MAX_TOKENS})`,
    ).run(sessionId, kind)
  },
  /** Makes the tokens that renew a session end at a time, unless they end earlier: another one replaces them. */
  replaceRefresh(sessionId: number, at: number) {
    db.query(
      `UPDATE app_token SET expires_at = min(expires_at, ?), replaced = 1 WHERE session_id = ? AND kind = 'refresh'`,
    ).run(at, sessionId)
  },
  /** The session of a token that was replaced and has expired; null for any other token. */
  findReplaced: (hash: string) =>
    db
      .query<Pick<AppSessionRow, 'id' | 'uuid' | 'user_id' | 'name'>, [string]>(
        `SELECT s.id, s.uuid, s.user_id, s.name
           FROM app_token t JOIN app_session s ON s.id = t.session_id JOIN user u ON u.id = s.user_id
          WHERE t.hash = ? AND t.replaced = 1 AND s.epoch = u.epoch`,
      )
      .get(hash),
  noteUse(id: number, address: string, now: number) {
    db.query('UPDATE app_session SET last_used_at = ?, last_address = ? WHERE id = ?').run(now, address, id)
  },
  /** Ends one of a user's sessions; returns it, null = there was none. */
  remove: (userId: number, uuid: string): EndedSession | null =>
    db
      .query<EndedSession, [number, string]>(
        'DELETE FROM app_session WHERE user_id = ? AND uuid = ? RETURNING id, name',
      )
      .get(userId, uuid),
  /** The sessions that an app password of a user began. */
  ofPassword: (userId: number, passwordUuid: string): EndedSession[] =>
    db
      .query<EndedSession, [number, string]>(
        `SELECT s.id, s.name FROM app_password a JOIN app_session s ON s.app_password_id = a.id
          WHERE a.user_id = ? AND a.uuid = ?`,
      )
      .all(userId, passwordUuid),
  /** Ends the sessions of a user; returns them. */
  removeOf: (userId: number): EndedSession[] =>
    db.query<EndedSession, [number]>('DELETE FROM app_session WHERE user_id = ? RETURNING id, name').all(userId),
  /** Ends the sessions that belong to a sign-in at a provider; returns them. */
  removeOfProvider: (key: string) =>
    db
      .query<EndedSession & { user_id: number }, [string]>(
        'DELETE FROM app_session WHERE provider_session = ? RETURNING id, user_id, name',
      )
      .all(key),
  /** Carries the sessions of a user that were valid in an epoch over to the current one. */
  outlive(userId: number, epoch: number) {
    db.query(
      'UPDATE app_session SET epoch = (SELECT epoch FROM user WHERE user.id = user_id) WHERE user_id = ? AND epoch = ?',
    ).run(userId, epoch)
  },
  /** Ends the sessions that a user's own password began; returns them. */
  removeOfOwnPassword: (userId: number): EndedSession[] =>
    db
      .query<EndedSession, [number]>(
        `DELETE FROM app_session WHERE user_id = ? AND app_password_id IS NULL AND substr(uuid, 15, 1) <> '8' RETURNING id, name`,
      )
      .all(userId),
  /** Ends a user's sessions that an API key began, except those of two keys, by the beginnings of their uuids. */
  removeOfOtherKeys: (userId: number, one: string, other: string): EndedSession[] =>
    db
      .query<EndedSession, [number, string, string]>(
        `DELETE FROM app_session
          WHERE user_id = ? AND substr(uuid, 15, 1) = '8' AND substr(uuid, 1, 15) NOT IN (?, ?) RETURNING id, name`,
      )
      .all(userId, one, other),
  /** Ends a session; returns its name. */
  removeById: (id: number): string =>
    db.query<{ name: string }, [number]>('DELETE FROM app_session WHERE id = ? RETURNING name').get(id)?.name ?? '',
  /** Removes sessions that cannot be renewed any more, and tokens that have expired, unless they were replaced. */
  removeExpired(now: number) {
    db.query('DELETE FROM app_token WHERE expires_at <= ? AND replaced = 0').run(now)
    db.query('DELETE FROM app_session WHERE id NOT IN (SELECT session_id FROM app_token WHERE replaced = 0)').run()
  },
})
