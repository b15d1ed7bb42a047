import { collectGarbage, keepSmall } from '../../platform/engine'
import type { ChapterFacts, ChapterSource } from '../../store/documents'
import type { EpisodeFacts, ItemHash, KnownEpisode } from '../../store/episodes'
import type { GuidEvidence, PodcastFacts } from '../../store/podcasts'
import { chaptersInNotes } from '../parse/chapters'
import { type EpisodeOf, recognise, type Recognised } from './identity'
import { itemOf } from './marks'
import { inflate, TooLarge } from '../parse/decode'
import { fitGuid } from '../parse/values'
import { safeNotes } from '../parse/notes'
import { copyOf, createArchive, isPacked, pack, type Archive } from '../parse/packed'
import { parseFeed } from '../parse/parse-feed'
import { NotAFeed, type ParsedFeed } from '../parse/parsed-feed'
import { isPlayable, markOf, type ParsedItem, titleOf, type PlayableItem, type Recall } from '../parse/parsed-feed'
import { findSuperseded } from './superseded'
import { pairTrailers, recogniseTrailers, withoutTrailers } from './trailers'

export type DigestRequest = {
  body: Uint8Array
  contentType: string
  contentEncoding: string
  address: string
  maxBytes: number
  known: readonly KnownEpisode[]
  /** Evidence of earlier readings against the guids of the feed. */
  guidEvidence?: GuidEvidence | null
  /** The connection ended before the body did. */
  isCut?: boolean
}

/** An episode of a feed, ready to be stored. */
export type FeedEpisode = {
  facts: EpisodeFacts
  /** The chapters in the item itself, or in its notes. */
  chapters: { source: ChapterSource; list: ChapterFacts[] } | null
  /** A newer episode has its address. */
  superseded: boolean
  /** The hash of the item, by which its next reading recalls it; null if it must be read again. */
  hash: number | null
}

export type EditedEpisode = FeedEpisode & {
  /** Negative for an item that a person declared to be the same as an episode, as in the two lists below. */
  id: number
  /** The publisher published it again. */
  isAgain: boolean
  /** The publisher offers another recording. */
  isReissued: boolean
}

/** A feed compared with the known episodes: only new and changed ones are made ready to be stored. */
export type Digest = {
  title: string
  facts: PodcastFacts
  newFeedUrl: string | null
  ttlMinutes: number | null
  complete: boolean
  nextPage: string | null
  /** In the feed's order. */
  added: FeedEpisode[]
  edited: EditedEpisode[]
  /** Known episodes that the feed no longer lists; they are kept. Empty when the body was incomplete. */
  vanished: number[]
  returned: number[]
  /** Known episodes whose items have other bytes, or none that are stored, and say the same as before. */
  rehashed: ItemHash[]
  /** Known episodes that lost their address to a newer one, or got it back. */
  superseded: { id: number; superseded: boolean }[]
  /** Number of the feed's items that were already known. */
  recognised: number
  /** When each playable item was announced, for the schedule. */
  dates: number[]
  /** Items in the document, whether they can be read or not. */
  listed: number
  /** Items with nothing to play. */
  skipped: number
  warnings: string[]
}

type DigestResult =
  | { ok: true; digest: Digest }
  | { ok: false; reason: 'not-a-feed'; type: string; alternates: readonly string[] }
  /** `message` says in a sentence what is too large; `limit` is the bound, with its unit. */
  | { ok: false; reason: 'too-large'; message: string; limit: string }

const MAX_TITLE = 1000

/** Reads a body and compares it. Pure, and possibly slow: it runs in the second thread. */
export function digestFeed(request: DigestRequest): DigestResult {
  try {
    const body = inflate(request.body, request.contentEncoding, request.maxBytes)
    const { recall, episodeOf } = createMemory(request.known)
    // Rarely an item that was not read turns out to be another episode.
    const digest = tryToCompare(body, request, recall, episodeOf) ?? tryToCompare(body, request)!
    return { ok: true, digest }
  } catch (error) {
    if (error instanceof NotAFeed)
      return { ok: false, reason: 'not-a-feed', type: error.type, alternates: error.alternates }
    if (error instanceof TooLarge) return { ok: false, reason: 'too-large', message: error.message, limit: error.limit }
    throw error
  }
}

