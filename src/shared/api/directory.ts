import { type Static, Type } from '@sinclair/typebox'
import { Instant, Nullable, oneOf } from './parts'

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

const PreviewText = Nullable(Type.String())
const Bytes = Nullable(Type.Integer())

/** An episode that a feed lists. `duration` is 0 if the feed does not say. */
const PreviewEpisode = Type.Object({
  name: Type.String(),
  publishedAt: Nullable(Instant),
  duration: Type.Number(),
  /** Address at which this server relays it for an hour, before anything is added. */
  local_url: Type.String(),
})

/** A feed as it would be added; nothing of it is stored. */
export const FeedPreview = Type.Object({
  kind: Type.Literal('feed'),
  /** The address that leads to this feed. */
  feedUrl: Type.String(),
  title: Type.String(),
  author: PreviewText,
  language: PreviewText,
  explicit: Type.Boolean(),
  /** Plain text. */
  summary: PreviewText,
  imageUrl: PreviewText,
  /** Number of episodes on the first page of the feed. */
  episodes: Type.Integer(),
  /** Whether more pages follow, which are read when the podcast is added. */
  hasMorePages: Type.Boolean(),
  /** Whether the feed has items, and none of them can be played. */
  isUnplayable: Type.Boolean(),
  oldestAt: Nullable(Instant),
  newest: Nullable(PreviewEpisode),
  /** Bytes of the newest 5, the newest 25 and all episodes; null if the feed says too little. */
  sizes: Type.Object({ newest5: Bytes, newest25: Bytes, all: Bytes }),
  /** The downloads that follow; null for a user who may not choose them. */
  downloads: Nullable(
    Type.Object({
      /** Number of newest episodes that are downloaded unless another is chosen. */
      usual: Type.Integer(),
      /** Whether new episodes are downloaded as they appear. */
      follows: Type.Boolean(),
      freeBytes: Bytes,
    }),
  ),
})
export type FeedPreview = Static<typeof FeedPreview>

/** A web page that names several feeds. `podcastId`: the podcast in the library, if it has the feed already. */
export const FeedChoice = Type.Object({
  kind: Type.Literal('choice'),
  feeds: Type.Array(
    Type.Object({
      feedUrl: Type.String(),
      title: Type.String(),
      episodes: Type.Integer(),
      podcastId: Nullable(Type.String()),
    }),
  ),
})
export type FeedChoice = Static<typeof FeedChoice>

const KnownFeed = Type.Object({ kind: Type.Literal('known'), podcastId: Type.String(), name: Type.String() })
/** `isRefused`: credentials were given with the address, and the host did not accept them. */
const ClosedFeed = Type.Object({
  kind: Type.Literal('sign-in'),
  feedUrl: Type.String(),
  isRefused: Type.Boolean(),
})
const FeedList = Type.Object({ kind: Type.Literal('opml'), url: Type.String() })

/**
 * A link to a page of another service that leads to no feed. `why`: its shows have no public feed, it has videos without
 * audio, its links don't name the feed, no directory knows the feed, or the server has no key for the directory.
 */
export const ElsewhereLink = Type.Object({
  kind: Type.Literal('elsewhere'),
  service: Type.String(),
  why: oneOf(['no-feed', 'no-audio', 'by-name', 'not-found', 'needs-key']),
  /** The name to search for, as far as the link or its page tells. */
  words: Nullable(Type.String()),
})
export type ElsewhereLink = Static<typeof ElsewhereLink>

/** The preview of an address that somebody is about to add. */
export const PodcastPreview = Type.Union([FeedPreview, FeedChoice, KnownFeed, ClosedFeed, FeedList, ElsewhereLink])
export type PodcastPreview = Static<typeof PodcastPreview>
