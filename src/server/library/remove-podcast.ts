import type { Covers } from '../covers/covers'
import type { MediaFiles } from '../downloads/files'
import type { ForgottenFiles } from '../downloads/forgotten'
import type { KeptFiles } from '../downloads/kept-files'
import type { Downloads } from '../downloads/queue'
import type { Renaming } from '../downloads/rename'
import type { Log } from '../platform/log'
import type { Store } from '../store'
import type { PodcastRow } from '../store/podcasts'

/** Deletes a podcast: the rows first, in one transaction; the files after it, or what they were is noted. */
export const createRemovePodcast =
  ({
    store,
    downloads,
    rename,
    files,
    forgotten,
    keptFiles,
    covers,
    log,
  }: {
    store: Store
    downloads: Downloads
    rename: Renaming
    files: MediaFiles
    forgotten: ForgottenFiles
    keptFiles: KeptFiles
    covers: Covers
    log: Log
  }) =>
  async (podcast: PodcastRow, withFiles: boolean) => {
    if (withFiles) files.requirePresent()
    await downloads.cancelOf(podcast.id)
    const withFile = new Set(store.episodes.filesOf(podcast.id).map(({ id }) => id))
    await rename.finished(id => withFile.has(id))
    const kept = withFiles ? [] : await keptFiles.describe(podcast.id)
    const digests = store.covers.digestsOf(podcast.id)
    const media = store.inTransaction(() => {
      const paths = store.episodes.filesOf(podcast.id).map(row => row.file_path)
      if (withFiles) for (const path of paths) forgotten.note(path)
      // A file that was renamed or replaced meanwhile is another.
      for (const file of kept) if (store.episodes.findByFile(file.path)) store.keptFiles.add(file)
      store.podcasts.remove(podcast.id)
      return paths
    })
    await covers.removeUnused(digests)
    if (!withFiles) return
    for (const path of media)
      await forgotten
        .remove(path)
        .catch(error => log.warn('a file could not be deleted', { path, error: String(error) }))
  }
