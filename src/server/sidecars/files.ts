import { open } from 'node:fs/promises'
import type { MediaFolder } from '../storage/folder'

/** The name of the unfinished file; the next start deletes what a killed process left of it. */
const PART = 'sidecar'

/** Small files in the media folder, by their paths below it. One is written at a time. */
export const sidecarFiles = (folder: MediaFolder) => ({
  /** Whether the folder is mounted; nothing is done while it is not. */
  isPresent: folder.isPresent,
  exists: folder.exists,
  /** Writes a whole file, or leaves the one that is there. */
  async write(path: string, bytes: Uint8Array) {
    folder.open()
    const file = await open(folder.partOf(PART), 'w')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await folder.moveInto(folder.partOf(PART), path)
  },
  /** Deletes a file, if it is there, and any folders this leaves empty. */
  remove: folder.remove,
})
