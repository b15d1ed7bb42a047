import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'

type Needs = { store: Store; publish: Publish; now: Clock }

/** Hides episodes from what a person is to continue, until it is played again. */
export const createHidden =
  ({ store, publish, now }: Needs) =>
  (userId: number, { id, eid }: Pick<EpisodeRow, 'id' | 'eid'>, hidden: boolean) => {
    const isNews = hidden ? store.playbackHidden.add(userId, id, now()) : store.playbackHidden.remove(userId, id)
    if (isNews) publish({ type: 'episodeHidden', userId, eid, hidden })
  }
