import { DAY, HOUR } from '../../platform/clock'
import type { GuidEvidence } from '../../store/podcasts'
import { titleOf } from '../parse/parsed-feed'
import type { Census, Known, Listed, Mark, Marks, Pairs } from './marks'

type Pair = {
  listed: Listed
  known: Known
  /** Whether a mark distinguishes this item from all others. */
  isOwn: (mark: Mark | 'moment') => boolean
}
type Round = { by: readonly Mark[]; if?: (pair: Pair) => boolean }

/**
 * The most that a corrected date moves: clocks and time zones shift it by hours; the same time on the next day is
 * another episode.
 */
const NEAR = 14 * HOUR
const TEN_MINUTES = 600
/** Tries at most this many of the episodes that share all marks of a round. */
const MAX_TRIED = 8

/**
 * Combinations of marks that prove that an item is a known episode, the strongest first. They don't trust the guid: if
 * nothing else agrees with it, it has been reused for another episode; the same is true of an address.
 */
const rounds: readonly Round[] = [
  // Published at the same moment.
  { by: ['time', 'guid', 'address', 'title'] },
  { by: ['time', 'guid', 'title'], if: ({ isOwn }) => isOwn('moment') || isOwn('guid') || isOwn('title') },
  { by: ['time', 'guid', 'address'], if: ({ isOwn }) => isOwn('moment') || isOwn('guid') || isOwn('address') },
  {
    by: ['time', 'address', 'title'],
    if: pair => !guidsDiffer(pair) || pair.isOwn('moment') || pair.isOwn('address') || pair.isOwn('title'),
  },
  { by: ['time', 'guid'], if: ({ isOwn }) => isOwn('moment') || (isOwn('time') && isOwn('guid')) },
  { by: ['time', 'address'], if: ({ isOwn }) => isOwn('moment') || (isOwn('time') && isOwn('address')) },
  { by: ['time', 'title'], if: ({ isOwn }) => isOwn('moment') || isOwn('title') },
  // One side gives no time.
  {
    by: ['guid', 'address', 'title'],
    if: pair => isUndated(pair) && (isOwnAddress(pair) || !lengthsDiffer(pair)),
  },
  {
    by: ['guid', 'address'],
    if: pair => isUndated(pair) && pair.isOwn('guid') && pair.isOwn('address') && !lengthsDiffer(pair),
  },
  {
    by: ['address', 'title'],
    if: pair => isUndated(pair) && (!guidsDiffer(pair) || (pair.isOwn('address') && pair.isOwn('title'))),
  },
  { by: ['guid', 'title'], if: pair => isUndated(pair) && pair.isOwn('guid') && pair.isOwn('title') },
  {
    by: ['address', 'length'],
    if: pair =>
      isUndated(pair) &&
      (!guidsDiffer(pair) || pair.known.episode.in_feed === 1) &&
      pair.isOwn('address') &&
      pair.isOwn('length'),
  },
  // Published at another time: a correction, unless it is another day's episode in the same place.
  {
    by: ['guid', 'address', 'title'],
    if: pair => lengthsAgree(pair) || (isNear(pair) && isOwnAddress(pair) && !lengthsDiffer(pair)),
  },
  { by: ['guid', 'address', 'length'], if: ({ isOwn }) => isOwn('length') },
  {
    by: ['guid', 'address'],
    if: pair => isOwnAddress(pair) && hasLikeTitle(pair) && !lengthsDiffer(pair),
  },
  {
    by: ['address', 'title'],
    if: pair => isNear(pair) && pair.isOwn('address') && pair.isOwn('title') && !lengthsDiffer(pair),
  },
  { by: ['guid', 'title'], if: pair => isNear(pair) && pair.isOwn('guid') && pair.isOwn('title') },
  {
    by: ['title', 'length'],
    if: ({ isOwn, known }) => isOwn('title') && isOwn('length') && known.episode.in_feed === 1,
  },
  { by: ['title'], if: pair => pair.isOwn('title') && isSameDay(pair) && lastsAsLong(pair) && isSameKind(pair) },
]

