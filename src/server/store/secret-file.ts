import { Database } from 'bun:sqlite'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintOf } from '../platform/secret'
import { SECRET_FILE } from './backup'

/** Reads the fingerprint of the secret that a library was last opened with; 0 = not noted yet. */
export const readFingerprint = (db: Database): number =>
  db.query<{ application_id: number }, []>('PRAGMA application_id').get()!.application_id

/** Lets a library that lost its secret go on with another one. */
export function forgetFingerprint(path: string) {
  const db = new Database(path, { readwrite: true, create: false })
  try {
    db.run('PRAGMA busy_timeout = 5000')
    noteFingerprint(db, 0)
  } finally {
    db.close()
  }
}

/** Notes the fingerprint in the header of the database: it is copied with the database. */
export function noteFingerprint(db: Database, fingerprint: number) {
  if (readFingerprint(db) !== fingerprint) db.run(`PRAGMA application_id = ${fingerprint}`)
}

/**
 * Finds the secret that a backup of a library must carry: `given` by the configuration, unless the library was made
 * with another one, else that of its file; null = lost.
 */
export function findSecretOf(db: Database, folder: string, given: Uint8Array | null): Uint8Array | null {
  const fingerprint = readFingerprint(db)
  if (given && (fingerprint === 0 || fingerprint === fingerprintOf(given))) return given
  const path = join(folder, SECRET_FILE)
  return existsSync(path) ? readFileSync(path) : null
}
