import { DAY } from '../../platform/clock'
import type { Changes } from '../../platform/events'
import type { Store } from '../../store'
import type { ItemHash } from '../../store/episodes'
import { effective, type PodcastSettingsRow } from '../../store/podcast-settings'
import type { PodcastRow, Validators } from '../../store/podcasts'
import type { Digest, EditedEpisode, FeedEpisode } from './digest'
import { FULL, inChunks, inFewTransactions, type Piece } from './pieces'
import { supersededFailure } from './superseded'
import type { NamedDocument } from '../../store/documents'
import type { ParsedTranscript } from '../parse/parsed-feed'
import { isLost, liveItemsIn } from '../schedule'
import { searchPlace, type SearchTexts } from '../../store/search'
import { searchedNotes } from '../parse/notes-text'

export type Applied = { addedIds: number[]; edited: number; explicit: Changes }

const WEEK = 7 * DAY

/** One application of a digest. */
type Application = {
  store: Store
  podcast: PodcastRow
  digest: Digest
  seenAt: number
  own: PodcastSettingsRow
  settings: ReturnType<typeof effective>
  firstDownloads: number | null | undefined
}

type Applying = {
  validators: Validators
  seenAt: number
  /** Number of newest episodes to download the first time; null = all, absent = as the settings say. */
  firstDownloads?: number | null | undefined
}

/**
 * Writes a digest in short transactions, with a pause between them in which others may write; null when the podcast is
 * gone. The validators come last: after a kill in between, the whole feed is fetched again and the rest is written. The
 * first time, the newest episodes are queued for download as the settings say; later, those published since the podcast
 * was added. Each episode is stored together with its announcement and with its places in the queues of people who want
 * it.
 */
export async function applyDigest(
  store: Store,
  podcastId: number,
  digest: Digest,
  { validators, seenAt, firstDownloads }: Applying,
): Promise<Applied | null> {
  const podcast = store.podcasts.find(podcastId)
  if (!podcast) return null
  const own = store.podcastSettings.of(podcastId)
  const settings = effective(own, store.settings.current())
  const application = { store, podcast, digest, seenAt, own, settings, firstDownloads }

  const addedIds: number[] = []
  const isThere = () => store.podcasts.find(podcastId) !== null
  if (!(await inFewTransactions(store, piecesOf(application, addedIds, validators), isThere))) return null
  const explicit = {
    added: digest.added.filter(({ facts }) => facts.explicit).length,
    updated: digest.edited.filter(({ facts }) => facts.explicit).length,
  }
  return { addedIds, edited: digest.edited.length, explicit }
}

function* piecesOf(application: Application, addedIds: number[], validators: Validators): Generator<Piece, void> {
  const { store, digest, seenAt } = application
  yield* addEpisodes(application, addedIds)
  yield* inChunks(digest.edited, FULL / 2, piece => editEpisodes(application, piece))
  yield* inChunks(digest.superseded, FULL / 2, changes => markSuperseded(store, changes, seenAt))
  yield* inChunks(digest.vanished, 5 * FULL, ids => markInFeed(store, ids, false))
  yield* inChunks(digest.returned, 5 * FULL, ids => markInFeed(store, ids, true))
  yield* inChunks(digest.rehashed, 5 * FULL, hashes => store.episodes.keepHashes(hashes))
  yield { weight: 0, run: () => finish(application, validators) }
}