/** Adds a pair for each item that a round recognises; an episode is taken once. */
export function playRounds(listed: readonly Listed[], known: readonly Known[], pairs: Pairs, census: Census) {
  const claimed = new Set(pairs.values())
  for (const round of rounds) {
    if (pairs.size === listed.length || claimed.size === known.length) return
    const byKey = new Map<string, Known[]>()
    for (const candidate of known) {
      const key = claimed.has(candidate) ? null : compound(candidate.marks, round.by)
      if (key !== null) byKey.getOrInsertComputed(key, () => []).push(candidate)
    }
    for (const entry of listed) {
      const key = pairs.has(entry) ? null : compound(entry.marks, round.by)
      const candidates = key === null ? undefined : byKey.get(key)
      if (!candidates) continue
      const isOwn = (mark: Mark | 'moment') => census.isOwn(entry.marks, mark)
      const at = candidates
        .slice(0, MAX_TRIED)
        .findIndex(candidate => round.if?.({ listed: entry, known: candidate, isOwn }) ?? true)
      if (at < 0) continue
      const [found] = candidates.splice(at, 1)
      pairs.set(entry, found!)
      claimed.add(found!)
    }
  }
}

function compound(marks: Marks, by: readonly Mark[]): string | null {
  let text = ''
  for (const mark of by) {
    const value = marks[mark]
    if (value === null) return null
    text += `${value}\n`
  }
  return text
}

const isUndated = ({ listed, known }: Pair) => listed.marks.time === null || known.marks.time === null
const isOwnAddress = ({ isOwn }: Pair) => isOwn('guid') || isOwn('address')
const guidsDiffer = ({ listed, known }: Pair) =>
  listed.marks.guid !== null && known.marks.guid !== null && listed.marks.guid !== known.marks.guid
const lengthsAgree = ({ listed, known, isOwn }: Pair) =>
  listed.marks.length !== null && listed.marks.length === known.marks.length && isOwn('length')
const lengthsDiffer = ({ listed, known }: Pair) =>
  listed.marks.length !== null && known.marks.length !== null && listed.marks.length !== known.marks.length
const isNear = ({ listed, known }: Pair) =>
  listed.marks.time !== null && known.marks.time !== null && Math.abs(listed.marks.time - known.marks.time) <= NEAR
const isSameDay = ({ listed, known }: Pair) =>
  listed.marks.time !== null && known.marks.time !== null && dayOf(listed.marks.time) === dayOf(known.marks.time)
const dayOf = (time: number) => Math.floor(time / DAY)
export const lastsAsLong = ({ listed, known }: Omit<Pair, 'isOwn'>) =>
  listed.item.duration === 0 ||
  known.episode.announced_duration === 0 ||
  Math.abs(listed.item.duration - known.episode.announced_duration) <= TEN_MINUTES
export const isSameKind = ({ listed, known }: Omit<Pair, 'isOwn'>) =>
  kind(listed.item.enclosure.type) === kind(known.episode.enclosure_type)
const kind = (type: string | null) => (type?.startsWith('video/') ? 'video' : 'audio')

/** "Fog" and "Fog (corrected)": every word of one is in the other, and their numbers are the same. */
function hasLikeTitle({ listed, known }: Pair): boolean {
  const [one, other] = [wordsOf(titleOf(listed.item)), wordsOf(known.episode.title)]
  const numbers = (words: ReadonlySet<string>) =>
    [...words]
      .filter(word => /\d/.test(word))
      .toSorted()
      .join(' ')
  const [fewer, more] = one.size < other.size ? [one, other] : [other, one]
  return fewer.size > 0 && numbers(one) === numbers(other) && fewer.isSubsetOf(more)
}

const wordsOf = (title: string): ReadonlySet<string> =>
  new Set(
    title
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  )

// Why: docs/internals/decisions/0066

/** The share of items with another item's guid that a feed may have. */
const MAX_REPEATED = 0.1
const named = ['title', 'time', 'address', 'length'] as const satisfies Mark[]

/**
 * Pairs each item with the known episode of its guid, whatever else has changed. Returns no pairs if this reading or an
 * earlier one shows that the guids of the feed can't be trusted.
 */
export function pairByGuid(
  listed: readonly Listed[],
  known: readonly Known[],
  census: Census,
  stored: GuidEvidence | null,
): { pairs: Pairs; evidence: GuidEvidence | null } {
  const none = (evidence: GuidEvidence | null) => ({ pairs: new Map() as Pairs, evidence })
  if (stored) return none(stored)
  if (isRepeated(listed)) return none('repeated')
  if (countsPlaces(listed)) return none('by-place')

  const pairs = sameGuids(listed, known)
  const contradicted = findContradicted(pairs, known, census)
  const strangers = [...pairs].filter(([entry, found]) => !contradicted.has(entry) && sharesNothing(entry, found))
  const doubtful = contradicted.size + strangers.length
  const isMoved = doubtful >= 2 && doubtful * 2 >= pairs.size
  if (isMoved || isSlots(pairs)) return none('moved')
  const hasOneGuid = new Set([...listed, ...known].map(({ marks }) => marks.guid)).size < 2
  for (const entry of contradicted) pairs.delete(entry)
  if (hasOneGuid) for (const [entry] of strangers) pairs.delete(entry)
  return { pairs, evidence: null }
}

