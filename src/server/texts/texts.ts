import { type BegunWork, setAsideMessage } from '../begun-work'
import { feedAccess } from '../feeds/fetch/address'
import { OutboundError } from '../outbound/error'
import { createLanes } from '../outbound/lanes'
import { fetchDocument as fetchBody, type Outbound } from '../outbound/request'
import { type Clock, DAY, HOUR, SECOND } from '../platform/clock'
import type { Listeners, Publish } from '../platform/events'
import { describeError, type Log, logFailure } from '../platform/log'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import { type ChapterRow, type DocumentRow, packDocument } from '../store/documents'
import type { EpisodeRow } from '../store/episodes'
import { TaskFailed, type Thread } from '../thread'
import type { ChapterTasks } from './chapters'
import { expected, type OtherKind } from './other'
import { documentsToFetch, formatOf, generatedTranscript, preferredTranscript, rankedTranscripts } from './select'
import type { TranscriptTasks } from './transcripts/read'

// Why: docs/internals/decisions/0049

export type Texts = ReturnType<typeof createTexts>

/** The newest episodes of a refresh get their texts at once, the others when a person opens or downloads them. */
const NEWEST = 20
const DUE_AT_ONCE = 50

/** Chapters and transcripts: fetched for new, downloaded and opened episodes, stored, and put into the search index. */
export function createTexts(needs: FetchNeeds) {
  const { store, now } = needs
  const lanes = createLanes({ total: 4, perHost: 2 })
  const running = new Map<number, Promise<void>>()
  let isStopping = false

  function fetchOnce(row: DocumentRow): Promise<void> {
    const already = running.get(row.id)
    if (already) return already
    const work = lanes
      .run(URL.parse(row.url)?.host ?? '', () => fetchDocument(needs, row, () => isStopping))
      .catch(logFailure(needs.log, 'A document could not be stored'))
      .finally(() => running.delete(row.id))
    running.set(row.id, work)
    return work
  }

  /** Returns the document, fetched now unless it is stored or failed recently. */
  async function ensure(row: DocumentRow): Promise<DocumentRow> {
    const hasFailed = row.state === 'failed' && (row.due_at ?? Number.POSITIVE_INFINITY) > now()
    if (row.state === 'parsed' || hasFailed) return row
    await fetchOnce(row)
    return store.documents.find(row.uuid) ?? row
  }

  let reading: Promise<void> | null = null

  async function fetchDue() {
    reading ??= readOld(needs, () => isStopping)
      .catch(logFailure(needs.log, 'A document could not be read again'))
      .finally(() => (reading = null))
    await Promise.all([reading, ...store.documents.due(now(), DUE_AT_ONCE).map(fetchOnce)])
  }
  /** Waits for the fetches that are running. */
  const settled = async () => void (await Promise.all([reading, ...running.values()]))

  return {
    ensure,
    fetchDue,
    settled,
    listeners: {
      feedApplied({ addedIds }) {
        want(needs, addedIds.slice(-NEWEST))
        return fetchDue()
      },
      downloadFinished: ({ episodeId }) => want(needs, [episodeId]),
    } satisfies Listeners,
    /** Lists chapters from the best source; a document of the feed is fetched first. */
    async chaptersOf(episode: EpisodeRow): Promise<ChapterRow[]> {
      if (episode.chapters_url !== null) await Promise.all(store.documents.of(episode.id, 'chapters').map(ensure))
      return namedChapters(store, episode)
    },
    /**
     * Returns the transcript to show, in a language if requested: the best that can be fetched and read. Null when
     * there is none, and no program has made one.
     */
    async transcriptOf(episode: EpisodeRow, language?: string): Promise<DocumentRow | null> {
      for (const row of rankedTranscripts(store, episode, language)) {
        const here = await ensure(row)
        if (here.state === 'parsed') return here
      }
      return language === undefined ? generatedTranscript(store, episode) : null
    },
    /**
     * Returns the publisher's transcript, fetched now unless it is stored; null when there is none that can be read.
     */
    async publishedTranscriptOf(episode: EpisodeRow): Promise<DocumentRow | null> {
      const row = preferredTranscript(store, episode)
      const here = row && row.generated === 0 ? await ensure(row) : null
      return here?.state === 'parsed' ? here : null
    },
    async stop() {
      isStopping = true
      await settled()
    },
  }
}

