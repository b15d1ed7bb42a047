import { collectGarbage, noteGarbage } from '../../platform/engine'
import type { KnownEpisode } from '../../store/episodes'
import type { GuidEvidence } from '../../store/podcasts'
import {
  addressKeys,
  type Census,
  type Known,
  type Listed,
  marksOfEpisode,
  marksOfItem,
  type Pairs,
  placeOf,
  takeCensus,
} from './marks'
import { alignArchive, alignMoved } from './align'
import { pairByGuid, sharesNothing, isSameKind, lastsAsLong, playRounds } from './rounds'
import type { PlayableItem } from '../parse/parsed-feed'
import { fitGuid } from '../parse/values'
import { MAX_SHIFT } from './likeness'

// Why: docs/internals/decisions/0066

/** An item with the known episode that it is, or null if it is new, and the guid under which it is stored. */
export type Recognised = {
  item: PlayableItem
  episode: KnownEpisode | null
  guid: string
  isAgain: boolean
  isReissued: boolean
}

/** Returns the known episode whose bytes an item has; undefined for an item that was read. */
export type EpisodeOf = (item: PlayableItem) => KnownEpisode | undefined

/** Garbage that recognising leaves, in bytes per item. */
const LEFT_BEHIND = 1000
const MANY = 5000

/**
 * Finds the known episode of every item: by its guid unless the feed has shown that its guids can't be trusted, then by
 * several marks together, then by aligning what vanished with what appeared. An item that is listed twice with the same
 * marks counts once. `stored`: what earlier readings showed against the feed's guids; `evidence`: what is known now.
 * `episodeOf`: the episode of an item that was recalled. `docs/internals/feeds.md` states the rules.
 */
export function recognise(
  items: readonly PlayableItem[],
  episodes: readonly KnownEpisode[],
  stored: GuidEvidence | null,
  episodeOf: EpisodeOf = () => undefined,
): { recognised: Recognised[]; evidence: GuidEvidence | null } {
  const obvious = stored ? null : recogniseObvious(items, episodes, episodeOf)
  if (obvious) return { recognised: obvious, evidence: null }
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
  if (items.length > MANY) collectGarbage(LEFT_BEHIND * items.length)
  else noteGarbage((LEFT_BEHIND / 12) * items.length)
  return { recognised, evidence }
}

/**
 * Recognises the items of a usual reading, without comparing all marks: those that were not recalled are new beyond
 * doubt. Null if there is any doubt; otherwise the rules have the same result.
 */
function recogniseObvious(
  items: readonly PlayableItem[],
  episodes: readonly KnownEpisode[],
  episodeOf: EpisodeOf,
): Recognised[] | null {
  const owners = new Map<string, KnownEpisode | null>()
  for (const episode of episodes)
    if (episode.feed_guid !== null) owners.set(episode.feed_guid, owners.has(episode.feed_guid) ? null : episode)
  const held = new Set<string>()
  for (const { guid } of episodes) held.add(guid)
  const seen = new Set<string>()
  const claimed = new Set<KnownEpisode>()
  const fresh: PlayableItem[] = []
  const recognised: Recognised[] = []
  for (const item of items) {
    if (item.guid === null) return null
    const wanted = fitGuid(item.guid)
    // A guid that may be a place in the list.
    if (seen.has(wanted) || wanted === '1') return null
    seen.add(wanted)
    const episode = episodeOf(item) ?? null
    if (episode === null) {
      if (owners.has(wanted) || held.has(wanted)) return null
      fresh.push(item)
    } else {
      if (owners.get(wanted) !== episode) return null
      claimed.add(episode)
    }
    const guid = episode && held.has(wanted) ? episode.guid : wanted
    recognised.push({ item, episode, guid, isAgain: false, isReissued: false })
  }
  return fresh.length === 0 || areNews(fresh, episodes, claimed) ? recognised : null
}

