import { DAY, HOUR } from '../../platform/clock'
import type { Census, Known, Listed, Mark, Marks, Pairs } from './marks'
import { titleOf } from '../parse/parsed-feed'

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
export const NEAR = 14 * HOUR
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
