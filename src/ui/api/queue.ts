import type { Queue, QueueAddition, QueueOrder } from '../../shared/api/queue'
import type { Client } from './client'

export type QueueApi = ReturnType<typeof queueApi>

export const queueApi = (client: Client) => ({
  find: () => client.get<Queue>('/queue'),
  add: (addition: QueueAddition) => client.post<Queue>('/queue/items', addition),
  /** Puts episodes, by their `id`, at the head of the queue or behind it. */
  addAll: (episodes: readonly string[], at: 'next' | 'last') =>
    client.post<void>('/podcasts/episodes/batch/queue', { episodes, at }),
  reorder: (order: QueueOrder) => client.put<Queue>('/queue', order),
  remove: (itemId: string) => client.remove(`/queue/items/${itemId}`),
})
