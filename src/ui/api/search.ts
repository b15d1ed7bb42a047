import type { Episode } from '../../shared/api/episode'
import type { SearchResult } from '../../shared/api/search'
import type { TranscriptHits } from '../../shared/api/transcript'
import type { Client } from './client'

type SearchQuery = {
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
  /** Finds the places in transcripts where the words were said. */
  said: (q: string, page = 0) => client.get<TranscriptHits[]>('/transcripts/search', { q, page }),
  /** Finds the hundred best episodes. */
  episodes: (words: string, signal?: AbortSignal) =>
    client.get<Episode[]>(`/podcasts/${encodeURIComponent(words.trim())}/query`, {}, signal),
})
