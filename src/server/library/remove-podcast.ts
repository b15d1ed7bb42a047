import type { Covers } from '../covers/covers'
import type { MediaFiles } from '../downloads/files'
import type { ForgottenFiles } from '../downloads/forgotten'
import type { KeptFiles } from '../downloads/kept-files'
import type { Downloads } from '../downloads/queue'
import type { Renaming } from '../downloads/rename'
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
  log: Log
}

/**
 * Removes a podcast from the library: first its rows in one transaction, then its files if `withFiles`. Files that stay
 * are described, so that the same podcast finds them again. Throws `media-folder-absent`.
 */
export const createRemovePodcast =
  (needs: RemovalNeeds) =>
  async (podcast: PodcastRow, withFiles: boolean): Promise<void> => {
    const { store, downloads, rename, files, keptFiles, covers } = needs
    if (withFiles) files.requirePresent()
    await downloads.cancelOf(podcast.id)
    const withFile = new Set(store.episodes.filesOf(podcast.id).map(({ id }) => id))
    await rename.finished(id => withFile.has(id))
    const kept = withFiles ? [] : await keptFiles.describe(podcast.id)
    const digests = store.covers.digestsOf(podcast.id)
    const paths = removeRows(needs, podcast, kept, withFiles)
    await covers.removeUnused(digests)
    if (withFiles) await removeFiles(needs, paths)
  }

/** Removes the rows; returns the paths of their files, which are noted first so that a crash leaves none behind. */
function removeRows(
  { store, forgotten }: RemovalNeeds,
  podcast: PodcastRow,
  kept: Awaited<ReturnType<KeptFiles['describe']>>,
  withFiles: boolean,
): string[] {
  return store.inTransaction(() => {
    const paths = store.episodes.filesOf(podcast.id).map(row => row.file_path)
    if (withFiles) for (const path of paths) forgotten.note(path)
    // A file that was renamed or replaced since it was described is another one.
    for (const file of kept) if (store.episodes.findByFile(file.path)) store.keptFiles.add(file)
    store.podcasts.remove(podcast.id)
    return paths
  })
}

async function removeFiles({ forgotten, log }: RemovalNeeds, paths: readonly string[]) {
  for (const path of paths)
    await forgotten.remove(path).catch(error => log.warn('file could not be deleted', { path, error: String(error) }))
}
