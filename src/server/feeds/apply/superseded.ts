import type { KnownEpisode } from '../../store/episodes'
import type { Recognised } from './identity'
import { lengthOf, timeOf } from './marks'

/** The failure of a download whose address now belongs to a newer episode. */
export const supersededFailure = {
  code: 'media-superseded',
  message: 'The publisher has replaced this recording with a newer episode',
} as const

type Holder = {
  /** The publication date; null if the feed gives none. */
  time: number | null
  /** The position in the feed, 0 = the first. */
  place: number
  length: number | null
  of: Recognised | KnownEpisode
}

/**
 * Finds the episodes that lost their address: if a feed always has its newest episode at one address (`newscast.mp3`),
 * the older episodes can no longer be fetched. Two with the same length are one recording listed twice; both keep the
 * address.
 */
export function findSuperseded(recognised: readonly Recognised[], known: readonly KnownEpisode[]) {
  const entryOf = new Map(recognised.map(entry => [entry.episode, entry]))
  const byAddress = new Map<string, Holder[]>()
  const hold = (address: string, holder: Holder) => byAddress.getOrInsertComputed(address, () => []).push(holder)

  recognised.forEach((entry, place) => {
    const { enclosure, announcedAt } = entry.item
    hold(enclosure.url, { time: timeOf(announcedAt), place, length: lengthOf(enclosure.size), of: entry })
  })
  for (const episode of known) {
    if (entryOf.has(episode)) continue
    const { enclosure_url, enclosure_size, announced_at } = episode
    hold(enclosure_url, {
      time: timeOf(announced_at),
      place: Number.MAX_SAFE_INTEGER,
      length: lengthOf(enclosure_size),
      of: episode,
    })
  }

  const lost = new Set<Recognised | KnownEpisode>()
  for (const holders of byAddress.values()) {
    if (holders.length < 2) continue
    const newest = holders.reduce((one, other) => (isNewer(other, one) ? other : one))
    for (const holder of holders) {
      const isSame = holder.length !== null && holder.length === newest.length && holders.length === 2
      if (holder !== newest && !isSame) lost.add(holder.of)
    }
  }
  return {
    /** Items and known episodes that lost their address. */
    lost: lost as ReadonlySet<unknown>,
    /** Known episodes whose state changes. */
    changes: known.flatMap(episode => {
      const superseded = lost.has(entryOf.get(episode) ?? episode)
      return superseded === (episode.superseded === 1) ? [] : [{ id: episode.id, superseded }]
    }),
  }
}

/** Compares by date; without dates the first in the feed is the newest. */
const isNewer = (one: Holder, other: Holder) =>
  one.time !== null && other.time !== null && one.time !== other.time ? one.time > other.time : one.place < other.place
