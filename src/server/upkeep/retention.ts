import type { Downloads } from '../downloads/queue'
import { type Clock, DAY } from '../platform/clock'
import { describeError, type Log } from '../platform/log'
import { Problem } from '../platform/problem'
import type { MediaFiles } from '../storage'
import type { Store } from '../store'
import type { CleanupRow } from '../store/upkeep'
import type { Thread } from '../thread'

/** Episodes that somebody began this recently are kept. */
const BEGUN_MS = 30 * DAY

type Swept = { affected: number; freedBytes: number }

/**
 * Deletes downloaded files by the rules of the settings, or lists them beforehand. Nothing deleted is downloaded again.
 */
export function createRetention({
  store,
  downloads,
  files,
  kept,
  now,
  log,
}: {
  store: Store
  downloads: Downloads
  files: MediaFiles
  /** Ids of the episodes that playlists keep downloaded; null = not known yet, and nothing is deleted. */
  kept: () => readonly number[] | null
  now: Clock
  log: Log
}) {
  let isRunning = false

  /** The files that the rules would delete. A cleanup by hand spares only podcasts that opted out. */
  function due({ byHand = true } = {}): CleanupRow[] {
    const keptIds = kept()
    if (keptIds === null) return []
    const { autoCleanup, autoCleanupDays, keepLast, deleteAfterListened } = store.settings.current()
    return store.retention.due({
      now: now(),
      days: autoCleanupDays,
      autoCleanup: byHand ? null : autoCleanup,
      keepLast,
      deleteAfterListened,
      begunSince: now() - BEGUN_MS,
      kept: keptIds,
    })
  }

  async function sweep({ byHand = true } = {}): Promise<Swept> {
    if (isRunning) throw new Problem('already-running', 'A cleanup is already running', { kind: 'cleanup' })
    files.requireAll(store.episodes.storagesInUse())
    isRunning = true
    try {
      const swept = { affected: 0, freedBytes: 0 }
      for (const { id, file_size } of due({ byHand })) {
        const episode = store.episodes.find(id)
        if (!episode?.file_path) continue
        await downloads.remove(episode)
        swept.affected += 1
        swept.freedBytes += file_size
      }
      if (swept.affected > 0) log.info('Cleanup deleted files', swept)
      return swept
    } finally {
      isRunning = false
    }
  }

  return {
    due,
    sweep,
    /** The daily cleanup: follows the settings, and does nothing while another one runs or the folder is missing. */
    async sweepIfWanted() {
      const isPresent = files.areAllPresent(store.episodes.storagesInUse())
      if (!isRunning && isPresent) await sweep({ byHand: false })
    },
  }
}

const STEPS = 16

/** Task of the second thread: some steps of tidying up the database; returns whether more are left. */
export type UpkeepTasks = { upkeep: { request: null; result: boolean } }

/** Merges the parts of the search index, and returns free pages to the disk, in short transactions. */
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
