import { type ContinueWith, MAX_QUEUED, type QueueAddition, type QueueOrder } from '../../shared/api/queue'
import type { QueueTurn } from '../../shared/api/episode'
import type { Clock } from '../platform/clock'
import type { Listeners, Publish } from '../platform/events'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { Arrival, QueueEntry } from '../store/queue'
import type { TimelineFilter } from '../store/timeline'
import type { Viewer } from '../store/visibility'
import { requireListed } from './playlists'

type Needs = { store: Store; publish: Publish; now: Clock }

/** Changes the queue of a user, which is the same in every browser. An episode is in it at most once. */
export function createQueue(needs: Needs) {
  const { store } = needs

  /** Removes the finished episodes, also from saved queues. */
  const dropFinished = (userId: number, episodeIds: readonly number[]) =>
    change(needs, userId, ids => {
      const wasKept = store.savedQueues.drop(userId, episodeIds)
      const finished = new Set(store.playback.finishedAmong(userId, ids))
      return wasKept || finished.size > 0 ? ids.filter(id => !finished.has(id)) : null
    })

  return {
    /**
     * Replaces the queue. Throws `invalid-field` for an unknown episode, and `queue-changed` if the queue has left the
     * version that the caller saw, `basedOn`.
     */
    replace(viewer: Viewer, items: QueueOrder['items'], basedOn?: number) {
      const ids = requireListed(store, viewer, items)
      const automatic = requireListed(
        store,
        viewer,
        items.filter(item => item.automatic),
      )
      change(
        needs,
        viewer.id,
        () => {
          requireVersion(store, viewer.id, basedOn)
          return ids
        },
        automatic,
      )
    },
    /** Inserts an episode, or moves it there; `at` counts from 0. Throws `episode-not-found`. */
    add(viewer: Viewer, { episode, at = 'last' }: QueueAddition) {
      const { id } = store.episodes.require(viewer, episode)
      changeByHand(needs, viewer.id, [id], ids => {
        const others = ids.filter(other => other !== id)
        const place = at === 'last' ? others.length : at === 'next' ? 0 : at
        return others.toSpliced(place, 0, id)
      })
    },
    /** Puts episodes, in their order, at the head or the end of the queue; those already in it move there. */
    addAll(userId: number, episodeIds: readonly number[], at: QueueTurn) {
      const added = new Set(episodeIds)
      changeByHand(needs, userId, episodeIds, ids => {
        const others = ids.filter(id => !added.has(id))
        return at === 'next' ? [...added, ...others] : [...others, ...added]
      })
    },
    /**
     * Appends the episodes of the timeline that match a filter, newest first; those in the queue stay where they are.
     * Returns how many were added.
     */
    addTimeline(viewer: Viewer, filter: TimelineFilter): number {
      const found = store.timeline.idsFor(viewer, { ...filter, unfinishedOnly: true }, MAX_QUEUED)
      const before = store.queue.idsOf(viewer.id).length
      change(needs, viewer.id, ids => [...ids, ...found])
      return store.queue.idsOf(viewer.id).length - before
    },
    /** Removes an item by its own id. Throws `queue-item-not-found`. */
    remove(userId: number, itemUuid: string) {
      const { episode_id } = store.queue.requireItem(userId, itemUuid)
      change(needs, userId, ids => ids.filter(id => id !== episode_id))
    },
    /** Removes episodes; those that are not in the queue are left out. */
    removeAll(userId: number, episodeIds: readonly number[]) {
      const removed = new Set(episodeIds)
      change(needs, userId, ids => (ids.some(id => removed.has(id)) ? ids.filter(id => !removed.has(id)) : null))
    },
    clear: (userId: number) => change(needs, userId, () => []),
    /** Sets what plays when the queue has ended. */
    continueWith: (userId: number, choice: ContinueWith) =>
      change(needs, userId, ids => {
        store.queue.setContinueWith(userId, choice)
        return ids
      }),
    listeners: { episodesFinished: ({ userId, episodeIds }) => dropFinished(userId, episodeIds) } satisfies Listeners,
  }
}

/** Throws `queue-changed` if the queue has left the version that a caller saw, `basedOn`. */
export function requireVersion(store: Store, userId: number, basedOn: number | undefined) {
  const { version } = store.queue.find(userId)
  if (basedOn !== undefined && basedOn !== version)
    throw new Problem('queue-changed', 'The queue was changed elsewhere', { version: String(version) })
}

/**
 * Changes the order in one transaction; an `edit` that returns null leaves it as it is. `automatic`: those that had
 * been added automatically before they were removed.
 */
