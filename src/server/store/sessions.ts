import type { Database } from 'bun:sqlite'
import { DAY } from '../platform/clock'
import type { SessionWay } from '../../shared/api/sign-in'
import type { UserRow } from './users'

/** A session of a browser, or of a podcast app that syncs; times in milliseconds. */
export type SessionRow = {
  id: number
  uuid: string
  token_hash: string
  user_id: number
  epoch: number
  kind: 'browser' | 'sync'
  /** null = it began before this was noted. */
  way: SessionWay | null
  carries_api: number
  remembered: number
  keeps_password: number
  /** Browser and system, or the name of an app; empty = unknown. */
  device: string
  /** Shortened to its network; empty = unknown. */
  address: string
  /** The sign-in at an OpenID provider that it belongs to, with which it ends; null = none, or unknown. */
  provider_session: string | null
  created_at: number
  seen_at: number
  expires_at: number
}

/** A session that has ended; `name`: of its device or app, empty = unknown. */
export type EndedSession = { id: number; name: string }
type SessionKind = SessionRow['kind']
export type NewSession = Omit<SessionRow, 'id' | 'user_id' | 'epoch' | 'created_at' | 'seen_at'>
/** Fields that change when a session continues under another token. */
type Continued = Omit<NewSession, 'uuid' | 'kind'>

export type SessionOwner = UserRow & {
  session_id: number
  session_way: SessionWay | null
  carries_api: number
  remembered: number
  keeps_password: number
  seen_at: number
}

/** Older sessions of a user end: these are enough for every browser of a household. */
const MAX_PER_USER = 50

/** No token of a provider is good for longer. */
const MAX_TOKEN_MS = 30 * DAY

const isLive = 's.expires_at > $now AND s.epoch = u.epoch'

