import type { Config } from '../config'
import type { Context } from '../context'
import type { Store } from '../store'
import { ASKED, isFolderAddress } from '../store/feeds'
import type { PodcastRow } from '../store/podcasts'
import { UsageError } from './arguments'
import { requirePodcast } from './find-podcast'
import { lockOutServer } from './import'
import { counted } from './podcast-list'
import { plain, type Print } from './terminal'

const ASK_EVERY_MS = 250

/**
 * Checks the feeds of the podcasts named, or all, and prints what each brought. A running server does the work: it
 * alone knows which feeds it is reading and which hosts asked for a pause. Returns whether every feed could be read.
 */
export async function refreshPodcasts(parts: Context, config: Config, names: readonly string[], print: Print) {
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
