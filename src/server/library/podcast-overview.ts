import type { NextUp } from '../../shared/api/episode'
import type { Store } from '../store'
import type { EpisodeForUser } from '../store/episodes'
import type { PodcastForUser } from '../store/podcasts'
import type { Viewer } from '../store/visibility'

type Next = { reason: NextUp['reason']; episode: EpisodeForUser }

/** Finds which episode of a podcast to play next, which is the newest, and how many there are of each kind. */
export const createPodcastOverview =
  ({ store: { podcasts } }: { store: Store }) =>
  (viewer: Viewer, podcast: PodcastForUser) => ({
    counts: {
      all: podcast.visible_count,
      unplayed: podcast.visible_count - podcast.finished_count,
      downloaded: podcasts.countDownloaded(viewer, podcast.id),
      liked: podcasts.countLiked(viewer, podcast.id),
    },
    next: findNext(podcasts, viewer, podcast),
    newest: podcasts.findNewest(viewer, podcast.id),
  })

/** A person wants to continue, else the next part of a serial, else the newest, else something heard long ago. */
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
