import { HOUR } from '../platform/clock'
import { collectGarbage } from '../platform/garbage'
import type { KnownEpisode } from '../store/episodes'
import { addressKeys } from './address-key'
import { fitGuid, marksOfEpisode, marksOfItem, takeCensus, type Mark, type Marks } from './marks'
import { titleOf, type PlayableItem } from './playable'

/** An item with the known episode that it is, or null where it is new, and the guid under which it is kept. */
export type Recognised = { item: PlayableItem; episode: KnownEpisode | null; guid: string }

type Listed = { item: PlayableItem; marks: Marks }
type Known = { episode: KnownEpisode; marks: Marks }
type Pair = {
  listed: Listed
  known: Known
  /** Whether a mark tells this item from all others. */
  isOwn: (mark: Mark | 'moment') => boolean
}
type Round = { by: readonly Mark[]; if?: (pair: Pair) => boolean }

/**
 * The most that a corrected date moves: clocks and time zones shift it by hours; the same slot of the next day is
 * another episode.
 */
const NEAR = 14 * HOUR
const TEN_MINUTES = 600
/** Tries at most this many of the episodes that share all marks of a round. */
const MAX_TRIED = 8
/** Garbage that recognising leaves behind, in bytes for each item. */
const LEFT_BEHIND = 1000

/**
 * Combinations of marks that prove that an item is a known episode, the strongest first. A guid that agrees with
 * nothing else has been reused for another episode, and so has such an address.
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
    if: pair => isUndated(pair) && !guidsDiffer(pair) && pair.isOwn('address') && pair.isOwn('length'),
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
  { by: ['title'], if: pair => pair.isOwn('title') && isSameDay(pair) && lastsAsLong(pair) && isSameKind(pair) },
]

/** Rounds for a whole feed that has moved: title or time alone recognises an episode of the last fetch. */
const afterMove: readonly Round[] = [
  { by: ['title'], if: ({ isOwn, known }) => isOwn('title') && known.episode.in_feed === 1 },
  { by: ['time'], if: ({ isOwn, known }) => isOwn('time') && known.episode.in_feed === 1 },
]

/**
 * Finds the known episode of every item. An item that is listed twice with the same marks counts once. `docs/feeds.md`
 * states the rules.
 */
export function recognise(items: readonly PlayableItem[], episodes: readonly KnownEpisode[]): Recognised[] {
  const known = episodes.map(episode => ({ episode, marks: marksOfEpisode(episode) }))
  const all = items.map(item => ({ item, marks: marksOfItem(item) }))
  const keyOf = addressKeys(
    all.map(({ marks }) => marks),
    known.map(({ marks }) => marks),
  )
  for (const { marks } of [...all, ...known]) marks.address = keyOf(marks.address)
  const listed = withoutRepeats(all)
  const recognised = assignGuids(listed, matchAll(listed, known), episodes)
  collectGarbage(LEFT_BEHIND * items.length)
  return recognised
}

function withoutRepeats(listed: readonly Listed[]): Listed[] {
  const seen = new Set<bigint>()
  return listed.filter(({ marks: { guid, address, title, time } }) => {
    const hash = Bun.hash.xxHash3(JSON.stringify([guid, address, title, time]))
    if (seen.has(hash)) return false
    seen.add(hash)
    return true
  })
}

function matchAll(listed: readonly Listed[], known: readonly Known[]): ReadonlyMap<Listed, Known> {
  const matches = new Map<Listed, Known>()
  const claimed = new Set<Known>()
  if (known.length === 0) return matches
  const census = takeCensus(
    listed.map(({ marks }) => marks),
    known.map(({ marks }) => marks),
  )

  function play(round: Round) {
    if (matches.size === listed.length || claimed.size === known.length) return
    const byKey = new Map<string, Known[]>()
    for (const candidate of known) {
      const key = claimed.has(candidate) ? null : compound(candidate.marks, round.by)
      if (key !== null) byKey.getOrInsertComputed(key, () => []).push(candidate)
    }
    for (const entry of listed) {
      const key = matches.has(entry) ? null : compound(entry.marks, round.by)
      const candidates = key === null ? undefined : byKey.get(key)
      if (!candidates) continue
      const isOwn = (mark: Mark | 'moment') => census.isOwn(entry.marks, mark)
      const at = candidates
        .slice(0, MAX_TRIED)
        .findIndex(candidate => round.if?.({ listed: entry, known: candidate, isOwn }) ?? true)
      if (at < 0) continue
      const [found] = candidates.splice(at, 1)
      matches.set(entry, found!)
      claimed.add(found!)
    }
  }

  rounds.forEach(play)
  const renamed = [...matches].filter(
    ([entry, { marks }]) => entry.marks.guid !== null && marks.guid !== null && entry.marks.guid !== marks.guid,
  )
  if (renamed.length * 2 > listed.length) afterMove.forEach(play)
  return matches
}

/** The key of several marks together; null when one of them is missing. */
function compound(marks: Marks, by: readonly Mark[]): string | null {
  let text = ''
  for (const mark of by) {
    const value = marks[mark]
    if (value === null) return null
    text += `${value}\n`
  }
  return text
}

/**
 * Gives every episode a guid that is unique in its podcast: the feed's if it is free, else one made of the guid (or the
 * address, where there is none) and of what tells the item from the others.
 */
function assignGuids(
  listed: readonly Listed[],
  matches: ReadonlyMap<Listed, Known>,
  episodes: readonly KnownEpisode[],
): Recognised[] {
  const held = new Set(episodes.map(({ guid }) => guid))
  const claim = (guid: string) => {
    if (held.has(guid)) return false
    held.add(guid)
    return true
  }
  const kept = new Map<Listed, string>()
  for (const [entry, { episode }] of matches) {
    const wanted = entry.marks.guid
    kept.set(entry, wanted !== null && claim(wanted) ? wanted : episode.guid)
  }
  return listed.map(entry => {
    const episode = matches.get(entry)?.episode ?? null
    return { item: entry.item, episode, guid: kept.get(entry) ?? newGuid(entry, claim) }
  })
}

function newGuid({ item, marks }: Listed, claim: (guid: string) => boolean): string {
  const first = marks.guid ?? fitGuid(marks.address || item.link || item.title)
  const suffixes = [marks.address, Bun.hash(JSON.stringify(marks)).toString(36)]
  const candidates = [first, ...suffixes.map(suffix => fitGuid(`${first}#${suffix}`))]
  const found = candidates.find(claim)
  if (found) return found
  for (let count = 2; ; count++) {
    const numbered = `${candidates[2]}-${count}`
    if (claim(numbered)) return numbered
  }
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
const dayOf = (time: number) => new Date(time).toDateString()
const lastsAsLong = ({ listed, known }: Pair) =>
  listed.item.duration === 0 ||
  known.episode.duration === 0 ||
  Math.abs(listed.item.duration - known.episode.duration) <= TEN_MINUTES
const isSameKind = ({ listed, known }: Pair) => kind(listed.item.enclosure.type) === kind(known.episode.enclosure_type)
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
