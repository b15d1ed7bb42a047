import type { Config } from '../config'
import { type CommandName, UsageError } from './arguments'
import { runBackupCommand, runRestoreCommand } from './backup'
import { runDoctorCommand } from './doctor'
import { runExportCommand } from './export'
import { runHealthCommand } from './health'
import { importFile, lockOutServer, requireUser, runImportCommand, withParts } from './import'
import { MINUTE, systemClock } from '../platform/clock'
import { runMediaCommand } from './media'
import { runInitCommand, runSecretCommand } from './secret'
import { openTerminal, plain, type Print, readPassword, type Terminal } from './terminal'
import { runUsersCommand } from './users'
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { requireBuiltIn } from '../accounts/configured'
import { DATABASE_FILE, openDataFolder } from '../data-folder'
import { inspectPodfetch, type PodfetchFolder } from '../moving/podfetch-folder'
import { SECRET_BYTES } from '../platform/secret'
import { isOfLivingProcess, nameOfThisProcess } from '../platform/temporary-name'
import { isUsername } from '../../shared/username'
import { parseAdoptCommand } from './adopt-options'
import type { Context } from '../context'
import { Problem } from '../platform/problem'
import { operator, requirePodcast, withoutPassword } from './find-podcast'
import { counted, formatBytes, printJson, printTable } from './podcast-list'
import { parsePodcastsCommand, type PodcastsCommand, podcastsUsage } from './podcast-options'
import type { Store } from '../store'
import { ASKED, isFolderAddress } from '../store/feeds'
import type { PodcastRow } from '../store/podcasts'

/**
 * Runs a command that prints something and ends; `doctor` ends the process with 1 if it found anything wrong,
 * `health` if the server is not ready, `podcasts`, `media` and the imports if they did not end well.
 */
export async function runCommand(name: CommandName, args: readonly string[], config: Config) {
  if (name === 'users') return runUsersCommand(args, config, { print: console.log, readPassword })
  if (name === 'podcasts') process.exit((await runPodcastsCommand(args, config, openTerminal())) ? 0 : 1)
  if (name === 'backup') return runBackupCommand(args, config, console.log)
  if (name === 'restore') {
    const { requireNoLitestream } = await import('../upkeep/replica')
    await requireNoLitestream(config.dataFolder)
    return runRestoreCommand(args, config, console.log)
  }
  if (name === 'init') return runInitCommand(args, config, console.log)
  if (name === 'secret') return runSecretCommand(args, config, console.log)
  if (name === 'adopt-podfetch') process.exit((await runAdoptCommand(args, config, console.log)) ? 0 : 1)
  if (name === 'export') return runExportCommand(args, config, console.log)
  if (name === 'media') process.exit((await runMediaCommand(args, config, console.log)) ? 0 : 1)
  if (name === 'health') process.exit((await runHealthCommand(args, config, console.log)) ? 0 : 1)
  if (name === 'import') process.exit((await runImportCommand(args, config, console.log)) ? 0 : 1)
  const { examineProxies } = await import('../upkeep/doctor/proxies')
  const { examineReplica } = await import('../upkeep/doctor/replica')
  const { examineTranscription } = await import('../upkeep/doctor/transcription')
  const found = [
    ...(await examineProxies(config)),
    ...(await examineReplica(config, systemClock())),
    ...(await examineTranscription(config)),
  ]
  process.exit((await runDoctorCommand(args, config, console.log, found)) === 0 ? 0 : 1)
}

/**
 * Takes over a PodFetch of this machine with its media, for someone who puts this server in its place. Returns whether
 * it came to its end. Throws as `runImportCommand` does.
 */
export async function runAdoptCommand(args: readonly string[], config: Config, print: Print): Promise<boolean> {
  const { folder, user, isDryRun, way, mayLeave } = parseAdoptCommand(args)
  const found = inspectPodfetch(folder, mayLeave)
  printFound(found, config, way, print)
  const options = {
    file: found.database,
    list: null,
    login: null,
    from: 'podfetch',
    user: user ?? adminNameOf(config, found),
    isDryRun,
    withUsers: true,
    files: { folders: [found.media], way },
  }
  if (existsSync(join(config.dataFolder, DATABASE_FILE))) return importFile(options, config, print)
  if (isDryRun) return withEmptyLibrary(config, found, empty => importFile(options, empty, print))
  print(`Creating a new database, ${join(config.dataFolder, DATABASE_FILE)}\n`)
  createLibrary(config, found)
  return importFile(options, config, print)
}

