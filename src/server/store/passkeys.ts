import { required } from '../platform/problem'
import type { Database } from 'bun:sqlite'
import type { AssistantRights } from '../../shared/api/access'
import type { UserRow } from './users'
import type { Role } from '../../shared/choices'

/** A passkey: its public half, and how often it was used; times in milliseconds. */
export type PasskeyRow = {
  id: number
  uuid: string
  user_id: number
  credential_id: string
  public_key: Uint8Array
  counter: number
  /** A JSON list. */
  transports: string
  /** The host whose pages it works for, with its port unless that is the default. */
  host: string
  name: string
  device: string
  created_at: number
  last_used_at: number | null
}
export type NewPasskey = Omit<PasskeyRow, 'id' | 'uuid' | 'user_id' | 'created_at' | 'last_used_at'>

/** Passkeys of users. */
export const passkeyStore = (db: Database) => ({
  list: (userId: number) =>
    db
      .query<PasskeyRow, [number]>('SELECT * FROM passkey WHERE user_id = ? ORDER BY created_at DESC, id DESC')
      .all(userId),
  findByCredential: (credentialId: string) =>
    db.query<PasskeyRow, [string]>('SELECT * FROM passkey WHERE credential_id = ?').get(credentialId),
  add: (userId: number, passkey: NewPasskey, now: number): PasskeyRow =>
    db
      .query<PasskeyRow, NewPasskey & { uuid: string; userId: number; now: number }>(
        `INSERT INTO passkey (uuid, user_id, credential_id, public_key, counter, transports, host, name, device, created_at)
         VALUES ($uuid, $userId, $credential_id, $public_key, $counter, $transports, $host, $name, $device, $now)
      RETURNING *`,
      )
      .get({ ...passkey, uuid: crypto.randomUUID(), userId, now })!,
  rename: (userId: number, uuid: string, name: string) =>
    db
      .query<PasskeyRow, [string, number, string]>(
        'UPDATE passkey SET name = ? WHERE user_id = ? AND uuid = ? RETURNING *',
      )
      .get(name, userId, uuid),
  /** Removes a passkey; returns its name, null = there was none. */
  remove: (userId: number, uuid: string): string | null =>
    db
      .query<{ name: string }, [number, string]>('DELETE FROM passkey WHERE user_id = ? AND uuid = ? RETURNING name')
      .get(userId, uuid)?.name ?? null,
  /** Notes a use; false if there was another in between, or the passkey is gone. */
  noteUse: ({ id, counter }: PasskeyRow, newCounter: number, now: number): boolean =>
    db
      .query('UPDATE passkey SET counter = ?, last_used_at = ? WHERE id = ? AND counter = ?')
      .run(newCounter, now, id, counter).changes > 0,
})

/** The secret of an authenticator app, sealed; it takes effect if the user's row says so. Times in milliseconds. */
type SecondFactorRow = {
  user_id: number
  secret: Uint8Array
  created_at: number
  /** The time step of the last code that was accepted. */
  last_step: number
}

/** Secrets of authenticator apps, and the hashes of recovery codes. */
export const secondFactorStore = (db: Database) => ({
  find: (userId: number) =>
    db.query<SecondFactorRow, [number]>('SELECT * FROM second_factor WHERE user_id = ?').get(userId),
  /** Notes a secret that no code has confirmed yet. */
  begin(userId: number, secret: Uint8Array, now: number) {
    db.query('INSERT OR REPLACE INTO second_factor (user_id, secret, created_at) VALUES (?, ?, ?)').run(
      userId,
      secret,
      now,
    )
  },
  /** Turns it on: sign-ins by password ask for a code from now on. Ends earlier sign-ins. */
  turnOn(userId: number) {
    db.query('UPDATE user SET second_factor = 1, epoch = epoch + 1 WHERE id = ?').run(userId)
  },
  /** Notes the time step of a code; false = that code, or a later one, was used before. */
  useStep: (userId: number, step: number): boolean =>
    db.query('UPDATE second_factor SET last_step = ? WHERE user_id = ? AND last_step < ?').run(step, userId, step)
      .changes > 0,
  /** Forgets secret and recovery codes. */
  remove(userId: number) {
    db.query('UPDATE user SET second_factor = 0 WHERE id = ?').run(userId)
    db.query('DELETE FROM second_factor WHERE user_id = ?').run(userId)
    db.query('DELETE FROM recovery_code WHERE user_id = ?').run(userId)
  },
  /** Replaces all recovery codes. */
  setRecoveryCodes(userId: number, hashes: readonly string[]) {
    db.query('DELETE FROM recovery_code WHERE user_id = ?').run(userId)
    const add = db.query('INSERT INTO recovery_code (user_id, hash) VALUES (?, ?)')
    for (const hash of hashes) add.run(userId, hash)
  },
  countRecoveryCodes: (userId: number): number =>
    db.query<{ count: number }, [number]>('SELECT count(*) AS count FROM recovery_code WHERE user_id = ?').get(userId)!
      .count,
  hasRecoveryCode: (userId: number, hash: string): boolean =>
    db.query('SELECT 1 FROM recovery_code WHERE user_id = ? AND hash = ?').get(userId, hash) !== null,
  /** Uses a recovery code up; false = there is no such code. */
  useRecoveryCode: (userId: number, hash: string): boolean =>
    db.query('DELETE FROM recovery_code WHERE user_id = ? AND hash = ?').run(userId, hash).changes > 0,
})

