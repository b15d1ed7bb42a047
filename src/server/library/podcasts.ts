import type { NextUp } from '../../shared/api/episode'
import type { NewTag, SharedPodcast, TagEdit } from '../../shared/api/podcast'
import type { Downloads } from '../downloads/queue'
import { findMeant } from '../feeds/fetch/address'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { invalidField, Problem } from '../platform/problem'
import type { MediaFiles } from '../storage'
import type { Store } from '../store'
import type { EpisodeForUser, EpisodeRow } from '../store/episodes'
import { isFolderAddress } from '../store/feeds'
import type { ListedRow, PodcastForUser, PodcastRow } from '../store/podcasts'
import type { TagRow } from '../store/tags'
import type { Viewer } from '../store/visibility'

type Next = { reason: NextUp['reason']; episode: EpisodeForUser }

/** Finds which episode of a podcast to play next, which is the newest, and how many there are of each kind. */
export const createPodcastOverview =
  ({ store: { podcasts } }: { store: Store }) =>
  (viewer: Viewer, podcast: PodcastForUser) => ({
    counts: {
      all: podcast.visible_count,
      new: podcast.new_count,
      unplayed: podcast.visible_count - podcast.finished_count,
      downloaded: podcasts.countDownloaded(viewer, podcast.id),
      liked: podcasts.countLiked(viewer, podcast.id),
    },
    next: findNext(podcasts, viewer, podcast),
    newest: podcasts.findNewest(viewer, podcast.id),
  })

/** The episode to continue, else the next part of a serial, else the newest, else the one played longest ago. */
function findNext(podcasts: Store['podcasts'], viewer: Viewer, { id, serial, finished_count }: PodcastForUser) {
  const withReason = (reason: Next['reason'], episode: EpisodeForUser | null): Next | null =>
    episode && { reason, episode }
  return (
    withReason('begun', podcasts.findBegun(viewer, id)) ??
    (serial ? withReason(finished_count === 0 ? 'first' : 'next', podcasts.findNextPart(viewer, id)) : null) ??
    withReason('newest', podcasts.findNewestUnfinished(viewer, id)) ??
    withReason('again', podcasts.findLongPast(viewer, id))
  )
}

/**
 * Finds what to continue with in a podcast after one of its episodes: in a serial the part that follows, played or not,
 * since a story is heard in order; otherwise the next newer unplayed episode. Null at the end.
 */
export const createFollowing =
  ({ store: { podcasts } }: { store: Store }) =>
  (viewer: Viewer, episode: EpisodeRow) =>
    podcasts.findFollowing(viewer, episode, podcasts.find(episode.podcast_id)?.serial === 1)

type Needs = { store: Store; publish: Publish; now: Clock }

/** Favourite podcasts and liked episodes of each user. */
export const createFavourites = ({ store, publish, now }: Needs) => ({
  /** Makes a podcast a favourite or not. */
  favour(userId: number, podcastId: number, favoured: boolean) {
    store.podcasts.favour(userId, podcastId, favoured, now())
    publish({ type: 'podcastFavoured', userId, podcastId, favoured, source: 'library' })
  },
  /** Likes or unlikes episodes; returns the ids of those that changed. */
  likeAll: (userId: number, episodeIds: readonly number[], liked: boolean): number[] =>
    store.episodes.likeAll(userId, episodeIds, liked, now()),
  /** Likes or unlikes an episode. The files of liked episodes are kept. */
  like: (userId: number, episodeId: number, liked: boolean) => store.episodes.like(userId, episodeId, liked, now()),
})

/** Gives a podcast a title that its feed does not change. */
export const createRenamePodcast =
  ({ store, publish }: Pick<Needs, 'store' | 'publish'>) =>
  (podcastId: number, title: string) => {
    store.podcasts.rename(podcastId, title.trim())
    publish({ type: 'podcastRenamed', podcastId })
  }

/** Makes and changes tags. Each user has personal tags, with distinct names. */
export const createTags = ({ store, now }: Pick<Needs, 'store' | 'now'>) => ({
  /** Creates a tag. Throws `invalid-field` and `tag-name-taken`. */
  create: (userId: number, tag: NewTag): TagRow =>
    store.tags.add(userId, { ...tag, name: requireName(store, userId, tag.name) }, now()),

  /** Changes the fields that the edit names. Throws `tag-not-found`, `invalid-field` and `tag-name-taken`. */
  edit(userId: number, uuid: string, edit: TagEdit): TagRow {
    const tag = store.tags.require(userId, uuid)
    const name = edit.name === undefined ? tag.name : requireName(store, userId, edit.name, tag)
    return store.tags.edit(tag, { ...edit, name })
  },
})

function requireName(store: Store, userId: number, text: string, except?: TagRow): string {
  const name = text.trim()
  if (name === '') throw invalidField('name', '1 to 100 characters')
  const other = store.tags.findByName(userId, name)
  if (other && other.id !== except?.id) throw new Problem('tag-name-taken', `Tag ${name} already exists`, { name })
  return name
}

type Checked = Pick<ListedRow, 'feed_url' | 'active' | 'gone' | 'error_code'>

/** State in which the last check left the feed of a podcast. */
export function feedStateOf(row: Checked): SharedPodcast['feed_state'] {
  if (isFolderAddress(row.feed_url)) return 'none'
  if (!row.active) return 'inactive'
  if (row.gone) return 'gone'
  return row.error_code === null ? 'ok' : 'failing'
}

/** Finds the podcast of a feed in the library; null if there is none, or if the viewer may not know of it. */
export function findKnownFeed(store: Store, viewer: Viewer, feedUrl: string): PodcastRow | null {
  const podcast = findMeant(store, feedUrl)
  return podcast && (podcast.explicit === 0 || viewer.explicit_consent === 1) ? podcast : null
}

type FilesNeeds = { store: Store; files: MediaFiles; downloads: Downloads; reserveBytes: number }

/** Downloads and removes the files of a whole podcast, and finds those that are missing from the disk. */
export const createPodcastFiles = ({ store, files, downloads, reserveBytes }: FilesNeeds) => ({
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

  /** Queues the downloads of chosen episodes, of any podcast; `undo` is for `undoDownload`. */
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
