import { DAY } from '../platform/clock'
import type { Changes } from '../platform/events'
import type { Store } from '../store'
import { effective, type PodcastSettingsRow } from '../store/podcast-settings'
import type { Validators } from '../store/podcasts'
import type { Digest, FeedEpisode } from './digest'
import { supersededFailure } from './superseded'
import type { NamedDocument } from '../store/documents'
import type { ParsedTranscript } from './parsed-feed'

export type Applied = { addedIds: number[]; edited: number; explicit: Changes }

// A transaction holds the main thread: with fifty episodes and their indexes that is a few milliseconds.
const CHUNK = 50

/**
 * Writes a digest in short transactions, with a breath between them for others who write. The validators come last: a process killed in
 * between fetches the whole feed again and goes on where it was. The first time, the newest episodes are queued for
 * download as the settings say; later, whatever came out since the podcast was added. What is to be announced is noted with it.
 */
export async function applyDigest(
  store: Store,
  podcastId: number,
  digest: Digest,
  validators: Validators,
  seenAt: number,
): Promise<Applied | null> {
  const podcast = store.podcasts.find(podcastId)
  if (!podcast) return null
  const isFirst = podcast.fetched_whole_at === null
  const own = store.podcastSettings.of(podcastId)
  const { autoDownload, podcastPrefill } = effective(own, store.settings.current())
  const enqueue = (id: number) => store.downloads.enqueue(id, { automatic: true, userId: null, now: seenAt })
  const addedIds: number[] = []

  // Oldest first, so that ids grow with time.
  const added = digest.added.map((episode, place) => ({ episode, place })).reverse()
  const wanted = isFirst || !autoDownload ? noPlaces : wantedOf(own, digest.added, podcast.added_at - DAY)
  for (let at = 0; at < added.length; at += CHUNK) {
    const goesOn = await store.inTurn(() => {
      if (!store.podcasts.find(podcastId)) return false
      for (const { episode, place } of added.slice(at, at + CHUNK)) {
        const { facts } = episode
        const publishedAt = facts.announced_at === null ? seenAt - place : Math.min(facts.announced_at, seenAt)
        const id = store.episodes.add(podcastId, facts, publishedAt, seenAt)
        keepTexts(store, id, episode, false)
        addedIds.push(id)
        const isWanted = wanted.has(place) && !episode.superseded
        if (episode.superseded) store.episodes.markSuperseded(id, true)
        if (isWanted) enqueue(id)
        if (!isFirst) store.announcements.add(id, isWanted ? 'downloading' : 'reading')
      }
      return true
    })
    if (!goesOn) return null
  }
  for (let at = 0; at < digest.edited.length; at += CHUNK) {
    const goesOn = await store.inTurn(() => {
      if (!store.podcasts.find(podcastId)) return false
      for (const episode of digest.edited.slice(at, at + CHUNK)) {
        store.episodes.edit(episode.id, episode.facts)
        keepTexts(store, episode.id, episode, true)
      }
      return true
    })
    if (!goesOn) return null
  }
  for (let at = 0; at < digest.superseded.length; at += CHUNK)
    await store.inTurn(() => markSuperseded(store, digest.superseded.slice(at, at + CHUNK), seenAt))
  await markInFeed(store, digest.vanished, false)
  await markInFeed(store, digest.returned, true)

  const goesOn = store.inTransaction(() => {
    if (!store.podcasts.find(podcastId)) return false
    store.podcasts.describe(podcastId, digest.title || hostOf(podcast.feed_url), digest.facts)
    if (isFirst && autoDownload)
      for (const id of store.episodes.newestMissing(podcastId, podcastPrefill)) {
        enqueue(id)
        store.announcements.add(id, 'downloading')
      }
    store.announcements.markPublished(podcastId)
    store.podcasts.keepValidators(podcastId, validators, seenAt)
    return true
  })
  const explicit = {
    added: digest.added.filter(({ facts }) => facts.explicit).length,
    updated: digest.edited.filter(({ facts }) => facts.explicit).length,
  }
  return goesOn ? { addedIds, edited: digest.edited.length, explicit } : null
}

function markSuperseded(store: Store, changes: Digest['superseded'], now: number) {
  for (const { id, superseded } of changes) {
    store.episodes.markSuperseded(id, superseded)
    if (superseded) store.downloads.refuse(id, supersededFailure, now)
  }
}

async function markInFeed(store: Store, ids: readonly number[], isInFeed: boolean) {
  for (let at = 0; at < ids.length; at += 10 * CHUNK)
    await store.inTurn(() => store.episodes.markInFeed(ids.slice(at, at + 10 * CHUNK), isInFeed))
}

const noPlaces: ReadonlySet<number> = new Set()

/**
 * Places of the new episodes that are downloaded by themselves: those that came out since `since`, that the podcast's
 * own rules let through, and no more than these allow, the newest first.
 */
function wantedOf(own: PodcastSettingsRow, added: readonly FeedEpisode[], since: number): ReadonlySet<number> {
  const announced = ({ facts }: FeedEpisode) => facts.announced_at ?? Number.MAX_SAFE_INTEGER
  const fitting = added
    .map((episode, place) => ({ episode, place }))
    .filter(({ episode }) => announced(episode) > since && isLetThrough(own, episode.facts))
    .sort((one, other) => announced(other.episode) - announced(one.episode))
  return new Set(fitting.slice(0, own.max_new_per_refresh ?? fitting.length).map(({ place }) => place))
}

/** By words in the title, and by type. */
function isLetThrough(own: PodcastSettingsRow, { title, type }: { title: string; type: string }): boolean {
  if (own.skip_trailers === 1 && type === 'trailer') return false
  const text = title.toLocaleLowerCase()
  const holds = (words: string | null) => wordsOf(words).some(word => text.includes(word))
  if (holds(own.exclude)) return false
  return wordsOf(own.include).length === 0 || holds(own.include)
}

const wordsOf = (words: string | null) =>
  (words ?? '')
    .toLocaleLowerCase()
    .split(/[,\n]/)
    .map(word => word.trim())
    .filter(Boolean)

/** Chapters of the item itself, and the documents that it names. */
function keepTexts(store: Store, id: number, { facts, chapters }: FeedEpisode, isEdit: boolean) {
  if (isEdit || chapters) {
    for (const source of ['feed', 'notes'] as const)
      if (isEdit || chapters?.source === source)
        store.chapters.replace(id, source, chapters?.source === source ? chapters.list : [])
  }
  const named = documentsOf(facts)
  if (isEdit || named.length > 0) store.documents.describe(id, named)
}

function documentsOf({ chapters_url, transcripts }: FeedEpisode['facts']): NamedDocument[] {
  const named = transcripts ? (JSON.parse(transcripts) as ParsedTranscript[]) : []
  return [
    ...(chapters_url
      ? [{ kind: 'chapters' as const, url: chapters_url, type: 'application/json', language: null }]
      : []),
    ...named.map(({ url, type, language = null }) => ({ kind: 'transcript' as const, url, type, language })),
  ]
}

export const hostOf = (address: string) => URL.parse(address)?.hostname.replace(/^www\./, '') ?? address
