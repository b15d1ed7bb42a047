import type { BegunWork } from '../begun-work'
import { searchedNotes } from '../feeds/parse/notes-text'
import { collectGarbage } from '../platform/engine'
import type { Listeners } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'
import type { UnindexedEpisode } from '../store/search'
import type { Thread } from '../thread'
import { chaptersOf, transcriptOf } from './words'

/** Tasks of the second thread for the search: index some of what is not indexed yet. */
export type SearchTasks = {
  index: { request: null; result: void }
  indexOne: { request: null; result: void }
  indexPeople: { request: null; result: void }
}

type Needs = { store: Store; thread: Thread<SearchTasks>; log: Log; begun: BegunWork }

const batch = { kind: 'index', key: 'batch', label: '' } as const

/**
 * Keeps the search index up to date in the second thread: with new and edited episodes, and with all of them at the
 * first start after an update of the index.
 */
export function createIndexer({ store, thread, log, begun }: Needs) {
  let running: Promise<void> | null = null
  let isStopped = false

  async function indexAll() {
    while (!isStopped && store.people.areUnindexed()) await thread.run('indexPeople', null)
    while (!isStopped && store.search.isBehind()) {
      // After a death each episode is a separate item, so that the one to blame is set aside and not its neighbours.
      if (begun.wasInterrupted(batch.kind, batch.key)) await indexOne()
      else await begun.run(batch, () => thread.run('index', null), indexOne)
    }
  }

  async function indexOne() {
    const episode = store.search.findUnindexed()
    if (!episode) return
    const item = { kind: 'index', key: String(episode.id), label: episode.title, deaths: 1 } as const
    await begun.run(
      item,
      () => thread.run('indexOne', null),
      () => store.inTransaction(() => store.search.leaveOut(episode)),
    )
    if (!store.search.isBehind()) begun.end(batch)
  }

  /** Settles when everything is indexed. Never rejects. */
  function catchUp(): Promise<void> {
    running ??= indexAll()
      .catch(error =>
        log.warn('The search index was not updated; the next change tries again', { error: describeError(error) }),
      )
      .finally(() => (running = null))
    return running
  }

  return {
    run: catchUp,
    listeners: {
      feedApplied: catchUp,
      textsStored: catchUp,
      // Its file may have chapters.
      downloadFinished: catchUp,
    } satisfies Listeners,
    async stop() {
      isStopped = true
      await running
    },
  }
}

// Why: docs/internals/decisions/0001

const CHUNK = 50
// A transcript is as long as the notes of a hundred episodes: a transaction ends after this many characters.
const CHUNK_LENGTH = 200_000
const CHUNKS = 10

/** Indexes some of the episodes that the index lacks, in short transactions: a killed process resumes where it was. */
export async function indexSome(store: Store) {
  for (let chunk = 0; chunk < CHUNKS && store.search.isBehind(); chunk++)
    await store.inTurn(() => {
      let length = 0
      for (let count = 0; count < CHUNK && length <= CHUNK_LENGTH; count++) {
        const episode = store.search.findUnindexed()
        if (!episode) return
        const added = put(store, episode)
        length += added
        collectGarbage(added)
      }
    })
}

const PEOPLE = 200

/** Indexes the names of some people. */
export const indexPeople = (store: Store) => store.inTurn(() => store.people.indexSome(PEOPLE))

/** Indexes one episode, the next that the index lacks. */
export const indexNext = (store: Store) =>
  store.inTurn(() => {
    const episode = store.search.findUnindexed()
    if (episode) put(store, episode)
  })

/** Indexes an episode; returns the length of its texts. */
function put(store: Store, episode: UnindexedEpisode): number {
  const texts = {
    title: episode.title,
    notes: searchedNotes(episode),
    chapters: episode.has_own_chapters ? chaptersOf(store, episode.id) : '',
    transcript: episode.has_transcript ? transcriptOf(store, episode.id) : '',
  }
  store.search.replace(episode, texts)
  return texts.title.length + texts.notes.length + texts.chapters.length + texts.transcript.length
}
