import type { GuidEvidence } from '../../store/podcasts'
import type { Census, Known, Listed, Mark, Pairs } from './marks'
import { NEAR } from './rounds'

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
