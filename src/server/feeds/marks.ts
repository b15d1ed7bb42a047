import { DAY } from '../platform/clock'
import type { KnownEpisode } from '../store/episodes'
import { titleOf, type PlayableItem } from './playable'

/** Marks by which an episode is recognised, from a feed or from the library. Null = not given. */
export type Marks = {
  /** The feed's own. */
  guid: string | null
  /** As it is given, then reduced to what stays the same between fetches: see `addressKeys`. */
  address: string
  /** Letters and digits only, in lower case. */
  title: string
  /** When the feed says it was published, in ms. */
  time: number | null
  /** Bytes, as the feed says. */
  length: number | null
}
export type Mark = keyof Marks

/** Hosts write 0, 1 or a round guess where they do not know the length. */
const LEAST_LENGTH = 10_000
const MAX_GUID = 2000

export const marksOfItem = (item: PlayableItem): Marks => ({
  guid: item.guid === null ? null : fitGuid(item.guid),
  address: item.enclosure.url,
  title: foldTitle(titleOf(item)),
  time: timeOf(item.announcedAt),
  length: lengthOf(item.enclosure.size),
})

export const marksOfEpisode = (episode: KnownEpisode): Marks => ({
  guid: episode.feed_guid,
  address: episode.enclosure_url,
  title: foldTitle(episode.title),
  time: timeOf(episode.announced_at),
  length: lengthOf(episode.enclosure_size),
})

export const timeOf = (announcedAt: number | null) => (announcedAt !== null && announcedAt > 0 ? announcedAt : null)
export const lengthOf = (size: number | null) => (size !== null && size >= LEAST_LENGTH ? size : null)

/** A title of symbols alone stays as it is: it is all that there is. */
function foldTitle(title: string): string {
  const folded = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
  return folded || title.trim()
}

/** Cuts a guid to what the library keeps; two long ones that begin alike stay different. */
export const fitGuid = (guid: string) =>
  guid.length <= MAX_GUID ? guid : `${guid.slice(0, MAX_GUID - 20)}#${Bun.hash(guid).toString(36)}`

/**
 * Counts who carries which mark. A mark tells episodes apart when one item and one known episode at most carry it, and
 * others carry another: a title that all items share ("News") or the fixed address of a whole feed proves nothing.
 */
export function takeCensus(items: readonly Marks[], episodes: readonly Marks[]) {
  const counts = new Map<Mark, Map<unknown, [items: number, episodes: number]>>()
  for (const mark of ['guid', 'address', 'title', 'time', 'length'] as const) {
    const values = new Map<unknown, [number, number]>()
    for (const [side, list] of [items, episodes].entries())
      for (const marks of list) {
        const value = marks[mark]
        if (value === null) continue
        const count = values.get(value) ?? [0, 0]
        count[side]!++
        values.set(value, count)
      }
    counts.set(mark, values)
  }
  const times = [...counts.get('time')!.keys()] as number[]
  const tellsTimeOfDay = times.length < 2 || new Set(times.map(time => time % DAY)).size > 1

  return {
    /**
     * Whether this mark of an item belongs to it alone. Two episodes do not share a length by accident, nor a moment;
     * but where a feed gives the day and no more, they do share a time.
     */
    isOwn(marks: Marks, mark: Mark | 'moment'): boolean {
      const values = counts.get(mark === 'moment' ? 'time' : mark)!
      const [listed, known] = values.get(marks[mark === 'moment' ? 'time' : mark]) ?? [0, 0]
      if (listed > 1 || known > 1) return false
      if (mark === 'moment') return tellsTimeOfDay
      return mark === 'length' || values.size > 1
    },
  }
}
