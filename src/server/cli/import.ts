import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config'
import { DATABASE_FILE } from '../data-folder'
import { AlreadyRunning, lockDataFolder } from '../platform/instance-lock'
import type { Store } from '../store'
import { SECRET_FILE } from '../store/backup'
import type { MoveRow } from '../store/moves'
import { backUpFile } from '../store/open'
import type { UserRow } from '../store/users'
import { noDatabase, UsageError } from './arguments'
import { importUsage, parseImportCommand, type ImportOptions } from './import-options'
import { createImportParts, type ImportParts } from './import-parts'
import { printReport } from './import-report'
import type { Print } from './terminal'

const ASK_EVERY_MS = 500

/**
 * Moves a library of another program in, also while the server runs, which does the work then. Prints a report, and returns
 * whether it came to its end. Throws
 * `UsageError`, `MoveRefused`, `ForeignDatabaseError` and `Problem`.
 */
export async function runImportCommand(args: readonly string[], config: Config, print: Print): Promise<boolean> {
  const options = parseImportCommand(args)
  const database = join(config.dataFolder, DATABASE_FILE)
  if (!existsSync(database)) throw noDatabase(database)
  if (options.isDryRun) return rehearse(options, config, print)
  const parts = createImportParts(config, { readsFeeds: true })
  try {
    // One that was interrupted comes first.
    for (const move of parts.store.moves.running())
      printReport(parts.store, await finish(parts, config, move, print), print)
    const move = await parts.moves.start(requireUser(parts.store, options.user), options.file, options.from)
    const ended = await finish(parts, config, move, print)
    printReport(parts.store, ended, print)
    return ended.state === 'done'
  } finally {
    await parts.close()
  }
}

/** Does everything on a copy of the library, without requesting a feed, and throws the copy away. */
async function rehearse({ file, from, user }: ImportOptions, config: Config, print: Print): Promise<boolean> {
  const folder = join(config.dataFolder, 'moving', `dry-run-${crypto.randomUUID()}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    const database = join(config.dataFolder, DATABASE_FILE)
    backUpFile(database, join(config.dataFolder, SECRET_FILE), join(folder, DATABASE_FILE))
    const parts = createImportParts({ ...config, dataFolder: folder }, { readsFeeds: false })
    try {
      const { id } = await parts.moves.start(requireUser(parts.store, user), file, from)
      await runHere(parts, id)
      print('Dry run: nothing was changed, and no feed was read.\n')
      const ended = parts.store.moves.find(id)!
      printReport(parts.store, ended, print)
      return ended.state === 'done'
    } finally {
      await parts.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Works on a move here, or waits for the server that does, until it has ended. */
async function finish(parts: ImportParts, config: Config, { id }: MoveRow, print: Print): Promise<MoveRow> {
  const say = createProgress(parts.store, print)
  while (isRunning(parts.store, id)) {
    const unlock = tryToLock(config)
    const timer = setInterval(() => say(id), ASK_EVERY_MS)
    try {
      if (unlock) await runHere(parts, id)
      else await Bun.sleep(ASK_EVERY_MS)
    } finally {
      clearInterval(timer)
      unlock?.()
    }
  }
  const ended = parts.store.moves.find(id)
  if (ended) return ended
  throw new UsageError('The account was removed meanwhile, and the import with it')
}

/** Ends earlier moves first. */
async function runHere({ moves, store }: ImportParts, id: number) {
  while (isRunning(store, id)) {
    moves.resume()
    await moves.settled()
  }
}

const isRunning = (store: Store, id: number) => store.moves.running().some(move => move.id === id)

/** Returns null while the server runs. */
function tryToLock({ dataFolder }: Config): (() => void) | null {
  try {
    return lockDataFolder(join(dataFolder, 'castellan.lock'))
  } catch (error) {
    if (error instanceof AlreadyRunning) return null
    throw error
  }
}

/** Says how far a move is, whenever that has changed. */
function createProgress({ moves }: Store, print: Print) {
  let last = ''
  return (id: number) => {
    const podcasts = moves.podcastsOf(id)
    const done = podcasts.filter(({ state }) => state !== 'waiting').length
    const applied = moves.find(id)?.applied ?? 0
    const text = done < podcasts.length ? `${done} of ${podcasts.length} podcasts` : `${applied} items`
    if (text !== last) print(text)
    last = text
  }
}

function requireUser({ users }: Store, name: string | null): UserRow {
  if (name !== null) {
    const found = users.findByName(name)
    if (found) return found
    throw new UsageError(`There is no account "${name}". Add it with: castellan users add ${name}`, importUsage)
  }
  const [only, ...others] = users.list()
  if (only && others.length === 0) return only
  const names = [only, ...others].map(user => user?.username).join(', ')
  throw new UsageError(`Say whose it is with --user, one of ${names}`, importUsage)
}
