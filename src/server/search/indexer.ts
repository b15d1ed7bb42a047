import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'
import type { Thread } from '../thread'

/** What the second thread does for the search: puts a part of what is missing into the index. */
export type SearchTasks = { index: { request: null; result: void } }

/**
 * Keeps the index of the search up to date, in the background: with what a refresh has brought, what was edited, and
 * everything at the first start after an update.
 */
export function createIndexer({ store, background, log }: { store: Store; background: Thread<SearchTasks>; log: Log }) {
  let running: Promise<void> | null = null
  let isStopped = false

  async function run() {
    while (!isStopped && store.search.isBehind()) await background.run('index', null)
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
