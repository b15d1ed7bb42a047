import type { Episode } from '../../shared/api/episode'
import type { SearchResult } from '../../shared/api/search'
import type { TranscriptHits } from '../../shared/api/transcript'
import type { Client } from './client'

export type SearchQuery = {
  q: string
  in?: string
  podcastId?: string
  downloaded?: boolean
  unplayed?: boolean
  from?: string
  to?: string
  limit?: number
}
export type SearchApi = ReturnType<typeof searchApi>

export const searchApi = (client: Client) => ({
  find: (query: SearchQuery, cursor: string | null, signal?: AbortSignal) =>
    client.page<SearchResult>('/search', { ...query, cursor }, signal),
  /** Where words were said. */
  said: (q: string, page = 0) => client.get<TranscriptHits[]>('/transcripts/search', { q, page }),
  /** The best hundred episodes. */
  episodes: (words: string, signal?: AbortSignal) =>
    client.get<Episode[]>(`/podcasts/${encodeURIComponent(words.trim())}/query`, {}, signal),
})
