import type { ContinueWith } from '../../shared/api/queue'
import { callsOf } from './calls'
import type { Client } from './client'

export type QueuesApi = ReturnType<typeof queuesApi>

/** Calls about the other queues of a user, and about what plays after the one in use; loaded where they are used. */
export function queuesApi(client: Client) {
  const { get, post, put, remove } = callsOf(client)
  return {
    /** The other queues with the number of their episodes. */
    counted: get('/queues'),
    continueWith: (continueWith: ContinueWith) => put('/queue/continue')({ continueWith }),
    /** Finds the episode of the same podcast to continue with after one, by its `id`. */
    following: get('/podcasts/episodes/:id/following'),
    /** Names the queue in use. */
    name: (name: string) => put('/queue/name')({ name }),
    begin: post('/queues'),
    use: post('/queues/:id/use'),
    rename: (id: string, name: string) => put('/queues/:id')(id, { name }),
    remove: remove('/queues/:id'),
    restore: post('/queues/:id/restore'),
  }
}
