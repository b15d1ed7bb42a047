import { findLikeness, MIN_PAIRS, MIN_SHARE, MAX_SHIFT, type Candidate } from './likeness'
import type { Census, Known, Listed, Mark, Marks, Pairs } from './marks'

// Why: docs/internals/decisions/0066

/** The score that proves a pair if the order of the others agrees; a higher one proves it without that. */
const PROOF = 2
/** The score that proves a pair whatever the dates say. */
const CERTAIN = 5

/**
 * Aligns the episodes that vanished from a feed with the items that appeared, as a whole: publishers who move to
 * another host give all episodes new guids and addresses, and often shift their dates, cut them to the day, or restyle
 * the titles. Two episodes match if titles, recordings or the common shift of the dates say so and the order of the
 * others agrees. Returns no pairs unless most of the feed matches, and none with an episode that is in `pairs`.
 */
export function alignMoved(listed: readonly Listed[], episodes: readonly Known[], pairs: Pairs, census: Census): Pairs {
  const none: Pairs = new Map()
  const before = episodes.filter(({ episode }) => episode.in_feed === 1)
  const claimed = new Set(pairs.values())
  const gone = before.filter(known => !claimed.has(known))
  const items = listed.filter(entry => !pairs.has(entry))
  if (items.length === 0 || gone.length === 0) return none
  const stayed = [...pairs].filter(([, { episode }]) => episode.in_feed === 1)
  const renamed = stayed.filter(([{ marks }, known]) => isRenamed(marks, known.marks))

  const hasNewScheme = isNewScheme(listed, before, stayed)
  const mustBeSame = !hasNewScheme && isNextWindow(items, gone)
  // Comparing the whole feed would be too expensive for the usual new episode.
  if (mustBeSame && !shareRecordings(items, gone)) return none
  const candidates = choose(findLikeness(items, gone, { listed, episodes, renamed, census }))
  if (mustBeSame && !hasSameRecordings(candidates, episodes, census)) return none

  const order = inOrder(listed, before)
  const run = longestRun([...stayed, ...candidates.map(({ entry, known }) => [entry, known] as const)], order)
  const trustsStrong = !order.isDated || hasNewScheme || renamed.length >= MIN_PAIRS
  const moved = candidates.filter(({ entry, score }) => run.has(entry) || (trustsStrong && score > PROOF))
  const possible = Math.min(items.length, gone.length) + renamed.length
  const found = moved.length + renamed.length
  if (found < MIN_SHARE * possible) return none
  if (found < MIN_PAIRS && !moved.every(({ score }) => score > PROOF)) return none
  const aligned: Pairs = new Map(moved.map(({ entry, known }) => [entry, known]))
  if (order.isDated) fillGaps(aligned, stayed, order)
  return aligned
}

/**
 * Recognises episodes that had left the feed and that it lists again after a move, as when a publisher opens the
 * archive. Each is proved alone: by its own title, its recording, or the shift of the dates, within a day and a zone;
 * or by less, if there are no dates to mislead and most of them are in their old order.
 */
export function alignArchive(
  listed: readonly Listed[],
  episodes: readonly Known[],
  pairs: Pairs,
  census: Census,
): Pairs {
  const claimed = new Set(pairs.values())
  const gone = episodes.filter(known => known.episode.in_feed === 0 && !claimed.has(known))
  if (gone.length === 0) return new Map()
  const isOld = createIsOld(episodes, pairs)
  const items = listed.filter(entry => !pairs.has(entry) && isOld(entry))
  if (items.length === 0) return new Map()
  const candidates = findLikeness(items, gone, { listed, episodes, renamed: [], census }).filter(
    ({ entry, known, score }) => score >= CERTAIN || isWithinShift(entry.marks, known.marks),
  )
  const chosen = choose(candidates)
  const order = inOrder(listed, episodes)
  if (order.isDated) return pairsOf(chosen.filter(({ score }) => score > PROOF))
  const run = longestRun([...pairs, ...chosen.map(({ entry, known }) => [entry, known] as const)], order)
  const inOldOrder = chosen.filter(({ entry }) => run.has(entry)).length
  const isWhole = inOldOrder >= Math.max(MIN_PAIRS, MIN_SHARE * Math.min(items.length, gone.length))
  return pairsOf(chosen.filter(({ entry, score }) => score > PROOF || (isWhole && run.has(entry))))
}

