import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'
import type { MediaFiles } from './files'

type Needs = { store: Store; files: MediaFiles; log: Log }
export type ForgottenFiles = ReturnType<typeof createForgottenFiles>

/** Deletes files that nothing names any more, also those that a killed process was about to delete. */
export function createForgottenFiles({ store, files, log }: Needs) {
  async function remove(path: string) {
    await files.remove(path)
    store.forgottenFiles.settle(path)
  }

  /** A name that was given away since belongs to another. */
  async function removeUnlessTaken(path: string) {
    if (store.episodes.isFileTaken(path) || store.downloads.isTarget(path)) return store.forgottenFiles.settle(path)
    await remove(path).catch(error => log.warn('a file could not be deleted', { path, error: describeError(error) }))
  }

  return {
    /** In the transaction that forgets the file; removing it comes after that. */
    note: (path: string) => store.forgottenFiles.add(path),
    remove,
    removeUnlessTaken,
    /** Once at the start. */
    async recover() {
      for (const path of store.forgottenFiles.list()) await removeUnlessTaken(path)
    },
  }
}
