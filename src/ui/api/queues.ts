import type { ContinueWith, CountedQueue, Following, NewQueue, Queue, QueueChange } from '../../shared/api/queue'
import type { Client } from './client'

export type QueuesApi = ReturnType<typeof queuesApi>

/** Calls about the other queues of a user, and about what plays after the one in use; loaded where they are used. */
export const queuesApi = (client: Client) => ({
  /** The other queues with the number of their episodes. */
  counted: () => client.get<CountedQueue[]>('/queues'),
  continueWith: (continueWith: ContinueWith) => client.put<Queue>('/queue/continue', { continueWith }),
  /** Finds the episode of the same podcast to continue with after one, by its `id`. */
  following: (episode: string) => client.get<Following>(`/podcasts/episodes/${episode}/following`),
  /** Names the queue in use. */
  name: (name: string) => client.put<Queue>('/queue/name', { name }),
  begin: (queue: NewQueue) => client.post<Queue>('/queues', queue),
  use: (id: string, change: QueueChange) => client.post<Queue>(`/queues/${id}/use`, change),
  rename: (id: string, name: string) => client.put<Queue>(`/queues/${id}`, { name }),
  remove: (id: string) => client.remove(`/queues/${id}`),
  restore: (id: string) => client.post<Queue>(`/queues/${id}/restore`),
})