const pairsOf = (likenesses: readonly Candidate[]) => new Map(likenesses.map(({ entry, known }) => [entry, known]))

/**
 * Returns whether an item is behind what the feed is known to have; a new one with an old title must not be mistaken
 * for the old one.
 */
function createIsOld(episodes: readonly Known[], pairs: Pairs): (entry: Listed) => boolean {
  const newest = episodes.reduce((latest, { marks }) => Math.max(latest, marks.time ?? 0), 0)
  const inFeed = [...pairs].toSorted(([one], [other]) => one.place - other.place)
  const [first, last] = [inFeed[0], inFeed.at(-1)]
  return ({ marks, place }) => {
    if (marks.time !== null) return marks.time <= newest
    if (!first || !last || first === last) return false
    return first[1].place > last[1].place ? place > last[0].place : place < first[0].place
  }
}

export const isWithinShift = (one: Marks, other: Marks) =>
  one.time === null || other.time === null || Math.abs(one.time - other.time) <= MAX_SHIFT

const hasSame = (one: Listed, other: Known, mark: Mark) => one.marks[mark] === other.marks[mark]
const isRenamed = (one: Marks, other: Marks) => one.guid !== null && other.guid !== null && one.guid !== other.guid

/** The places of items and episodes from the oldest to the newest. Without dates a feed lists the newest first. */
type Order = {
  isDated: boolean
  items: readonly Listed[]
  episodes: readonly Known[]
  placeOf: ReadonlyMap<Listed | Known, number>
}

function inOrder(listed: readonly Listed[], before: readonly Known[]): Order {
  const isDated = [...listed, ...before].every(({ marks }) => marks.time !== null)
  const byTime = (one: Listed | Known, other: Listed | Known) => one.marks.time! - other.marks.time!
  const items = isDated
    ? listed.toSorted((one, other) => byTime(one, other) || other.place - one.place)
    : listed.toReversed()
  const episodes = isDated ? before.toSorted((one, other) => byTime(one, other) || one.place - other.place) : before
  const placeOf = new Map([...items.entries(), ...episodes.entries()].map(([place, one]) => [one, place]))
  return { isDated, items, episodes, placeOf }
}

/** Whether everything that appeared could simply be newer than what vanished, as after weeks without a reading. */
function isNextWindow(items: readonly Listed[], gone: readonly Known[]): boolean {
  const newest = gone.reduce((latest, { marks }) => Math.max(latest, marks.time ?? Infinity), 0)
  return newest === Infinity || items.every(({ marks }) => marks.time === null || marks.time > newest)
}

/** Whether an item has the length or the address of an episode: without that no recording is the same. */
function shareRecordings(items: readonly Listed[], gone: readonly Known[]): boolean {
  const held = new Set<unknown>(
    gone.flatMap(({ marks: { length, address } }) => (length ? [length, address] : address)),
  )
  return items.some(({ marks }) => held.has(marks.length) || held.has(marks.address))
}

function hasSameRecordings(candidates: readonly Candidate[], episodes: readonly Known[], census: Census): boolean {
  const hasLastingAddresses = reusesNoAddress(episodes)
  const same = candidates.filter(
    ({ entry: { marks, item }, known }) =>
      (marks.length !== null && marks.length === known.marks.length && census.isOwn(marks, 'length')) ||
      (marks.address === known.marks.address &&
        (hasLastingAddresses || (item.duration > 0 && item.duration === known.episode.announced_duration))),
  )
  return same.length > 0 && same.length >= MIN_SHARE * candidates.length
}

