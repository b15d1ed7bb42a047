import { MOST_QUEUED, type QueueAddition } from '../../shared/api/queue'
import type { Clock } from '../platform/clock'
import type { Listeners, Publish } from '../platform/events'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { TimelineFilter } from '../store/timeline-conditions'
import type { Viewer } from '../store/visibility'
import { requireListed } from './listed-episodes'

type Needs = { store: Store; publish: Publish; now: Clock }

/** Changes the queue of a user, which is the same in every browser. An episode is in it at most once. */
export function createQueue(needs: Needs) {
  const { store } = needs

  /** Removes the episodes that are finished. */
  const dropFinished = (userId: number) =>
    change(needs, userId, ids => {
      const finished = new Set(store.playback.finishedAmong(userId, ids))
      return finished.size > 0 ? ids.filter(id => !finished.has(id)) : null
    })

  return {
    /**
     * Replaces the queue. Throws `invalid-field` for an unknown episode, and `queue-changed` if the queue has left the
     * version that the caller saw, `basedOn`.
     */
    replace(viewer: Viewer, items: readonly { episode: string }[], basedOn?: number) {
      const ids = requireListed(store, viewer, items)
      change(needs, viewer.id, () => {
        const { version } = store.queue.find(viewer.id)
        if (basedOn !== undefined && basedOn !== version)
          throw new Problem('queue-changed', 'The queue was changed elsewhere', { version: String(version) })
        return ids
      })
    },
    /** Inserts an episode, or moves it there; `at` counts from 0. Throws `episode-not-found`. */
    add(viewer: Viewer, { episode, at = 'last' }: QueueAddition) {
      const { id } = store.episodes.require(viewer, episode)
      change(needs, viewer.id, ids => {
        const others = ids.filter(other => other !== id)
        const place = at === 'last' ? others.length : at === 'next' ? 0 : at
        return others.toSpliced(place, 0, id)
      })
    },
    /** Puts episodes, in their order, at the head of the queue or behind it; those in it already move there. */
    addAll(userId: number, episodeIds: readonly number[], at: 'next' | 'last') {
      const added = new Set(episodeIds)
      change(needs, userId, ids => {
        const others = ids.filter(id => !added.has(id))
        return at === 'next' ? [...added, ...others] : [...others, ...added]
      })
    },
    /**
     * Appends the episodes of the timeline that match a filter, newest first; those in the queue stay where they are.
     * Returns how many came into it.
     */
    addTimeline(viewer: Viewer, filter: TimelineFilter): number {
      const found = store.timeline.idsFor(viewer, { ...filter, unfinishedOnly: true }, MOST_QUEUED)
      const before = store.queue.idsOf(viewer.id).length
      change(needs, viewer.id, ids => [...ids, ...found])
      return store.queue.idsOf(viewer.id).length - before
    },
    /** Removes an item by its own id. Throws `queue-item-not-found`. */
    remove(userId: number, itemUuid: string) {
      const { episode_id } = store.queue.requireItem(userId, itemUuid)
      change(needs, userId, ids => ids.filter(id => id !== episode_id))
    },
    clear: (userId: number) => change(needs, userId, () => []),
    listeners: { episodesFinished: ({ userId }) => dropFinished(userId) } satisfies Listeners,
  }
}
export type Queue = ReturnType<typeof createQueue>

/** Changes the order in one transaction; an `edit` that returns null leaves it as it is. */
function change({ store, publish, now }: Needs, userId: number, edit: (ids: number[]) => number[] | null) {
  const version = store.inTransaction(() => {
    const next = edit(store.queue.idsOf(userId))
    return next && store.queue.replace(userId, [...new Set(next)].slice(0, MOST_QUEUED), now())
  })
  if (version !== null) publish({ type: 'queueChanged', userId, version })
}
