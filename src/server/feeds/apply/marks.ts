import { DAY } from '../../platform/clock'
import type { KnownEpisode } from '../../store/episodes'
import { fitGuid } from '../parse/values'
import { titleOf, type PlayableItem } from '../parse/parsed-feed'

/** The marks that identify an episode, from a feed or from the library. Null = not given. */
export type Marks = {
  /** The feed's own. */
  guid: string | null
  /** The given address, later reduced by `addressKeys` to the part that stays the same between fetches. */
  address: string
  /** Letters and digits only, in lower case. */
  title: string
  /** The publication date in the feed, in ms. */
  time: number | null
  /** The file's size in the feed, in bytes. */
  length: number | null
}
export type Mark = keyof Marks

/** An item of a feed with its marks. `place`: its position in the feed, 0 = the first. */
export type Listed = { item: PlayableItem; marks: Marks; place: number }
/** An episode of the library with its marks. `place`: its position by publication, 0 = the oldest. */
export type Known = { episode: KnownEpisode; marks: Marks; place: number }
export type Pairs = Map<Listed, Known>
export type Census = ReturnType<typeof takeCensus>

/** The least believable length: hosts that do not know it write 0, 1 or a small guess. */
const MIN_LENGTH = 10_000

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

/** The item that a row was made from, as far as it identifies an episode. The rest is missing. */
export const itemOf = (episode: KnownEpisode) =>
  ({
    title: episode.title,
    guid: episode.feed_guid,
    duration: episode.announced_duration,
    announcedAt: episode.announced_at,
    enclosure: { url: episode.enclosure_url, type: episode.enclosure_type, size: episode.enclosure_size },
  }) as PlayableItem

export const timeOf = (announcedAt: number | null) => (announcedAt !== null && announcedAt > 0 ? announcedAt : null)
export const lengthOf = (size: number | null) => (size !== null && size >= MIN_LENGTH ? size : null)

/** Folds a title to letters and digits; one that has only symbols stays as it is. */
function foldTitle(title: string): string {
  const folded = ascii.test(title)
    ? title.toLowerCase().replace(/[^a-z\d]+/g, '')
    : title
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '')
  return folded || title.trim()
}

const ascii = /^[\0-\x7f]*$/

/**
 * Counts the items and known episodes that carry each mark. A mark identifies an episode when at most one item and one
 * known episode carry it, and others carry another: a title that all items share ("News") proves nothing.
 */
export function takeCensus(items: readonly Marks[], episodes: readonly Marks[]) {
  // Counted when it is needed: a feed with one new episode needs next to nothing.
  const counts = new Map<Mark, Map<unknown, [items: number, episodes: number]>>()
  function countsOf(mark: Mark) {
    const values = new Map<unknown, [number, number]>()
    for (const [side, list] of [items, episodes].entries())
      for (const marks of list) {
        const value = marks[mark]
        if (value === null) continue
        const count = values.get(value) ?? [0, 0]
        count[side]!++
        values.set(value, count)
      }
    return values
  }
  let tellsTimeOfDay: boolean | null = null

  return {
    /**
     * Whether only this item has this mark. Two episodes do not share a length or a moment by accident; but if a feed
     * gives only the day, they do share a time.
     */
    isOwn(marks: Marks, mark: Mark | 'moment'): boolean {
      const counted = mark === 'moment' ? 'time' : mark
      const values = counts.getOrInsertComputed(counted, countsOf)
      const value = marks[counted]
      const [listed, known] = values.get(value) ?? [0, 0]
      if (value === null || listed > 1 || known > 1) return false
      if (mark === 'moment') return (tellsTimeOfDay ??= [items, episodes].every(tellTimeOfDay))
      return mark === 'length' || values.size > 1
    },
  }
}

/**
 * Whether dates have a time of day. The dates of a show that is always published at midnight, or at eight, say no more
 * than the day.
 */
function tellTimeOfDay(list: readonly Marks[]): boolean {
  const times = list.flatMap(({ time }) => time ?? [])
  return times.length < 2 || new Set(times.map(time => time % DAY)).size > 1
}

