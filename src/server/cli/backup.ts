import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { systemClock } from '../platform/clock'
import type { Config } from '../config'
import { lockDataFolder } from '../platform/instance-lock'
import { BackupError, backupName, BACKUP_FOLDER, checkBackup, SECRET_FILE, syncToDisk } from '../store/backup'
import { copyInto, newestSchema, settle } from '../store/open'
import { UsageError } from './arguments'

export const backupUsage = `castellan backup FILE     (a folder will do; also while the server runs)
castellan restore FILE    (while it does not; what is there now is backed up first)`

type Print = (line: string) => void

/** A consistent copy of the database with the server's secret, in one file. Throws `UsageError` and `BackupError`. */
export function runBackupCommand(args: readonly string[], { dataFolder }: Config, print: Print) {
  const target = onlyFile(args, 'backup')
  const database = join(dataFolder, 'castellan.db')
  if (!existsSync(database)) throw noDatabase(database)
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false
  const isTaken = (name: string) => existsSync(join(target, name))
  const path = isFolder ? join(target, backupName('manual', systemClock(), isTaken)) : target
  if (existsSync(path)) throw new UsageError(`there is a ${path} already: name another file`)
  copyInto(database, join(dataFolder, SECRET_FILE), path)
  checkBackup(path, newestSchema)
  print(
    `Backed up to ${path} (${statSync(path).size} bytes), and read through. It holds the server's secret: keep it to yourself.`,
  )
}

/**
 * Puts a backup in the place of the database. It is read through first, and what is there is backed up; the last step is the
 * renaming of one file, so that a kill at any instant leaves the one or the other. Throws `UsageError`, `BackupError`, `AlreadyRunning`.
 */
export function runRestoreCommand(args: readonly string[], { dataFolder }: Config, print: Print) {
  const source = onlyFile(args, 'restore')
  checkBackup(source, newestSchema)
  mkdirSync(dataFolder, { recursive: true })
  const unlock = lockDataFolder(join(dataFolder, 'castellan.lock'))
  try {
    const database = join(dataFolder, 'castellan.db')
    const incoming = `${database}.restoring`
    copyFileSync(source, incoming)
    chmodSync(incoming, 0o600)
    syncToDisk(incoming)
    if (existsSync(database)) {
      print(`What was there is in ${setAside(database, dataFolder)}`)
    }
    for (const left of [`${database}-wal`, `${database}-shm`]) rmSync(left, { force: true })
    renameSync(incoming, database)
    syncToDisk(dataFolder)
    print('Restored. Media files are no part of a backup: `castellan doctor` tells which of them are missing.')
  } finally {
    unlock()
  }
}

/** A backup of the present database, or, where it is too damaged for that, its files as they are. */
function setAside(database: string, dataFolder: string): string {
  const folder = join(dataFolder, BACKUP_FOLDER)
  const before = join(
    folder,
    backupName('before-restore', systemClock(), name => existsSync(join(folder, name))),
  )
  try {
    copyInto(database, join(dataFolder, SECRET_FILE), before)
    settle(database)
    return before
  } catch (error) {
    if (error instanceof BackupError && error.isDiskFull) throw error
    const aside = `${database}.damaged-${systemClock()}`
    copyFileSync(database, aside)
    if (existsSync(`${database}-wal`)) copyFileSync(`${database}-wal`, `${aside}-wal`)
    return aside
  }
}

function onlyFile(args: readonly string[], command: string): string {
  const [file, ...others] = args
  if (!file) throw new UsageError(`${command} needs a file`, backupUsage)
  if (others.length > 0) throw new UsageError(`"${others[0]}" is one word too many`, backupUsage)
  return resolve(file)
}

const noDatabase = (path: string) =>
  new UsageError(`there is no ${path}: set DATA_DIRECTORY, or give --config, as for the server`)
