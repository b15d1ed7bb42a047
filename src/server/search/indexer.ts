import type { Background } from '../thread'
import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'

/**
 * Keeps the index of the search up to date, in the background: with what a refresh has brought, what was edited, and
 * everything at the first start after an update.
 */
export function createIndexer({ store, background, log }: { store: Store; background: Background; log: Log }) {
  let running: Promise<void> | null = null
  let isStopped = false

  async function run() {
    while (!isStopped && store.search.isBehind()) await background.index()
  }

  return {
    /** Done when everything is in the index. */
    run(): Promise<void> {
      running ??= run()
        .catch(error => log.warn('the search could not be brought up to date', { error: describeError(error) }))
        .finally(() => (running = null))
      return running
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}