/** Requests the documents of episodes that are not stored yet. */
function want({ store, now }: FetchNeeds, episodeIds: readonly number[]) {
  const episodes = episodeIds.map(id => store.episodes.find(id)).filter(episode => episode !== null)
  const ids = episodes.flatMap(episode => documentsToFetch(store, episode)).map(row => row.id)
  if (ids.length > 0) store.documents.request(ids, now())
}

/** Lists the stored chapters; one without a title is named by its number, in the language of the podcast. */
function namedChapters(store: Store, episode: EpisodeRow): ChapterRow[] {
  const language = store.podcasts.find(episode.podcast_id)?.language ?? null
  return store.chapters
    .of(episode.id)
    .map((row, index) => ({ ...row, title: chapterName(row.title, index + 1, language) }))
}

/** The word for a chapter in the languages of the interface. */
const words: Record<string, string> = {
  da: 'Kapitel',
  de: 'Kapitel',
  en: 'Chapter',
  es: 'Capítulo',
  fr: 'Chapitre',
  it: 'Capitolo',
  nl: 'Hoofdstuk',
  pl: 'Rozdział',
  pt: 'Capítulo',
  sv: 'Kapitel',
  uk: 'Розділ',
}

const chapterName = (title: string, number: number, language: string | null) =>
  title === '' ? `${words[language?.slice(0, 2).toLowerCase() ?? ''] ?? words['en']} ${number}` : title

type FetchNeeds = {
  store: Store
  outbound: Outbound
  thread: Thread<TranscriptTasks & ChapterTasks>
  secret: Secret
  now: Clock
  log: Log
  publish: Publish
  begun: BegunWork
}

const MAX_BYTES = { chapters: 2 * 1024 * 1024, transcript: 10 * 1024 * 1024 }
const MAX_FAILURES = 6

/**
 * Fetches a chapter file or transcript and stores its contents. A failure is stored with its reason and the time of the
 * next attempt; after the sixth, there is none.
 */
async function fetchDocument(needs: FetchNeeds, row: DocumentRow, isStopping: () => boolean) {
  const { store } = needs
  const episode = store.episodes.find(row.episode_id)
  const podcast = episode && store.podcasts.find(episode.podcast_id)
  if (!episode || !podcast || isStopping()) return
  try {
    const access = feedAccess(needs, podcast)
    const limits = { maxBytes: MAX_BYTES[row.kind], timeoutMs: 20 * SECOND }
    const fetched = await fetchBody(needs.outbound, row.url, { ...access, ...limits, headers: { Accept: '*/*' } })
    const read = { ...fetched, address: row.url, language: row.language ?? podcast.language }
    const save = await needs.begun.run(
      { kind: 'document', key: row.uuid, label: episode.title },
      () => parse(needs, row, read),
      () => Promise.reject(new UnusableDocument(setAsideMessage, 'set-aside')),
    )
    await store.whenWritable()
    const isStored = store.inTransaction(() => {
      // The podcast may have been deleted while the document was fetched.
      if (isStopping() || !store.documents.find(row.uuid)) return false
      save()
      store.search.drop(row.episode_id)
      return true
    })
    if (isStored) needs.publish({ type: 'textsStored', episodeId: row.episode_id })
  } catch (error) {
    await store.whenWritable()
    if (!isStopping() && store.documents.find(row.uuid)) noteFailure(needs, row, episode, error)
  }
}

