import type { History, Progress } from '../../shared/api/history'
import type { LastWatched } from '../../shared/api/timeline'
import { ApiError, type Client } from './client'

export const playbackApi = (client: Client) => ({
  /** Where the user is in an episode; null = never played. */
  find: (eid: string) =>
    client.get<History>(`/podcasts/episode/${eid}`).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }),
  /** `leaving`: the page is about to go away, and the request must outlive it. */
  save: (progress: Progress, { leaving = false } = {}) =>
    client.post<History>('/podcasts/episode', progress, { keepalive: leaving }),
  lastWatched: (limit: number) => client.get<LastWatched[]>('/podcasts/episode/lastwatched', { limit }),
})
