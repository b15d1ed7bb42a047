import { setAsideMessage, type BegunWork } from '../begun-work'
import { feedAccess } from '../feeds/fetch/access'
import { OutboundError } from '../outbound/error'
import { fetchDocument as fetchBody, type Outbound } from '../outbound/request'
import { DAY, HOUR, SECOND, type Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import type { DocumentRow } from '../store/documents'
import type { EpisodeRow } from '../store/episodes'
import { TaskFailed, type Thread } from '../thread'
import type { ChapterTasks } from './chapters'
import { expected, type OtherKind } from './other'
import { formatOf } from './select'
import type { TranscriptTasks } from './transcripts/read'

export type FetchNeeds = {
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
export async function fetchDocument(needs: FetchNeeds, row: DocumentRow, isStopping: () => boolean) {
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

/** Reads a stored document again that was read by its label. What it says stays where it is not understood now. */
export async function readAgain(needs: FetchNeeds, row: DocumentRow, isStopping: () => boolean) {
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
      store.documents.keep(row.id, { body: text ?? fetched.body, segments: null, format }, now())
      store.chapters.replace(row.episode_id, 'document', chapters)
    }
  }
  const found = await thread.runUntrusted('readTranscript', { ...fetched, type: row.type })
  if ('kind' in found) throw unusable('a transcript', found.kind)
  const { segments, format, text } = found
  return () => store.documents.keep(row.id, { body: text ?? fetched.body, segments, format }, now())
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

/** A document that was fetched but is no chapter file or transcript; the message is for people. */
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
