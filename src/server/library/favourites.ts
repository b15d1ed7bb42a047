import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Store } from '../store'

type Needs = { store: Store; publish: Publish; now: Clock }

/** Favourite podcasts and liked episodes of each user. */
export const createFavourites = ({ store, publish, now }: Needs) => ({
  /** Makes a podcast a favourite, or no longer. */
  favour(userId: number, podcastId: number, favoured: boolean) {
    store.podcasts.favour(userId, podcastId, favoured, now())
    publish({ type: 'podcastFavoured', userId, podcastId, favoured, source: 'library' })
  },
  /** Likes episodes, or no longer; returns how many changed. */
  likeAll: (userId: number, episodeIds: readonly number[], liked: boolean): number =>
    store.episodes.likeAll(userId, episodeIds, liked, now()),
  /** Likes an episode, or no longer. The files of liked episodes are kept. */
  like: (userId: number, episodeId: number, liked: boolean) => store.episodes.like(userId, episodeId, liked, now()),
})
export type Favourites = ReturnType<typeof createFavourites>