/** Whether items are newer than all episodes and share nothing with those that aren't claimed, most of a feed being so. */
function areNews(
  items: readonly PlayableItem[],
  episodes: readonly KnownEpisode[],
  claimed: ReadonlySet<KnownEpisode>,
) {
  if (claimed.size === episodes.length) return true
  let stayed = 0
  let newest = 0
  const taken = new Set<string | number>()
  for (const episode of episodes) {
    newest = Math.max(newest, episode.announced_at ?? 0)
    if (claimed.has(episode)) stayed += episode.in_feed
    else {
      const { title, address, length } = marksOfEpisode(episode)
      taken.add(title).add(placeOf(address))
      if (length !== null) taken.add(length)
    }
  }
  if (stayed < items.length) return false
  return items.every(item => {
    const { title, address, length, time } = marksOfItem(item)
    const isTaken = taken.has(title) || taken.has(placeOf(address)) || (length !== null && taken.has(length))
    return !isTaken && time !== null && time > newest
  })
}

function withoutRepeats(listed: readonly Listed[]): Listed[] {
  const seen = new Set<bigint>()
  return listed.filter(({ marks: { guid, address, title, time } }) => {
    const hash = Bun.hash.xxHash3(`${guid ?? '\0'}\n${address}\n${title}\n${time}`)
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
 * Gives every episode a guid that is unique in its podcast: the feed's if it is free, else one made from the guid (or
 * the address if there is none) and whatever distinguishes the item from the others.
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

/** The share of a feed that may change at once; more means an event of the whole feed, such as a move. */
const MAX_AT_ONCE = 0.1
const MAX_PAIRS_OF_A_SMALL_FEED = 2

/**
 * Recognises an episode that the publisher removed from the middle of a feed and published again under another guid and
 * address: only its title, which no other episode has, identifies it. This may be wrong, so the page says "published
 * again" and a person can say that these are two.
 */
function pairAgain(listed: readonly Listed[], known: readonly Known[], pairs: Pairs, census: Census): Pairs {
  const again: Pairs = new Map()
  const claimed = new Set(pairs.values())
  const gone = new Map(
    known.filter(one => one.episode.in_feed === 1 && !claimed.has(one)).map(one => [one.marks.title, one]),
  )
  if (gone.size === 0) return again
  const oldest = Math.min(...[...claimed].filter(({ episode }) => episode.in_feed === 1).map(({ place }) => place))
  for (const entry of listed) {
    const found = pairs.has(entry) ? undefined : gone.get(entry.marks.title)
    if (!found || found.place < oldest || !census.isOwn(entry.marks, 'title')) continue
    const pair = { listed: entry, known: found }
    if (!isEarlier(entry, found) && lastsAsLong(pair) && isSameKind(pair)) again.set(entry, found)
  }
  return again
}

const isEarlier = ({ marks }: Listed, known: Known) =>
  marks.time !== null && known.marks.time !== null && marks.time < known.marks.time

/** Outcomes of known episodes in a reading, other than an edit. */
type News = {
  /** Published again: later by more than a clock or a time zone explains, or with only the guid unchanged. */
  again: ReadonlySet<Listed>
  /** The publisher offers another recording. */
  reissued: ReadonlySet<Listed>
}

/** Finds single episodes that were published again or have a new recording; if much of a feed changed, it has moved. */
function findNews(pairs: Pairs, guessed: Pairs): News {
  const all = [...pairs]
  const again = new Set(few(all.filter(isAgain), all.length))
  for (const entry of guessed.keys()) again.add(entry)
  return { again, reissued: new Set(few(all.filter(isReissue), all.length)) }
}

function few(found: readonly (readonly [Listed, Known])[], of: number): Listed[] {
  return found.length > Math.max(MAX_PAIRS_OF_A_SMALL_FEED, MAX_AT_ONCE * of) ? [] : found.map(([entry]) => entry)
}

const isAgain = ([entry, known]: readonly [Listed, Known]) =>
  (entry.marks.time !== null && known.marks.time !== null && entry.marks.time - known.marks.time > MAX_SHIFT) ||
  sharesNothing(entry, known)

/** Another length, or another address unless the length shows the same recording. */
function isReissue([{ marks, item }, { marks: before, episode }]: readonly [Listed, Known]): boolean {
  if (marks.length !== null && before.length !== null) return marks.length !== before.length
  if (marks.address === before.address) return false
  return item.duration === 0 || item.duration !== episode.announced_duration
}
