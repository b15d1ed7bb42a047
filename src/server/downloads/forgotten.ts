import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'
import type { MediaFiles } from './files'

type Needs = { store: Store; files: MediaFiles; log: Log }
export type ForgottenFiles = ReturnType<typeof createForgottenFiles>

/** Deletes files that belong to nothing any more, including those that a killed process was about to delete. */
export function createForgottenFiles({ store, files, log }: Needs) {
  async function remove(path: string) {
    await files.remove(path)
    store.forgottenFiles.settle(path)
  }

  /**
   * Leaves a file whose name belongs to another episode by now. A file that cannot be deleted is tried again at the
   * next start.
   */
  async function removeUnlessTaken(path: string) {
    if (store.episodes.isFileTaken(path) || store.downloads.isTarget(path)) return store.forgottenFiles.settle(path)
    await remove(path).catch(error => log.warn('file could not be deleted', { path, error: describeError(error) }))
  }

  return {
    /** Records a file to delete, in the transaction that removes it from its episode; `remove` comes after that. */
    note: (path: string) => store.forgottenFiles.add(path),
    remove,
    removeUnlessTaken,
    /** Once at the start: deletes what an earlier process did not get to. */
    async recover() {
      for (const path of store.forgottenFiles.list()) await removeUnlessTaken(path)
    },
  }
}
