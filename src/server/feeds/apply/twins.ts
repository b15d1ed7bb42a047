import type { Store } from '../../store'
import type { GuidEvidence } from '../../store/podcasts'
import type { DatedEpisode } from '../../store/twins'
import { addressKeys, itemOf, marksOfEpisode, takeCensus, type Known, type Listed } from './marks'
import { alignMoved, isWithinShift } from './align'
import { sharesNothing } from './rounds'

// Why: docs/internals/decisions/0066

/** The most rows that are compared for one podcast: that takes some seconds of the second thread, once. */
const MAX_COMPARED = 200_000
const MIN_MOVED = 3
/** The most pairs of a podcast that are left to people. */
const MAX_UNSURE = 20

type Pair = { kept: number; gone: number; isSure: boolean }

/**
 * Merges the episodes of a podcast that earlier releases mistook for new ones when the publisher moved the feed, or
 * published an episode again. Runs once for each podcast, after a reading, when the rows and the evidence about its
 * guids are fresh. Returns the number of merged episodes. Their second files are noted as forgotten. Notes pairs that
 * may be one for `castellan doctor`.
 */
export async function mergeTwins(store: Store, podcastId: number): Promise<number> {
  if (store.twins.wereSought(podcastId)) return 0
  const apart = new Set(
    store.formerEpisodes.apartOf(podcastId).map(({ episode_id, other_id }) => `${episode_id} ${other_id}`),
  )
  const pairs = findTwins(store.twins.datedOf(podcastId), store.podcasts.guidEvidenceOf(podcastId)).filter(
    ({ kept, gone }) => !apart.has(`${kept} ${gone}`),
  )
  const [sure, unsure] = [pairs.filter(({ isSure }) => isSure), pairs.filter(({ isSure }) => !isSure)]
  for (const { kept, gone } of sure)
    await store.inTurn(() => {
      const place = store.twins.merge(kept, gone)
      if (place) store.forgottenFiles.add(place)
    })
  await store.inTurn(() => {
    for (const { kept, gone } of unsure.slice(0, MAX_UNSURE)) store.twins.noteUnsure(kept, gone)
    store.twins.markSought(podcastId)
  })
  return sure.length
}

/**
 * Finds pairs of rows that are one episode: an older one that left the feed, and one that replaced it. If the feed's
 * guids can be trusted, a shared guid is proof; so is a whole reading that aligns with what had vanished. Pairs are
 * sorted oldest first, so that a row that has absorbed a second one can absorb a third.
 */
function findTwins(episodes: readonly DatedEpisode[], evidence: GuidEvidence | null): readonly Pair[] {
  const known = episodes.map((episode, place) => ({ episode, marks: marksOfEpisode(episode), place }))
  const keyOf = addressKeys(known.map(({ marks }) => marks))
  for (const { marks } of known) marks.address = keyOf(marks.address)
  const pairs = evidence ? [] : sameGuids(known)
  pairs.push(...movedTogether(known, new Set(pairs.flatMap(({ kept, gone, isSure }) => (isSure ? [kept, gone] : [])))))
  const merged = new Map(pairs.filter(({ isSure }) => isSure).map(({ kept, gone }) => [gone, kept]))
  return pairs
    .filter(({ gone, isSure }) => isSure || !merged.has(gone))
    .map(pair => ({ ...pair, kept: rootOf(merged, pair.kept) }))
    .toSorted((one, other) => one.gone - other.gone)
}

type Row = Known & { episode: DatedEpisode }

/** Two rows of one guid, the older of which left the feed. More than two rows of a guid are left alone: it names a slot. */
function sameGuids(known: readonly Row[]): Pair[] {
  const byGuid = new Map<string, Row[]>()
  for (const row of known) if (row.marks.guid !== null) byGuid.getOrInsertComputed(row.marks.guid, () => []).push(row)
  const shared = [...byGuid.values()].filter(rows => rows.length > 1)
  if (shared.some(rows => rows.length > 2)) return []
  return shared.flatMap(rows => {
    const [older, newer] = rows.toSorted((one, other) => one.episode.id - other.episode.id) as [Row, Row]
    if (older.episode.in_feed === 1) return []
    return { kept: older.episode.id, gone: newer.episode.id, isSure: !sharesNothing(older, newer) }
  })
}

/** Aligns the episodes that one reading added with older ones that have left the feed. */
function movedTogether(known: readonly Row[], settled: ReadonlySet<number>): Pair[] {
  const readings = Map.groupBy(
    known.filter(({ episode }) => !settled.has(episode.id)),
    ({ episode }) => episode.first_seen_at,
  )
  const times = [...readings.keys()].toSorted((one, other) => one - other).slice(1)
  const taken = new Set(settled)
  let compared = 0
  return times.flatMap(time => {
    const came = readings.get(time)!
    if (came.length < MIN_MOVED) return []
    const vanished = known
      .filter(({ episode }) => episode.first_seen_at < time && episode.in_feed === 0 && !taken.has(episode.id))
      .map(row => ({ ...row, episode: { ...row.episode, in_feed: 1 } }))
    compared += came.length + vanished.length
    if (compared > MAX_COMPARED) return []
    const newestFirst = came.toReversed()
    const listed = newestFirst.map(asListed)
    const census = takeCensus(
      came.map(({ marks }) => marks),
      vanished.map(({ marks }) => marks),
    )
    return [...alignMoved(listed, vanished, new Map(), census)].map(([{ marks, place }, old]) => {
      const pair = { kept: old.episode.id, gone: newestFirst[place]!.episode.id, isSure: isSure(marks, old.marks) }
      if (pair.isSure) taken.add(pair.kept)
      return pair
    })
  })
}

/** Merging can't be undone, so the dates must also be within a day and a time zone, or the recordings the same. */
const isSure = (one: Known['marks'], other: Known['marks']) =>
  (one.length !== null && one.length === other.length) ||
  (one.time !== null && other.time !== null && isWithinShift(one, other)) ||
  (one.time === null && other.time === null && one.title === other.title)

const asListed = ({ episode, marks }: Row, place: number): Listed => ({ marks, place, item: itemOf(episode) })

function rootOf(merged: ReadonlyMap<number, number>, id: number): number {
  let root = id
  for (let next = merged.get(root); next !== undefined; next = merged.get(root)) root = next
  return root
}
