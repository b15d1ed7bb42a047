import type { MediaFiles } from '../downloads/files'
import type { Downloads } from '../downloads/queue'
import { invalidField } from '../platform/problem'
import type { Store } from '../store'
import type { Viewer } from '../store/visibility'

type Needs = { store: Store; files: MediaFiles; downloads: Downloads }

/** Downloads and removes the files of a whole podcast, and finds those that are missing from the disk. */
export const createPodcastFiles = ({ store, files, downloads }: Needs) => ({
  /** Queues all episodes without a file; returns their number. */
  downloadAll: (viewer: Viewer, podcastId: number): Promise<number> =>
    downloads.requestAll(store.episodes.idsWithoutFile(viewer, podcastId), viewer.id),

  /** Queues the episodes `from` to `to`, counted from the oldest, 1; returns their number. Throws `invalid-field`. */
  downloadRange(viewer: Viewer, podcastId: number, { from, to }: { from: number; to: number }): Promise<number> {
    if (from > to) throw invalidField('to', 'not before "from"')
    return downloads.requestAll(store.episodes.idsInRange(viewer, podcastId, from, to), viewer.id)
  },

  /** Forgets files that are missing from the disk; returns their number. Throws `media-folder-absent`. */
  forgetMissing: (podcastId: number): number => forgetMissing(store, files, podcastId).length,

  /** Queues the episodes whose files are missing from the disk; returns their number. Throws `media-folder-absent`. */
  downloadMissing: (viewer: Viewer, podcastId: number): Promise<number> =>
    downloads.requestAll(forgetMissing(store, files, podcastId), viewer.id),

  /** Deletes all files but those of episodes that somebody likes; returns their number. */
  async remove(podcastId: number): Promise<number> {
    const unliked = store.episodes.filesOf(podcastId).filter(row => !store.episodes.isLiked(row.id))
    for (const { id } of unliked) await downloads.remove(store.episodes.find(id)!)
    return unliked.length
  },
})

/** Forgets files that are missing from the disk; returns the ids of their episodes. */
function forgetMissing(store: Store, files: MediaFiles, podcastId: number): number[] {
  // Without it an unmounted share would look like a folder whose files are all gone.
  files.requirePresent()
  const missing = store.episodes.filesOf(podcastId).filter(row => !files.exists(row.file_path))
  store.inTransaction(() => {
    for (const { id } of missing) store.episodes.dropFile(id)
  })
  return missing.map(row => row.id)
}
