import { Type, type Static } from '@sinclair/typebox'
import { Instant, Nullable } from './parts'

const Text = Nullable(Type.String())
const Bytes = Nullable(Type.Integer())

/** An episode that a feed lists. `duration` is 0 if the feed does not say. */
export const PreviewEpisode = Type.Object({
  name: Type.String(),
  publishedAt: Nullable(Instant),
  duration: Type.Number(),
})

/** A feed as it would be added; nothing of it is stored. */
export const FeedPreview = Type.Object({
  kind: Type.Literal('feed'),
  /** The address that leads to this feed. */
  feedUrl: Type.String(),
  title: Type.String(),
  author: Text,
  language: Text,
  explicit: Type.Boolean(),
  /** Plain text. */
  summary: Text,
  imageUrl: Text,
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

/** The preview of an address that somebody is about to add. */
export const PodcastPreview = Type.Union([FeedPreview, FeedChoice, KnownFeed, ClosedFeed, FeedList])
export type PodcastPreview = Static<typeof PodcastPreview>
