import type { KnownEpisode } from '../../store/episodes'
import { chooseEnclosure } from '../parse/items'
import type { Recognised } from './identity'
import { fitGuid } from '../parse/values'
import type { ParsedTrailer } from '../parse/parsed-feed'
import type { PlayableItem } from '../parse/parsed-feed'

/**
 * Makes episodes of the trailers that the feed doesn't list as items, and finds them again: by their address, else by
 * their title. They are left out when items are recognised, because they would distort what the feed's guids and dates
 * show.
 */
export function recogniseTrailers(
  trailers: readonly ParsedTrailer[],
  listed: readonly Recognised[],
  known: readonly KnownEpisode[],
): Recognised[] {
  if (trailers.length === 0) return []
  const addresses = new Set(listed.map(({ item }) => item.enclosure.url))
  const guids = new Set([...known, ...listed].map(({ guid }) => guid))
  const taken = new Set(listed.map(({ episode }) => episode))
  const waiting = new Set(known.filter(one => !taken.has(one) && !addresses.has(one.enclosure_url)))
  const take = (fits: (episode: KnownEpisode) => boolean): KnownEpisode | null => {
    for (const episode of waiting)
      if (fits(episode)) {
        waiting.delete(episode)
        return episode
      }
    return null
  }
  const found = trailers.flatMap(trailer => {
    const item = addresses.has(trailer.url) ? null : itemOf(trailer)
    addresses.add(trailer.url)
    if (!item) return []
    const isThere = ({ enclosure_url }: KnownEpisode) => enclosure_url === trailer.url
    return [{ item, url: trailer.url, episode: take(known => isTrailer(known) && isThere(known)) ?? take(isThere) }]
  })
  // Titles come second: two seasons may both call theirs "Trailer".
  return found.map(({ item, url, episode: atAddress }) => {
    const episode = atAddress ?? take(known => isTrailer(known) && known.title === item.title)
    const guid = episode?.guid ?? freeGuid(url, guids)
    guids.add(guid)
    return { item, episode, guid, isAgain: false, isReissued: false }
  })
}

/** The known episodes that the items of a feed may be: all but its trailers. */
export const withoutTrailers = (known: readonly KnownEpisode[]) =>
  known.some(isTrailer) ? known.filter(episode => !isTrailer(episode)) : known

/** Pairs the items that seem new with trailers of the same address: the feed lists them as items now. */
export function pairTrailers(recognised: readonly Recognised[], known: readonly KnownEpisode[]) {
  const trailers = new Map(known.filter(isTrailer).map(episode => [episode.enclosure_url, episode]))
  if (trailers.size === 0) return
  const guids = new Set([...trailers.values()].map(({ guid }) => guid))
  for (const entry of recognised) {
    const { url } = entry.item.enclosure
    entry.episode ??= trailers.get(url) ?? null
    trailers.delete(url)
    // A guid is unique within a podcast, whatever a feed writes.
    if (entry.episode?.guid !== entry.guid && guids.has(entry.guid))
      entry.guid = fitGuid(`${entry.guid}#${Bun.hash(url).toString(36)}`)
  }
}

const isTrailer = ({ aside }: KnownEpisode) => aside === 1

function freeGuid(address: string, held: ReadonlySet<string>): string {
  const guid = fitGuid(`trailer:${address}`)
  return held.has(guid) ? fitGuid(`${guid}#${Bun.hash(address).toString(36)}`) : guid
}

/** Null for a trailer that can't be played. */
function itemOf({ url, title, season, pubdate, type, length }: ParsedTrailer): PlayableItem | null {
  const enclosure = chooseEnclosure([{ url, type: type ?? null, size: length ?? null }])
  if (!enclosure) return null
  return {
    isAside: true,
    guid: null,
    title: title || 'Trailer',
    notes: '',
    link: null,
    enclosure,
    imageUrl: null,
    announcedAt: pubdate === undefined ? null : Date.parse(pubdate),
    duration: 0,
    season: season ?? null,
    number: null,
    type: 'trailer',
    explicit: null,
    chaptersUrl: null,
    transcripts: [],
    persons: [],
    soundbites: [],
    location: null,
  }
}
