import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import type { Viewer } from '../store/visibility'

/**
 * Finds what to continue with in a podcast after one of its episodes: in a serial the part that follows, played or not,
 * as a story is heard in its order; otherwise the next newer episode that is not played. Null at the end.
 */
export const createFollowing =
  ({ store: { podcasts } }: { store: Store }) =>
  (viewer: Viewer, episode: EpisodeRow) =>
    podcasts.findFollowing(viewer, episode, podcasts.find(episode.podcast_id)?.serial === 1)
