import type { ChapterFacts, ChapterSource } from '../store/chapters'
import type { EpisodeFacts, KnownEpisode } from '../store/episodes'
import type { PodcastFacts } from '../store/podcasts'
import { chaptersInNotes } from './chapters'
import { decodeBody, TooLarge } from './decode'
import { recognise, type Recognised } from './identity'
import { safeNotes } from './notes'
import { parseFeed } from './parse'
import { fitGuid } from './marks'
import { NotAFeed, type ParsedFeed } from './parsed-feed'
import { isPlayable, titleOf, type PlayableItem } from './playable'
import { findSuperseded } from './superseded'

export type DigestRequest = {
  body: Uint8Array
  contentType: string
  contentEncoding: string
  address: string
  maxBytes: number
  known: readonly KnownEpisode[]
}

/** What a feed says of an episode, ready to be stored. */
export type FeedEpisode = {
  facts: EpisodeFacts
  /** Those that the item itself holds, or that were read out of its notes. */
  chapters: { source: ChapterSource; list: ChapterFacts[] } | null
  /** A newer episode lies at its address. */
  superseded: boolean
}

/** A feed compared with what is known of it: only what is new or changed was made ready to be stored. */
export type Digest = {
  title: string
  facts: PodcastFacts
  newFeedUrl: string | null
  ttlMinutes: number | null
  complete: boolean
  nextPage: string | null
  /** In the feed's order. */
  added: FeedEpisode[]
  edited: ({ id: number } & FeedEpisode)[]
  /** Known episodes that the feed no longer lists; they are kept. Empty when the document was cut short. */
  vanished: number[]
  returned: number[]
  /** Known episodes that lost their address to a newer one, or have it again. */
  superseded: { id: number; superseded: boolean }[]
  /** How many of the feed's items were known already. */
  recognised: number
  /** When each playable item was announced, for the schedule. */
  dates: number[]
  /** Items with nothing to play. */
  skipped: number
  warnings: string[]
}

export type DigestResult =
  | { ok: true; digest: Digest }
  | { ok: false; reason: 'not-a-feed'; type: string; alternates: readonly string[] }
  | { ok: false; reason: 'too-large' }

const MAX_TITLE = 1000

/** Body to digest. Pure, and possibly long: it runs in a worker. */
export function digestFeed(request: DigestRequest): DigestResult {
  try {
    const text = decodeBody(request.body, request)
    const { feed, warnings } = parseFeed(text, request.address)
    return { ok: true, digest: compare(feed, warnings, request) }
  } catch (error) {
    if (error instanceof NotAFeed)
      return { ok: false, reason: 'not-a-feed', type: error.type, alternates: error.alternates }
    if (error instanceof TooLarge) return { ok: false, reason: 'too-large' }
    throw error
  }
}

function compare(feed: ParsedFeed, warnings: string[], { address, known }: DigestRequest): Digest {
  const items = feed.items.filter(isPlayable)
  const recognised = recognise(items, known)
  const { isSuperseded, changes } = findSuperseded(recognised, known)
  const digest: Digest = {
    title: feed.title.slice(0, MAX_TITLE),
    facts: podcastFacts(feed, address),
    newFeedUrl: feed.newFeedUrl,
    ttlMinutes: feed.ttlMinutes,
    complete: feed.complete,
    nextPage: feed.nextPage,
    added: [],
    edited: [],
    vanished: [],
    returned: [],
    superseded: changes,
    recognised: recognised.filter(({ episode }) => episode !== null).length,
    dates: items.flatMap(item => item.announcedAt ?? []),
    skipped: feed.items.length - items.length,
    warnings,
  }
  for (const entry of recognised) {
    const { item, episode } = entry
    const mark = markOf(item)
    const read = () => readEpisode(entry, mark, isSuperseded(entry), feed, address)
    if (!episode) digest.added.push(read())
    else if (episode.digest !== mark) digest.edited.push({ id: episode.id, ...read() })
    else if (!episode.in_feed) digest.returned.push(episode.id)
  }
  if (warnings.length === 0) {
    const present = new Set(recognised.map(({ episode }) => episode?.id))
    digest.vanished = known.filter(episode => episode.in_feed && !present.has(episode.id)).map(episode => episode.id)
  }
  return digest
}

/** Tells an edited item from an unchanged one without making it safe first. */
const markOf = (item: PlayableItem) => Bun.hash(JSON.stringify(item)).toString(36)

function podcastFacts(feed: ParsedFeed, address: string): PodcastFacts {
  return {
    author: feed.author?.slice(0, MAX_TITLE) ?? null,
    summary: feed.summary ? safeNotes(feed.summary, feed.link ?? address) : null,
    language: feed.language?.slice(0, 35) ?? null,
    keywords: feed.keywords?.slice(0, 2000) ?? null,
    link: feed.link,
    guid: feed.guid?.slice(0, 500) ?? null,
    medium: feed.medium?.slice(0, 50) ?? null,
    explicit: Number(feed.explicit),
    serial: Number(feed.serial),
    image_url: feed.imageUrl,
    extras: JSON.stringify(feed.extras),
    built_at: feed.builtAt,
    feed_items: feed.items.length,
    feed_unplayable: feed.items.filter(item => !isPlayable(item)).length,
  }
}

function readEpisode(
  { item, guid }: Recognised,
  mark: string,
  superseded: boolean,
  feed: ParsedFeed,
  address: string,
): FeedEpisode {
  const facts = { ...episodeFacts(item, mark, feed, address), guid }
  if (item.chapters) return { facts, superseded, chapters: { source: 'feed', list: item.chapters } }
  const list = chaptersInNotes(facts.notes, facts.duration)
  return { facts, superseded, chapters: list.length > 0 ? { source: 'notes', list } : null }
}

function episodeFacts(item: PlayableItem, mark: string, feed: ParsedFeed, address: string): Omit<EpisodeFacts, 'guid'> {
  const { persons, soundbites, location, value } = item
  const hasExtras = persons.length > 0 || soundbites.length > 0 || location !== null || value !== undefined
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
    extras: hasExtras ? JSON.stringify({ persons, soundbites, ...(location && { location }), value }) : null,
    digest: mark,
  }
}
