import type { EpisodeHistory, History, Progress } from '../../shared/api/history'
import type { LastWatched } from '../../shared/api/timeline'
import type { Client } from './client'

export const playbackApi = (client: Client) => ({
  /** Finds the user's position in an episode; an episode that was never played is at 0. */
  find: (eid: string) => client.get<EpisodeHistory>(`/podcasts/episode/${eid}`),
  /** `leaving`: the page is about to go away, and the request must outlive it. */
  save: (progress: Progress, { leaving = false } = {}) =>
    client.post<History>('/podcasts/episode', progress, { keepalive: leaving }),
  /** Hides an episode, by its `id`, from what is to be continued; or takes that back. */
  hide: (id: string, hidden: boolean) =>
    hidden ? client.put<void>(`/podcasts/episode/${id}/hidden`) : client.remove(`/podcasts/episode/${id}/hidden`),
  lastWatched: (limit: number) => client.get<LastWatched[]>('/podcasts/episode/lastwatched', { limit }),
})
