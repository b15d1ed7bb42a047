import type { MediaFiles } from '../storage'
import type { Downloads } from '../downloads/queue'
import type { Renaming } from '../downloads/rename'
import type { Publish, Source } from '../platform/events'
import type { Store } from '../store'
import type { PodcastRow } from '../store/podcasts'
import type { Removals } from './removals'

export type Removing = { confirm?: () => boolean; source?: Source }
export type RemovalNeeds = {
  store: Store
  downloads: Downloads
  rename: Renaming
  files: MediaFiles
  removals: Removals
  publish: Publish
}

/** A podcast of so few episodes is gone with its files when the removal returns. */
const FEW = 500

/**
 * Removes a podcast from the library, with its files if `withFiles`. Nothing finds it any more, and it can be added
 * again, when the promise settles; what is left of a large one is deleted after that. Files that stay are described, so
 * that the same podcast finds them again. `confirm` is asked within the transaction, and changes what belongs to the
 * removal. Throws `media-folder-absent` and `media-storage-absent`.
 */
export const createRemovePodcast =
  ({ store, downloads, rename, files, removals, publish }: RemovalNeeds) =>
  async (podcast: PodcastRow, withFiles: boolean, { confirm = () => true, source = 'library' }: Removing = {}) => {
    if (withFiles) files.requireAll(store.episodes.storagesInUse(podcast.id))
    await rename.finished(id => store.episodes.find(id)?.podcast_id === podcast.id)
    // Last, so that none begins before the podcast is out of sight.
    await downloads.cancelBegunOf(podcast.id)
    const isRemoved = store.inRemoval(() => {
      if (!confirm()) return false
      store.removals.remove('podcast', podcast.id, podcast.title, withFiles ? null : podcast.feed_url)
      return true
    })
    if (!isRemoved) return
    const { uuid, title } = podcast
    publish({ type: 'podcastRemoved', uuid, title, explicit: podcast.explicit === 1, source })
    const removal = store.removals.find('podcast', podcast.id)
    if (removal === null) return
    const finished = removals.finish(removal)
    if (podcast.episode_count <= FEW) await finished
  }