/** Adds the new episodes, oldest first, so that ids grow with time, and notes their ids. */
function* addEpisodes(
  { store, podcast, digest, seenAt, own, settings }: Application,
  addedIds: number[],
): Generator<Piece, void> {
  const isFirst = isFirstReading(podcast)
  const wanted = isFirst || !settings.autoDownload ? noPlaces : wantedOf(own, digest.added, podcast.added_at - DAY)
  const waiting = digest.added.map((episode, place) => ({ episode, place }))

  function addSome() {
    const texts = gatherTexts()
    const hashes: ItemHash[] = []
    for (let count = 0; count < FULL && !texts.isFull() && waiting.length > 0; count++) {
      const { episode, place } = waiting.pop()!
      const { facts, superseded } = episode
      const publishedAt = Math.min(facts.announced_at ?? undatedPlace(digest, facts.aside, seenAt, place), seenAt)
      const id = store.episodes.add(podcast.id, facts, publishedAt, seenAt)
      keepTexts(store, id, episode, false)
      addedIds.push(id)
      if (episode.hash !== null) hashes.push({ id, hash: episode.hash })
      const isWanted = wanted.has(place) && !superseded
      if (superseded) store.episodes.markSuperseded(id, true)
      if (isWanted) enqueue(store, id, seenAt)
      if (!isFirst && !facts.aside) store.announcements.add(id, isWanted ? 'downloading' : 'reading')
      if (!isFirst && !superseded && !facts.aside && publishedAt > newSince(podcast)) {
        store.queueArrivals.add(podcast.id, id)
        store.newEpisodes.arrived(podcast.id, id)
      }
      texts.add(id, publishedAt, episode)
    }
    store.episodes.keepHashes(hashes)
    texts.index(store)
    return texts.isFull()
  }

  while (waiting.length > 0) yield { weight: Math.min(waiting.length, FULL), run: addSome }
}

/** The place of an episode without a date: in the order of its feed; a trailer before everything that is dated. */
function undatedPlace({ dates }: Digest, aside: number, seenAt: number, place: number): number {
  return aside ? dates.reduce((oldest, date) => Math.min(oldest, date), seenAt) - place : seenAt - place
}

function editEpisodes({ store, seenAt }: Application, episodes: readonly EditedEpisode[]) {
  for (const episode of episodes) {
    if (episode.id > 0) editEpisode(store, episode, seenAt)
    else store.formerEpisodes.editSame(-episode.id, episode.facts)
  }
}

function editEpisode(store: Store, episode: EditedEpisode, seenAt: number) {
  const { id, facts, hash, isAgain, isReissued } = episode
  if (isAgain) store.formerEpisodes.noteAgain(id, seenAt)
  if (isReissued) store.episodes.noteNewerRecording(id)
  store.episodes.edit(id, facts)
  if (hash !== null) store.episodes.keepHashes([{ id, hash }])
  keepTexts(store, id, episode, true)
}

function markInFeed(store: Store, ids: readonly number[], inFeed: boolean) {
  const same = ids.filter(id => id < 0).map(id => -id)
  store.episodes.markInFeed(ids, inFeed)
  if (same.length > 0) store.formerEpisodes.markSameInFeed(same, inFeed)
}

/** Names that are indexed with a feed; the indexer adds the rest. */
const MAX_PEOPLE = 200

/** Describes the podcast, queues the first downloads and stores the validators. */
function finish(application: Application, validators: Validators) {
  const { store, podcast, digest, seenAt } = application
  store.podcasts.describe(podcast.id, digest.title || hostOf(podcast.feed_url), digest.facts)
  // Names can be found as soon as they are stored, as episodes can.
  store.people.indexSome(MAX_PEOPLE)
  if (isFirstReading(podcast))
    // Not announced: those who add a podcast expect them.
    for (const id of store.episodes.newestMissing(podcast.id, firstDownloadsOf(application))) enqueue(store, id, seenAt)
  noteLive(store, podcast, digest.facts.extras, seenAt, isFirstReading(podcast))
  store.announcements.markPublished(podcast.id)
  store.podcasts.keepValidators(podcast.id, validators, seenAt)
}

function firstDownloadsOf({ firstDownloads, settings }: Application): number {
  if (firstDownloads === undefined) return settings.autoDownload ? settings.podcastPrefill : 0
  return firstDownloads ?? Number.MAX_SAFE_INTEGER
}

