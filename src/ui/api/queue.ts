import type { Queue, QueueAddition, QueueOrder } from '../../shared/api/queue'
import type { Client } from './client'

export type QueueApi = ReturnType<typeof queueApi>

export const queueApi = (client: Client) => ({
  find: () => client.get<Queue>('/queue'),
  add: (addition: QueueAddition) => client.post<Queue>('/queue/items', addition),
  reorder: (order: QueueOrder) => client.put<Queue>('/queue', order),
  remove: (itemId: string) => client.remove(`/queue/items/${itemId}`),
})
