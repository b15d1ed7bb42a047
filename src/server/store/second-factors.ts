import type { Database } from 'bun:sqlite'

/** The secret of an authenticator app, sealed; it counts where the user's row says so. Times in milliseconds. */
export type SecondFactorRow = {
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