function isRepeated(listed: readonly Listed[]): boolean {
  const counts = new Map<string, number>()
  for (const { marks } of listed) if (marks.guid !== null) counts.set(marks.guid, (counts.get(marks.guid) ?? 0) + 1)
  const shared = [...counts.values()].filter(count => count > 1).reduce((sum, count) => sum + count, 0)
  return shared > Math.max(2, MAX_REPEATED * listed.length)
}

/** Whether the guids are 1, 2, 3 … (or 0, 1, 2 …) from the newest item on: each will be another item's tomorrow. */
function countsPlaces(listed: readonly Listed[]): boolean {
  if (listed.length < 2 || listed.some(({ marks }) => marks.time === null)) return false
  const guids = listed.toSorted((one, other) => other.marks.time! - one.marks.time!).map(({ marks }) => marks.guid)
  return [0, 1].some(first => guids.every((guid, place) => guid === String(place + first)))
}

/** An item that repeats another's guid is left out; of several known episodes with one guid, those in the feed count. */
function sameGuids(listed: readonly Listed[], known: readonly Known[]): Pairs {
  const items = new Map<string, Listed | null>()
  for (const entry of listed)
    if (entry.marks.guid !== null) items.set(entry.marks.guid, items.has(entry.marks.guid) ? null : entry)
  const episodes = new Map<string, Known[]>()
  for (const candidate of known) {
    const { guid } = candidate.marks
    if (guid !== null && items.get(guid)) episodes.getOrInsertComputed(guid, () => []).push(candidate)
  }
  const pairs: Pairs = new Map()
  for (const [guid, candidates] of episodes) {
    const living = candidates.filter(({ episode }) => episode.in_feed === 1)
    const chosen = living.length > 0 ? living : candidates
    if (chosen.length === 1) pairs.set(items.get(guid)!, chosen[0]!)
  }
  return pairs
}

/** Items whose guid names one episode while two of their other marks name another. */
function findContradicted(pairs: Pairs, known: readonly Known[], census: Census): ReadonlySet<Listed> {
  const doubtful = [...pairs].filter(([entry, found]) => agreements(entry, found) < 2)
  if (doubtful.length === 0) return new Set()
  const owners = new Map(named.map(mark => [mark, new Map(known.map(entry => [entry.marks[mark], entry]))]))
  const contradicted = new Set<Listed>()
  for (const [entry, found] of doubtful) {
    const others = new Map<Known, number>()
    for (const mark of named) {
      const owner = census.isOwn(entry.marks, mark) ? owners.get(mark)!.get(entry.marks[mark]) : undefined
      if (owner && owner !== found) others.set(owner, (others.get(owner) ?? 0) + 1)
    }
    if ([...others.values()].some(count => count >= 2)) contradicted.add(entry)
  }
  return contradicted
}

const agreements = (entry: Listed, found: Known) =>
  named.filter(mark => entry.marks[mark] !== null && entry.marks[mark] === found.marks[mark]).length

export function sharesNothing(entry: Pick<Listed, 'marks'>, { marks }: Known): boolean {
  const { time, title, address, length } = entry.marks
  const isNear = time !== null && marks.time !== null && Math.abs(time - marks.time) <= NEAR
  return !isNear && title !== marks.title && address !== marks.address && (length === null || length !== marks.length)
}

/**
 * Whether the guids name slots ("news at eight") that get a new recording each day: every date moved by the same step,
 * past everything known, and no recording stayed.
 */
function isSlots(pairs: Pairs): boolean {
  if (pairs.size < 2) return false
  const all = [...pairs]
  const times = all.flatMap(([{ marks }, known]) =>
    marks.time !== null && known.marks.time !== null ? [[marks.time, known.marks.time] as const] : [],
  )
  if (times.length < all.length) return false
  const [[now, before]] = times as [readonly [number, number]]
  const movedOn = times.every(([time, old]) => time - old === now - before)
  if (!movedOn || Math.min(...times.map(([time]) => time)) <= Math.max(...times.map(([, old]) => old))) return false
  return all.every(([{ marks }, known]) => marks.length === null || marks.length !== known.marks.length)
}
