import { collectGarbage } from '../platform/garbage'
import type { KnownEpisode } from '../store/episodes'
import type { GuidEvidence } from '../store/podcasts'
import { addressKeys } from './address-key'
import { findNews, pairAgain, type News } from './again'
import { alignArchive, alignMoved } from './align'
import { pairByGuid } from './guid-trust'
import { fitGuid, marksOfEpisode, marksOfItem, takeCensus, type Known, type Listed, type Pairs } from './marks'
import type { PlayableItem } from './playable'
import { playRounds } from './rounds'

// Why: docs/internals/decisions/0066

/** An item with the known episode that it is, or null where it is new, and the guid under which it is kept. */
export type Recognised = {
  item: PlayableItem
  episode: KnownEpisode | null
  guid: string
  isAgain: boolean
  isReissued: boolean
}

/** Garbage that recognising leaves behind, in bytes for each item. */
const LEFT_BEHIND = 1000

/**
 * Finds the known episode of every item: by its guid unless the feed has shown that its guids can't be trusted, then by
 * several marks together, then by aligning what vanished with what came. An item that is listed twice with the same
 * marks counts once. `evidence`: what earlier readings showed against the feed's guids; the answer has what holds now.
 * `docs/internals/feeds.md` states the rules.
 */
export function recognise(
  items: readonly PlayableItem[],
  episodes: readonly KnownEpisode[],
  stored: GuidEvidence | null,
): { recognised: Recognised[]; evidence: GuidEvidence | null } {
  const known = episodes.map((episode, place) => ({ episode, marks: marksOfEpisode(episode), place }))
  const all = items.map((item, place) => ({ item, marks: marksOfItem(item), place }))
  const keyOf = addressKeys(
    all.map(({ marks }) => marks),
    known.map(({ marks }) => marks),
  )
  for (const { marks } of [...all, ...known]) marks.address = keyOf(marks.address)
  const listed = withoutRepeats(all)
  const { pairs, evidence, news } = pairAll(listed, known, stored)
  const recognised = assignGuids(listed, pairs, episodes, news)
  collectGarbage(LEFT_BEHIND * items.length)
  return { recognised, evidence }
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

function pairAll(listed: readonly Listed[], known: readonly Known[], stored: GuidEvidence | null) {
  const census = takeCensus(
    listed.map(({ marks }) => marks),
    known.map(({ marks }) => marks),
  )
  const { pairs, evidence } = pairByGuid(listed, known, census, stored)
  playRounds(listed, known, pairs, census)
  if (pairs.size < listed.length) {
    for (const align of [alignMoved, alignArchive])
      for (const [entry, found] of align(listed, known, pairs, census)) pairs.set(entry, found)
  }
  const guessed = pairAgain(listed, known, pairs, census)
  const news = findNews(pairs, guessed)
  for (const [entry, found] of guessed) pairs.set(entry, found)
  return { pairs, evidence, news }
}

/**
 * Gives every episode a guid that is unique in its podcast: the feed's if it is free, else one made of the guid (or the
 * address, where there is none) and of what distinguishes the item from the others.
 */
function assignGuids(
  listed: readonly Listed[],
  pairs: Pairs,
  episodes: readonly KnownEpisode[],
  { again, reissued }: News,
): Recognised[] {
  const held = new Set(episodes.map(({ guid }) => guid))
  const claim = (guid: string) => {
    if (held.has(guid)) return false
    held.add(guid)
    return true
  }
  const kept = new Map<Listed, string>()
  for (const [entry, { episode }] of pairs) {
    const wanted = entry.marks.guid
    kept.set(entry, wanted !== null && claim(wanted) ? wanted : episode.guid)
  }
  return listed.map(entry => {
    const episode = pairs.get(entry)?.episode ?? null
    const guid = kept.get(entry) ?? newGuid(entry, claim)
    return { item: entry.item, episode, guid, isAgain: again.has(entry), isReissued: reissued.has(entry) }
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
