import type { Config } from '../config'
import type { Context } from '../context'
import { MINUTE } from '../platform/clock'
import { Problem } from '../platform/problem'
import { UsageError } from './arguments'
import { operator, requirePodcast, withoutPassword } from './find-podcast'
import { requireUser, lockOutServer, withParts } from './import'
import { counted, formatBytes, printJson, printTable } from './podcast-list'
import { parsePodcastsCommand, podcastsUsage, type PodcastsCommand } from './podcast-options'
import { refreshPodcasts } from './podcast-refresh'
import { plain, type Terminal } from './terminal'

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
