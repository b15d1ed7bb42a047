import type { Database } from 'bun:sqlite'
import type { UserRow } from './users'

/** Rights of an assistant's key. */
export type AssistantRights = 'reads' | 'changes'

/**
 * A password of a single app, for sync and for the sign-in of other apps, or the key of an `assistant`; times in
 * milliseconds.
 */
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
  /** Removes a password; answers what it was, null = there was none. */
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
