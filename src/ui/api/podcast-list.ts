import { callsOf } from './calls'
import type { Client } from './client'
import { type EpisodeQuery, parametersOf } from './episode-query'

/** Calls about the list of a podcast's episodes by places; loaded where they are used. */
export function podcastListApi(client: Client) {
  const { get } = callsOf(client)
  return {
    /** Lists episodes from a place on; those of a season are together if most episodes name one. */
    page: (id: string, query: EpisodeQuery, offset: number, signal?: AbortSignal) =>
      get('/podcasts/:id/episodes')(id, { ...parametersOf(query), offset }, signal),
    /** Returns the length of that list, its seasons or years, and the place of an episode in it. */
    outline: (id: string, query: EpisodeQuery, episode: string | null, signal?: AbortSignal) =>
      get('/podcasts/:id/episodes/outline')(id, { ...parametersOf(query), episode }, signal),
  }
}
