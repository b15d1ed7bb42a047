import { Database } from 'bun:sqlite'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BACKUP_FOLDER, backupName, carriedSecret, extractSecret, writeBackup, writeCopy, SECRET_FILE } from './backup'
import { migrations } from './migrations'
import { fingerprintOf } from '../platform/secret'

// Why: docs/internals/decisions/0057

export class DatabaseTooNew extends Error {
  override name = 'DatabaseTooNew'
}

type OpenOptions = { checkpointPages?: number; secretKey?: Uint8Array | null; isCopy?: boolean }

/**
 * Opens or creates the database, and updates its schema. A killed process loses nothing (WAL); a power cut
 * may lose the last moments, never the database. Throws `DatabaseTooNew` and `BackupError`.
 *
 * `checkpointPages`: length of the log at which a commit moves it into the database, and waits for the disk.
 * `secretKey`: the secret, if the configuration gives it. `isCopy`: it will be deleted, and is never backed up.
 */
export function openDatabase(
  path: string,
  { checkpointPages = 4000, secretKey = null, isCopy = false }: OpenOptions = {},
): Database {
  const db = connect(path, checkpointPages)
  // A restored database contains its secret.
  extractSecret(db, dirname(path), secretKey)
  refuseNewer(db)
  removeStatistics(db)
  migrate(db, path, secretKey, isCopy)
  return db
}

function connect(path: string, checkpointPages: number): Database {
  const db = new Database(path, { create: true, strict: true })
  // First, since another process may be closing the database at this moment.
  db.run('PRAGMA busy_timeout = 5000')
  // Only a new file accepts this; on any other it would wait for the write lock.
  if (isNew(db)) db.run('PRAGMA auto_vacuum = INCREMENTAL')
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA synchronous = NORMAL')
  db.run('PRAGMA foreign_keys = ON')
  db.run('PRAGMA temp_store = MEMORY')
  db.run(`PRAGMA wal_autocheckpoint = ${checkpointPages}`)
  // The log shrinks to this many bytes once its pages are in the database.
  db.run('PRAGMA journal_size_limit = 1048576')
  return db
}

const isNew = (db: Database) => db.query<{ page_count: number }, []>('PRAGMA page_count').get()!.page_count === 0

/**
 * Drops the planner's statistics, which `ANALYZE` or `PRAGMA optimize` in another program, such as SQLite's shell,
 * leaves. Castellan writes none: those of a small library mislead the planner once it has grown. Returns whether there
 * were any.
 */
export function removeStatistics(db: Database): boolean {
  const statistics = "SELECT 1 FROM sqlite_schema WHERE name IN ('sqlite_stat1', 'sqlite_stat4')"
  if (db.query(statistics).get() === null) return false
  // Over a separate connection: the others read the schema again, but this one would keep what it has read.
  const other = new Database(db.filename, { readwrite: true, create: false })
  try {
    other.run('DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4')
  } catch {
    // Another process writes, or the disk is full. A later call removes them.
  } finally {
    other.close()
  }
  return true
}

export const newestSchema = migrations.length

/** Reads the schema version without updating it; null = the database cannot be read. */
export function schemaOf(path: string): number | null {
  try {
    const db = new Database(path, { readwrite: true, create: false })
    try {
      return versionOf(db)
    } finally {
      db.close()
    }
  } catch {
    return null
  }
}

/**
 * Backs up a database of any schema, without updating it; `secretKey` as above. Returns whether the backup contains the
 * secret. Throws `BackupError`.
 */
export function backUpFile(path: string, secretKey: Uint8Array | null, target: string): boolean {
  const db = new Database(path, { readwrite: true, create: false })
  try {
    db.run('PRAGMA busy_timeout = 5000')
    const secret = findSecretOf(db, dirname(path), secretKey)
    writeBackup(db, secret, target)
    return secret !== null
  } finally {
    db.close()
  }
}

/** Copies a database of any schema for a rehearsal, without the secret, which it returns; null = lost. */
export function copyDatabase(path: string, secretKey: Uint8Array | null, target: string): Uint8Array | null {
  const db = new Database(path, { readwrite: true, create: false })
  try {
    db.run('PRAGMA busy_timeout = 5000')
    writeCopy(db, target)
    return carriedSecret(db) ?? findSecretOf(db, dirname(path), secretKey)
  } finally {
    db.close()
  }
}

/** Moves the log into the database, so that a single file holds everything. */
export function mergeLog(path: string) {
  const db = new Database(path, { readwrite: true, create: false })
  try {
    db.run('PRAGMA wal_checkpoint(TRUNCATE)')
    db.run('PRAGMA journal_mode = DELETE')
  } finally {
    db.close()
  }
}

/** Finishes a restore at once, so that nothing that copies the database also copies the secret. */
export function finishRestore(path: string, secretKey: Uint8Array | null) {
  const db = new Database(path, { readwrite: true, create: false })
  try {
    db.run('PRAGMA synchronous = FULL')
    extractSecret(db, dirname(path), secretKey)
  } finally {
    db.close()
  }
}

const versionOf = (db: Database) => db.query<{ user_version: number }, []>('PRAGMA user_version').get()!.user_version

function refuseNewer(db: Database) {
  const version = versionOf(db)
  if (version > migrations.length)
    throw new DatabaseTooNew(
      `The database has schema ${version}, this version of Castellan knows up to ${migrations.length}. ` +
        'A newer version used it last. Install that version, or restore a backup made before the update.',
    )
}

/** Updates an older database after backing it up, unless it is a copy. Changes nothing if the backup fails. */
function migrate(db: Database, path: string, secretKey: Uint8Array | null, isCopy: boolean) {
  const version = versionOf(db)
  if (version > 0 && version < migrations.length && !isCopy) backUpBefore(db, path, secretKey)
  migrations.slice(version).forEach((sql, offset) => {
    db.transaction(() => {
      db.run(sql)
      db.run(`PRAGMA user_version = ${version + offset + 1}`)
    }).immediate()
  })
}

function backUpBefore(db: Database, path: string, secretKey: Uint8Array | null) {
  const folder = join(dirname(path), BACKUP_FOLDER)
  const { now } = db.query<{ now: number }, []>('SELECT unixepoch() * 1000 AS now').get()!
  const name = backupName('before-update', now, name => existsSync(join(folder, name)))
  writeBackup(db, findSecretOf(db, dirname(path), secretKey), join(folder, name))
}

/** Reads the fingerprint of the secret that a library was last opened with; 0 = not noted yet. */
export const readFingerprint = (db: Database): number =>
  db.query<{ application_id: number }, []>('PRAGMA application_id').get()!.application_id

/** Lets a library that lost its secret continue with another one. */
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
 * Finds the secret that a backup of a library must contain: `given` by the configuration, unless the library was made
 * with another one, else that of its file; null = lost.
 */
export function findSecretOf(db: Database, folder: string, given: Uint8Array | null): Uint8Array | null {
  const fingerprint = readFingerprint(db)
  if (given && (fingerprint === 0 || fingerprint === fingerprintOf(given))) return given
  const path = join(folder, SECRET_FILE)
  return existsSync(path) ? readFileSync(path) : null
}
