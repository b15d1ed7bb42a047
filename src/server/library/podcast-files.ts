import type { MediaFiles } from '../storage'
import type { Downloads } from '../downloads/queue'
import { invalidField } from '../platform/problem'
import type { Store } from '../store'
import type { Viewer } from '../store/visibility'

type Needs = { store: Store; files: MediaFiles; downloads: Downloads; reserveBytes: number }

/** Downloads and removes the files of a whole podcast, and finds those that are missing from the disk. */
export const createPodcastFiles = ({ store, files, downloads, reserveBytes }: Needs) => ({
  /** Number and announced bytes of all that `downloadAll` would fetch, and the room for it; null = unknown. */
  async missing(viewer: Viewer, podcastId: number) {
    const { episodes, bytes, unknown } = store.episodes.missingSize(viewer, podcastId)
    const free = await files.folder.freeBytes().catch(() => null)
    return {
      episodes,
      bytes,
      unknownSizes: unknown,
      freeBytes: free === null ? null : Math.max(0, free - reserveBytes),
    }
  },

  /** Queues all episodes without a file; returns their number, and the token by which `undoDownloadAll` finds them. */
  async downloadAll(viewer: Viewer, podcastId: number) {
    const { queued, askedAt } = await downloads.requestAll(store.episodes.idsWithoutFile(viewer, podcastId), viewer.id)
    return { queued, undo: String(askedAt) }
  },

  /** Cancels what has not been downloaded yet; returns how many. */
  undoDownloadAll: (viewer: Viewer, podcastId: number, undo: string): Promise<number> =>
    downloads.cancelAll(viewer.id, podcastId, Number(undo)),

  /** The same for chosen episodes, of any podcast. */
  async download(viewer: Viewer, episodeIds: readonly number[]) {
    const { queued, askedAt } = await downloads.requestAll(episodeIds, viewer.id)
    return { queued, undo: String(askedAt) }
  },
  undoDownload: (viewer: Viewer, undo: string): Promise<number> => downloads.cancelAll(viewer.id, null, Number(undo)),

  /** Queues the episodes `from` to `to`, counted from the oldest, 1; returns their number. Throws `invalid-field`. */
  async downloadRange(viewer: Viewer, podcastId: number, { from, to }: { from: number; to: number }): Promise<number> {
    if (from > to) throw invalidField('to', 'not before "from"')
    return (await downloads.requestAll(store.episodes.idsInRange(viewer, podcastId, from, to), viewer.id)).queued
  },

  /**
   * Forgets files that are missing from the disk; returns their number. Throws `media-folder-absent` and
   * `media-storage-absent`.
   */
  forgetMissing: async (podcastId: number): Promise<number> => (await forgetMissing(store, files, podcastId)).length,

  /**
   * Queues the episodes whose files are missing from the disk; returns their number. Throws `media-folder-absent` and
   * `media-storage-absent`.
   */
  async downloadMissing(viewer: Viewer, podcastId: number): Promise<number> {
    return (await downloads.requestAll(await forgetMissing(store, files, podcastId), viewer.id)).queued
  },

  /** Deletes all files but those of episodes that somebody likes; returns their number. */
  async remove(podcastId: number): Promise<number> {
    const unliked = store.episodes.unlikedWithFile(podcastId)
    for (const id of unliked) await downloads.remove(store.episodes.find(id)!)
    return unliked.length
  },

  /** Deletes the files of chosen episodes, liked ones too; returns the ids of those that had one. */
  async removeFiles(episodeIds: readonly number[]): Promise<number[]> {
    const downloaded = store.episodes.listByIds(episodeIds).filter(row => row.file_path !== null)
    for (const episode of downloaded) await downloads.remove(episode)
    return downloaded.map(({ id }) => id)
  },
})

/** Forgets files that are missing from the disk; returns the ids of their episodes. */
async function forgetMissing(store: Store, files: MediaFiles, podcastId: number): Promise<number[]> {
  // Otherwise an unmounted share would look like a folder whose files are all gone. A bucket may have become
  // unreachable since it was last asked.
  await files.bucket?.ask()
  files.requireAll(store.episodes.storagesInUse(podcastId))
  const missing: { id: number; file_path: string }[] = []
  for (const row of store.episodes.filesOf(podcastId)) {
    const size = await files.sizeOf({ storage: row.file_storage, path: row.file_path })
    if (size === null && store.episodes.hasFile(row.id, row.file_path)) missing.push(row)
  }
  store.inTransaction(() => {
    for (const { id } of missing) store.episodes.dropFile(id)
  })
  return missing.map(row => row.id)
}
