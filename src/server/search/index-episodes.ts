import type { Store } from '../store'
import { searchPlace } from '../store/search'
import { textOf } from './words'

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
        for (const { id, title, notes, published_at } of episodes)
          store.search.put(id, searchPlace(published_at, id), {
            title,
            notes: textOf(notes),
            chapters: '',
            transcript: '',
          })
      })
      await Bun.sleep(0)
    }
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
