import { MAX_QUEUED } from '../../shared/api/queue'
import type { Clock } from '../platform/clock'
import type { Listeners, Publish } from '../platform/events'
import type { Store } from '../store'
import type { Arrival, QueueEntry } from '../store/queue'

// Why: docs/internals/decisions/0047

type Needs = { store: Store; publish: Publish; now: Clock }

/**
 * Puts new episodes into the queues of those who want that, each once. Rows hold what nobody has queued yet; events
 * only trigger a look at them.
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
    // What its listener is in the middle of waits no more, and stays.
    const waiting = queue.filter(entry => entry.podcast_id === podcastId && entry.begun === 0)
    const gone = makeRoom(waiting, fresh, queue_most)
    queue = queue.filter(entry => !gone.has(entry))
    // Nothing that a person queued gives way to automatic entries.
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

/** Puts episodes first, the newest at the head; those of a serial in order, behind its parts that came before. */
function atFront(queue: readonly QueueEntry[], coming: readonly QueueEntry[], isSerial: boolean): QueueEntry[] {
  if (!isSerial) return [...coming.toReversed(), ...queue]
  const isPart = ({ podcast_id, automatic }: QueueEntry) => automatic === 1 && podcast_id === coming[0]?.podcast_id
  const end = queue.findIndex(entry => !isPart(entry))
  return queue.toSpliced(end === -1 ? queue.length : end, 0, ...coming)
}
