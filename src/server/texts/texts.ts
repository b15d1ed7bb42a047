import { HOUR, DAY, SECOND, type Clock } from '../platform/clock'
import type { Listeners, Publish } from '../platform/events'
import { feedAccess } from '../feeds/access'
import type { Background } from '../thread'
import { formatOf, formatOrder } from '../feeds/transcripts'
import { describeError, type Log } from '../platform/log'
import { readBody } from '../outbound/body'
import { createLanes } from '../outbound/lanes'
import { OutboundError, type Outbound } from '../outbound/request'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import type { ChapterRow } from '../store/chapters'
import type { DocumentRow } from '../store/documents'
import type { EpisodeRow } from '../store/episodes'
import { parseChapterFile } from './chapters'

export type Texts = ReturnType<typeof createTexts>

type Needs = {
  store: Store
  outbound: Outbound
  background: Background
  secret: Secret
  now: Clock
  log: Log
  publish: Publish
}

const MAX_BYTES = { chapters: 2 * 1024 * 1024, transcript: 10 * 1024 * 1024 }
const MAX_FAILURES = 6
/** So many of the newest episodes that a refresh brings; the others when somebody opens or downloads them. */
const NEWEST = 20

/**
 * Chapters and transcripts: fetched for new and downloaded episodes, and for what somebody opens; kept, and put into
 * the search.
 */
export function createTexts(needs: Needs) {
  const { store, outbound, now, log } = needs
  const lanes = createLanes({ total: 4, perHost: 2 })
  const fetching = new Map<number, Promise<void>>()
  let isStopping = false

  /** The transcript to read first: in the podcast's language, then the kind that is best to follow. */
  function preferred(episode: EpisodeRow): DocumentRow | null {
    const language = store.podcasts.find(episode.podcast_id)?.language?.slice(0, 2)
    const rank = ({ type, url, language: own }: DocumentRow) => {
      const format = formatOf(type, url)
      const isForeign = own !== null && language !== undefined && own.slice(0, 2).toLowerCase() !== language
      return (format ? formatOrder.indexOf(format) : 100) + (isForeign ? 10 : 0)
    }
    const readable = store.documents
      .of(episode.id, 'transcript')
      .filter(row => formatOf(row.type, row.url) !== null && !(row.state === 'failed' && row.due_at === null))
    return readable.reduce<DocumentRow | null>((best, row) => (best && rank(best) <= rank(row) ? best : row), null)
  }

  function wanted(episode: EpisodeRow): DocumentRow[] {
    const transcript = episode.transcripts === null ? null : preferred(episode)
    return [
      ...(episode.chapters_url === null ? [] : store.documents.of(episode.id, 'chapters')),
      ...(transcript ? [transcript] : []),
    ]
  }

  function want(episodeIds: readonly number[]) {
    const ids = episodeIds.flatMap(id => {
      const episode = store.episodes.find(id)
      return episode ? wanted(episode).map(row => row.id) : []
    })
    if (ids.length > 0) store.documents.request(ids, now())
  }

  function fetchOnce(row: DocumentRow): Promise<void> {
    const already = fetching.get(row.id)
    if (already) return already
    const work = lanes
      .run(URL.parse(row.url)?.host ?? '', () => fetchDocument(row))
      .catch(error => log.error('a document could not be kept', { error: describeError(error) }))
      .then(() => void fetching.delete(row.id))
    fetching.set(row.id, work)
    return work
  }

  async function fetchDocument(row: DocumentRow) {
    const episode = store.episodes.find(row.episode_id)
    const podcast = episode && store.podcasts.find(episode.podcast_id)
    if (!episode || !podcast || isStopping) return
    try {
      const body = await download(row.url, MAX_BYTES[row.kind], feedAccess(needs, podcast, row.url))
      await keep(row, body)
      needs.publish({ type: 'textsStored', episodeId: row.episode_id })
    } catch (error) {
      if (isStopping || !store.documents.find(row.uuid)) return
      const reason = error instanceof OutboundError || error instanceof Unusable ? error.message : describeError(error)
      const failures = row.failures + 1
      store.documents.fail(
        row.id,
        reason.slice(0, 500),
        failures >= MAX_FAILURES ? null : now() + Math.min(HOUR * 4 ** (failures - 1), 7 * DAY),
      )
      log.debug('a document failed', { episode: episode.title, kind: row.kind, reason })
    }
  }

  async function download(url: string, maxBytes: number, access: ReturnType<typeof feedAccess>): Promise<Uint8Array> {
    const { response } = await outbound.get(url, { ...access, timeoutMs: 20 * SECOND, headers: { Accept: '*/*' } })
    if (!response.ok) {
      await response.body?.cancel()
      throw new Unusable(`The host answered ${response.status}`)
    }
    return readBody(response, { maxBytes, idleMs: 20 * SECOND, totalMs: 60 * SECOND, host: URL.parse(url)?.host ?? '' })
  }

  async function keep(row: DocumentRow, body: Uint8Array) {
    if (row.kind === 'chapters') {
      const chapters = parseChapterFile(new TextDecoder().decode(body), row.url)
      if (!chapters) throw new Unusable('This is no file of chapters')
      return changeTexts(row, () => {
        store.documents.keep(row.id, { body, segments: null, now: now() })
        store.chapters.replace(row.episode_id, 'document', chapters)
      })
    }
    const segments = await needs.background.readTranscript({ body, type: row.type, address: row.url })
    if (segments.length === 0) throw new Unusable('This is no transcript that can be read')
    changeTexts(row, () => store.documents.keep(row.id, { body, segments, now: now() }))
  }

  function changeTexts({ uuid, episode_id }: DocumentRow, change: () => void) {
    store.inTransaction(() => {
      // Its podcast may be gone meanwhile.
      if (isStopping || !store.documents.find(uuid)) return
      change()
      store.search.drop(episode_id)
    })
  }

  /** The document, fetched now unless it is here or has just failed. */
  async function ensure(row: DocumentRow): Promise<DocumentRow> {
    const hasFailed = row.state === 'failed' && (row.due_at ?? Number.POSITIVE_INFINITY) > now()
    if (row.state === 'parsed' || hasFailed) return row
    await fetchOnce(row)
    return store.documents.find(row.uuid) ?? row
  }

  /** Fetches what is due, a bounded lot at a time. */
  const fetchDue = async () => void (await Promise.all(store.documents.due(now(), 50).map(fetchOnce)))

  /** Waits for the fetches that are running. */
  const settled = async () => void (await Promise.all(fetching.values()))

  return {
    ensure,
    fetchDue,
    /** From the best source there is, which may have to be asked first. */
    async chaptersOf(episode: EpisodeRow): Promise<ChapterRow[]> {
      if (episode.chapters_url !== null)
        await Promise.all(store.documents.of(episode.id, 'chapters').map(row => ensure(row)))
      return store.chapters.of(episode.id)
    },
    /** The transcript to show; null when there is none that can be had. */
    async transcriptOf(episode: EpisodeRow): Promise<DocumentRow | null> {
      const row = preferred(episode)
      const here = row && (await ensure(row))
      return here?.state === 'parsed' ? here : null
    },
    listeners: {
      feedApplied({ addedIds }) {
        want(addedIds.slice(-NEWEST))
        return fetchDue()
      },
      downloadFinished: ({ episodeId }) => want([episodeId]),
    } satisfies Listeners,
    settled,
    async stop() {
      isStopping = true
      await settled()
    },
  }
}

class Unusable extends Error {
  override name = 'Unusable'
}
