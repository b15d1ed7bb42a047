import type { WriteLock } from './store/writing'
import type { Tasks } from './tasks'
import { createThread, type Thread, type ThreadOptions } from './thread'
import type { Setup } from './worker'

// Why: docs/internals/decisions/0001

/** Creates the thread that does `Tasks` on this database; it shares `lock` with all others that write into it. */
export function createSecondThread(
  database: string,
  lock: WriteLock,
  { minPauseMs = 0, ...limits }: Pick<ThreadOptions, 'timeoutMs' | 'idleMs'> & { minPauseMs?: number } = {},
): Thread<Tasks> {
  return createThread<Tasks>({
    start: () => new Worker(workerAddress()),
    setup: { database, lock: lock.memory, minPauseMs } satisfies Setup,
    // The worker may have held the lock, or waited for it.
    afterEnd: () => lock.reset(),
    ...limits,
  })
}

/** In the executable the worker is next to the entry point, at the path that it has in the source. */
const workerAddress = () => (Bun.isStandaloneExecutable ? './worker.ts' : new URL('./worker.ts', import.meta.url).href)
