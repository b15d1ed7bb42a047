import { createLanes } from '../outbound/lanes'
import type { Listeners } from '../platform/events'
import { logFailure } from '../platform/log'
import type { ChapterRow, DocumentRow } from '../store/documents'
import type { EpisodeRow } from '../store/episodes'
import { fetchDocument, type FetchNeeds, readAgain } from './fetch'
import { documentsToFetch, generatedTranscript, preferredTranscript, rankedTranscripts } from './select'

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

  /** Returns the document, fetched now unless it is here or failed recently. */
  async function ensure(row: DocumentRow): Promise<DocumentRow> {
    const hasFailed = row.state === 'failed' && (row.due_at ?? Number.POSITIVE_INFINITY) > now()
    if (row.state === 'parsed' || hasFailed) return row
    await fetchOnce(row)
    return store.documents.find(row.uuid) ?? row
  }

  function want(episodeIds: readonly number[]) {
    const episodes = episodeIds.map(id => store.episodes.find(id)).filter(episode => episode !== null)
    const ids = episodes.flatMap(episode => documentsToFetch(store, episode)).map(row => row.id)
    if (ids.length > 0) store.documents.request(ids, now())
  }

  /** One after the other: nobody waits for them. */
  async function readOld() {
    for (const row of store.documents.readByLabel(DUE_AT_ONCE)) await readAgain(needs, row, () => isStopping)
  }
  let reading: Promise<void> | null = null

  async function fetchDue() {
    reading ??= readOld()
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
        want(addedIds.slice(-NEWEST))
        return fetchDue()
      },
      downloadFinished: ({ episodeId }) => want([episodeId]),
    } satisfies Listeners,
    /** Lists chapters from the best source; a document of the feed is fetched first. */
    async chaptersOf(episode: EpisodeRow): Promise<ChapterRow[]> {
      if (episode.chapters_url !== null) await Promise.all(store.documents.of(episode.id, 'chapters').map(ensure))
      const language = store.podcasts.find(episode.podcast_id)?.language ?? null
      return store.chapters
        .of(episode.id)
        .map((row, index) => ({ ...row, title: chapterName(row.title, index + 1, language) }))
    },
    /**
     * Returns the transcript to show, of a language if need be: the best that can be fetched and understood. Null when
     * there is none, and no program has made one.
     */
    async transcriptOf(episode: EpisodeRow, language?: string): Promise<DocumentRow | null> {
      for (const row of rankedTranscripts(store, episode, language)) {
        const here = await ensure(row)
        if (here.state === 'parsed') return here
      }
      return language === undefined ? generatedTranscript(store, episode) : null
    },
    /** Returns the publisher's transcript, fetched now unless it is here; null when there is none that can be read. */
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

/** Names a chapter without a title by its number, in the language of the podcast: its other titles are in that, too. */
const chapterName = (title: string, number: number, language: string | null) =>
  title === '' ? `${words[language?.slice(0, 2).toLowerCase() ?? ''] ?? words['en']} ${number}` : title