const noMemory: EpisodeOf = () => undefined

/** Recalls known episodes by the hashes of their items, as far as recognising needs to know of them. */
function createMemory(known: readonly KnownEpisode[]): { recall: Recall; episodeOf: EpisodeOf } {
  const byHash = new Map<number, KnownEpisode>()
  for (const episode of known) if (episode.item_hash !== null) byHash.set(episode.item_hash, episode)
  const episodes = new Map<ParsedItem, KnownEpisode>()
  return {
    recall(hash) {
      const episode = byHash.get(hash)
      if (!episode) return null
      const item = itemOf(episode)
      episodes.set(item, episode)
      return item
    },
    episodeOf: item => episodes.get(item),
  }
}

/** Compares a body with the known episodes; null if an item that was recalled is not the episode it was recalled for. */
function tryToCompare(body: Uint8Array, request: DigestRequest, recall?: Recall, episodeOf = noMemory): Digest | null {
  const { address, contentType, isCut, known, guidEvidence = null } = request
  const { feed, warnings, listed, isPartial, traces } = parseFeed(body, address, contentType, recall)
  if (isCut) warnings.push('the connection ended before the end of the feed')
  const skipped = feed.items.filter(item => !isPlayable(item)).length
  const { recognised, evidence } = recognise(takePlayable(feed), withoutTrailers(known), guidEvidence, episodeOf)
  pairTrailers(recognised, known)
  if (recognised.some(({ item, episode }) => (episodeOf(item) ?? episode) !== episode)) return null
  const dates = recognised.flatMap(({ item }) => item.announcedAt ?? [])
  recognised.push(...recogniseTrailers(feed.extras.trailers ?? [], recognised, known))
  const { lost, changes } = findSuperseded(
    recognised.filter(({ episode }) => !episode || episode.id > 0),
    known.filter(({ id }) => id > 0),
  )
  const present = new Set(recognised.flatMap(({ episode }) => episode?.id ?? []))
  const digest: Digest = {
    title: feed.title.slice(0, MAX_TITLE),
    facts: podcastFacts(feed, address, { listed, skipped }, evidence),
    newFeedUrl: feed.newFeedUrl,
    ttlMinutes: feed.ttlMinutes,
    complete: feed.complete,
    nextPage: feed.nextPage,
    added: [],
    edited: [],
    vanished: [],
    returned: [],
    rehashed: [],
    superseded: changes,
    recognised: present.size,
    dates,
    listed,
    skipped,
    warnings,
  }
  const archive = createArchive()
  // Each item is released once its episode is made: both lists of a large feed would not fit in memory.
  for (const waiting = recognised.reverse(); waiting.length > 0;) {
    const entry = waiting.pop()!
    const { item, episode, isAgain, isReissued } = entry
    if (episode && episodeOf(item)) {
      if (!episode.in_feed) digest.returned.push(episode.id)
      continue
    }
    const { mark = markOf(JSON.stringify(item)), hash = null } = traces.get(item) ?? {}
    const read = () => readEpisode(entry, { mark, hash, superseded: lost.has(entry) }, feed, address, archive)
    if (!episode) digest.added.push(read())
    else if (episode.digest !== mark) digest.edited.push(copyOf(read(), { id: episode.id, isAgain, isReissued }))
    else {
      if (!episode.in_feed) digest.returned.push(episode.id)
      if (hash !== null && episode.id > 0) digest.rehashed.push({ id: episode.id, hash })
    }
  }
  // A feed without any item is a fault of its host more often than the end of all its episodes.
  if (!isPartial && !isCut && listed > 0)
    digest.vanished = known.filter(episode => episode.in_feed && !present.has(episode.id)).map(episode => episode.id)
  return digest
}