/** Sessions, by the hash of their token. */
export const sessionStore = (db: Database) => ({
  /** The owner of a session that has not expired, and that began after the last change of password or role. */
  findOwner: (tokenHash: string, kind: SessionKind, now: number) =>
    db
      .query<SessionOwner, { tokenHash: string; kind: SessionKind; now: number }>(
        `SELECT u.*, s.id AS session_id, s.way AS session_way, s.carries_api, s.remembered, s.keeps_password,
                s.seen_at
           FROM session s JOIN user u ON u.id = s.user_id
          WHERE s.token_hash = $tokenHash AND s.kind = $kind AND ${isLive}`,
      )
      .get({ tokenHash, kind, now }),
  isValid: (id: number, now: number) =>
    db
      .query<{ one: number }, { id: number; now: number }>(
        `SELECT 1 AS one FROM session s JOIN user u ON u.id = s.user_id WHERE s.id = $id AND ${isLive}`,
      )
      .get({ id, now }) !== null,
  /** The valid sessions of a user, the most recently used first. */
  list: (userId: number, now: number) =>
    db
      .query<SessionRow, { userId: number; now: number }>(
        `SELECT s.* FROM session s JOIN user u ON u.id = s.user_id
          WHERE s.user_id = $userId AND ${isLive} ORDER BY s.seen_at DESC, s.id DESC`,
      )
      .all({ userId, now }),

  /** Begins a session; answers those that end because the user has too many. */
  add(user: UserRow, session: NewSession, now: number): EndedSession[] {
    db.query<null, NewSession & { userId: number; epoch: number; now: number }>(
      `INSERT INTO session (uuid, token_hash, user_id, epoch, kind, way, carries_api, remembered, keeps_password, device,
              address, provider_session, created_at, seen_at, expires_at)
       VALUES ($uuid, $token_hash, $userId, $epoch, $kind, $way, $carries_api, $remembered, $keeps_password, $device,
              $address, $provider_session, $now, $now, $expires_at)`,
    ).run({ ...session, userId: user.id, epoch: user.epoch, now })
    return db
      .query<EndedSession, [number, SessionKind]>(
        `DELETE FROM session WHERE id IN (
           SELECT id FROM session WHERE user_id = ? AND kind = ?
            ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ${MAX_PER_USER}) RETURNING id, device AS name`,
      )
      .all(user.id, session.kind)
  },
  /** Continues a session under another token. */
  rotate(id: number, session: Continued, now: number) {
    db.query<null, Continued & { id: number; now: number }>(
      `UPDATE session SET token_hash = $token_hash, way = $way, carries_api = $carries_api, remembered = $remembered,
              keeps_password = $keeps_password, device = $device, address = $address,
              provider_session = $provider_session, seen_at = $now, expires_at = $expires_at
        WHERE id = $id`,
    ).run({ ...session, id, now })
  },
  /** Continues a session under another token after a change that ended all sessions of its user. */
  outlive(id: number, tokenHash: string) {
    db.query(
      `UPDATE session SET token_hash = ?, epoch = (SELECT epoch FROM user WHERE user.id = session.user_id) WHERE id = ?`,
    ).run(tokenHash, id)
  },
  /** Notes that the browser of a session no longer keeps a password; `carriesApi`: the cookie replaces it. */
  forgetPassword(id: number, carriesApi: boolean) {
    db.query('UPDATE session SET keeps_password = 0, carries_api = max(carries_api, ?) WHERE id = ?').run(
      Number(carriesApi),
      id,
    )
  },
  noteUse(id: number, address: string, expiresAt: number, now: number) {
    db.query('UPDATE session SET seen_at = ?, address = ?, expires_at = max(expires_at, ?) WHERE id = ?').run(
      now,
      address,
      expiresAt,
      id,
    )
  },
  /** Ends a session; returns it, null = there was none. */
  remove: (tokenHash: string) =>
    db
      .query<EndedSession & { user_id: number }, [string]>(
        'DELETE FROM session WHERE token_hash = ? RETURNING id, user_id, device AS name',
      )
      .get(tokenHash),
  /** Ends one of a user's sessions; returns it, null = there was none. */
  removeOne: (userId: number, uuid: string): EndedSession | null =>
    db
      .query<EndedSession, [number, string]>(
        'DELETE FROM session WHERE user_id = ? AND uuid = ? RETURNING id, device AS name',
      )
      .get(userId, uuid),
  /** Ends the sessions of a user except one; returns them. */
  removeOthers: (userId: number, keptId: number | null): EndedSession[] =>
    db
      .query<EndedSession, [number, number | null]>(
        'DELETE FROM session WHERE user_id = ? AND id IS NOT ? RETURNING id, device AS name',
      )
      .all(userId, keptId),
  /** Ends a user's sessions that an API key began, except those of two keys, by the beginnings of their uuids. */
  removeOfOtherKeys: (userId: number, one: string, other: string): EndedSession[] =>
    db
      .query<EndedSession, [number, string, string]>(
        `DELETE FROM session
          WHERE user_id = ? AND substr(uuid, 15, 1) = '8' AND substr(uuid, 1, 15) NOT IN (?, ?) RETURNING id, device AS name`,
      )
      .all(userId, one, other),
  /** Ends the sessions of all podcast apps of a user; an app that still knows a valid password gets a new one. */
  removeSync(userId: number) {
    db.query(`DELETE FROM session WHERE user_id = ? AND kind = 'sync'`).run(userId)
  },
  /** Ends the sessions of all users that were begun by one of these means. */
  removeOfWays(ways: readonly SessionWay[]) {
    db.query('DELETE FROM session WHERE way IN (SELECT value FROM json_each(?))').run(JSON.stringify(ways))
  },
  /** Ends the sessions of a user that were begun in one way; returns them. */
  removeOfWay: (userId: number, way: SessionWay): EndedSession[] =>
    db
      .query<EndedSession, [number, SessionWay]>(
        'DELETE FROM session WHERE user_id = ? AND way = ? RETURNING id, device AS name',
      )
      .all(userId, way),
  /** Ends the sessions that belong to a sign-in at a provider; returns them. */
  removeOfProvider: (key: string) =>
    db
      .query<EndedSession & { user_id: number }, [string]>(
        'DELETE FROM session WHERE provider_session = ? RETURNING id, user_id, device AS name',
      )
      .all(key),
  /** Notes that a provider has ended a sign-in, whose tokens may not have expired. */
  endSignIn(key: string, at: number) {
    db.query(
      'INSERT INTO ended_sign_in (key, at) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET at = max(at, excluded.at)',
    ).run(key, at)
  },
  /** When that was; null if it has not. */
  signInEndedAt: (key: string): number | null =>
    db.query<{ at: number }, [string]>('SELECT at FROM ended_sign_in WHERE key = ?').get(key)?.at ?? null,
  removeExpired(now: number) {
    db.query('DELETE FROM session WHERE expires_at <= ?').run(now)
    db.query('DELETE FROM ended_sign_in WHERE at <= ?').run(now - MAX_TOKEN_MS)
  },
})
