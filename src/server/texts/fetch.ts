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
}

const MAX_BYTES = { chapters: 2 * 1024 * 1024, transcript: 10 * 1024 * 1024 }
const MAX_FAILURES = 6

/** Fetches one document and stores what it says. A failure is noted with its reason and the time of the next try. */
export async function fetchDocument(needs: FetchNeeds, row: DocumentRow, isStopping: () => boolean) {
  const { store } = needs
  const episode = store.episodes.find(row.episode_id)
  const podcast = episode && store.podcasts.find(episode.podcast_id)
  if (!episode || !podcast || isStopping()) return
  try {
    const access = feedAccess(needs, podcast, row.url)
    const limits = { maxBytes: MAX_BYTES[row.kind], timeoutMs: 20 * SECOND }
    const body = await fetchBytes(needs.outbound, row.url, { ...access, ...limits, headers: { Accept: '*/*' } })
    const save = await parse(needs, row, body)
    store.inTransaction(() => {
      // Its podcast may have been deleted meanwhile.
      if (isStopping() || !store.documents.find(row.uuid)) return
      save()
      store.search.drop(row.episode_id)
    })
    needs.publish({ type: 'textsStored', episodeId: row.episode_id })
  } catch (error) {
    if (!isStopping() && store.documents.find(row.uuid)) noteFailure(needs, row, episode, error)
  }
}

/** Returns the write that stores a document; throws `Unusable` for one without content. */
async function parse({ store, thread, now }: FetchNeeds, row: DocumentRow, body: Uint8Array): Promise<() => void> {
  if (row.kind === 'chapters') {
    const chapters = parseChapterFile(new TextDecoder().decode(body), row.url)
    if (!chapters) throw new Unusable('Expected a file of chapters, got something else')
    return () => {
      store.documents.keep(row.id, { body, segments: null, now: now() })
      store.chapters.replace(row.episode_id, 'document', chapters)
    }
  }
  const segments = await thread.runUntrusted('readTranscript', { body, type: row.type, address: row.url })
  if (segments.length === 0) throw new Unusable('Expected a transcript, got something else')
  return () => store.documents.keep(row.id, { body, segments, now: now() })
}

function noteFailure({ store, now, log }: FetchNeeds, row: DocumentRow, episode: EpisodeRow, error: unknown) {
  const reason = error instanceof OutboundError || error instanceof Unusable ? error.message : describeError(error)
  const failures = row.failures + 1
  const isGivenUp = failures >= MAX_FAILURES
  const nextTry = isGivenUp ? null : now() + Math.min(HOUR * 4 ** (failures - 1), 7 * DAY)
  store.documents.fail(row.id, reason.slice(0, 500), nextTry)
  log.debug('A document could not be fetched', { episode: episode.title, kind: row.kind, reason })
}

class Unusable extends Error {
  override name = 'Unusable'
}
