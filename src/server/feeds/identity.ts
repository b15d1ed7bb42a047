import type { KnownEpisode } from '../store/episodes'
import { enclosureKey } from './enclosure'
import { copyOf } from './packed'
import type { ParsedEnclosure, ParsedItem } from './parsed-feed'

/** An item that can be played, with the guid under which it is kept. */
export type IdentifiedItem = ParsedItem & { enclosure: ParsedEnclosure; guid: string }

const DAY = 24 * 60 * 60 * 1000
const TEN_MINUTES = 600

/**
 * Gives every playable item a guid that is its own within the feed: the feed's; else the address of the enclosure
 * without its signature, else the link, else title and date. Of two items with one guid the first keeps it, a second
 * with another enclosure gets the guid with that enclosure behind it; one with the same enclosure is the same item.
 */
export function identify(items: readonly ParsedItem[]): IdentifiedItem[] {
  const seen = new Map<string, IdentifiedItem>()
  for (const item of items) {
    if (!item.enclosure) continue
    // A copy of each of tens of thousands would be most of what they take.
    const identified = (
      item.guid === null ? copyOf(item, { guid: substitute(item, item.enclosure) }) : item
    ) as IdentifiedItem
    const first = seen.get(identified.guid)
    if (!first) {
      seen.set(identified.guid, identified)
      continue
    }
    if (enclosureKey(first.enclosure.url) === enclosureKey(item.enclosure.url)) continue
    const own = ownGuid(identified)
    if (!seen.has(own)) seen.set(own, copyOf(identified, { guid: own }))
  }
  return [...seen.values()]
}

const substitute = (item: ParsedItem, enclosure: ParsedEnclosure) =>
  enclosureKey(enclosure.url) || item.link || `${item.title}#${item.announcedAt ?? ''}`

const ownGuid = (item: IdentifiedItem) => `${item.guid}#${enclosureKey(item.enclosure.url)}`

/**
 * Which known episode each item is, by its index; missing = new. In this order: the same guid; the same enclosure; the
 * same title, day, kind and about the same length. Where more than half of a feed is recognised without its guids, the
 * whole feed was moved to a new host: then title or date alone will do, so that no flood of "new" episodes results.
 * A guid that a publisher uses again for another day's episode is a new one, if the old was listened to.
 */
export function matchEpisodes(items: IdentifiedItem[], known: readonly KnownEpisode[]): Map<number, KnownEpisode> {
  const byGuid = new Map(known.map(episode => [episode.guid, episode]))
  const matches = new Map<number, KnownEpisode>()
  const taken = new Set<number>()
  const take = (index: number, episode: KnownEpisode) => {
    matches.set(index, episode)
    taken.add(episode.id)
  }

  items.forEach((item, index) => {
    const own = byGuid.get(ownGuid(item))
    const same = own ?? byGuid.get(item.guid)
    if (!same || taken.has(same.id)) return
    if (!own && isReused(item, same)) {
      items[index] = copyOf(item, { guid: ownGuid(item) })
      return
    }
    if (own) items[index] = copyOf(item, { guid: own.guid })
    take(index, same)
  })

  const rest = known.filter(episode => !taken.has(episode.id))
  if (rest.length === 0) return matches
  const unmatched = items.map((item, index) => ({ item, index })).filter(({ index }) => !matches.has(index))
  const byEnclosure = new Map(rest.map(episode => [enclosureKey(episode.enclosure_url), episode]))
  const byTitle = Map.groupBy(rest, episode => foldTitle(episode.title))
  const byDate = new Map(rest.map(episode => [episode.announced_at, episode]))

  for (const { item, index } of unmatched) {
    const candidates = [
      byEnclosure.get(enclosureKey(item.enclosure.url)),
      ...(byTitle.get(foldTitle(item.title)) ?? []),
    ]
    const found = candidates.find(
      (episode, place) =>
        episode && !taken.has(episode.id) && (place === 0 ? !isReused(item, episode) : isLikely(item, episode)),
    )
    if (found) take(index, found)
  }

  const recognised = unmatched.filter(({ index }) => matches.has(index)).length
  if (recognised * 2 > items.length)
    for (const { item, index } of unmatched) {
      if (matches.has(index)) continue
      const sameTitle = byTitle.get(foldTitle(item.title))?.find(episode => !taken.has(episode.id))
      const sameDate = item.announcedAt === null ? undefined : byDate.get(item.announcedAt)
      const found = sameTitle ?? (sameDate && !taken.has(sameDate.id) ? sameDate : undefined)
      if (found) take(index, found)
    }
  return matches
}

function isReused(item: IdentifiedItem, episode: KnownEpisode): boolean {
  if (!episode.heard || item.announcedAt === null || episode.announced_at === null) return false
  return (
    item.announcedAt - episode.announced_at > DAY &&
    enclosureKey(item.enclosure.url) !== enclosureKey(episode.enclosure_url)
  )
}

function isLikely(item: IdentifiedItem, episode: KnownEpisode): boolean {
  const sameDay =
    item.announcedAt !== null &&
    episode.announced_at !== null &&
    new Date(item.announcedAt).toDateString() === new Date(episode.announced_at).toDateString()
  const sameLength =
    item.duration === 0 || episode.duration === 0 || Math.abs(item.duration - episode.duration) <= TEN_MINUTES
  return sameDay && sameLength && kind(item.enclosure.type) === kind(episode.enclosure_type)
}

const kind = (type: string | null) => (type?.startsWith('video/') ? 'video' : 'audio')
const foldTitle = (title: string) =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
