import { backupKinds } from '../../shared/choices'
import { Database } from 'bun:sqlite'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SECRET_BYTES } from '../platform/secret'

export const SECRET_FILE = 'secret.key'
export const BACKUP_FOLDER = 'backups'

/** A backup cannot be made or used; the message says why. */
export class BackupError extends Error {
  override name = 'BackupError'
  constructor(
    message: string,
    readonly isDiskFull = false,
  ) {
    super(message)
  }
}

export type BackupKind = (typeof backupKinds)[number]

/** Names a backup, such as `castellan-scheduled-20261122T031500Z.db`, with a number if the name is taken. */
export function backupName(kind: BackupKind, at: number, isTaken: (name: string) => boolean): string {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
  const name = `castellan-${kind}-${time}`
  for (let turn = 1; ; turn++) {
    const candidate = turn === 1 ? `${name}.db` : `${name}-${turn}.db`
    if (!isTaken(candidate)) return candidate
  }
}

/** Reads kind and time from the name of a backup; null = not the name of a backup. */
export function readBackupName(name: string): { kind: BackupKind; at: number } | null {
  const match = /^castellan-([a-z-]+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(-\d+)?\.db$/.exec(name)
  const kind = backupKinds.find(one => one === match?.[1])
  if (!match || !kind) return null
  const [, , year, month, day, hour, minute, second] = match
  return { kind, at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) }
}

/**
 * Writes one file with the database as it is at this moment, while others read and write, and with the server's secret
 * in its own table: without it feed passwords and feed keys would be lost. Covers and media are not part of it. The
 * file appears complete or not at all. `secret`: null = lost. Throws `BackupError`.
 */
export function writeBackup(db: Database, secret: Uint8Array | null, target: string) {
  const part = `${target}.part`
  try {
    mkdirSync(dirname(target), { recursive: true })
    writeCopy(db, part)
    const copy = new Database(part)
    try {
      copy.run('PRAGMA journal_mode = DELETE')
      copy.run('CREATE TABLE backup (secret BLOB) STRICT')
      // If the secret is lost, the rest is still worth keeping.
      copy.query('INSERT INTO backup VALUES (?)').run(secret)
    } finally {
      copy.close()
    }
    syncToDisk(part)
    renameSync(part, target)
    syncToDisk(dirname(target))
  } catch (error) {
    for (const left of [part, `${part}-journal`]) if (existsSync(left)) rmSync(left)
    const isDiskFull = /database or disk is full|ENOSPC|EDQUOT/.test(String(error))
    throw new BackupError(
      isDiskFull
        ? `No room for a backup in ${dirname(target)}. Free some space there.`
        : `The backup ${target} could not be written: ${(error as Error).message}`,
      isDiskFull,
    )
  }
}

/** Writes the database as it is at this moment, readable only by its owner and without the server's secret. */
export function writeCopy(db: Database, target: string) {
  rmSync(target, { force: true })
  // SQLite would make the file readable by others; it uses an existing empty file as it is.
  writeFileSync(target, '', { mode: 0o600 })
  db.query('VACUUM INTO ?').run(target)
  const copy = new Database(target)
  try {
    // A database that was restored contains its secret until its server starts.
    copy.run('PRAGMA secure_delete = ON')
    copy.run('DROP TABLE IF EXISTS backup')
  } finally {
    copy.close()
  }
}

/**
 * Checks a backup as a whole. Throws `BackupError` if it is not a backup, is damaged, or was made by a newer version.
 */
export function checkBackup(path: string, newestSchema: number) {
  if (!existsSync(path)) throw new BackupError(`${path} does not exist`)
  const refuse = (reason: string) => new BackupError(`${path} ${reason}`)
  let db: Database
  try {
    db = new Database(path, { readonly: true })
  } catch {
    throw refuse('cannot be read')
  }
  try {
    if (findDamage(db).database !== null) throw refuse('is damaged')
    if (!isBackup(db)) throw refuse('is not a backup of Castellan')
    const { user_version } = db.query<{ user_version: number }, []>('PRAGMA user_version').get()!
    if (user_version > newestSchema)
      throw refuse(
        `was made by a newer version (schema ${user_version}, this version knows up to ${newestSchema}). Install that version first.`,
      )
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw refuse(/not a database/.test(String(error)) ? 'is not a backup of Castellan' : 'is damaged')
  } finally {
    db.close()
  }
}

const isBackup = (db: Database) =>
  db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backup'").get() !== null

/** Reads the secret in a checked backup; null = it was lost before. */
export function readSecretIn(path: string): Uint8Array | null {
  const db = new Database(path, { readonly: true })
  try {
    return carriedSecret(db)
  } finally {
    db.close()
  }
}

/** Whether a backup contains podcasts; false also if it cannot be read. */
export function holdsPodcasts(path: string): boolean {
  let db: Database | null = null
  try {
    db = new Database(path, { readonly: true })
    return db.query('SELECT 1 FROM podcast LIMIT 1').get() !== null
  } catch {
    return false
  } finally {
    db?.close()
  }
}

/** Returns the secret that a restored database or a backup contains; null = none. */
export function carriedSecret(db: Database): Uint8Array | null {
  if (!isBackup(db)) return null
  const secret = db.query<{ secret: Uint8Array | null }, []>('SELECT secret FROM backup').get()?.secret
  return secret?.byteLength === SECRET_BYTES ? secret : null
}

/** Troubles belong to the machine and time at which they were noted: people must be notified of new ones. */
function forgetTroubles(db: Database) {
  if (db.query("SELECT 1 FROM sqlite_schema WHERE name = 'server_trouble'").get()) db.run('DELETE FROM server_trouble')
}

/**
 * Finishes a restore: forgets the troubles of the server, and moves the secret from the database into the data folder.
 * The database keeps it until the file exists, so that a kill in between does not separate the two. `given`: the
 * configuration gives the same secret, so no file is written.
 */
export function extractSecret(db: Database, folder: string, given: Uint8Array | null) {
  if (!isBackup(db)) return
  const secret = carriedSecret(db)
  const path = join(folder, SECRET_FILE)
  // An existing file may belong to the previous library.
  if (secret && (given === null || existsSync(path))) {
    writeFileSync(`${path}.new`, secret, { mode: 0o600 })
    syncToDisk(`${path}.new`)
    renameSync(`${path}.new`, path)
    syncToDisk(folder)
  }
  forgetTroubles(db)
  // Replicas and copies get the pages of the database: the secret must not be left in a free one.
  db.run('PRAGMA secure_delete = ON')
  db.run('DROP TABLE backup')
  db.run('PRAGMA secure_delete = OFF')
}

export function syncToDisk(path: string) {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Reads all pages; returns the first damage, null = none. Skips comparing indexes with tables, which takes far
 * longer.
 */
export const findPageDamage = (db: Database): string | null =>
  db
    .query<{ quick_check: string }, []>('PRAGMA quick_check(1)')
    .all()
    .map(row => row.quick_check)
    .find(line => line !== 'ok') ?? null

/**
 * Checks everything; returns the first damage in the words of SQLite. The search index is checked separately: it can be
 * rebuilt.
 */
export function findDamage(db: Database): { database: string | null; index: string | null } {
  const lines = db
    .query<{ integrity_check: string }, []>('PRAGMA integrity_check(100)')
    .all()
    .map(row => row.integrity_check)
    .filter(line => line !== 'ok')
  const isOfIndex = (line: string) => /\b(title|text)_index\b/.test(line)
  return { database: lines.find(line => !isOfIndex(line)) ?? null, index: lines.find(isOfIndex) ?? null }
}
