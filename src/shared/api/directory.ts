import { Type, type Static } from '@sinclair/typebox'
import { Nullable } from './parts'

const Text = Type.Optional(Nullable(Type.String()))
const known = {
  /** Whether the library has it. */
  subscribed: Type.Boolean(),
  podcastId: Nullable(Type.String()),
}

export const ItunesResult = Type.Object({
  collectionId: Type.Integer(),
  trackId: Type.Integer(),
  collectionName: Type.String(),
  trackName: Type.String(),
  artistName: Type.String(),
  feedUrl: Text,
  artworkUrl30: Text,
  artworkUrl60: Text,
  artworkUrl100: Text,
  artworkUrl600: Text,
  primaryGenreName: Text,
  genres: Type.Array(Type.String()),
  genreIds: Type.Array(Type.String()),
  releaseDate: Text,
  trackCount: Type.Optional(Nullable(Type.Integer())),
  country: Text,
  trackViewUrl: Text,
  ...known,
})
export type ItunesResult = Static<typeof ItunesResult>
export const ItunesSearch = Type.Object({ resultCount: Type.Integer(), results: Type.Array(ItunesResult) })
export type ItunesSearch = Static<typeof ItunesSearch>

export const PodindexFeed = Type.Object({
  id: Type.Integer(),
  podcastGuid: Text,
  title: Type.String(),
  url: Type.String(),
  originalUrl: Text,
  link: Text,
  description: Text,
  author: Text,
  ownerName: Text,
  image: Text,
  artwork: Text,
  lastUpdateTime: Type.Optional(Nullable(Type.Integer())),
  explicit: Type.Boolean(),
  categories: Type.Record(Type.String(), Type.String()),
  language: Text,
  ...known,
})
export type PodindexFeed = Static<typeof PodindexFeed>
export const PodindexSearch = Type.Object({ status: Type.String(), feeds: Type.Array(PodindexFeed) })
export type PodindexSearch = Static<typeof PodindexSearch>

/** An entry of a directory, by its number in that directory. */
export const DirectoryEntry = Type.Object({ trackId: Type.Integer() })
export type DirectoryEntry = Static<typeof DirectoryEntry>

/** A podcast of any directory, for a person to choose. `podcastId`: the podcast in the library; null if it is new. */
export const DirectoryPodcast = Type.Object({
  feedUrl: Type.String(),
  title: Type.String(),
  author: Type.String(),
  image: Nullable(Type.String()),
  podcastId: Nullable(Type.String()),
})
export type DirectoryPodcast = Static<typeof DirectoryPodcast>

/** Popular podcasts. `isReachable`: whether a directory answers, for this or for a search. */
export const DirectoryChart = Type.Object({ isReachable: Type.Boolean(), podcasts: Type.Array(DirectoryPodcast) })
export type DirectoryChart = Static<typeof DirectoryChart>

/** A podcast, found by the guid that its publisher gave it. */
export const GuidFeed = Type.Object({ feedUrl: Type.String(), title: Type.String() })
export type GuidFeed = Static<typeof GuidFeed>
