import type { Store } from '../store'
import type { Removal } from '../store/removals'
import { createClipFolder } from './folder'

export type RemovedClips = ReturnType<typeof createRemovedClips>

/** Removes the clips of podcasts and accounts that are gone, files first: a killed process finds them again. */
export const createRemovedClips = ({ store, folder }: { store: Store; folder: string }) => {
  const { remove } = createClipFolder(folder)
  return {
    async removeOf(removal: Removal) {
      for (const { user_id, uuid } of store.clips.ofRemoved(removal)) {
        await remove(uuid)
        store.clips.remove(user_id, uuid)
      }
    },
  }
}
