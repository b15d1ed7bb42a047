import type { Publish } from '../platform/events'
import type { Store } from '../store'

type Needs = { store: Store; publish: Publish }

/** Gives a podcast a title that its feed does not change. */
export const createRenamePodcast =
  ({ store, publish }: Needs) =>
  (podcastId: number, title: string) => {
    store.podcasts.rename(podcastId, title.trim())
    publish({ type: 'podcastRenamed', podcastId })
  }
