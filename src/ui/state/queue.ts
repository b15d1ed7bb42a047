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
    /** Adds episodes, by their `id`, and returns what brings the old order back. */
    async addAll(episodes: readonly string[], at: 'next' | 'last') {
      const before = items.value
      await api.addAll(episodes, at)
      show(await api.find())
      return () => api.reorder(orderOf(before)).then(show)
    },
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
    /** Removes an entry, and returns what puts it back in its place. Gone at once. */
    async remove(item: QueueItem) {
      const place = items.value.findIndex(({ id }) => id === item.id)
      items.value = items.value.filter(({ id }) => id !== item.id)
      try {
        await api.remove(item.id)
      } catch (error) {
        show(await api.find())
        throw error
      }
      return () => api.add({ episode: item.podcastEpisode.id, at: Math.max(0, place) }).then(show)
    },
    /** Shuffles it, and returns what brings the old order back. `draw`: draws a place below a number. */
    shuffle: (draw = drawBelow) => replace(shuffled(items.value, draw)),
    putFirst: (wrappers: readonly EpisodeWrapper[]) => replace([...wrappers, ...items.value]),
    clear: () => replace([]),
    /** Finds the entry of an episode, by the episode's `id`. */
    find: (episodeId: string): QueueItem | undefined =>
      items.peek().find(({ podcastEpisode }) => podcastEpisode.id === episodeId),
  }
}

/** Returns the items in an order in which each is as likely at every place (Fisher and Yates). */
function shuffled<T>(items: readonly T[], draw: (below: number) => number): T[] {
  const all = [...items]
  for (let last = all.length - 1; last > 0; last--) {
    const chosen = draw(last + 1)
    ;[all[last], all[chosen]] = [all[chosen]!, all[last]!]
  }
  return all
}

/** Draws a whole number that is at least 0 and less than `below`. */
function drawBelow(below: number): number {
  // Beyond it, a remainder would make the first numbers likelier.
  const fair = 2 ** 32 - (2 ** 32 % below)
  const drawn = new Uint32Array(1)
  do crypto.getRandomValues(drawn)
  while (drawn[0]! >= fair)
  return drawn[0]! % below
}

const orderOf = (wanted: readonly { podcastEpisode: { id: string } }[]) => ({
  items: wanted.map(({ podcastEpisode }) => ({ episode: podcastEpisode.id })),
})
