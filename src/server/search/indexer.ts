import type { Background } from '../background'
import { describeError, type Log } from '../log'

/**
 * Keeps the index of the search up to date, in the background: with what a refresh has brought, what was edited, and
 * everything at the first start after an update.
 */
export function createIndexer({ background, log }: { background: Background; log: Log }) {
  let running: Promise<void> | null = null
  let isWantedAgain = false
  let isStopped = false

  async function run() {
    do {
      isWantedAgain = false
      while (!isStopped && (await background.index()) === 'more');
    } while (isWantedAgain && !isStopped)
  }

  return {
    /** Done when everything that was there at the call is in the index. */
    run(): Promise<void> {
      isWantedAgain = true
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
