import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadSecret, makeSecret, SECRET_BYTES, type Secret } from './platform/secret'
import { openStore, type Store } from './store'
import { BACKUP_FOLDER, holdsPodcasts, readBackupName, SECRET_FILE } from './store/backup'
import { inspectDatabase, isDamage } from './store/inspect'

/** A data folder must not be opened; the message says why and what to do. */
export class DataFolderError extends Error {
  override name = 'DataFolderError'
}

export const DATABASE_FILE = 'castellan.db'

/**
 * Opens the library in a data folder, or creates one in an empty folder. Throws `DataFolderError` for a
 * damaged or incomplete library, which must never be taken for an empty one. A new secret gets its final name last, so
 * that an interrupted creation is recognised and repeated.
 */
export function openDataFolder(
  folder: string,
  options?: Parameters<typeof openStore>[1],
): { store: Store; secret: Secret } {
  mkdirSync(folder, { recursive: true })
  const obstacle = findObstacle(folder)
  if (obstacle !== null) throw new DataFolderError(obstacle)
  const secretPath = join(folder, SECRET_FILE)
  const unfinished = `${secretPath}.new`
  const database = join(folder, DATABASE_FILE)
  const state = inspectDatabase(database)
  // A restored database carries its secret: opening the store writes it to its file.
  const isNew = !existsSync(secretPath) && !(state.is === 'whole' && state.carriesSecret)
  if (isNew && sizeOf(unfinished) !== SECRET_BYTES) makeSecret(unfinished)
  const store = openOrExplain(database, options)
  if (isNew) renameSync(unfinished, secretPath)
  else rmSync(unfinished, { force: true })
  return { store, secret: loadSecret(secretPath) }
}

function openOrExplain(database: string, options?: Parameters<typeof openStore>[1]): Store {
  try {
    return openStore(database, options)
  } catch (error) {
    throw isDamage(error) ? new DataFolderError(explainDamage(database, (error as Error).message)) : error
  }
}

/** Finds a reason not to open a data folder, and what to do; null where the library is whole or the folder is empty. */
export function findObstacle(folder: string): string | null {
  const database = join(folder, DATABASE_FILE)
  const secret = join(folder, SECRET_FILE)
  const hasSecret = existsSync(secret)
  const state = inspectDatabase(database)
  if (state.is === 'damaged') return explainDamage(database, state.reason)
  if (state.is !== 'whole') {
    const found = [hasSecret && secret, newestBackup(folder) && join(folder, BACKUP_FOLDER)].filter(Boolean)
    if (found.length === 0) return null
    const what = state.is === 'absent' ? `There is no ${database}` : `${database} is empty`
    return `${what}, but ${found.join(' and ')} of a library ${found.length > 1 ? 'are' : 'is'} here. ${adviceFor(folder)} To start a new library, move these files elsewhere.`
  }
  if (state.carriesSecret) return null
  if (!hasSecret && !existsSync(`${secret}.new`)) return explainMissingSecret(folder, `There is no ${secret}`)
  if (hasSecret && sizeOf(secret) !== SECRET_BYTES)
    return explainMissingSecret(folder, `${secret} should hold ${SECRET_BYTES} bytes, it holds ${sizeOf(secret)}`)
  return null
}

const explainMissingSecret = (folder: string, what: string) =>
  `${what}. Without it the passwords of private feeds cannot be read, and the addresses of private feeds stop working. ${adviceFor(folder)} ` +
  `To continue without them, put ${SECRET_BYTES} new bytes there: head -c ${SECRET_BYTES} /dev/urandom > ${join(folder, SECRET_FILE)}`

const explainDamage = (database: string, reason: string) =>
  `${database} is damaged (${reason}). ${adviceFor(dirname(database))}`

/** Advises how to restore a backup: the newest one in the data folder, if there is one. */
export function adviceFor(folder: string): string {
  const backup = newestBackup(folder)
  return backup
    ? `Restore the last backup with: castellan restore ${backup}`
    : 'Restore a backup with: castellan restore FILE'
}

/** Finds the path of the newest backup; takes one of an empty library only if there is no other. */
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
