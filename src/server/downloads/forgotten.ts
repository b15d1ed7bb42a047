import { type Clock, MINUTE, monotonicClock } from '../platform/clock'
import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'
import type { FilePlace, MediaFiles, StorageName } from '../storage'
import { StorageFailure } from '../storage/storage'

type Needs = {
  store: Store
  files: MediaFiles
  log: Log
  /** A clock that never runs backwards. */
  elapsed?: Clock
}
export type ForgottenFiles = ReturnType<typeof createForgottenFiles>

/** How long a request of a killed process, or one whose answer was lost, may still store an object. */
const LATE_MS = MINUTE

/** Deletes files that no longer belong to anything, including those that a killed process was about to delete. */
export function createForgottenFiles({ store, files, log, elapsed = monotonicClock }: Needs) {
  /** When objects were deleted that may still be stored late, by their paths. */
  const deletedAt = new Map<string, number>()

  /** Whether no request can store this file any more; in a bucket that is some time after its first deletion. */
  function isGoneForGood({ storage, path }: FilePlace): boolean {
    if (storage === 'folder') return true
    const at = deletedAt.get(path)
    if (at === undefined) deletedAt.set(path, elapsed())
    return at !== undefined && elapsed() - at >= LATE_MS
  }

  function settle(place: FilePlace) {
    deletedAt.delete(place.path)
    store.forgottenFiles.settle(place)
  }

  async function remove(place: FilePlace, mayComeLate = false) {
    const storage = files.storageOf(place.storage)
    storage.requirePresent()
    try {
      await storage.remove(place.path)
      await store.whenWritable()
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error
      return log.warn('File will be deleted once its storage can be reached', { ...place, error: describeError(error) })
    }
    if (!mayComeLate || isGoneForGood(place)) settle(place)
  }

  /**
   * Leaves a file whose name belongs to another episode by now. A file that cannot be deleted is tried again at the
   * next start; one that may be stored late in a bucket, by `recover` a minute later.
   */
  async function removeUnlessTaken(place: FilePlace, mayComeLate = true) {
    if (store.episodes.isFileAt(place) || store.downloads.isTargetAt(place)) return settle(place)
    await remove(place, mayComeLate).catch(error =>
      log.warn('File could not be deleted', { ...place, error: describeError(error) }),
    )
  }

  return {
    /** Records a file to delete, in the transaction that removes it from its episode; call `remove` after that. */
    note: (place: FilePlace) => store.forgottenFiles.add(place),
    /** Deletes a file that was complete. */
    remove: (place: FilePlace) => remove(place),
    removeUnlessTaken,
    /**
     * At the start, when a storage can be reached again, and every minute: deletes what was not deleted before, or was
     * stored late.
     */
    async recover(only: StorageName | null = null, mayComeLate = false) {
      for (const place of store.forgottenFiles.list())
        if ((only ?? place.storage) === place.storage && files.storageOf(place.storage).isPresent())
          await removeUnlessTaken(place, mayComeLate)
    },
  }
}
