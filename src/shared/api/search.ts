import { Type, type Static } from '@sinclair/typebox'
import { Episode } from './episode'
import { History } from './history'
import { Nullable } from './parts'
import { PersonListed } from './people'
import { Podcast } from './podcast'

export const SearchField = Type.Union([
  Type.Literal('podcasts'),
  Type.Literal('people'),
  Type.Literal('titles'),
  Type.Literal('notes'),
  Type.Literal('chapters'),
  Type.Literal('transcripts'),
])
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
})
export type SearchResult = Static<typeof SearchResult>
