import { readFileSync } from 'node:fs'
import type { Config } from '../config'
import { type Context, openCopy } from '../context'
import { onCopy } from '../moving/rehearse'
import type { Store } from '../store'
import type { MoveRow } from '../store/moves'
import { copyDatabase } from '../store/open'
import type { UserRow } from '../store/users'
import { UsageError } from './arguments'
import { type ImportOptions, importUsage, parseImportCommand, type UndoOptions } from './import-options'
import { printReport, printUndoReport } from './import-report'
import { lockOutServer, requireDatabase, requireUser, withLibrary } from './library'
import { type Print, readPassword } from './terminal'

const ASK_EVERY_MS = 500

/**
 * Imports a library of another program; if the server is running, that does the work. Prints a report, and returns
 * whether the import finished. Throws `UsageError` and `Problem`.
 */
export async function runImportCommand(
  args: readonly string[],
  config: Config,
  print: Print,
  secrets: Secrets = terminal,
): Promise<boolean> {
  const options = parseImportCommand(args)
  if (!('undo' in options)) return importFile(options, config, print, secrets)
  return withLibrary(config, parts => undoImport({ parts, config, print, finish }, options.undo))
}

/** Does what the options say; see `runImportCommand`. */
export async function importFile(
  options: ImportOptions,
  config: Config,
  print: Print,
  secrets: Secrets = terminal,
): Promise<boolean> {
  if (options.isDryRun) return rehearse(options, config, print, secrets)
  return withLibrary(config, async parts => {
    // An interrupted import is continued first.
    for (const move of parts.store.moves.running()) {
      const printEnd = move.state === 'undoing' ? printUndoReport : printReport
      printEnd(parts.store, await finish(parts, config, move, print), print)
    }
    const move = await startMove(parts, requireUser(parts.store, options.user, importUsage), options, secrets, print)
    const ended = await finish(parts, config, move, print)
    printReport(parts.store, ended, print)
    print(`\nTo undo all of it within a day: castellan import --undo ${ended.id}`)
    return ended.state === 'done'
  })
}

/** Prints what an import would do, without requesting a feed. */
function rehearse(options: ImportOptions, config: Config, print: Print, secrets: Secrets): Promise<boolean> {
  const database = requireDatabase(config.dataFolder)
  const copy = (target: string) => copyDatabase(database, config.secretKey, target)
  return onCopy(config, openCopy, copy, async parts => {
    const { id } = await startMove(parts, requireUser(parts.store, options.user, importUsage), options, secrets, print)
    await runHere(parts, id)
    print('Dry run: nothing was changed, and no feed was read.\n')
    const ended = parts.store.moves.find(id)!
    printReport(parts.store, ended, print)
    return ended.state === 'done'
  })
}

/** Works on a move here, or waits for the server to do so, until it has ended. */
async function finish(parts: Context, config: Config, { id }: MoveRow, print: Print): Promise<MoveRow> {
  const say = createProgress(parts.store, print)
  while (isRunning(parts.store, id)) {
    const unlock = lockOutServer(config)
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
  throw new UsageError('The account has been removed, and the import with it')
}

/** Finishes earlier moves first, and deletes what an undo left of podcasts and accounts. */
async function runHere({ moves, removals, store }: Context, id: number) {
  while (isRunning(store, id)) {
    moves.resume()
    await moves.settled()
  }
  await removals.run()
}

const isRunning = (store: Store, id: number) => store.moves.running().some(move => move.id === id)

/** Prints the progress of a move whenever it has changed. */
function createProgress({ moves }: Store, print: Print) {
  let last = ''
  return (id: number) => {
    const text = progressOf(moves, id)
    if (text !== last) print(text)
    last = text
  }
}

function progressOf(moves: Store['moves'], id: number): string {
  const move = moves.find(id)
  if (move?.undo_place) return `${move.undo_place - 1} changes left to undo`
  const podcasts = moves.podcastsOf(id)
  const done = podcasts.filter(({ state }) => state !== 'waiting').length
  return done < podcasts.length ? `${done} of ${podcasts.length} podcasts` : `${move?.applied ?? 0} items`
}

type Finish = (parts: Context, config: Config, move: MoveRow, print: Print) => Promise<MoveRow>

/**
 * Undoes a move, also one that is still running, and prints a report; without an id, the latest. Returns whether that
 * finished. Throws `UsageError` and `Problem`.
 */
async function undoImport(
  { parts, config, print, finish }: { parts: Context; config: Config; print: Print; finish: Finish },
  { id, user }: UndoOptions,
): Promise<boolean> {
  const { store, moves } = parts
  const owner = user === null ? null : store.users.findByName(user)
  if (user !== null && !owner) throw new UsageError(`There is no account "${user}"`)
  const move = store.moves.find(id ?? store.moves.latest(owner?.id ?? null) ?? 0)
  if (!move || (owner && move.user_id !== owner.id)) throw new UsageError('There is no such import to undo')
  const ended = await finish(parts, config, moves.undo(store.users.find(move.user_id)!, move.id), print)
  printUndoReport(store, ended, print)
  return ended.state === 'undone'
}

/** Sources of a server's password: arguments can be seen by everybody on the machine. */
type Secrets = { ask: (prompt: string) => Promise<string>; fromEnvironment: string | undefined }

const terminal: Secrets = {
  ask: prompt => readPassword(prompt, false),
  fromEnvironment: process.env.IMPORT_PASSWORD,
}

/** Copies the file, or the person's data on the server, and notes the move. Throws `UsageError` and `MoveRefused`. */
async function startMove(
  { moves }: Context,
  user: UserRow,
  { file, list, login, from, files, folder, withUsers, withFiles }: ImportOptions,
  secrets: Secrets,
  print: Print,
): Promise<MoveRow> {
  if (folder) return moves.startFolder(user, file, folder.title, folder.way)
  if (!login) return moves.start(user, file, { from, list, files, withUsers })
  const password = await findPassword(login, secrets)
  print(`Asking ${URL.parse(file)?.host} for everything of ${login.user}`)
  // A person who runs commands on this machine may reach what it reaches.
  return moves.startFromServer(user, { address: file, isAdmin: true, user: login.user, password, from }, withFiles)
}

async function findPassword({ user, passwordFile }: NonNullable<ImportOptions['login']>, secrets: Secrets) {
  if (passwordFile === null) return secrets.fromEnvironment ?? (await secrets.ask(`Password of ${user}: `))
  try {
    return readFileSync(passwordFile, 'utf8').split(/\r?\n/, 1)[0]!
  } catch (error) {
    throw new UsageError(`${passwordFile} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