/** Whether every episode had its own address, those that left the feed included: no new one will have it. */
const reusesNoAddress = (episodes: readonly Known[]) =>
  episodes.filter(({ episode }) => episode.in_feed === 0).length >= MIN_PAIRS &&
  new Set(episodes.map(({ marks }) => marks.address)).size === episodes.length

/** Whether most guids, or most addresses, are built differently from before: another host, another program. */
function isNewScheme(
  listed: readonly Listed[],
  before: readonly Known[],
  stayed: readonly (readonly [Listed, Known])[],
): boolean {
  const same = stayed.filter(([one, other]) => hasSame(one, other, 'guid') && hasSame(one, other, 'address'))
  if (same.length >= listed.length / 2) return false
  const differs = (shape: (marks: Marks) => string | null) => {
    const known = new Set(before.map(({ marks }) => shape(marks)))
    return listed.filter(({ marks }) => !known.has(shape(marks))).length > listed.length / 2
  }
  return (
    differs(({ guid }) => guid && guid.replace(/[\p{L}\p{N}]+/gu, 'a')) || differs(({ address }) => folderOf(address))
  )
}

/** An address without its last part and without values: `cdn.example/show/a.mp3?id=7` is `cdn.example/show/?id`. */
function folderOf(address: string): string {
  const [path = '', query = ''] = address.split('?', 2)
  const names = query.split('&').map(text => text.split('=', 1)[0])
  return `${path.slice(0, path.lastIndexOf('/') + 1).replace(/\d+/g, '0')}?${names.join('&')}`
}

/** Gives each item and each episode the best of its pairs. */
function choose(candidates: readonly Candidate[]): Candidate[] {
  const [items, known] = [new Set<Listed>(), new Set<Known>()]
  return candidates
    .filter(({ score }) => score >= PROOF)
    .toSorted((one, other) => other.score - one.score)
    .filter(candidate => {
      if (items.has(candidate.entry) || known.has(candidate.known)) return false
      items.add(candidate.entry)
      known.add(candidate.known)
      return true
    })
}

/** The items of the longest run of pairs in which both sides have one order. */
function longestRun(pairs: readonly (readonly [Listed, Known])[], { placeOf }: Order): ReadonlySet<Listed> {
  const inOrder = pairs.toSorted(([one], [other]) => placeOf.get(one)! - placeOf.get(other)!)
  const run = longestIncreasing(inOrder.map(([, known]) => placeOf.get(known)!))
  return new Set(inOrder.filter((_, at) => run.has(at)).map(([entry]) => entry))
}

/** The positions of the longest increasing run of numbers that are all different. */
function longestIncreasing(numbers: readonly number[]): ReadonlySet<number> {
  const ends: number[] = []
  const before: number[] = []
  for (const [at, value] of numbers.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (numbers[ends[middle]!]! < value) low = middle + 1
      else high = middle
    }
    before[at] = low > 0 ? ends[low - 1]! : -1
    ends[low] = at
  }
  const run = new Set<number>()
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) run.add(at)
  return run
}

/** Pairs what is between two neighbouring pairs, if both sides have equally many there and none is paired. */
function fillGaps(aligned: Pairs, stayed: readonly (readonly [Listed, Known])[], { items, episodes, placeOf }: Order) {
  const anchors = [...stayed, ...aligned]
    .map(([entry, known]) => [placeOf.get(entry)!, placeOf.get(known)!] as const)
    .toSorted(([one], [other]) => one - other)
  const taken = new Set(anchors.map(([, known]) => known))
  for (const [at, [item, known]] of anchors.slice(0, -1).entries()) {
    const [nextItem, nextKnown] = anchors[at + 1]!
    const missing = nextItem - item - 1
    if (missing === 0 || nextKnown - known - 1 !== missing) continue
    const steps = Array.from({ length: missing }, (_, step) => step + 1)
    if (steps.some(step => taken.has(known + step))) continue
    for (const step of steps) aligned.set(items[item + step]!, episodes[known + step]!)
  }
}
