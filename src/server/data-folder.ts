import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadSecret, makeSecret, SECRET_BYTES, type Secret } from './platform/secret'
import { openStore, type Store } from './store'
import { BACKUP_FOLDER, holdsPodcasts, readBackupName, SECRET_FILE } from './store/backup'
import { inspectDatabase, isDamage } from './store/inspect'

/** What lies in the data folder is not to be worked with, in a sentence that says what to do. */
export class DataFolderError extends Error {
  override name = 'DataFolderError'
}

export const DATABASE_FILE = 'castellan.db'

/**
 * Opens what a data folder holds, or begins it where there is nothing. Part of a library is never taken for an empty one: throws
 * `DataFolderError`. The secret gets its name last, so that a beginning that is killed is known as one.
 */
export function openDataFolder(
  folder: string,
  options?: Parameters<typeof openStore>[1],
): { store: Store; secret: Secret } {
  mkdirSync(folder, { recursive: true })
  const wrong = wrongWith(folder)
  if (wrong !== null) throw new DataFolderError(wrong)
  const secretPath = join(folder, SECRET_FILE)
  const beginning = `${secretPath}.new`
  const database = join(folder, DATABASE_FILE)
  const state = inspectDatabase(database)
  const isFirst = !existsSync(secretPath) && !(state.is === 'whole' && state.carriesSecret)
  if (isFirst && sizeOf(beginning) !== SECRET_BYTES) makeSecret(beginning)
  const store = openOrSay(database, options)
  if (isFirst) renameSync(beginning, secretPath)
  else rmSync(beginning, { force: true })
  return { store, secret: loadSecret(secretPath) }
}

function openOrSay(database: string, options?: Parameters<typeof openStore>[1]): Store {
  try {
    return openStore(database, options)
  } catch (error) {
    throw isDamage(error) ? new DataFolderError(damaged(database, (error as Error).message)) : error
  }
}

/** Why a data folder is not to be opened, and what to do; null where it is whole, or nothing is there yet. */
export function wrongWith(folder: string): string | null {
  const database = join(folder, DATABASE_FILE)
  const secret = join(folder, SECRET_FILE)
  const hasSecret = existsSync(secret)
  const state = inspectDatabase(database)
  if (state.is === 'damaged') return damaged(database, state.reason)
  if (state.is !== 'whole') {
    const found = [hasSecret && secret, newestBackup(folder) && join(folder, BACKUP_FOLDER)].filter(Boolean)
    if (found.length === 0) return null
    const what = state.is === 'absent' ? `There is no ${database}` : `${database} is empty`
    return `${what}, but ${found.join(' and ')} of a library ${found.length > 1 ? 'are' : 'is'} here. ${adviceFor(folder)} To begin anew, move what is here elsewhere.`
  }
  if (state.carriesSecret) return null
  if (!hasSecret && !existsSync(`${secret}.new`)) return withoutSecret(folder, `There is no ${secret}`)
  if (hasSecret && sizeOf(secret) !== SECRET_BYTES)
    return withoutSecret(folder, `${secret} should hold ${SECRET_BYTES} bytes, it holds ${sizeOf(secret)}`)
  return null
}

const withoutSecret = (folder: string, what: string) =>
  `${what}: without it nobody can open the passwords of private feeds, and the addresses of private feeds end. ${adviceFor(folder)} ` +
  `To go on without them, put ${SECRET_BYTES} new bytes there: head -c ${SECRET_BYTES} /dev/urandom > ${join(folder, SECRET_FILE)}`

export const damaged = (database: string, reason: string) =>
  `${database} is damaged (${reason}). ${adviceFor(dirname(database))}`

export function adviceFor(folder: string): string {
  const backup = newestBackup(folder)
  return backup
    ? `Bring the last backup back with: castellan restore ${backup}`
    : 'Bring a backup of yours back with: castellan restore FILE'
}

/** The newest backup that lies there, of a library that is not empty if there is one. */
function newestBackup(folder: string): string | null {
  const backups = join(folder, BACKUP_FOLDER)
  const names = existsSync(backups) ? readdirSync(backups) : []
  const paths = names
    .flatMap(name => {
      const read = readBackupName(name)
      return read ? [{ path: join(backups, name), at: read.at }] : []
    })
    .toSorted((one, other) => other.at - one.at)
    .map(({ path }) => path)
  return paths.find(holdsPodcasts) ?? paths[0] ?? null
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? null
