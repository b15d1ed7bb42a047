import { DAY, HOUR } from '../../platform/clock'
import type { Census, Known, Listed, Marks } from './marks'
import { titleOf } from '../parse/parsed-feed'

/** An item and an episode that may be one. `score`: the sum of what they have in common. */
export type Candidate = { entry: Listed; known: Known; score: number }

/** The whole feed around the items and episodes that have no partner yet. */
type Surroundings = {
  listed: readonly Listed[]
  episodes: readonly Known[]
  /** Pairs with another guid than before. */
  renamed: readonly (readonly [Listed, Known])[]
  census: Census
}
type Count = (keyOf: { item: (entry: Listed) => unknown; known: (known: Known) => unknown }, weight: Weight) => void
type Weight = number | ((entry: Listed, known: Known) => number)

/** The most episodes that share a key and are still worth trying. */
const MAX_ALIKE = 8
/** The newest of each side whose distances are counted to find the shift of the dates. */
const SAMPLE = 48
const MAX_SHIFTS = 6
/** The share of a feed that has to match, and the number of episodes, to speak of a move. */
export const MIN_SHARE = 0.6
export const MIN_PAIRS = 3
/** Words in more than this share of the titles say nothing of an episode. */
const COMMON_WORD = 1 / 3
/** No host shifts all dates by more than a day and a zone; a show of every week would fit a shift of a week as well. */
export const MAX_SHIFT = 38 * HOUR

/**
 * Scores the pairs of items and episodes that have something in common: title, words, number, recording, name of the
 * file, duration, or the constant by which the dates moved.
 */
export function findLikeness(
  items: readonly Listed[],
  gone: readonly Known[],
  { listed, episodes, renamed, census }: Surroundings,
): Candidate[] {
  const candidates = new Map<Listed, Map<Known, Candidate>>()
  const count: Count = (keyOf, weight) => {
    const byKey = new Map<unknown, Known[]>()
    for (const known of gone) {
      const key = keyOf.known(known)
      if (key !== null && key !== '') byKey.getOrInsertComputed(key, () => []).push(known)
    }
    for (const entry of items) {
      const alike = byKey.get(keyOf.item(entry)) ?? []
      if (alike.length > MAX_ALIKE) continue
      for (const known of alike) {
        const candidate = candidates
          .getOrInsertComputed(entry, () => new Map())
          .getOrInsertComputed(known, () => ({ entry, known, score: 0 }))
        candidate.score += typeof weight === 'number' ? weight : weight(entry, known)
      }
    }
  }

  const cores = createCores(listed, episodes)
  const names = countNames(listed, episodes)
  const ownPlus = (mark: 'title' | 'length') => (entry: Listed) => (census.isOwn(entry.marks, mark) ? 3 : 2)
  count({ item: ({ marks }) => marks.title, known: ({ marks }) => marks.title }, ownPlus('title'))
  count({ item: cores.item, known: cores.known }, (entry, known) =>
    entry.marks.title === known.marks.title || numbersContradict(entry, known) ? 0 : 2,
  )
  count({ item: entry => numberIn(titleOf(entry.item)), known: ({ episode }) => numberIn(episode.title) }, 1)
  count({ item: ({ marks }) => marks.length, known: ({ marks }) => marks.length }, ownPlus('length'))
  count({ item: ({ marks }) => names(marks), known: ({ marks }) => names(marks) }, 2)
  count({ item: ({ item }) => item.duration || null, known: ({ episode }) => episode.announced_duration || null }, 1)
  if ([...items, ...gone].every(({ marks }) => marks.time !== null)) {
    const found = findShift(items, gone, renamed)
    if (found) count({ item: ({ marks }) => marks.time! - found.shift, known: ({ marks }) => marks.time }, found.weight)
    const days = findDays(items, gone)
    if (days) count({ item: ({ marks }) => days(marks.time!), known: ({ marks }) => days(marks.time!) }, 2)
  }
  return [...candidates.values()].flatMap(of => [...of.values()])
}

/** The function that answers the name of the file in an address; null if another item or episode has it too. */
function countNames(listed: readonly Listed[], episodes: readonly Known[]): (marks: Marks) => string | null {
  const nameOf = ({ address }: Marks) => address.slice(address.split('?', 1)[0]!.lastIndexOf('/') + 1)
  const repeated = new Set<string>()
  for (const side of [listed, episodes]) {
    const seen = new Set<string>()
    for (const { marks } of side) {
      const name = nameOf(marks)
      if (seen.has(name)) repeated.add(name)
      seen.add(name)
    }
  }
  return marks => (repeated.has(nameOf(marks)) ? null : nameOf(marks))
}

