import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Config } from '../config'
import { DATABASE_FILE, RESTORING_FILE } from '../data-folder'
import { litestreamFolder, STOP_LITESTREAM } from '../upkeep/replica'
import { systemClock } from '../platform/clock'
import type { RecordedAct } from '../platform/events'
import { lockDataFolder } from '../platform/instance-lock'
import { BackupError, backupName, BACKUP_FOLDER, checkBackup, readSecretIn, syncToDisk } from '../store/backup'
import { backUpFile, finishRestore, mergeLog, newestSchema, schemaOf } from '../store/open'
import { createAudit } from '../audit/audit'
import { silentLog } from '../platform/log'
import { openStore } from '../store'
import { UsageError } from './arguments'
import { requireDatabase } from './library'
import type { Print } from './terminal'

export const backupUsage = `castellan backup FILE     (FILE may be a folder; works while the server is running)`

export const restoreUsage = `castellan restore FILE    (only while the server is stopped; backs up the current database first)`

/** Copies the database and the server's secret into one file, and checks it. Throws `UsageError` and `BackupError`. */
export function runBackupCommand(args: readonly string[], { dataFolder, secretKey }: Config, print: Print) {
  const target = onlyFile(args, 'backup', backupUsage)
  const database = requireDatabase(dataFolder)
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false
  const path = isFolder ? freeName(target, 'manual') : target
  if (existsSync(path)) throw new UsageError(`${path} exists already. Name another file.`)
  const carriesSecret = backUpFile(database, secretKey, path)
  checkBackup(path, newestSchema)
  recordBackup(database, secretKey, path)
  print(
    `Backed up to ${path} (${statSync(path).size} bytes) and checked. ` +
      `${carriesSecret ? "It contains the server's secret: keep it safe." : noSecretNotice}`,
  )
}

const noSecretNotice =
  "It does not contain the server's secret: give the command the same SECRET_KEY or --config as the server."

/**
 * Replaces the database with a backup. First checks the backup and backs up the current database; the last step renames
 * one file, so that a kill at any moment leaves one of the databases intact. Throws `UsageError`, `BackupError` and
 * `AlreadyRunning`.
 */
export function runRestoreCommand(args: readonly string[], { dataFolder, secretKey }: Config, print: Print) {
  const source = onlyFile(args, 'restore', restoreUsage)
  checkBackup(source, newestSchema)
  requireSameSecret(source, secretKey)
  mkdirSync(dataFolder, { recursive: true })
  const unlock = lockDataFolder(join(dataFolder, 'castellan.lock'))
  const database = join(dataFolder, DATABASE_FILE)
  const incoming = join(dataFolder, RESTORING_FILE)
  try {
    copyFileSync(source, incoming)
    chmodSync(incoming, 0o600)
    syncToDisk(incoming)
    if (existsSync(database)) print(`The previous database is in ${setAside(database, dataFolder, secretKey)}`)
    for (const left of [`${database}-wal`, `${database}-shm`]) rmSync(left, { force: true })
    renameSync(incoming, database)
    syncToDisk(dataFolder)
    finishRestore(database, secretKey)
    // In the database that was restored.
    record(database, secretKey, { kind: 'restored', detail: basename(source) })
    resetLitestream(dataFolder, print)
    print('Restored. Backups contain no media files: run castellan doctor to see which ones are missing.')
  } finally {
    rmSync(incoming, { force: true })
    unlock()
  }
}

/**
 * Records a backup, unless that would need an update of the database. A full or busy disk doesn't make the backup fail.
 */
function recordBackup(database: string, secretKey: Uint8Array | null, path: string) {
  if (schemaOf(database) !== newestSchema) return
  try {
    record(database, secretKey, { kind: 'backup-made', detail: basename(path) })
  } catch {
    // The backup exists, which matters more.
  }
}

/** Records an act of a command in a database. */
function record(database: string, secretKey: Uint8Array | null, act: RecordedAct) {
  const store = openStore(database, { secretKey })
  try {
    const audit = createAudit({ store, now: systemClock, log: silentLog, outside: 'command-line', days: 400 })
    void audit.record(act)
  } finally {
    store.close()
  }
}

function requireSameSecret(source: string, secretKey: Uint8Array | null) {
  const carried = secretKey && readSecretIn(source)
  if (carried && Buffer.compare(carried, secretKey) !== 0)
    throw new BackupError(
      `${source} was made with another secret than SECRET_KEY. Set SECRET_KEY to what castellan secret ${source} ` +
        'prints, or remove it, and restore again.',
    )
}

/**
 * Removes what Litestream has recorded about the previous database, so that it begins with a snapshot of the restored
 * one.
 */
function resetLitestream(dataFolder: string, print: Print) {
  const folder = litestreamFolder(dataFolder)
  if (!existsSync(folder)) return
  rmSync(folder, { recursive: true })
  print('Litestream begins with a new snapshot of it when it starts.')
}

/** Backs up the current database; if it is too damaged for that, copies its files. Returns the path of the copy. */
function setAside(database: string, dataFolder: string, secretKey: Uint8Array | null): string {
  const backup = freeName(join(dataFolder, BACKUP_FOLDER), 'before-restore')
  try {
    backUpFile(database, secretKey, backup)
    mergeLog(database)
    return backup
  } catch (error) {
    if (error instanceof BackupError && error.isDiskFull) throw error
    if (isBusy(error)) {
      rmSync(backup, { force: true })
      throw new BackupError(`Another program uses ${database}. ${STOP_LITESTREAM}`)
    }
    const copy = `${database}.damaged-${systemClock()}`
    copyFileSync(database, copy)
    if (existsSync(`${database}-wal`)) copyFileSync(`${database}-wal`, `${copy}-wal`)
    return copy
  }
}

const isBusy = (error: unknown) => (error as { code?: unknown } | null)?.code === 'SQLITE_BUSY'

const freeName = (folder: string, kind: 'manual' | 'before-restore') =>
  join(
    folder,
    backupName(kind, systemClock(), name => existsSync(join(folder, name))),
  )

function onlyFile(args: readonly string[], command: string, usage: string): string {
  const [file, ...others] = args
  if (!file) throw new UsageError(`${command} needs a file`, usage)
  if (others.length > 0) throw new UsageError(`Unexpected "${others[0]}"`, usage)
  return resolve(file)
}
