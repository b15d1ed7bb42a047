import type { Database } from 'bun:sqlite'
import type { Role } from '../../shared/roles'

export type UserRow = {
  id: number
  uuid: string
  username: string
  role: Role
  explicit_consent: number
  created_at: number
  built_in: number
}

export const userStore = (db: Database) => ({
  findBuiltIn: () => db.query<UserRow, []>('SELECT * FROM user WHERE built_in = 1').get(),

  /** The account of open mode, made at the first start. */
  createBuiltIn(username: string, now: number) {
    return db
      .query<UserRow, { uuid: string; username: string; now: number }>(
        `INSERT INTO user (uuid, username, role, explicit_consent, created_at, built_in)
         VALUES ($uuid, $username, 'admin', 1, $now, 1) RETURNING *`,
      )
      .get({ uuid: crypto.randomUUID(), username, now })!
  },
})