const numberIn = (title: string) => /\d+/.exec(title)?.[0]?.replace(/^0+(?=\d)/, '') ?? null

/** "Part 7" and "Part 27" are two; "Part 7" and "7: Part" are one, and so are "Fog 1" and "Season 2: Fog 1". */
function numbersContradict({ item }: Listed, { episode }: Known): boolean {
  const [one, other] = [titleOf(item), episode.title].map(title => new Set(title.match(/\d+/g)))
  return !one!.isSubsetOf(other!) && !other!.isSubsetOf(one!)
}

/** Reduces titles to the words that few others have, without numbers. */
function createCores(listed: readonly Listed[], episodes: readonly Known[]) {
  const wordsOf = (title: string) => [
    ...new Set(
      title
        .normalize('NFKD')
        .toLowerCase()
        .match(/\p{L}+/gu),
    ),
  ]
  const common = new Set<string>()
  const sides = [listed.map(({ item }) => titleOf(item)), episodes.map(({ episode }) => episode.title)]
  for (const titles of sides) {
    const counts = new Map<string, number>()
    for (const title of titles) for (const word of wordsOf(title)) counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const [word, count] of counts) if (count > 1 && count > COMMON_WORD * titles.length) common.add(word)
  }
  const coreOf = (title: string) =>
    wordsOf(title)
      .filter(word => !common.has(word))
      .toSorted()
      .join(' ')
  return {
    item: ({ item }: Listed) => coreOf(titleOf(item)),
    known: ({ episode }: Known) => coreOf(episode.title),
  }
}

const newest = <T extends Listed | Known>(list: readonly T[]): T[] =>
  list.toSorted((one, other) => other.marks.time! - one.marks.time!).slice(0, SAMPLE)

/**
 * Finds the constant by which most dates moved. It proves a pair only if no other one fits: a show of every week fits
 * shifts of any number of weeks, but no host shifts by weeks; a show of every hour fits any shift.
 */
function findShift(items: readonly Listed[], gone: readonly Known[], renamed: readonly (readonly [Listed, Known])[]) {
  const counts = new Map<number, number>()
  const add = (shift: number) => counts.set(shift, (counts.get(shift) ?? 0) + 1)
  for (const entry of newest(items)) for (const known of newest(gone)) add(entry.marks.time! - known.marks.time!)
  for (const [entry, known] of renamed.slice(0, SAMPLE))
    if (entry.marks.time !== null && known.marks.time !== null) add(entry.marks.time - known.marks.time)
  const counted = new Map<number, number>()
  for (const { marks } of gone) counted.set(marks.time!, (counted.get(marks.time!) ?? 0) + 1)
  const possible = Math.min(items.length, gone.length)
  const fitting = [...counts]
    .toSorted(([one, ones], [other, others]) => others - ones || Math.abs(one) - Math.abs(other))
    .slice(0, MAX_SHIFTS)
    .map(([shift]) => ({
      shift,
      share: items.filter(({ marks }) => counted.has(marks.time! - shift)).length / possible,
    }))
    .filter(({ share }) => share >= MIN_SHARE)
    .toSorted((one, other) => other.share - one.share || Math.abs(one.shift) - Math.abs(other.shift))
  if (possible < MIN_PAIRS) return null
  const plausible = fitting.filter(({ shift }) => Math.abs(shift) <= MAX_SHIFT)
  const [best] = plausible.length > 0 ? plausible : fitting
  if (!best) return null
  const isSure = plausible.length === 1
  const isOwn = (known: Known) => counted.get(known.marks.time!) === 1
  return { shift: best.shift, weight: (_: Listed, known: Known) => (isSure && isOwn(known) ? 3 : 1) }
}

/** Returns the function that names the day of a time if just one side gives only the day, in whatever zone; else null. */
function findDays(items: readonly Listed[], gone: readonly Known[]): ((time: number) => number) | null {
  const midnightOf = (times: readonly number[]) => {
    const [first = 0] = times
    return times.every(time => (time - first) % DAY === 0) ? first % DAY : null
  }
  const now = midnightOf(items.map(({ marks }) => marks.time!))
  const before = midnightOf(gone.map(({ marks }) => marks.time!))
  if ((now === null) === (before === null)) return null
  const midnight = (now ?? before)!
  return time => Math.floor((time - midnight) / DAY)
}