/** The date after which an episode is new, rather than an old one that the feed lists only now. */
const newSince = ({ added_at, last_episode_at }: PodcastRow) => Math.max(added_at - DAY, (last_episode_at ?? 0) - WEEK)

const isFirstReading = ({ fetched_whole_at }: PodcastRow) => fetched_whole_at === null

const enqueue = (store: Store, id: number, now: number) =>
  store.downloads.enqueue(id, { automatic: true, userId: null, now })

function markSuperseded(store: Store, changes: Digest['superseded'], now: number) {
  for (const { id, superseded } of changes) {
    store.episodes.markSuperseded(id, superseded)
    if (superseded) store.downloads.refuse(id, supersededFailure, now)
  }
}

const noPlaces: ReadonlySet<number> = new Set()

/**
 * Places of the new episodes that are downloaded automatically: published after `since`, allowed by the podcast's own
 * rules, and no more than these allow, the newest first.
 */
function wantedOf(own: PodcastSettingsRow, added: readonly FeedEpisode[], since: number): ReadonlySet<number> {
  const announced = ({ facts }: FeedEpisode) => facts.announced_at ?? Number.MAX_SAFE_INTEGER
  const fitting = added
    .map((episode, place) => ({ episode, place }))
    .filter(({ episode }) => !episode.facts.aside && announced(episode) > since && isAllowed(own, episode.facts))
    .sort((one, other) => announced(other.episode) - announced(one.episode))
  return new Set(fitting.slice(0, own.max_new_per_refresh ?? fitting.length).map(({ place }) => place))
}

/** Whether the podcast's rules allow an episode, by words in the title and by type. */
function isAllowed(own: PodcastSettingsRow, { title, type }: { title: string; type: string }): boolean {
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

/** Stores the chapters of the item itself, and the documents that it names. */
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

/** The most streams of a podcast that people are notified of within a day. */
const MAX_A_DAY = 5
const KEPT_MS = 90 * DAY

/**
 * Notes the live streams that are on, so that those who follow the podcast are notified of each once; nobody is at the
 * first reading, as the page shows them. Call in a transaction.
 */
function noteLive(store: Store, { id }: PodcastRow, extras: string, now: number, isFirst: boolean) {
  // A feed may call a stream live for years.
  const on = liveItemsIn({ extras }).filter(({ status, start }) => status === 'live' && !isLost(start, now))
  if (on.length === 0) return
  store.liveNotices.removeBefore(id, now - KEPT_MS)
  let left = MAX_A_DAY - store.liveNotices.countSince(id, now - DAY)
  for (const { guid, title } of on) {
    if (left <= 0 && !isFirst) return
    if (store.liveNotices.note({ podcast_id: id, guid, title, seen_at: now }, isFirst)) left--
  }
}

/** The number of characters after which a transaction ends. */
const MAX_COUNT = 200_000

type FreshTexts = { id: number; place: number } & SearchTexts

/**
 * Gathers the texts of episodes that a transaction adds, to put them into the search index at its end. That saves
 * reading and storing the rows again. It happens after all rows, since adding a row flushes the index.
 */
export function gatherTexts() {
  const fresh: FreshTexts[] = []
  let length = 0
  return {
    add(id: number, publishedAt: number, { facts, chapters }: FeedEpisode) {
      const place = searchPlace(publishedAt, id)
      const notes = searchedNotes(facts)
      const titles = chapters?.list.map(({ title }) => title).join(' ') ?? ''
      fresh.push({ id, place, title: facts.title, notes, chapters: titles, transcript: '' })
      length += notes.length
    },
    /** Whether the transaction should end. */
    isFull: () => length > MAX_COUNT,
    index(store: Store) {
      // A row before the last one flushes the index, too.
      fresh.sort((one, other) => one.place - other.place)
      for (const { id, place, ...texts } of fresh) store.search.put(id, place, texts)
    },
  }
}
