import type { Database } from 'bun:sqlite'
import { required } from './required'
import type { Role } from '../../shared/roles'

// For those that still import it from here.
export type { Viewer } from './visibility'

export type UserRow = {
  id: number
  uuid: string
  username: string
  name_key: string
  role: Role
  explicit_consent: number
  created_at: number
  /** The account of open mode, which is also the one that the configuration names. */
  built_in: number
  password_hash: string | null
  issuer: string | null
  subject: string | null
  proxied: number
  role_before: Role | null
  consent_before: number | null
  api_key_hash: string | null
  feed_key_version: number
  epoch: number
  country: string | null
  language: string | null
  sync_auto_add: number
}

export type NewUser = Pick<UserRow, 'username' | 'role' | 'explicit_consent'> &
  Partial<
    Pick<UserRow, 'built_in' | 'password_hash' | 'issuer' | 'subject' | 'proxied' | 'role_before' | 'consent_before'>
  >

/** Names are the same when people would call them so: in another case, or written with other code points. */
export const nameKey = (username: string) => username.normalize('NFKC').toLowerCase()

export function userStore(db: Database) {
  const find = (where: string) => db.query<UserRow, (string | number)[]>(`SELECT * FROM user WHERE ${where}`)

  return {
    find: (id: number) => find('id = ?').get(id),
    findByName: (username: string) => find('name_key = ?').get(nameKey(username)),
    findBySubject: (issuer: string, subject: string) => find('issuer = ? AND subject = ?').get(issuer, subject),
    findByApiKey: (hash: string) => find('api_key_hash = ?').get(hash),
    findBuiltIn: () => find('built_in = 1').get(),
    list: () => find('1 ORDER BY name_key').all(),
    /** Throws `user-not-found`. */
    require(username: string): UserRow {
      return required(this.findByName(username), 'user')
    },
    listAdmins: () => find(`role = 'admin'`).all(),

    add(user: NewUser, now: number): UserRow {
      return db
        .query<UserRow, Record<string, string | number | null>>(
          `INSERT INTO user (uuid, username, name_key, role, explicit_consent, created_at, built_in, password_hash,
                  issuer, subject, proxied, role_before, consent_before)
           VALUES ($uuid, $username, $nameKey, $role, $explicit_consent, $now, $built_in, $password_hash,
                  $issuer, $subject, $proxied, $role_before, $consent_before)
        RETURNING *`,
        )
        .get({
          built_in: 0,
          password_hash: null,
          issuer: null,
          subject: null,
          proxied: 0,
          role_before: null,
          consent_before: null,
          ...user,
          uuid: crypto.randomUUID(),
          nameKey: nameKey(user.username),
          now,
        })!
    },
    rename(id: number, username: string) {
      db.query('UPDATE user SET username = ?, name_key = ? WHERE id = ?').run(username, nameKey(username), id)
    },
    /** Ends the sign-ins of before. */
    setPassword(id: number, hash: string | null) {
      db.query('UPDATE user SET password_hash = ?, epoch = epoch + 1 WHERE id = ?').run(hash, id)
    },
    /** Ends the sign-ins of before. */
    setRole(id: number, role: Role) {
      db.query(
        'UPDATE user SET role = ?, role_before = NULL, consent_before = NULL, epoch = epoch + 1 WHERE id = ?',
      ).run(role, id)
    },
    /** Admin with consent, until `endPromotion` gives back what was before. Either ends the sign-ins of before. */
    promoteByRule(id: number) {
      db.query(
        `UPDATE user
            SET role_before = role, consent_before = explicit_consent, role = 'admin', explicit_consent = 1, epoch = epoch + 1
          WHERE id = ?`,
      ).run(id)
    },
    endPromotion(id: number) {
      db.query(
        `UPDATE user
            SET role = role_before, explicit_consent = consent_before, role_before = NULL, consent_before = NULL,
                epoch = epoch + 1
          WHERE id = ? AND role_before IS NOT NULL`,
      ).run(id)
    },
    setConsent(id: number, explicitConsent: boolean) {
      db.query('UPDATE user SET explicit_consent = ? WHERE id = ?').run(Number(explicitConsent), id)
    },
    setApiKey(id: number, hash: string | null) {
      db.query('UPDATE user SET api_key_hash = ? WHERE id = ?').run(hash, id)
    },
    renewFeedKey(id: number) {
      db.query('UPDATE user SET feed_key_version = feed_key_version + 1 WHERE id = ?').run(id)
    },
    setLocale(id: number, country: string | null, language: string | null) {
      db.query('UPDATE user SET country = ?, language = ? WHERE id = ?').run(country, language, id)
    },
    /** What is personal goes with it; podcasts stay. */
    remove(id: number) {
      db.query('DELETE FROM user WHERE id = ?').run(id)
    },
  }
}