/** A password for a single app, for sync or to sign in, or the key of an `assistant`; times in milliseconds. */
export type AppPasswordRow = {
  id: number
  uuid: string
  user_id: number
  name: string
  hash: string
  created_at: number
  last_used_at: number | null
  last_address: string | null
  assistant: AssistantRights | null
}

type Owner = UserRow & {
  password_id: number
  password_name: string
  last_used_at: number | null
  assistant: AssistantRights | null
}

/** Passwords of single apps, by their hash. */
export const appPasswordStore = (db: Database) => ({
  list: (userId: number) =>
    db
      .query<AppPasswordRow, [number]>('SELECT * FROM app_password WHERE user_id = ? ORDER BY created_at DESC, id DESC')
      .all(userId),
  add: (userId: number, name: string, hash: string, assistant: AssistantRights | null, now: number) =>
    db
      .query<AppPasswordRow, [string, number, string, string, string | null, number]>(
        `INSERT INTO app_password (uuid, user_id, name, hash, assistant, created_at) VALUES (?, ?, ?, ?, ?, ?)
      RETURNING *`,
      )
      .get(crypto.randomUUID(), userId, name, hash, assistant, now)!,
  /** The user of a password, or of an assistant's key. */
  findOwner: (hash: string) =>
    db
      .query<Owner, [string]>(
        `SELECT u.*, a.id AS password_id, a.name AS password_name, a.last_used_at, a.assistant
           FROM app_password a JOIN user u ON u.id = a.user_id WHERE a.hash = ?`,
      )
      .get(hash),
  noteUse(id: number, address: string, now: number) {
    db.query('UPDATE app_password SET last_used_at = ?, last_address = ? WHERE id = ?').run(now, address, id)
  },
  /** Removes a password; returns what it was, null = there was none. */
  remove: (userId: number, uuid: string) =>
    db
      .query<Pick<AppPasswordRow, 'name' | 'assistant'>, [number, string]>(
        'DELETE FROM app_password WHERE user_id = ? AND uuid = ? RETURNING name, assistant',
      )
      .get(userId, uuid),
  removeOf(userId: number) {
    db.query('DELETE FROM app_password WHERE user_id = ?').run(userId)
  },
})

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

/** An invitation to make an account; times in milliseconds. */
export type InviteRow = {
  id: string
  role: Role
  explicit_consent: number
  created_at: number
  expires_at: number
  accepted_at: number | null
  accepted_by: number | null
}
type NewInvite = Omit<InviteRow, 'accepted_at' | 'accepted_by'>

/** Invitations, by their secret id. */
export const inviteStore = (db: Database) => ({
  list: () => db.query<InviteRow, []>('SELECT * FROM invite ORDER BY created_at DESC, id').all(),
  find: (id: string) => db.query<InviteRow, [string]>('SELECT * FROM invite WHERE id = ?').get(id),
  /** Throws `invite-not-found`. */
  require(id: string): InviteRow {
    return required(this.find(id), 'invite')
  },
  add: (invite: NewInvite) =>
    db
      .query<InviteRow, NewInvite>(
        `INSERT INTO invite (id, role, explicit_consent, created_at, expires_at)
         VALUES ($id, $role, $explicit_consent, $created_at, $expires_at) RETURNING *`,
      )
      .get(invite)!,
  accept(id: string, now: number, userId: number) {
    db.query('UPDATE invite SET accepted_at = ?, accepted_by = ? WHERE id = ?').run(now, userId, id)
  },
  removePending() {
    db.query('DELETE FROM invite WHERE accepted_at IS NULL').run()
  },
  remove(id: string) {
    db.query('DELETE FROM invite WHERE id = ?').run(id)
  },
})
