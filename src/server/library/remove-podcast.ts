import type { Covers } from '../covers/covers'
import type { FilePlace, MediaFiles } from '../storage'
import type { ForgottenFiles } from '../downloads/forgotten'
import type { KeptFiles } from '../downloads/kept-files'
import type { Downloads } from '../downloads/queue'
import type { Renaming } from '../downloads/rename'
import type { Publish } from '../platform/events'
import type { Log } from '../platform/log'
import type { Store } from '../store'
import type { PodcastRow } from '../store/podcasts'

export type RemovalNeeds = {
  store: Store
  downloads: Downloads
  rename: Renaming
  files: MediaFiles
  forgotten: ForgottenFiles
  keptFiles: KeptFiles
  covers: Covers
  publish: Publish
  log: Log
}

/**
 * Removes a podcast from the library: first its rows in one transaction, then its files if `withFiles`. Files that stay
 * are described, so that the same podcast finds them again. `confirm` is asked within the transaction, and changes
 * what belongs to the removal. Throws `media-folder-absent` and `media-storage-absent`.
 */
export const createRemovePodcast =
  (needs: RemovalNeeds) =>
  async (podcast: PodcastRow, withFiles: boolean, confirm = () => true): Promise<void> => {
    const { store, downloads, rename, files, keptFiles, covers } = needs
    if (withFiles) files.requireAll(store.episodes.storagesInUse(podcast.id))
    await downloads.cancelOf(podcast.id)
    const withFile = new Set(store.episodes.filesOf(podcast.id).map(({ id }) => id))
    await rename.finished(id => withFile.has(id))
    const kept = withFiles ? [] : await keptFiles.describe(podcast.id)
    const digests = store.covers.digestsOf(podcast.id)
    const places = store.inTransaction(() => (confirm() ? removeRows(needs, podcast, kept, withFiles) : null))
    if (places === null) return
    needs.publish({ type: 'podcastRemoved', uuid: podcast.uuid, explicit: podcast.explicit === 1 })
    await covers.removeUnused(digests)
    if (withFiles) await removeFiles(needs, places)
  }

/** Removes the rows; returns the paths of their files, which are noted first so that a crash leaves none behind. */
function removeRows(
  { store, forgotten }: RemovalNeeds,
  podcast: PodcastRow,
  kept: Awaited<ReturnType<KeptFiles['describe']>>,
  withFiles: boolean,
): FilePlace[] {
  const places = store.episodes.filesOf(podcast.id).map(row => ({ storage: row.file_storage, path: row.file_path }))
  if (withFiles) for (const place of places) forgotten.note(place)
  // A file that was renamed or replaced since it was described is another one.
  for (const file of kept) if (store.episodes.isFileAt(file)) store.keptFiles.add(file)
  store.podcasts.remove(podcast.id)
  return places
}

async function removeFiles({ forgotten, log }: RemovalNeeds, places: readonly FilePlace[]) {
  for (const place of places)
    await forgotten
      .remove(place)
      .catch(error => log.warn('file could not be deleted', { ...place, error: String(error) }))
}
