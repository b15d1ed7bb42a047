import type { BegunWork } from '../begun-work'
import type { Listeners } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'
import type { Thread } from '../thread'

/** Task of the second thread for the search: indexes some of the episodes that are not indexed yet. */
export type SearchTasks = { index: { request: null; result: void }; indexOne: { request: null; result: void } }

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
    while (!isStopped && store.search.isBehind()) {
      // After a death each episode is its own item, so that the one to blame is set aside and not its neighbours.
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

  /** Settles when everything is in the index. Never rejects. */
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
