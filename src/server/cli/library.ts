import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config'
import { type Context, createContext } from '../context'
import { DATABASE_FILE } from '../data-folder'
import { tryToLock } from '../platform/instance-lock'
import type { Store } from '../store'
import type { UserRow } from '../store/users'
import { UsageError } from './arguments'

/**
 * Returns the path of the database. Throws `UsageError` if there is none, most often because the command reads another
 * configuration than the server.
 */
export function requireDatabase(dataFolder: string): string {
  const database = join(dataFolder, DATABASE_FILE)
  if (existsSync(database)) return database
  throw new UsageError(
    `No database at ${database}. Give the command the same DATA_DIRECTORY or --config as the server.`,
  )
}

/** Does `work` with the library opened here. Throws `UsageError` if there is none. */
export async function withLibrary<T>(config: Config, work: (parts: Context) => Promise<T>): Promise<T> {
  requireDatabase(config.dataFolder)
  const parts = createContext(config, { role: 'command' })
  try {
    return await work(parts)
  } finally {
    await parts.close()
  }
}

/** Locks the library against a start of the server; null while the server is running. */
export const lockOutServer = ({ dataFolder }: Config) => tryToLock(join(dataFolder, 'castellan.lock'))

/**
 * Finds the account that a command is about: the one of that name, or without a name the only one. Throws `UsageError`.
 */
export function requireUser({ users }: Store, name: string | null, usage: string): UserRow {
  if (name !== null) {
    const found = users.findByName(name)
    if (found) return found
    throw new UsageError(`There is no account "${name}". Add it with: castellan users add ${name}`, usage)
  }
  const [only, ...others] = users.list()
  if (only && others.length === 0) return only
  const names = [only, ...others].map(user => user?.username).join(', ')
  throw new UsageError(`Name the account with --user, one of ${names}`, usage)
}
