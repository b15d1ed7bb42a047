import { join } from 'node:path'
import { tryToLock } from '../platform/instance-lock'
import type { MediaFiles } from '../storage'
import { MOVE_LOCK, type MediaMove } from './media-move'

type Needs = { dataFolder: string; files: MediaFiles; mediaMove: MediaMove }

/**
 * Removes what killed processes left behind: copies of a move between two storages, and uploads in parts. Does nothing
 * while another process moves files.
 */
export const createClearCopies =
  ({ dataFolder, files, mediaMove }: Needs) =>
  async (): Promise<void> => {
    const { bucket } = files
    if (bucket && !bucket.isPresent()) return
    const unlock = tryToLock(join(dataFolder, MOVE_LOCK))
    if (!unlock) return
    try {
      await mediaMove.recover()
      await bucket?.sweepUploads(Number.POSITIVE_INFINITY)
    } finally {
      unlock()
    }
  }
