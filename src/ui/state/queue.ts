import { batch, signal } from '@preact/signals-core'
import type { Chosen, EpisodeWrapper, QueueTurn } from '../../shared/api/episode'
import type { ContinueWith, KeptQueue, Queue, QueueAddition, QueueItem } from '../../shared/api/queue'
import type { Api } from '../api'

export type QueueState = ReturnType<typeof createQueue>

/** `add` resolves with null if it is sent later. */
type QueueApi = Omit<Api['queue'], 'add'> & {
  add: (addition: QueueAddition, shown?: EpisodeWrapper) => Promise<Queue | null>
}

/** The episodes that play next, and the other queues of their user: the same in every browser. */
export function createQueue(api: QueueApi) {
  const items = signal<readonly QueueItem[]>([])
  /** The name of this queue; null = the main queue. */
  const name = signal<string | null>(null)
  const continueWith = signal<ContinueWith>('nothing')
  const others = signal<readonly KeptQueue[]>([])
  let version = -1

  const show = (queue: Queue) => {
    // Answers may arrive in another order than the changes that they describe.
    if (queue.version < version) return
    version = queue.version
    batch(() => {
      items.value = queue.items
      name.value = queue.name
      continueWith.value = queue.continueWith
      others.value = queue.others
    })
  }
  async function add(addition: QueueAddition, shown?: EpisodeWrapper) {
    const queue = await api.add(addition, shown)
    if (queue) show(queue)
    else if (shown) items.value = (await import('./revise')).queuedLater(items.peek(), shown, addition.at)
  }
  /** Sends a change that is based on the version here. If it is refused, the server's queue is shown. */
  async function change(send: (version: number) => Promise<Queue>) {
    try {
      show(await send(version))
    } catch (error) {
      show(await api.find())
      throw error
    }
  }
  /** Replaces the queue, and returns a function that restores the old order. */
  async function replace(wanted: readonly Pick<EpisodeWrapper, 'podcastEpisode'>[]) {
    const before = items.value
    show(await api.reorder(orderOf(wanted)))
    return () => api.reorder(orderOf(before)).then(show)
  }

  return {
    items,
    name,
    continueWith,
    others,
    load: async () => show(await api.find()),
    change,
    /** Follows a change to version `to`, which this page may have made itself. */
    async changed(to: number) {
      if (to > version) show(await api.find())
    },
    /** Adds an episode. Without the server it is `shown`, and added later. */
    add: (episode: string, at: QueueTurn, shown?: EpisodeWrapper) => add({ episode, at }, shown),
    /** Adds episodes, by their `id`, and returns a function that restores the old order. */
    async addAll(episodes: Chosen, at: QueueTurn) {
      const before = items.value
      await api.addAll(episodes, at)
      show(await api.find())
      return () => api.reorder(orderOf(before)).then(show)
    },
    /** Removes an entry at once, and returns a function that puts it back in its place. */
    async remove(item: QueueItem) {
      const place = items.value.findIndex(({ id }) => id === item.id)
      items.value = items.value.filter(({ id }) => id !== item.id)
      try {
        await api.remove(item.id)
      } catch (error) {
        show(await api.find())
        throw error
      }
      return () => add({ episode: item.podcastEpisode.id, at: Math.max(0, place) }, item)
    },
    replace,
    /** Finds the entry of an episode, by the episode's `id`. */
    find: (episodeId: string): QueueItem | undefined =>
      items.peek().find(({ podcastEpisode }) => podcastEpisode.id === episodeId),
  }
}

/** An automatic entry stays one when it returns. */
export const orderOf = (wanted: readonly { podcastEpisode: { id: string }; automatic?: boolean }[]) => ({
  items: wanted.map(({ podcastEpisode, automatic }) => ({
    episode: podcastEpisode.id,
    ...(automatic && { automatic }),
  })),
})

/** Moves one item of a list to another place; the list itself stays as it is. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const list = [...items]
  list.splice(to, 0, ...list.splice(from, 1))
  return list
}
