import { signal } from '@preact/signals-core'
import type { EpisodeWrapper } from '../../shared/api/episode'
import type { Queue, QueueItem } from '../../shared/api/queue'
import type { QueueApi } from '../api/queue'
import { moved } from './moved'

export type QueueState = ReturnType<typeof createQueue>

/** The episodes that play next, the same in every browser of their user. */
export function createQueue(api: QueueApi) {
  const items = signal<readonly QueueItem[]>([])
  let version = -1

  const show = (queue: Queue) => {
    // Answers may arrive in another order than the changes that they describe.
    if (queue.version < version) return
    version = queue.version
    items.value = queue.items
  }
  /** Replaces the queue, and returns what brings the old order back. */
  async function replace(wanted: readonly Pick<EpisodeWrapper, 'podcastEpisode'>[]) {
    const before = items.value
    show(await api.reorder(orderOf(wanted)))
    return () => api.reorder(orderOf(before)).then(show)
  }

  return {
    items,
    load: async () => show(await api.find()),
    /** Follows a change to version `to`, which this very page may have made. */
    async changed(to: number) {
      if (to > version) show(await api.find())
    },
    add: async (episode: string, at: 'next' | 'last') => show(await api.add({ episode, at })),
    /** Moves an episode. Shown at once; the server's answer replaces it. */
    async move(from: number, to: number) {
      const before = items.value
      items.value = moved(before, from, to)
      try {
        show(await api.reorder({ ...orderOf(items.value), version }))
      } catch (error) {
        items.value = before
        show(await api.find())
        throw error
      }
    },
    async remove(item: QueueItem) {
      items.value = items.value.filter(({ id }) => id !== item.id)
      await api.remove(item.id)
    },
    putFirst: (wrappers: readonly EpisodeWrapper[]) => replace([...wrappers, ...items.value]),
    clear: () => replace([]),
    /** Finds the entry of an episode, by the episode's `id`. */
    find: (episodeId: string): QueueItem | undefined =>
      items.peek().find(({ podcastEpisode }) => podcastEpisode.id === episodeId),
  }
}

const orderOf = (wanted: readonly { podcastEpisode: { id: string } }[]) => ({
  items: wanted.map(({ podcastEpisode }) => ({ episode: podcastEpisode.id })),
})
