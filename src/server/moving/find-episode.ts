import { DAY } from '../platform/clock'
import type { Store } from '../store'
import type { KnownEpisode } from '../store/episodes'
import type { EpisodeRef } from './item'

type Marked = Pick<KnownEpisode, 'id' | 'guid' | 'feed_guid' | 'title' | 'enclosure_url' | 'announced_at'>
type Index = {
  byGuid: Map<string, Marked[]>
  byAddress: Map<string, Marked[]>
  byTitle: Map<string, Marked[]>
  episodes: number
}

export type EpisodeFinder = ReturnType<typeof createEpisodeFinder>

/** Podcasts whose episodes are kept in memory: a source's items are grouped by podcast, except in its lists. */
const MAX_PODCASTS = 8

/**
 * Finds episodes of the library by what another program knows about them: the guid, else the address, else title and
 * day. A guid proves nothing if address, title and day all say otherwise: feeds reuse guids, and some give the same one
 * to all.
 */
export function createEpisodeFinder(store: Store) {
  const indexes = new Map<number, Index>()
  const checked = new Set<number>()
  function indexOf(podcastId: number): Index {
    const before = indexes.get(podcastId)
    const isCurrent = before && (checked.has(podcastId) || before.episodes === countOf(store, podcastId))
    const known = isCurrent ? before : readIndex(store, podcastId)
    checked.add(podcastId)
    indexes.delete(podcastId)
    indexes.set(podcastId, known)
    if (indexes.size > MAX_PODCASTS) indexes.delete(indexes.keys().next().value!)
    return known
  }
  return {
    find(podcastId: number, ref: EpisodeRef): number | null {
      const index = indexOf(podcastId)
      return (byGuid(index, ref) ?? byAddress(index, ref) ?? byTitle(index, ref))?.id ?? null
    },
    /** Whether an episode of the podcast has this guid, which is unique within it. */
    hasGuid: (podcastId: number, guid: string) => indexOf(podcastId).byGuid.has(guid),
    /** Makes an episode that was just created findable. */
    add: (podcastId: number, episode: Marked) => put(indexOf(podcastId), episode),
    /** Makes a new transaction see what others have added since the last one. */
    begin: () => checked.clear(),
  }
}

const countOf = (store: Store, podcastId: number) => store.podcasts.find(podcastId)?.episode_count ?? 0

function readIndex(store: Store, podcastId: number): Index {
  const index: Index = { byGuid: new Map(), byAddress: new Map(), byTitle: new Map(), episodes: 0 }
  for (const episode of store.episodes.knownOf(podcastId)) put(index, episode)
  return index
}

function put(index: Index, episode: Marked) {
  const { byGuid, byAddress, byTitle } = index
  index.episodes++
  const { guid, feed_guid, enclosure_url, title, announced_at } = episode
  for (const one of new Set([guid, feed_guid])) if (one) byGuid.getOrInsertComputed(one, () => []).push(episode)
  for (const key of new Set([placeOf(enclosure_url), withQuery(enclosure_url)]))
    byAddress.getOrInsertComputed(key, () => []).push(episode)
  const day = titleOfDay(title, announced_at)
  if (day) byTitle.getOrInsertComputed(day, () => []).push(episode)
}

function byGuid({ byGuid: known }: Index, ref: EpisodeRef): Marked | null {
  const found = (ref.guid && known.get(ref.guid)) || []
  const agreeing = found.find(one => isSameAddress(one, ref)) ?? found.find(one => isSameTitle(one, ref))
  if (agreeing) return agreeing
  return found.find(one => !contradicts(one, ref)) ?? null
}

/** By the address with its query, which distinguishes `get.php?e=1` from `get.php?e=2`, else without it. */
function byAddress({ byAddress: known }: Index, ref: EpisodeRef): Marked | null {
  if (ref.address === null) return null
  for (const key of [withQuery(ref.address), placeOf(ref.address)]) {
    const found = known.get(key) ?? []
    if (found.length === 1 && !(isOtherGuid(found[0]!, ref) && contradicts(found[0]!, { ...ref, address: null })))
      return found[0]!
    const same = found.find(one => isSameTitle(one, ref))
    if (same) return same
  }
  return null
}

function byTitle({ byTitle: known }: Index, { title, publishedAt }: EpisodeRef): Marked | null {
  const key = title === null ? null : titleOfDay(title, publishedAt)
  return (key && known.get(key)?.[0]) || null
}

const withQuery = (address: string) => address.replace(/^[a-z]+:\/\//i, '').split('#', 1)[0]!
const placeOf = (address: string) => withQuery(address).split('?', 1)[0]!
const folded = (title: string) => title.toLowerCase().replace(/\s+/g, ' ').trim()
const dayOf = (at: number) => Math.floor(at / DAY)
const titleOfDay = (title: string, at: number | null) => (at === null ? null : `${dayOf(at)} ${folded(title)}`)

const isOtherGuid = ({ feed_guid }: Marked, { guid }: EpisodeRef) =>
  guid !== null && feed_guid !== null && guid !== feed_guid
const isSameAddress = ({ enclosure_url }: Marked, { address }: EpisodeRef) =>
  address !== null && placeOf(enclosure_url) === placeOf(address)
const isSameTitle = ({ title }: Marked, ref: EpisodeRef) => ref.title !== null && folded(title) === folded(ref.title)

/** Whether title and day, and the address if it is known, are all another episode's. */
const contradicts = (one: Marked, ref: EpisodeRef) =>
  ref.title !== null &&
  !isSameTitle(one, ref) &&
  !(ref.address !== null && isSameAddress(one, ref)) &&
  ref.publishedAt !== null &&
  one.announced_at !== null &&
  dayOf(one.announced_at) !== dayOf(ref.publishedAt)
