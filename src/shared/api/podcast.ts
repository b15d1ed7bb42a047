import { Type, type Static } from '@sinclair/typebox'
import { Tag } from './tag'
import { Code, Instant, Nullable } from './parts'

const Text = Nullable(Type.String())

const podcastFields = {
  id: Type.String(),
  legacyId: Nullable(Type.Integer()),
  name: Type.String(),
  directory_id: Type.String(),
  directory_name: Type.String(),
  podfetch_feed: Type.String(),
  rssfeed: Type.String(),
  image_url: Type.String(),
  original_image_url: Type.String(),
  summary: Text,
  author: Text,
  language: Text,
  keywords: Text,
  /** Whether episodes are meant to be played in order, from the first on. */
  serial: Type.Boolean(),
  explicit: Type.Union([Type.Literal('true'), Type.Literal('false')]),
  last_build_date: Nullable(Instant),
  active: Type.Boolean(),
  guid: Text,
  link: Text,
  medium: Text,
  episode_count: Type.Integer(),
  added_at: Instant,
  last_episode_at: Nullable(Instant),
  last_checked_at: Nullable(Instant),
  next_check_at: Nullable(Instant),
  feed_state: Type.Union([Type.Literal('ok'), Type.Literal('failing'), Type.Literal('gone'), Type.Literal('inactive')]),
  last_error: Nullable(Type.Object({ errorCode: Code, message: Type.String(), since: Instant })),
  /** Whether the latest feed was cut short or had broken items; its readable part was stored. */
  has_warnings: Type.Boolean(),
  has_credentials: Type.Boolean(),
  /** Number of items in the feed, and of those with nothing to play. */
  feed_items: Type.Integer(),
  feed_unplayable: Type.Integer(),
}

/** A podcast as socket frames carry it: without the fields that differ per user. */
export const SharedPodcast = Type.Object(podcastFields)
export type SharedPodcast = Static<typeof SharedPodcast>

export const Podcast = Type.Object({
  ...podcastFields,
  favorites: Type.Boolean(),
  tags: Type.Array(Tag),
  unlistened_count: Type.Integer(),
})
export type Podcast = Static<typeof Podcast>

export const PodcastExtras = Type.Object({
  funding: Type.Array(Type.Object({ url: Type.String(), text: Type.String() })),
  persons: Type.Array(
    Type.Object({
      name: Type.String(),
      role: Type.Optional(Type.String()),
      img: Type.Optional(Type.String()),
      href: Type.Optional(Type.String()),
    }),
  ),
  location: Type.Optional(Type.String()),
  podroll: Type.Array(Type.Object({ title: Type.Optional(Type.String()), feedUrl: Type.String() })),
  value: Type.Optional(Type.Unknown()),
})
export type PodcastExtras = Static<typeof PodcastExtras>

export const PodcastWithExtras = Type.Composite([Podcast, Type.Object({ extras: PodcastExtras })])
export type PodcastWithExtras = Static<typeof PodcastWithExtras>

export const FeedAddress = Type.Object({ rssFeedUrl: Type.String() })
export const NewPodcast = Type.Object({
  rssFeedUrl: Type.String(),
  /** Whether to add a feed even if nothing in it can be played. */
  even_unplayable: Type.Optional(Type.Boolean()),
})
export const PodcastName = Type.Object({ name: Type.String({ minLength: 1, maxLength: 500 }) })
export const PodcastFavour = Type.Object({ id: Type.String(), favored: Type.Boolean() })
export const PodcastActive = Type.Union([Type.Object({ active: Type.Boolean() }), Type.Null()])
export const PodcastRemoval = Type.Union([Type.Object({ delete_files: Type.Optional(Type.Boolean()) }), Type.Null()])
/** A feed that one of the caller's podcast apps subscribes to and the library does not have. */
export const AvailableFeed = Type.Object({ device: Type.String(), podcast: Type.String() })
export type AvailableFeed = Static<typeof AvailableFeed>
export const Queued = Type.Object({ queued: Type.Integer() })
export type Queued = Static<typeof Queued>
export const Affected = Type.Object({ affected: Type.Integer() })
export type Affected = Static<typeof Affected>

/** The filter and order that a user chose for the list of podcasts. */
export const Filter = Type.Object({
  user_id: Type.String(),
  title: Nullable(Type.String()),
  ascending: Type.Boolean(),
  filter: Type.Union([Type.Literal('TITLE'), Type.Literal('PUBLISHEDDATE')]),
  only_favored: Type.Boolean(),
})
export type Filter = Static<typeof Filter>
export const FilterEdit = Type.Object({
  title: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  ascending: Type.Boolean(),
  filter: Type.Union([Type.Literal('TITLE'), Type.Literal('PUBLISHEDDATE')]),
  only_favored: Type.Boolean(),
})
export type FilterEdit = Static<typeof FilterEdit>
