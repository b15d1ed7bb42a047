import { setAsideMessage, type BegunWork } from '../begun-work'
import { feedAccess } from '../feeds/access'
import type { TranscriptTasks } from '../feeds/transcripts'
import { OutboundError } from '../outbound/error'
import { fetchBytes } from '../outbound/fetch-bytes'
import type { Outbound } from '../outbound/request'
import { DAY, HOUR, SECOND, type Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import type { DocumentRow } from '../store/documents'
import type { EpisodeRow } from '../store/episodes'
import type { Thread } from '../thread'
import { parseChapterFile } from './chapters'

export type FetchNeeds = {
  store: Store
  outbound: Outbound
  thread: Thread<TranscriptTasks>
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
    const access = feedAccess(needs, podcast, row.url)
    const limits = { maxBytes: MAX_BYTES[row.kind], timeoutMs: 20 * SECOND }
    const body = await fetchBytes(needs.outbound, row.url, { ...access, ...limits, headers: { Accept: '*/*' } })
    const save = await needs.begun.run(
      { kind: 'document', key: row.uuid, label: episode.title },
      () => parse(needs, row, body),
      () => Promise.reject(new UnusableDocument(setAsideMessage)),
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

/** Parses a document and returns the function that stores it. Throws `UnusableDocument`. */
async function parse({ store, thread, now }: FetchNeeds, row: DocumentRow, body: Uint8Array): Promise<() => void> {
  if (row.kind === 'chapters') {
    const chapters = parseChapterFile(new TextDecoder().decode(body), row.url)
    if (!chapters) throw new UnusableDocument('Expected a chapter file, got something else')
    return () => {
      store.documents.keep(row.id, { body, segments: null, now: now() })
      store.chapters.replace(row.episode_id, 'document', chapters)
    }
  }
  const segments = await thread.runUntrusted('readTranscript', { body, type: row.type, address: row.url })
  if (segments.length === 0) throw new UnusableDocument('Expected a transcript, got something else')
  return () => store.documents.keep(row.id, { body, segments, now: now() })
}

/** Stores a failure and the next attempt: in 1 hour, then four times as long after each failure, 7 days at most. */
function noteFailure({ store, now, log }: FetchNeeds, row: DocumentRow, episode: EpisodeRow, error: unknown) {
  const reason =
    error instanceof OutboundError || error instanceof UnusableDocument ? error.message : describeError(error)
  const failures = row.failures + 1
  const retryAt = failures >= MAX_FAILURES ? null : now() + Math.min(HOUR * 4 ** (failures - 1), 7 * DAY)
  store.documents.fail(row.id, reason.slice(0, 500), retryAt)
  log.debug('Chapter file or transcript could not be fetched', { episode: episode.title, kind: row.kind, reason })
}

/** A document that was fetched but is no chapter file or transcript; the message is for people. */
class UnusableDocument extends Error {
  override name = 'UnusableDocument'
}
