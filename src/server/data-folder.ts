import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from './config'
import { createSecret, fingerprintOf, loadSecret, makeSecret, type Secret, SECRET_BYTES } from './platform/secret'
import { openStore, type Store } from './store'
import { BACKUP_FOLDER, holdsPodcasts, readBackupName, SECRET_FILE } from './store/backup'
import { inspectDatabase, isDamage, type WholeDatabase } from './store/inspect'

/** A data folder must not be opened; the message says why and what to do. */
export class DataFolderError extends Error {
  override name = 'DataFolderError'
}

export const DATABASE_FILE = 'castellan.db'
/** A backup, with its secret, while it is being restored. */
export const RESTORING_FILE = `${DATABASE_FILE}.restoring`

type Given = Partial<Pick<Config, 'secretKey' | 'replicaUrl'>>
type Options = Given &
  Pick<NonNullable<Parameters<typeof openStore>[1]>, 'lock' | 'checkpointPages' | 'isCopy' | 'minPauseMs'>

/**
 * Opens the library in a data folder, or creates one in an empty folder, unless there is a replica of it. Throws
 * `DataFolderError` for a damaged or incomplete library, which must never be mistaken for an empty one. A new secret
 * gets its final name last, so that an interrupted creation is recognised and repeated; one that the configuration
 * gives is not written.
 */
export function openDataFolder(folder: string, options: Options = {}): { store: Store; secret: Secret } {
  const { secretKey = null } = options
  mkdirSync(folder, { recursive: true })
  const database = join(folder, DATABASE_FILE)
  const state = inspectDatabase(database)
  const obstacle = findObstacle(folder, options, state)
  if (obstacle !== null) throw new DataFolderError(obstacle)
  const secretPath = join(folder, SECRET_FILE)
  const unfinished = `${secretPath}.new`
  // A restored database contains its secret: opening the store writes it to its file.
  const isNew = secretKey === null && !existsSync(secretPath) && !(state.is === 'whole' && state.carried)
  if (isNew && sizeOf(unfinished) !== SECRET_BYTES) makeSecret(unfinished)
  const store = openOrExplain(database, options)
  if (isNew) renameSync(unfinished, secretPath)
  else rmSync(unfinished, { force: true })
  const secret = secretKey ? createSecret(secretKey) : loadSecret(secretPath)
  store.noteFingerprint(fingerprintOf(secret.key))
  return { store, secret }
}

function openOrExplain(database: string, { replicaUrl = null, ...options }: Options): Store {
  try {
    return openStore(database, options)
  } catch (error) {
    throw isDamage(error) ? new DataFolderError(explainDamage(database, (error as Error).message, replicaUrl)) : error
  }
}

/** Finds a reason not to open a data folder, and what to do; null if the library is whole or may be created. */
export function findObstacle(
  folder: string,
  { secretKey = null, replicaUrl = null }: Given = {},
  state = inspectDatabase(join(folder, DATABASE_FILE)),
): string | null {
  const database = join(folder, DATABASE_FILE)
  const secret = join(folder, SECRET_FILE)
  const hasSecret = existsSync(secret)
  if (state.is === 'damaged') return explainDamage(database, state.reason, replicaUrl)
  if (state.is !== 'whole') {
    // A log without its database would be mixed with one that Litestream restores next to it.
    const log = state.is === 'absent' && (sizeOf(`${database}-wal`) ?? 0) > 0 && `${database}-wal`
    const found = [hasSecret && secret, log, newestBackup(folder) && join(folder, BACKUP_FOLDER)].filter(Boolean)
    if (found.length === 0) return replicaUrl === null ? null : explainReplica(database, replicaUrl)
    const what = state.is === 'absent' ? `There is no ${database}` : `${database} is empty`
    return (
      `${what}, but ${found.join(' and ')} of a library ${found.length > 1 ? 'are' : 'is'} here. ` +
      `${adviceFor(folder, replicaUrl)} To start a new library, move these files elsewhere.`
    )
  }
  if (secretKey) return findContradiction(secretKey, secret, state)
  if (state.carried) return null
  if (!hasSecret && !existsSync(`${secret}.new`)) return explainMissingSecret(folder, `There is no ${secret}`)
  if (hasSecret && sizeOf(secret) !== SECRET_BYTES)
    return explainMissingSecret(folder, `${secret} should hold ${SECRET_BYTES} bytes, it holds ${sizeOf(secret)}`)
  return hasSecret && !isSecretOf(readFileSync(secret), state.fingerprint) ? explainWrongSecret(secret) : null
}

/** Finds out whether a library was made with another secret than the configuration gives, and says what to do then. */
function findContradiction(given: Uint8Array, file: string, { carried, fingerprint }: WholeDatabase): string | null {
  const isGiven = (key: Uint8Array) => Buffer.compare(key, given) === 0
  if (carried)
    return isGiven(carried)
      ? null
      : 'The restored database was made with another secret than SECRET_KEY. Remove SECRET_KEY for one start: ' +
          'that puts its secret into secret.key.'
  if (existsSync(file) && !isGiven(readFileSync(file)))
    return (
      `SECRET_KEY is not the secret in ${file}. Remove SECRET_KEY to use the file; if the file belongs to ` +
      'another library, move it elsewhere.'
    )
  return isSecretOf(given, fingerprint) ? null : explainWrongSecret('SECRET_KEY')
}

const isSecretOf = (key: Uint8Array, fingerprint: number) => fingerprint === 0 || fingerprint === fingerprintOf(key)

const explainWrongSecret = (what: string) =>
  `${what} is not the secret of this library: with it the passwords of private feeds cannot be read, and the ` +
  'addresses of private feeds stop working. ' +
  `The right one is printed by castellan secret on the machine that had it, and by castellan secret FILE from a backup. ${newSecretAdvice}`

const newSecretAdvice = 'To continue without it: castellan secret --new'

const explainReplica = (database: string, replicaUrl: string) =>
  `There is no library in ${dirname(database)}, but REPLICA_URL names a replica. Restore it with: ` +
  `${restoreCommand(database, replicaUrl)} ` +
  `To create a new library instead, once: castellan init`

/** Writes the command for Litestream, without the password that the address may contain. */
const restoreCommand = (database: string, replicaUrl: string) =>
  `litestream restore -o ${database} '${replicaUrl.replace(/^([a-z0-9+]+:\/\/[^/@:]*):[^/@]*@/i, '$1:…@')}'`

const explainMissingSecret = (folder: string, what: string) =>
  `${what}. Without it the passwords of private feeds cannot be read, and the addresses of private feeds stop working. ` +
  `Set SECRET_KEY if it was set before, or is known from elsewhere. ${adviceFor(folder)} ${newSecretAdvice}`

const explainDamage = (database: string, reason: string, replicaUrl: string | null) =>
  `${database} is damaged (${reason}). ${adviceFor(dirname(database), replicaUrl)}`

/** Advises how to restore the replica, or a backup: the newest one in the data folder, if there is one. */
export function adviceFor(folder: string, replicaUrl: string | null = null): string {
  const backup = newestBackup(folder)
  const advice = backup
    ? `Restore the last backup with: castellan restore ${backup}`
    : 'Restore a backup with: castellan restore FILE'
  if (replicaUrl === null) return advice
  return (
    'Move what is left of the database elsewhere and restore the replica with: ' +
    `${restoreCommand(join(folder, DATABASE_FILE), replicaUrl)} ${advice}`
  )
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
