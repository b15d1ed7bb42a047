import type { Store } from '../store'
import { searchPlace } from '../store/search'
import { textOf } from '../feeds/notes-text'

// A transcript is as long as a hundred notes: a chunk with some of them takes a few milliseconds more.
const CHUNK = 50

/**
 * Puts into the index what is not in it: what a refresh has brought, what was edited, and everything at the first start
 * after an update. Short transactions with a breath between them; a killed process goes on where it was.
 */
export function createIndexer({ store }: { store: Store }) {
  let running: Promise<void> | null = null
  let isStopped = false

  async function run() {
    for (;;) {
      const episodes = isStopped ? [] : store.search.unindexed(CHUNK)
      if (episodes.length === 0) return
      store.inTransaction(() => {
        for (const episode of episodes)
          store.search.put(episode.id, searchPlace(episode.published_at, episode.id), {
            title: episode.title,
            notes: textOf(episode.notes),
            chapters: episode.has_own_chapters ? chaptersOf(episode.id) : '',
            transcript: episode.has_transcript ? transcriptOf(episode.id) : '',
          })
      })
      await Bun.sleep(0)
    }
  }

  const chaptersOf = (id: number) =>
    store.chapters
      .of(id)
      .map(chapter => chapter.title)
      .join(' ')

  /** Of several, the one that is here. */
  function transcriptOf(id: number): string {
    const here = store.documents.of(id, 'transcript').find(document => document.state === 'parsed')
    if (!here) return ''
    return store.documents
      .segmentsOf(here.id)
      .map(segment => segment.text)
      .join(' ')
  }

  return {
    /** Done when everything is in the index. */
    run(): Promise<void> {
      running ??= run().finally(() => (running = null))
      return running
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}
export type Indexer = ReturnType<typeof createIndexer>
