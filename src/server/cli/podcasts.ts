import type { Config } from '../config'
import type { Context } from '../context'
import { MINUTE } from '../platform/clock'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import { ASKED, isFolderAddress } from '../store/feeds'
import type { PodcastRow } from '../store/podcasts'
import { readOptions, UsageError } from './arguments'
import { operator, requirePodcast, withoutPassword, printJson, printTable } from './podcast-list'
import { lockOutServer, requireUser, withLibrary } from './library'
import { counted, formatBytes, plain, type Print, type Terminal } from './terminal'

export const podcastsUsage = `castellan podcasts list [--json]
castellan podcasts add ADDRESS… [--user NAME] [--user-agent TEXT]
castellan podcasts refresh [PODCAST…]
castellan podcasts remove PODCAST [--keep-files] [--yes]
    PODCAST       its title, feed address, or id from list --json; refresh without one refreshes all
    --user        the account that adds them
    --user-agent  sent instead of Castellan's name, for a host that refuses it
    --keep-files  keeps its audio and video files, which are found again if you add it again
    --yes         doesn't ask for confirmation`

/** The server does not touch a podcast that is being added here: its first reading is stored long before this ends. */
const FIRST_READING_MS = 10 * MINUTE

type Needs = { parts: Context; config: Config; terminal: Terminal }

/**
 * Lists, adds, refreshes and removes podcasts, even while the server is running. Returns whether everything succeeded.
 * Throws `UsageError` and `Problem`.
 */
export async function runPodcastsCommand(
  args: readonly string[],
  config: Config,
  terminal: Terminal,
): Promise<boolean> {
  const command = parsePodcastsCommand(args)
  return withLibrary(config, async parts => actions[command.action]({ parts, config, terminal }, command))
}

const actions: Record<Action, (needs: Needs, command: PodcastsCommand) => Promise<boolean>> = {
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
  if (!isSure && !terminal.confirm) throw new UsageError(`This needs confirmation. ${question} If so, add --yes`)
  if (!isSure && !(await terminal.confirm!(question))) {
    terminal.print('Nothing was removed.')
    return false
  }
  const paths = store.episodes.filesOf(podcast.id).map(({ file_path }) => file_path)
  await parts.files.bucket?.ask()
  await whileNothingMoves(parts, config, async () => {
    await parts.removePodcast(podcast, !keepsFiles)
    // A large podcast has only disappeared from view by then.
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
 * Checks the feeds of the named podcasts, or all, and prints the result of each. A running server does the work: only
 * it knows which feeds it is reading and which hosts asked for a pause. Returns whether every feed could be read.
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

const actionNames = ['list', 'add', 'refresh', 'remove'] as const
type Action = (typeof actionNames)[number]

type PodcastsCommand = {
  action: Action
  /** Addresses to add, or names of podcasts. */
  names: readonly string[]
  user: string | null
  userAgent: string | undefined
  isJson: boolean
  keepsFiles: boolean
  isSure: boolean
}

/** The options of each command; another one is refused. */
const optionsOf: Record<Action, readonly string[]> = {
  list: ['json'],
  add: ['user', 'user-agent'],
  refresh: [],
  remove: ['keep-files', 'yes'],
}

const refuse = (reason: string) => new UsageError(reason, podcastsUsage)

/** Reads the arguments after `castellan podcasts`. Throws `UsageError`. */
function parsePodcastsCommand(args: readonly string[]): PodcastsCommand {
  const { positionals, values } = parse(args)
  const [given, ...names] = positionals
  if (given === undefined) throw refuse('podcasts needs a command')
  const action = actionNames.find(one => one === given)
  if (!action) throw refuse(`podcasts has no command "${given}"`)
  const foreign = Object.keys(values).find(name => !optionsOf[action].includes(name))
  if (foreign) throw refuse(`${action} has no --${foreign}`)
  requireNumber(action, names)
  return {
    action,
    names,
    user: values.user ?? null,
    userAgent: values['user-agent'],
    isJson: values.json ?? false,
    keepsFiles: values['keep-files'] ?? false,
    isSure: values.yes ?? false,
  }
}

function requireNumber(action: Action, names: readonly string[]) {
  if (action === 'list' && names.length > 0) throw refuse(`Unexpected "${names[0]}"`)
  if (action === 'add' && names.length === 0) throw refuse('add needs the address of a feed')
  if (action === 'remove' && names.length === 0) throw refuse('remove needs a podcast')
  if (action === 'remove' && names.length > 1) throw refuse(`Unexpected "${names[1]}". Titles with spaces need quotes.`)
}

const parse = (args: readonly string[]) =>
  readOptions(
    args,
    {
      json: { type: 'boolean' },
      user: { type: 'string' },
      'user-agent': { type: 'string' },
      'keep-files': { type: 'boolean' },
      yes: { type: 'boolean' },
    },
    podcastsUsage,
  )