/** The name of the admin: as it is configured here, else as it was there; null = the server has no sign-in. */
const adminNameOf = (config: Config, { username }: PodfetchFolder) =>
  config.username ?? (username !== null && isUsername(username) ? username : null)

/** Creates a library whose admin has the name that the admin has there. */
function createLibrary(config: Config, found: PodfetchFolder) {
  const { store } = openDataFolder(config.dataFolder, config)
  try {
    requireBuiltIn(store, { ...config, username: adminNameOf(config, found) }, systemClock)
  } finally {
    store.close()
  }
}

const DRY_RUN = 'castellan-dry-run'

/** Removes libraries of earlier dry runs that were killed. */
function removeLeftBehind() {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name)
    if (!name.startsWith(`${DRY_RUN}-`) || isOfLivingProcess(name)) continue
    if (lstatSync(path).uid === process.getuid?.()) rmSync(path, { recursive: true, force: true })
  }
}

async function withEmptyLibrary<T>(config: Config, found: PodfetchFolder, work: (config: Config) => Promise<T>) {
  removeLeftBehind()
  const dataFolder = join(tmpdir(), nameOfThisProcess(DRY_RUN))
  mkdirSync(dataFolder, { mode: 0o700 })
  try {
    // Its secret is in memory alone.
    const secretKey = config.secretKey ?? crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
    const empty = { ...config, dataFolder, secretKey, replicaUrl: null }
    createLibrary(empty, found)
    return await work(empty)
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

function printFound(found: PodfetchFolder, { dataFolder, podcastFolder }: Config, way: string, print: Print) {
  const { environmentFile, database, media, kept, unknown } = found
  print(`PodFetch's database is ${database}`)
  print(`Its media are in ${media.to}`)
  if (environmentFile === null)
    print('It has no .env: where its variables are set elsewhere, take them over from there.')
  print('\nStart Castellan with these variables:')
  print(`  DATA_DIRECTORY=${dataFolder}`)
  print(`  PODCAST_DIRECTORY=${podcastFolder}`)
  for (const { name, value } of kept)
    print(`  ${name}${value === null ? ` as it is in ${environmentFile}` : `=${value}`}`)
  if (unknown.length > 0) print(`These mean nothing here: ${unknown.join(', ')}`)
  if (way === 'link' && diskOf(podcastFolder) !== diskOf(media.to))
    print('PODCAST_DIRECTORY is on another disk than the media: the files are copied.')
  print('')
}

/** The disk of a folder, or of the nearest one above it that there is. */
function diskOf(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.dev ?? diskOf(dirname(folder))
}

/** The server leaves a podcast alone that is being added here: its first reading is stored long before. */
const FIRST_READING_MS = 10 * MINUTE

type Needs = { parts: Context; config: Config; terminal: Terminal }

/**
 * Lists, adds, refreshes and removes podcasts, also while the server runs. Returns whether all went well. Throws
 * `UsageError` and `Problem`.
 */
export async function runPodcastsCommand(
  args: readonly string[],
  config: Config,
  terminal: Terminal,
): Promise<boolean> {
  const command = parsePodcastsCommand(args)
  return withParts(config, async parts => actions[command.action]({ parts, config, terminal }, command))
}

const actions: Record<PodcastsCommand['action'], (needs: Needs, command: PodcastsCommand) => Promise<boolean>> = {
  async list({ parts, terminal }, { isJson }) {
    const rows = parts.store.podcasts.listFor(operator)
    if (isJson) printJson(rows, terminal.print)
    else if (rows.length === 0)
      terminal.print('There are no podcasts yet. Add one with: castellan podcasts add ADDRESS')
    else printTable(rows, terminal.columns, terminal.print)
    return true
  },
  async add({ parts, terminal }, { names, user, userAgent }) {
    const account = requireUser(parts.store, user, podcastsUsage)
    let failures = 0
    for (const typed of names) {
      try {
        const options = { userAgent, dueAfterMs: FIRST_READING_MS }
        const { title, episode_count } = await parts.subscribe(account, typed, options)
        terminal.print(`Added ${plain(title)} (${counted(episode_count, 'episode')}).`)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        failures++
        terminal.print(plain(`${withoutPassword(typed)}: ${reasonOf(error)}`))
      }
    }
    await parts.keptFiles.resume()
    return failures === 0
  },
  refresh: ({ parts, config, terminal }, { names }) => refreshPodcasts(parts, config, names, terminal.print),
  remove,
}

/** The message of a wrong address is about the field of a form. */
const reasonOf = ({ code, message, args }: Problem) =>
  code === 'invalid-field' && args?.['field'] !== 'userAgent'
    ? 'This is not an address such as https://example.com/feed.xml'
    : message

async function remove({ parts, config, terminal }: Needs, { names, keepsFiles, isSure }: PodcastsCommand) {
  const { store } = parts
  const podcast = requirePodcast(store, names[0]!)
  const title = plain(podcast.title)
  const files = `${counted(podcast.file_count, 'file')} (${formatBytes(podcast.file_bytes)})`
  const question = `Remove ${title} with ${counted(podcast.episode_count, 'episode')}${keepsFiles ? '; keep' : ' and'} ${files}?`
  if (!isSure && !terminal.confirm) throw new UsageError(`Nobody is here to confirm it. ${question} Then add --yes`)
  if (!isSure && !(await terminal.confirm!(question))) {
    terminal.print('Nothing was removed.')
    return false
  }
  const paths = store.episodes.filesOf(podcast.id).map(({ file_path }) => file_path)
  await parts.files.bucket?.ask()
  await whileNothingMoves(parts, config, async () => {
    await parts.removePodcast(podcast, !keepsFiles)
    // A large podcast is only out of sight by then.
    await parts.removals.run()
  })
  terminal.print(keepsFiles ? `Removed ${title}. Its ${files} stay.` : `Removed ${title} with ${files}.`)
  const noted = new Set(store.forgottenFiles.list().map(({ path }) => path))
  const left = paths.filter(path => noted.has(path)).length
  if (left > 0) terminal.print(`${counted(left, 'file')} could not be deleted. The server tries again when it starts.`)
  return left === 0
}

/** Removing waits for a rename in progress, but only this process's: the server's would move a file behind it. */
async function whileNothingMoves({ store }: Context, config: Config, work: () => Promise<void>) {
  const unlock = lockOutServer(config)
  try {
    if (!unlock && store.jobs.running().some(({ kind }) => kind === 'rename'))
      throw new UsageError('The server is renaming files. Try again when it has finished.')
    await work()
  } finally {
    unlock?.()
  }
}

const ASK_EVERY_MS = 250

/**
 * Checks the feeds of the podcasts named, or all, and prints what each brought. A running server does the work: it
 * alone knows which feeds it is reading and which hosts asked for a pause. Returns whether every feed could be read.
 */
async function refreshPodcasts(parts: Context, config: Config, names: readonly string[], print: Print) {
  const { store } = parts
  const before = names.length === 0 ? listAll(store) : listNamed(store, names)
  store.inTransaction(() => before.forEach(({ id }) => store.podcasts.ask(id)))
  const ids = new Set(before.map(({ id }) => id))
  await settled(parts, config, () => store.podcasts.asked().some(id => ids.has(id)))
  const failures = before.filter(podcast => !printResult(store, podcast, print)).length
  if (before.length === 0) print('There are no feeds to check.')
  if (before.length > 1) print(`${before.length} feeds checked, ${failures} failed.`)
  return failures === 0
}

const listAll = ({ podcasts }: Store) =>
  podcasts
    .allIds()
    .map(id => podcasts.find(id)!)
    .filter(({ feed_url }) => !isFolderAddress(feed_url))

function listNamed(store: Store, names: readonly string[]): PodcastRow[] {
  const found = new Map(names.map(name => requirePodcast(store, name)).map(podcast => [podcast.id, podcast]))
  for (const { title, feed_url, active } of found.values()) {
    if (isFolderAddress(feed_url)) throw new UsageError(`${plain(title)} has no feed: it is a folder of files`)
    if (!active) throw new UsageError(`${plain(title)} is switched off. Switch it on in its settings first.`)
  }
  return [...found.values()]
}

/** Waits for the server, or does its work while there is none. */
async function settled({ refresh }: Context, config: Config, isWaiting: () => boolean) {
  while (isWaiting()) {
    const unlock = lockOutServer(config)
    try {
      if (!unlock) await Bun.sleep(ASK_EVERY_MS)
      else return await refresh.refreshAsked()
    } finally {
      unlock?.()
    }
  }
}

/** Returns whether the feed could be read. */
function printResult({ podcasts }: Store, { id, title, episode_count }: PodcastRow, print: Print): boolean {
  const say = (result: string) => print(`${plain(title)}: ${result}`)
  const now = podcasts.find(id)
  if (!now) say('has been removed since')
  else if (now.next_check_at === ASKED) say('was not checked')
  else if (now.error_message !== null) say(`failed: ${plain(now.error_message)}`)
  else {
    say(newOnes(now.episode_count - episode_count))
    return true
  }
  return false
}

const newOnes = (count: number) => (count <= 0 ? 'nothing new' : counted(count, 'new episode'))