/** One after the other: nobody waits for them. */
async function readOld(needs: FetchNeeds, isStopping: () => boolean) {
  for (const row of needs.store.documents.readByLabel(DUE_AT_ONCE)) await readAgain(needs, row, isStopping)
}

/** Reads a stored document again that was read by its label. If it can't be read now, its stored contents stay. */
async function readAgain(needs: FetchNeeds, row: DocumentRow, isStopping: () => boolean) {
  const { store } = needs
  const episode = store.episodes.find(row.episode_id)
  const body = store.documents.bodyOf(row.id)
  if (isStopping()) return
  const language = row.language ?? (episode && store.podcasts.find(episode.podcast_id)?.language) ?? null
  const fetched = { body: body ?? new Uint8Array(), contentType: '', address: row.url, language }
  const save = await parse({ ...needs, now: () => row.fetched_at ?? 0 }, row, fetched).catch(error => {
    if (!(error instanceof UnusableDocument || error instanceof TaskFailed)) throw error
    return () =>
      store.documents.noteFormat(row.id, row.kind === 'chapters' ? 'json' : (formatOf(row.type, row.url) ?? 'text'))
  })
  await store.whenWritable()
  store.inTransaction(() => {
    if (isStopping() || !store.documents.find(row.uuid)) return
    save()
    store.search.drop(row.episode_id)
  })
}

type Fetched = { body: Uint8Array; contentType: string; address: string; language: string | null }

/** Parses a document and returns the function that stores it. Throws `UnusableDocument`. */
async function parse({ store, thread, now }: FetchNeeds, row: DocumentRow, fetched: Fetched): Promise<() => void> {
  if (row.kind === 'chapters') {
    const found = await thread.runUntrusted('readChapters', fetched)
    if ('kind' in found) throw unusable('a chapter file', found.kind)
    const { chapters, format, text } = found
    return () => {
      store.documents.keep(row.id, { ...packDocument(text ?? fetched.body, null), format }, now())
      store.chapters.replace(row.episode_id, 'document', chapters)
    }
  }
  const found = await thread.runUntrusted('readTranscript', { ...fetched, type: row.type })
  if ('kind' in found) throw unusable('a transcript', found.kind)
  return () => store.documents.keep(row.id, found, now())
}

/** Stores a failure and the next attempt: in 1 hour, then four times as long after each failure, 7 days at most. */
function noteFailure({ store, now, log }: FetchNeeds, row: DocumentRow, episode: EpisodeRow, failure: unknown) {
  const { error, cause } = describeCause(failure)
  const failures = row.failures + 1
  const retryAt = failures >= MAX_FAILURES ? null : now() + Math.min(HOUR * 4 ** (failures - 1), 7 * DAY)
  store.documents.fail(row.id, { error: error.slice(0, 500), cause }, retryAt)
  log.debug('Chapter file or transcript could not be fetched', {
    episode: episode.title,
    kind: row.kind,
    reason: error,
  })
}

/** Says why a document failed, in English and as a cause that the interface translates. */
function describeCause(error: unknown): { error: string; cause: string } {
  if (error instanceof UnusableDocument) return { error: error.message, cause: error.failure }
  if (error instanceof TaskFailed) return { error: 'Reading took too long', cause: 'too-slow' }
  if (!(error instanceof OutboundError)) return { error: describeError(error), cause: 'unexpected' }
  const { code, status, message } = error
  if (code === 'bad-status') return { error: message, cause: `status:${status}` }
  return { error: message, cause: code === 'too-large' ? code : 'unreachable' }
}

/** A document was fetched but isn't a chapter file or transcript; the message is for people. */
class UnusableDocument extends Error {
  override name = 'UnusableDocument'
  constructor(
    message: string,
    readonly failure: string,
  ) {
    super(message)
  }
}

const unusable = (what: 'a transcript' | 'a chapter file', kind: OtherKind) =>
  new UnusableDocument(expected(what, kind), `other:${kind}`)
