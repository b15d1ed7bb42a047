import { Type, type Static } from '@sinclair/typebox'
import { searchFields } from '../choices'
import { Episode } from './episode'
import { History } from './history'
import { Nullable, oneOf } from './parts'
import { PersonListed } from './people'
import { Podcast } from './podcast'

export const SearchField = oneOf(searchFields)
export type SearchField = Static<typeof SearchField>

export const EpisodeHit = Type.Object({
  podcastEpisode: Episode,
  podcastHistoryItem: Nullable(History),
  podcastName: Type.String(),
  matchedIn: SearchField,
  /** Escaped HTML with `<mark>` around the words that matched. */
  snippet: Type.String(),
  startMs: Type.Optional(Type.Integer()),
})
export type EpisodeHit = Static<typeof EpisodeHit>

export const SearchResult = Type.Object({
  podcasts: Type.Array(Podcast),
  people: Type.Array(PersonListed),
  episodes: Type.Array(EpisodeHit),
  /** Whether the library has any transcripts to search. */
  hasTranscripts: Type.Boolean(),
})
export type SearchResult = Static<typeof SearchResult>
