import type { Clock } from '../platform/clock'
import type { Listeners, Publish } from '../platform/events'
import { notFound, Problem } from '../platform/problem'
import type { Store } from '../store'
import { MOST_QUEUED } from '../../shared/api/queue'

export type Place = 'next' | 'last' | number

/** What plays next, one queue for each user, the same in every browser. */
export function createQueue({ store, publish, now }: { store: Store; publish: Publish; now: Clock }) {
  /** Changes the order in one transaction; `null` leaves it as it is. */
  function change(userId: number, edit: (ids: number[]) => number[] | null) {
    const version = store.inTransaction(() => {
      const next = edit(store.queue.idsOf(userId))
      return next && store.queue.replace(userId, [...new Set(next)].slice(0, MOST_QUEUED), now())
    })
    if (version !== null) publish({ type: 'queueChanged', userId, version })
  }

  /** Finished episodes leave the queue. */
  const dropFinished = (userId: number) =>
    change(userId, ids => {
      const finished = new Set(store.playback.finishedAmong(userId, ids))
      return finished.size > 0 ? ids.filter(id => !finished.has(id)) : null
    })

  return {
    /** A new order; `queue-changed` where the version that it builds on is not the present one. */
    reorder(userId: number, episodeIds: readonly number[], basedOn?: number) {
      change(userId, () => {
        const { version } = store.queue.find(userId)
        if (basedOn !== undefined && basedOn !== version)
          throw new Problem('queue-changed', 'The queue has changed meanwhile', { version: String(version) })
        return [...episodeIds]
      })
    },
    /** One that is there already moves. */
    add(userId: number, episodeId: number, at: Place) {
      change(userId, ids => {
        const others = ids.filter(id => id !== episodeId)
        const place = at === 'last' ? others.length : at === 'next' ? 0 : at
        return others.toSpliced(place, 0, episodeId)
      })
    },
    remove(userId: number, itemUuid: string) {
      const item = store.queue.findItem(userId, itemUuid)
      if (!item) throw notFound('queue-item')
      change(userId, ids => ids.filter(id => id !== item.episode_id))
    },
    clear: (userId: number) => change(userId, () => []),
    dropFinished,
    listeners: { episodesFinished: ({ userId }) => dropFinished(userId) } satisfies Listeners,
  }
}
export type Queue = ReturnType<typeof createQueue>
