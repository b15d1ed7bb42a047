import type { NextUp } from '../../shared/api/episode'
import type { NewTag, SharedPodcast, TagEdit } from '../../shared/api/podcast'
import { findMeant } from '../feeds/fetch/address'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { invalidField, Problem } from '../platform/problem'
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
