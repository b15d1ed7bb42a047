import type { Background } from '../thread'
import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'

/**
 * Keeps the search index up to date in the second thread: with new and edited episodes, and with all of them at the
 * first start after an update of the index.
 */
export function createIndexer({ store, background, log }: { store: Store; background: Background; log: Log }) {
  let running: Promise<void> | null = null
  let isStopped = false

  async function run() {
    while (!isStopped && store.search.isBehind()) await background.index()
  }

  return {
    /** Resolves when the index is complete; a call meanwhile waits for the same run. */
    run(): Promise<void> {
      running ??= run()
        .catch(error =>
          log.warn('search index not updated, the next change tries again', { error: describeError(error) }),
        )
        .finally(() => (running = null))
      return running
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}