const takePlayable = (feed: ParsedFeed) => feed.items.splice(0).filter(isPlayable)

/** Media whose parts follow one another, whatever `itunes:type` says. */
const playedInOrder: ReadonlySet<string> = new Set(['audiobook', 'music', 'course'])

function podcastFacts(
  feed: ParsedFeed,
  address: string,
  { listed, skipped }: Pick<Digest, 'listed' | 'skipped'>,
  evidence: GuidEvidence | null,
): PodcastFacts {
  return {
    author: feed.author?.slice(0, MAX_TITLE) ?? null,
    summary: feed.summary ? safeNotes(feed.summary, feed.link ?? address) : null,
    language: feed.language?.slice(0, 35) ?? null,
    keywords: feed.keywords?.slice(0, 2000) ?? null,
    link: feed.link,
    guid: feed.guid?.slice(0, 500) ?? null,
    medium: feed.medium?.slice(0, 50) ?? null,
    explicit: Number(feed.explicit),
    serial: Number(feed.serial || playedInOrder.has(feed.medium ?? '')),
    image_url: feed.imageUrl,
    extras: JSON.stringify(feed.extras),
    built_at: feed.builtAt,
    feed_items: listed,
    feed_unplayable: skipped,
    guid_evidence: evidence,
  }
}

function readEpisode(
  { item, guid }: Recognised,
  { mark, ...own }: Pick<FeedEpisode, 'hash' | 'superseded'> & { mark: string },
  feed: ParsedFeed,
  address: string,
  archive: Archive,
): FeedEpisode {
  const facts = { ...episodeFacts(item, mark, feed, address), guid }
  const chapters = chaptersOf(item, facts)
  if (!isPacked(item)) return { facts, chapters, ...own }
  // Notes that grow while they are sanitised (`<` becomes `&lt;`) leave many times their final size as garbage.
  collectGarbage(facts.notes.length)
  const packed = pack(facts, ['notes', 'transcripts', 'extras'], archive)
  return pack({ facts: packed, chapters, ...own }, ['chapters'], archive)
}

keepSmall(readEpisode, episodeFacts)

function chaptersOf(item: PlayableItem, facts: EpisodeFacts): FeedEpisode['chapters'] {
  if (item.chapters) return { source: 'feed', list: item.chapters }
  const list = chaptersInNotes(facts.notes, facts.duration)
  return list.length > 0 ? { source: 'notes', list } : null
}

function episodeFacts(item: PlayableItem, mark: string, feed: ParsedFeed, address: string): Omit<EpisodeFacts, 'guid'> {
  return {
    feed_guid: item.guid === null ? null : fitGuid(item.guid),
    title: titleOf(item),
    notes: safeNotes(item.notes, item.link ?? feed.link ?? address),
    link: item.link,
    enclosure_url: item.enclosure.url,
    enclosure_type: item.enclosure.type,
    enclosure_size: item.enclosure.size !== null && item.enclosure.size > 1 ? item.enclosure.size : null,
    image_url: item.imageUrl === feed.imageUrl ? null : item.imageUrl,
    announced_at: item.announcedAt !== null && item.announcedAt > 0 ? item.announcedAt : null,
    duration: item.duration,
    season: item.season,
    number: item.number,
    type: item.type,
    explicit: Number(item.explicit ?? feed.explicit),
    chapters_url: item.chaptersUrl,
    transcripts: item.transcripts.length > 0 ? JSON.stringify(item.transcripts) : null,
    author: item.author ?? null,
    extras: extrasOf(item),
    digest: mark,
    aside: Number(item.isAside ?? false),
  }
}

/** The tags that have no column, as JSON; null if there are none. */
function extrasOf({ persons, soundbites, location, value, social, tags, forms }: PlayableItem): string | null {
  if (persons.length + soundbites.length === 0 && !location && !value && !social && !tags && !forms) return null
  return JSON.stringify({
    persons,
    soundbites,
    ...(location && { locations: location }),
    value,
    social,
    forms,
    ...tags,
  })
}
