import type { Listeners } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'
import type { Thread } from '../thread'

/** Task of the second thread for the search: indexes some of the episodes that are not indexed yet. */
export type SearchTasks = { index: { request: null; result: void } }

/**
 * Keeps the search index up to date in the second thread: with new and edited episodes, and with all of them at the
 * first start after an update of the index.
 */
export function createIndexer({ store, thread, log }: { store: Store; thread: Thread<SearchTasks>; log: Log }) {
  let running: Promise<void> | null = null
  let isStopped = false

  async function indexAll() {
    while (!isStopped && store.search.isBehind()) await thread.run('index', null)
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