function change(
  { store, publish, now }: Needs,
  userId: number,
  edit: (ids: number[]) => number[] | null,
  automatic: readonly number[] = [],
) {
  const version = store.inTransaction(() => {
    const next = edit(store.queue.idsOf(userId))
    if (next === null) return null
    const changed = store.queue.replace(userId, [...new Set(next)].slice(0, MAX_QUEUED), now())
    if (automatic.length > 0) store.queue.setAutomatic(userId, automatic, true)
    return changed
  })
  if (version !== null) publish({ type: 'queueChanged', userId, version })
}

/** The same for episodes that a person adds: from now on they don't make room for automatic entries. */
function changeByHand(needs: Needs, userId: number, added: readonly number[], edit: (ids: number[]) => number[]) {
  change(needs, userId, ids => {
    needs.store.queue.setAutomatic(userId, added, false)
    return edit(ids)
  })
}

// Why: docs/internals/decisions/0047

/**
 * Puts new episodes into the queues of those who want that, each once. Rows hold what is not queued yet; events only
 * trigger a check of these rows.
 */
export function createQueueArrivals({ store, publish, now }: Needs) {
  function queueDue() {
    if (!store.queueArrivals.isDue()) return
    const changed = store.inTransaction(() => {
      const due = Map.groupBy(store.queueArrivals.listDue(), ({ user_id }) => user_id)
      store.queueArrivals.clear()
      return [...due].flatMap(([userId, arrivals]) => {
        const version = queueFor(userId, arrivals)
        return version === null ? [] : [{ userId, version }]
      })
    })
    for (const change of changed) publish({ type: 'queueChanged', ...change })
  }

  function queueFor(userId: number, arrivals: readonly Arrival[]): number | null {
    const before = store.queue.entriesOf(userId)
    const { ids, added } = arrive(before, arrivals)
    if (added.length === 0) return null
    const version = store.queue.replace(userId, ids, now())
    store.queue.setAutomatic(userId, added, true)
    return version
  }

  return {
    /** Queues what is due; once at the start, for the episodes that a killed process had stored. */
    queueDue,
    listeners: { feedApplied: queueDue } satisfies Listeners,
  }
}

/** The queue with new episodes of several podcasts, the oldest first, as `ids`; `added` are those that found room. */
export function arrive(entries: readonly QueueEntry[], arrivals: readonly Arrival[]) {
  let queue = [...entries]
  const added = new Set<number>()
  for (const [podcastId, all] of Map.groupBy(arrivals, ({ podcast_id }) => podcast_id)) {
    const { queue_new, queue_most, serial } = all[0]!
    const known = new Set(queue.map(({ episode_id }) => episode_id))
    const fresh = all.filter(({ episode_id }) => !known.has(episode_id)).map(entryOf)
    // An episode that its listener is in the middle of is no longer waiting, and stays.
    const waiting = queue.filter(entry => entry.podcast_id === podcastId && entry.begun === 0)
    const gone = makeRoom(waiting, fresh, queue_most)
    queue = queue.filter(entry => !gone.has(entry))
    // What a person queued never makes room for automatic entries.
    const room = Math.max(0, MAX_QUEUED - queue.length)
    const fitting = fresh.filter(entry => !gone.has(entry))
    const coming = fitting.slice(Math.max(0, fitting.length - room))
    queue = queue_new === 'end' ? [...queue, ...coming] : atFront(queue, coming, serial === 1)
    for (const { episode_id } of coming) added.add(episode_id)
  }
  return { ids: queue.map(({ episode_id }) => episode_id), added: [...added] }
}

const entryOf = ({ episode_id, podcast_id, published_at }: Arrival): QueueEntry => ({
  episode_id,
  podcast_id,
  published_at,
  automatic: 1,
  begun: 0,
})

/** Finds the entries over a podcast's limit: the oldest automatic ones. */
function makeRoom(waiting: readonly QueueEntry[], fresh: readonly QueueEntry[], most: number): Set<QueueEntry> {
  const excess = waiting.length + fresh.length - most
  const mayGo = waiting.filter(({ automatic }) => automatic === 1)
  const oldestFirst = [...mayGo, ...fresh].toSorted((one, other) => one.published_at - other.published_at)
  return new Set(oldestFirst.slice(0, Math.max(0, excess)))
}

/** Puts episodes first, the newest at the head; those of a serial in order, after its earlier parts. */
function atFront(queue: readonly QueueEntry[], coming: readonly QueueEntry[], isSerial: boolean): QueueEntry[] {
  if (!isSerial) return [...coming.toReversed(), ...queue]
  const isPart = ({ podcast_id, automatic }: QueueEntry) => automatic === 1 && podcast_id === coming[0]?.podcast_id
  const end = queue.findIndex(entry => !isPart(entry))
  return queue.toSpliced(end === -1 ? queue.length : end, 0, ...coming)
}
