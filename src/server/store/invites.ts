import type { Database } from 'bun:sqlite'
import { required } from './required'
import type { Role } from '../../shared/roles'

/** An invitation to make an account; times in milliseconds. */
export type InviteRow = {
  id: string
  role: Role
  explicit_consent: number
  created_at: number
  expires_at: number
  accepted_at: number | null
}

/** Invitations, by their secret id. */
export const inviteStore = (db: Database) => ({
  list: () => db.query<InviteRow, []>('SELECT * FROM invite ORDER BY created_at DESC, id').all(),
  find: (id: string) => db.query<InviteRow, [string]>('SELECT * FROM invite WHERE id = ?').get(id),
  /** Throws `invite-not-found`. */
  require(id: string): InviteRow {
    return required(this.find(id), 'invite')
  },
  add: (invite: Omit<InviteRow, 'accepted_at'>) =>
    db
      .query<InviteRow, Omit<InviteRow, 'accepted_at'>>(
        `INSERT INTO invite (id, role, explicit_consent, created_at, expires_at)
         VALUES ($id, $role, $explicit_consent, $created_at, $expires_at) RETURNING *`,
      )
      .get(invite)!,
  accept(id: string, now: number) {
    db.query('UPDATE invite SET accepted_at = ? WHERE id = ?').run(now, id)
  },
  removePending() {
    db.query('DELETE FROM invite WHERE accepted_at IS NULL').run()
  },
  remove(id: string) {
    db.query('DELETE FROM invite WHERE id = ?').run(id)
  },
})
