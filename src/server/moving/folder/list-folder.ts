import type { Store } from '../../store'
import { FOLDER_SCHEME } from '../../store/feeds'
import type { PodcastRow } from '../../store/podcasts'
import type { FileItem, PodcastItem } from '../item'
import type { ScannedFile, ScannedPodcast } from './scan-folder'
import { DAY } from '../../platform/clock'
import type { KnownEpisode } from '../../store/episodes'

/**
 * Lists the podcasts of a folder and their files as items of a move. A podcast of the same title that the library has
 * with a feed receives the files; else the folder becomes one without, always the same for the same folder.
 */
export function listFolder(store: Store, scanned: readonly ScannedPodcast[]): (PodcastItem | FileItem)[] {
  const byTitle = Map.groupBy(store.podcasts.allWithFolders(), ({ title }) => bare(title))
  return scanned.flatMap(({ folder, title, files }) => {
    const address = addressOf(folder)
    const isHere = store.podcasts.findByFeed(address) !== null
    const [known, ...others] = isHere ? [] : (byTitle.get(bare(title)) ?? [])
    const podcast = known && others.length === 0 ? store.podcasts.find(known.id) : null
    const feed = podcast?.feed_url ?? address
    const find = podcast ? matcherOf(store, podcast) : () => null
    const item: PodcastItem = { is: 'podcast', feed, title, active: podcast !== null }
    return [item, ...files.map(file => itemOf(feed, address, file, find))]
  })
}

type Find = (file: ScannedFile) => FileItem['episode'] | null

function matcherOf(store: Store, { id, feed_url: feed }: PodcastRow): Find {
  const match = createEpisodeMatcher(store.episodes.knownOf(id))
  return ({ place, title, at }) => {
    const found = match({ name: place.split('/').at(-1)!, title, at })
    if (!found) return null
    const { guid, enclosure_url: address, announced_at: publishedAt } = found
    return { feed, guid, address, title: found.title, publishedAt, duration: null }
  }
}

function itemOf(feed: string, folder: string, file: ScannedFile, find: Find): FileItem {
  const { path, place, size, type, title, at, number, notes } = file
  const episode = find(file) ?? {
    feed,
    guid: place,
    address: `${folder}/${place.split('/').map(encodeURIComponent).join('/')}`,
    title,
    publishedAt: at,
    duration: null,
    number,
    notes: notes && Bun.escapeHTML(notes),
    type,
  }
  return { is: 'file', episode, path, size, at: null }
}

const addressOf = (folder: string) =>
  FOLDER_SCHEME + new Bun.CryptoHasher('sha256').update(folder).digest('hex').slice(0, 32)

type Looked = { name: string; title: string; at: number | null }

/**
 * Finds which episode of a podcast each file is: by the name of the file at its host, else by title and day, else by a
 * title that no other episode has. Each episode is found once.
 */
function createEpisodeMatcher(known: readonly KnownEpisode[]) {
  const byName = Map.groupBy(known, ({ enclosure_url }) => bare(nameOf(enclosure_url)))
  const byTitle = Map.groupBy(known, ({ title }) => bare(title))
  const used = new Set<number>()
  return ({ name, title, at }: Looked): KnownEpisode | null => {
    const sameTitle = (byTitle.get(bare(title)) ?? []).filter(({ id }) => !used.has(id))
    const found =
      only(byName.get(bare(withoutExtension(name)))) ??
      sameTitle.find(one => at !== null && one.announced_at !== null && dayOf(one.announced_at) === dayOf(at)) ??
      only(sameTitle)
    if (!found || used.has(found.id)) return null
    used.add(found.id)
    return found
  }
}

const only = <T>(found: readonly T[] | undefined): T | null => (found?.length === 1 ? found[0]! : null)
const dayOf = (at: number) => Math.floor(at / DAY)
const withoutExtension = (name: string) => name.replace(/\.\w{1,5}$/, '')

/** The letters and digits of a text: a name of a file lacks the rest. */
export const bare = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

function nameOf(address: string): string {
  const last = URL.parse(address)?.pathname.split('/').at(-1) ?? ''
  try {
    return withoutExtension(decodeURIComponent(last))
  } catch {
    return withoutExtension(last)
  }
}
