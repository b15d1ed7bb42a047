import { type Static, Type } from '@sinclair/typebox'
import { searchFields } from '../choices'
import { Episode } from './episode'
import { History } from './history'
import { Nullable, oneOf } from './parts'
import { Podcast } from './podcast'

/** A person whom feeds name, distinguished by the name. */
export const PersonListed = Type.Object({
  name: Type.String(),
  /** Their picture, relayed by our server. */
  picture: Nullable(Type.String()),
  /** Number of podcasts that name them as a whole, and of episodes, at most 1,000. */
  podcasts: Type.Integer(),
  episodes: Type.Integer(),
})
export type PersonListed = Static<typeof PersonListed>

export const PersonPage = Type.Object({
  ...PersonListed.properties,
  /** All episodes that name them. */
  episodes: Type.Integer(),
  /** The podcasts that name them as a whole, at most 100. */
  takesPartIn: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
})
export type PersonPage = Static<typeof PersonPage>

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
