import type { Database } from 'bun:sqlite'

/** A passkey: the public half of it, and how often it was used; times in milliseconds. */
export type PasskeyRow = {
  id: number
  uuid: string
  user_id: number
  credential_id: string
  public_key: Uint8Array
  counter: number
  /** A JSON list. */
  transports: string
  /** The host whose pages it is good for, with its port where that is not the usual one. */
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
  /** Removes a passkey; answers its name, null = there was none. */
  remove: (userId: number, uuid: string): string | null =>
    db
      .query<{ name: string }, [number, string]>('DELETE FROM passkey WHERE user_id = ? AND uuid = ? RETURNING name')
      .get(userId, uuid)?.name ?? null,
  /** Notes a use; false where another came in between, or the passkey is gone. */
  noteUse: ({ id, counter }: PasskeyRow, newCounter: number, now: number): boolean =>
    db
      .query('UPDATE passkey SET counter = ?, last_used_at = ? WHERE id = ? AND counter = ?')
      .run(newCounter, now, id, counter).changes > 0,
})
