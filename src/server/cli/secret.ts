import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config'
import { DATABASE_FILE, openDataFolder } from '../data-folder'
import { lockDataFolder } from '../platform/instance-lock'
import { makeSecret, SECRET_BYTES, writeSecretText } from '../platform/secret'
import { checkBackup, readSecretIn, SECRET_FILE, syncToDisk } from '../store/backup'
import { inspectDatabase } from '../store/inspect'
import { forgetFingerprint, newestSchema } from '../store/open'
import { UsageError } from './arguments'
import { requireDatabase } from './library'
import type { Print } from './terminal'

export const initUsage = `castellan init            (creates an empty library; with REPLICA_URL set, the server doesn't)`

export const secretUsage = `castellan secret [FILE]   (prints the server's secret, or that of a backup, for SECRET_KEY)
castellan secret --new    (replaces a lost secret; only while the server is stopped)`

/** Creates a library in an empty folder. Throws `UsageError` if there is one, and `DataFolderError`. */
export function runInitCommand(args: readonly string[], config: Config, print: Print) {
  if (args.length > 0) throw new UsageError(`Unexpected "${args[0]}"`, initUsage)
  const database = join(config.dataFolder, DATABASE_FILE)
  const hasSecret = existsSync(join(config.dataFolder, SECRET_FILE))
  if (inspectDatabase(database).is === 'whole' && (hasSecret || config.secretKey))
    throw new UsageError(`${database} exists already.`)
  mkdirSync(config.dataFolder, { recursive: true })
  const unlock = lockDataFolder(join(config.dataFolder, 'castellan.lock'))
  try {
    openDataFolder(config.dataFolder, { ...config, replicaUrl: null }).store.close()
  } finally {
    unlock()
  }
  print(`Created an empty library, ${database}.`)
  if (!config.secretKey) print('Replicas do not contain its secret: keep what castellan secret prints elsewhere.')
}

/** Prints the secret in the form of SECRET_KEY, or replaces a lost one. Throws `UsageError` and `BackupError`. */
export function runSecretCommand(args: readonly string[], config: Config, print: Print) {
  const [argument, ...others] = args
  if (others.length > 0) throw new UsageError(`Unexpected "${others[0]}"`, secretUsage)
  if (argument === '--new') return replaceSecret(config, print)
  if (argument?.startsWith('-')) throw new UsageError(`secret has no option "${argument}"`, secretUsage)
  print(writeSecretText(argument === undefined ? requireSecret(config) : requireSecretIn(resolve(argument))))
}

function requireSecret({ dataFolder, secretKey }: Config): Uint8Array {
  const path = join(dataFolder, SECRET_FILE)
  const key = secretKey ?? (existsSync(path) ? readFileSync(path) : null)
  if (key?.byteLength === SECRET_BYTES) return key
  throw new UsageError(
    `No secret at ${path}. Give the command the same DATA_DIRECTORY, SECRET_KEY or --config as the server.`,
  )
}

function requireSecretIn(backup: string): Uint8Array {
  checkBackup(backup, newestSchema)
  const key = readSecretIn(backup)
  if (key) return key
  throw new UsageError(`${backup} does not contain a secret: it was lost when the backup was made.`)
}

/** Lets a library continue without the secret that it was made with. */
function replaceSecret({ dataFolder, secretKey }: Config, print: Print) {
  const database = requireDatabase(dataFolder)
  const unlock = lockDataFolder(join(dataFolder, 'castellan.lock'))
  try {
    forgetFingerprint(database)
    if (!secretKey) putNewSecret(dataFolder)
  } finally {
    unlock()
  }
  print(
    `${secretKey ? 'The library belongs to SECRET_KEY now.' : 'The library has a new secret.'} Enter the ` +
      'passwords of private feeds again, and give people the new addresses of their private feeds.',
  )
}

function putNewSecret(dataFolder: string) {
  const path = join(dataFolder, SECRET_FILE)
  makeSecret(`${path}.new`)
  renameSync(`${path}.new`, path)
  syncToDisk(dataFolder)
}
