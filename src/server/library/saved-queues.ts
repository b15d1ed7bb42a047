import { MAX_QUEUES } from '../../shared/api/queue'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { invalidField, notFound, Problem } from '../platform/problem'
import type { Store } from '../store'
import type { SavedQueueRow } from '../store/queue'
import { nameKey } from '../store/users'
import type { Viewer } from '../store/visibility'
import { requireVersion } from './queue'

type Needs = { store: Store; publish: Publish; now: Clock }

/** State of the queue that a caller knows: its `version`, and the `id` of the episode in the player. */
type Known = { version?: number | undefined; playing?: string | undefined }

/** The number of deleted queues that can be restored. */
const MAX_DELETED = 5

/**
 * Several queues of one person, one of which is in use; the others are saved as they were left. Each has a name, except
 * the main queue, which everybody begins with. Episodes that are played are removed from saved queues, too.
 */
export function createSavedQueues({ store, publish, now }: Needs) {
  /** Does `work` in one transaction, as a change of the user's queue. */
  function changing(userId: number, work: () => void) {
    const version = store.inTransaction(() => {
      work()
      return store.queue.change(userId, now())
    })
    publish({ type: 'queueChanged', userId, version })
  }

  /** Saves the queue in use. Throws `queue-changed`. */
  function keepPresent(viewer: Viewer, { version, playing }: Known) {
    requireVersion(store, viewer.id, version)
    const episode = playing === undefined ? null : store.episodes.findVisible(viewer, playing)
    if (episode) putFirst(viewer.id, episode.id)
    store.savedQueues.save(viewer.id, store.queue.find(viewer.id).name, now())
  }

  /** A queue continues with what played in it. */
  function putFirst(userId: number, episodeId: number) {
    const ids = store.queue.idsOf(userId)
    if (ids.indexOf(episodeId) > 0)
      store.queue.replace(userId, [episodeId, ...ids.filter(id => id !== episodeId)], now())
  }

  function requireSaved(userId: number, uuid: string): SavedQueueRow {
    const saved = store.savedQueues.require(userId, uuid)
    if (saved.deleted_at !== null) throw notFound('queue')
    return saved
  }

  return {
    /**
     * Begins an empty queue, and saves the one in use. Throws `invalid-field`, `queue-name-taken` and `queue-changed`.
     */
    begin: (viewer: Viewer, name: string, known: Known) =>
      changing(viewer.id, () => {
        const wanted = requireName(store, viewer.id, name)
        requireRoom(store, viewer.id)
        keepPresent(viewer, known)
        store.queue.replace(viewer.id, [], now())
        store.queue.setName(viewer.id, wanted)
      }),
    /** Uses a saved queue, and saves the one in use instead. Throws `queue-not-found` and `queue-changed`. */
    use: (viewer: Viewer, uuid: string, known: Known) =>
      changing(viewer.id, () => {
        const saved = requireSaved(viewer.id, uuid)
        keepPresent(viewer, known)
        store.savedQueues.use(saved)
        store.queue.setName(viewer.id, saved.name)
      }),
    /** Names the queue in use. Throws `invalid-field` and `queue-name-taken`. */
    name: (viewer: Viewer, name: string) =>
      changing(viewer.id, () =>
        store.queue.setName(viewer.id, requireName(store, viewer.id, name, { isPresent: true })),
      ),
    /** Throws `queue-not-found`, `invalid-field` and `queue-name-taken`. */
    rename: (viewer: Viewer, uuid: string, name: string) =>
      changing(viewer.id, () => {
        const { id } = requireSaved(viewer.id, uuid)
        store.savedQueues.rename(id, requireName(store, viewer.id, name, { except: id }))
      }),
    /** Deletes a saved queue; the last few can be restored. Throws `queue-not-found`. */
    remove: (viewer: Viewer, uuid: string) =>
      changing(viewer.id, () => {
        store.savedQueues.setDeleted(requireSaved(viewer.id, uuid).id, now())
        store.savedQueues.forgetDeleted(viewer.id, MAX_DELETED)
      }),
    /** Restores a deleted queue. Throws `queue-not-found`, `queue-name-taken` and `too-many-queues`. */
    restore: (viewer: Viewer, uuid: string) =>
      changing(viewer.id, () => {
        const { id, name, deleted_at } = store.savedQueues.require(viewer.id, uuid)
        if (deleted_at === null) return
        requireFree(store, viewer.id, name)
        requireRoom(store, viewer.id)
        store.savedQueues.setDeleted(id, null)
      }),
  }
}

function requireRoom(store: Store, userId: number) {
  // One is in use.
  if (store.savedQueues.count(userId) + 1 >= MAX_QUEUES)
    throw new Problem('too-many-queues', `There are ${MAX_QUEUES} queues already`, { limit: String(MAX_QUEUES) })
}

type Except = { except?: number; isPresent?: boolean }

function requireName(store: Store, userId: number, text: string, except: Except = {}): string {
  const name = text.trim()
  if (name === '') throw invalidField('name', '1 to 100 characters')
  requireFree(store, userId, name, except)
  return name
}

const keyOf = (name: string | null) => name && nameKey(name)

/** Throws `queue-name-taken` if another queue has the name; null = that of the main queue. */
function requireFree(store: Store, userId: number, name: string | null, { except, isPresent = false }: Except = {}) {
  const present = store.queue.find(userId).name
  const isTaken = !isPresent && keyOf(present) === keyOf(name)
  const other = store.savedQueues.findByName(userId, name)
  if (isTaken || (other && other.id !== except))
    throw new Problem('queue-name-taken', `Queue ${name ?? ''} already exists`, { name: name ?? '' })
}
