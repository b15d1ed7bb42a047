import { DAY, type Clock } from '../platform/clock'
import type { MediaFiles } from '../downloads/files'
import type { Downloads } from '../downloads/queue'
import type { Log } from '../platform/log'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { CleanupRow } from '../store/retention'

const BEGUN_MS = 30 * DAY

export type Swept = { affected: number; freedBytes: number }

/** What the rules of the settings take, looked at beforehand or taken. Nothing that a rule removed is fetched again. */
export function createRetention({
  store,
  downloads,
  files,
  now,
  log,
}: {
  store: Store
  downloads: Downloads
  files: MediaFiles
  now: Clock
  log: Log
}) {
  let isRunning = false

  /** Asked for by hand, everything but what is not to be cleaned up; by itself, what the settings say. */
  function due({ isAsked = true } = {}): CleanupRow[] {
    const { autoCleanup, autoCleanupDays, keepLast, deleteAfterListened } = store.settings.current()
    return store.retention.due({
      now: now(),
      days: autoCleanupDays,
      autoCleanup: isAsked ? null : autoCleanup,
      keepLast,
      deleteAfterListened,
      begunSince: now() - BEGUN_MS,
    })
  }

  async function sweep({ isAsked = true } = {}): Promise<Swept> {
    if (isRunning) throw new Problem('already-running', 'A cleanup is running already', { kind: 'cleanup' })
    files.requirePresent()
    isRunning = true
    try {
      const swept = { affected: 0, freedBytes: 0 }
      for (const { id, file_size } of due({ isAsked })) {
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
    /** Once a day: what is cleaned up by itself. */
    async sweepIfWanted() {
      if (!isRunning && files.isPresent()) await sweep({ isAsked: false })
    },
  }
}
export type Retention = ReturnType<typeof createRetention>
