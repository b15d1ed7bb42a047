import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'
import type { Thread } from '../thread'

const STEPS = 16

/** Task of the second thread: some steps of tidying up the database; answers whether more are left. */
export type UpkeepTasks = { upkeep: { request: null; result: boolean } }

/** Merges the parts of the search index, and gives free pages back to the disk, in short transactions. */
export async function tidySome(store: Store): Promise<boolean> {
  for (let step = 0; step < STEPS; step++)
    if (!(await store.inTurn(() => store.upkeep.mergeIndex() || store.upkeep.shrinkFile()))) return false
  return true
}

/** Tidies up the database in the second thread, for quiet minutes. */
export function createTidying({ thread, log }: { thread: Thread<UpkeepTasks>; log: Log }) {
  let running: Promise<void> | null = null
  let isStopped = false

  async function tidyAll() {
    while (!isStopped && (await thread.run('upkeep', null)));
  }

  return {
    /** Settles when nothing is left to tidy. Never rejects. */
    run(): Promise<void> {
      running ??= tidyAll()
        .catch(error => log.warn('The database was not tidied up', { error: describeError(error) }))
        .finally(() => (running = null))
      return running
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}
