import { DAY, type Clock } from '../clock'
import type { Downloads } from '../downloads/queue'
import type { Log } from '../log'
import { Problem } from '../problem'
import type { Store } from '../store'
import type { CleanupRow } from '../store/retention'

const BEGUN_MS = 30 * DAY

export type Swept = { affected: number; freedBytes: number }

/** What the rules of the settings take, looked at beforehand or taken. Nothing that a rule removed is fetched again. */
export function createRetention({
  store,
  downloads,
  now,
  log,
}: {
  store: Store
  downloads: Downloads
  now: Clock
  log: Log
}) {
  let isRunning = false

  function due(): CleanupRow[] {
    const { autoCleanupDays, keepLast, deleteAfterListened } = store.settings.current()
    return store.retention.due({
      before: now() - autoCleanupDays * DAY,
      keepLast,
      deleteAfterListened,
      begunSince: now() - BEGUN_MS,
    })
  }

  async function sweep(): Promise<Swept> {
    if (isRunning) throw new Problem('already-running', 'A cleanup is running already', { kind: 'cleanup' })
    isRunning = true
    try {
      const swept = { affected: 0, freedBytes: 0 }
      for (const { id, file_size } of due()) {
        const episode = store.episodes.find(id)
        if (!episode?.file_path) continue
        await downloads.remove(episode)
        swept.affected += 1
        swept.freedBytes += file_size
      }
      if (swept.affected > 0) log.info('cleaned up', swept)
      return swept
    } finally {
      isRunning = false
    }
  }

  return {
    due,
    sweep,
    /** Once a day, where it is wanted. */
    async sweepIfWanted() {
      if (store.settings.current().autoCleanup && !isRunning) await sweep()
    },
  }
}
export type Retention = ReturnType<typeof createRetention>