/**
 * Parameters that often change from fetch to fetch: signatures, expiry dates, campaign tags. The most certain come
 * first.
 */
const volatile: readonly RegExp[] = [
  /^(utm_.*|x-amz-.*|x-goog-.*|aw_.*|awsaccesskeyid|key-pair-id|policy|sig(nature)?|hmac|expires?|exp|updated|_=?)$/i,
  /^token(-.*)?$/i,
  /^(ts|timestamp)$/i,
  /^(source|from)$/i,
  /^hash$/i,
  /^(st|t|e)$/i,
]
const MAX_NAMES = 20
/** An address with more of them is taken as it is: no host signs one so. */
const MAX_PARAMETERS = 50

/** An episode's address with what distinguishes it from the others of its list. */
export type Sample = { guid: string | null; address: string; title: string; time: number | null }

type Parts = { place: string; parameters: readonly string[] }

/**
 * Returns the function that reduces an enclosure's address to the part that stays the same between fetches: without its
 * scheme, and without volatile parameters. A parameter that distinguishes two episodes of one list (`get.php?e=1`,
 * `get.php?e=2`) is not volatile in this feed, whatever its name is. `lists`: the items of the feed, and the known
 * episodes.
 */
export function addressKeys(...lists: readonly (readonly Sample[])[]): (address: string) => string {
  const ranks = new Map<string, number>()
  for (const list of lists)
    for (const { address } of list)
      for (const text of split(address).parameters) {
        const name = nameOf(text)
        const rank = volatile.findIndex(pattern => pattern.test(name))
        if (rank >= 0 && ranks.size < MAX_NAMES) ranks.set(name, rank)
      }
  const names = [...ranks].sort(([, one], [, other]) => one - other).map(([name]) => name)

  let stripped = new Set(names)
  if (names.length > 0 && collisions(lists, stripped) > 0) {
    stripped = new Set()
    let least = collisions(lists, stripped)
    for (const name of names) {
      stripped.add(name)
      const found = collisions(lists, stripped)
      if (found > least) stripped.delete(name)
      else least = found
    }
  }
  return address => join(split(address), stripped)
}

/** Counts the samples whose reduced address is also that of another episode at another address. */
function collisions(lists: readonly (readonly Sample[])[], stripped: ReadonlySet<string>): number {
  let found = 0
  for (const list of lists) {
    const first = new Map<string, Sample>()
    for (const sample of list) {
      const key = join(split(sample.address), stripped)
      const other = first.get(key)
      if (!other) first.set(key, sample)
      else if (other.address !== sample.address && !isSame(other, sample)) found++
    }
  }
  return found
}

const isSame = (one: Sample, other: Sample) =>
  one.title === other.title && one.time === other.time && one.guid === other.guid

const none: Parts['parameters'] = []

const nameOf = (parameter: string) => parameter.split('=', 1)[0]!

const lengthOfScheme = (address: string) =>
  address.startsWith('https://') ? 8 : (/^https?:\/\//i.exec(address)?.[0].length ?? 0)

function split(address: string): Parts {
  const hash = address.indexOf('#')
  const bare = address.slice(lengthOfScheme(address), hash === -1 ? address.length : hash)
  const at = bare.indexOf('?')
  if (at < 0) return { place: bare, parameters: none }
  const parameters = bare
    .slice(at + 1)
    .split('&')
    .filter(text => text !== '')
  return parameters.length > MAX_PARAMETERS
    ? { place: bare, parameters: none }
    : { place: bare.slice(0, at), parameters }
}

/** The part of an address that no parameter changes, and that two addresses have in common if they reduce to one. */
export const placeOf = (address: string) => split(address).place.split('?', 1)[0]!

function join({ place, parameters }: Parts, stripped: ReadonlySet<string>): string {
  if (parameters.length === 0) return place
  const kept = parameters.filter(text => !stripped.has(nameOf(text)))
  return kept.length > 0 ? `${place}?${kept.sort().join('&')}` : place
}
