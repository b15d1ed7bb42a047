import { signal } from '@preact/signals-core'
import type { EpisodeWrapper } from '../../shared/api/episode'
import type { Queue, QueueItem } from '../../shared/api/queue'
import type { QueueApi } from '../api/queue'

/** What plays next, the same in every browser of its user. */
export function createQueue(api: QueueApi) {
  const items = signal<readonly QueueItem[]>([])
  let version = -1

  const take = (queue: Queue) => {
    // Answers may arrive in another order than the changes that they tell of.
    if (queue.version < version) return
    version = queue.version
    items.value = queue.items
  }
  const order = (wanted: readonly { podcastEpisode: { id: string } }[]) => ({
    items: wanted.map(({ podcastEpisode }) => ({ episode: podcastEpisode.id })),
  })

  return {
    items,
    async load() {
      take(await api.find())
    },
    /** Somebody, perhaps this very page, has changed it. */
    async changed(to: number) {
      if (to > version) take(await api.find())
    },
    add: async (episode: string, at: 'next' | 'last') => take(await api.add({ episode, at })),
    /** Shown at once; what the server says counts. */
    async move(from: number, to: number) {
      const before = items.value
      const moved = [...before]
      moved.splice(to, 0, ...moved.splice(from, 1))
      items.value = moved
      try {
        take(await api.reorder({ ...order(moved), version }))
      } catch (error) {
        items.value = before
        take(await api.find())
        throw error
      }
    },
    async remove(item: QueueItem) {
      items.value = items.value.filter(({ id }) => id !== item.id)
      await api.remove(item.id)
    },
    /** These first, then what was there. Answers what brings the old order back. */
    async putFirst(wrappers: readonly EpisodeWrapper[]) {
      const before = items.value
      take(await api.reorder(order([...wrappers, ...before])))
      return () => api.reorder(order(before)).then(take)
    },
    async clear() {
      const before = items.value
      take(await api.reorder({ items: [] }))
      return () => api.reorder(order(before)).then(take)
    },
    /** The place of an episode in it, where it has one. */
    find: (episodeId: string): QueueItem | undefined =>
      items.peek().find(({ podcastEpisode }) => podcastEpisode.id === episodeId),
  }
}
export type QueueState = ReturnType<typeof createQueue>
