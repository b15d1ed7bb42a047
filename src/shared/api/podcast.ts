import { type Static, Type } from '@sinclair/typebox'
import { Code, HexColor, Instant, Nullable, oneOf } from './parts'
import { LiveItem, Trailer } from './playables'
import { channelTags, commonTags, Person, RemoteItem } from './podcast-tags'
import { tagColors } from '../choices'

export const TagColor = oneOf(tagColors)
export type TagColor = Static<typeof TagColor>

export const Tag = Type.Object({
  id: Type.String(),
  name: Type.String(),
  color: TagColor,
  user_id: Type.String(),
  description: Nullable(Type.String()),
  created_at: Instant,
})
export type Tag = Static<typeof Tag>

const Description = Type.Optional(Nullable(Type.String({ maxLength: 1000 })))

export const NewTag = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  color: TagColor,
  description: Description,
})
export type NewTag = Static<typeof NewTag>

export const TagEdit = Type.Partial(NewTag)
export type TagEdit = Static<typeof TagEdit>

export const TagAssignment = Type.Object({ tag_id: Type.String(), podcast_id: Type.String() })

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
  /** The accent colour from the cover. */
  coverColor: Nullable(HexColor),
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
  newest_episode_name: Text,
  /** Number and bytes of the files on the server. */
  downloaded_count: Type.Integer(),
  downloaded_bytes: Type.Integer(),
  /** `none`: a folder of files without a feed; `rssfeed` is empty then. */
  feed_state: Type.Union([
    Type.Literal('ok'),
    Type.Literal('failing'),
    Type.Literal('gone'),
    Type.Literal('inactive'),
    Type.Literal('none'),
  ]),
  /** Number of checks that failed in a row. */
  feed_failures: Type.Integer(),
  last_error: Nullable(Type.Object({ errorCode: Code, message: Type.String(), since: Instant })),
  /** Whether the latest feed was cut short or had broken items; its readable part was stored. */
  has_warnings: Type.Boolean(),
  has_credentials: Type.Boolean(),
  /** Number of items in the feed, and of those with nothing to play. */
  feed_items: Type.Integer(),
  feed_unplayable: Type.Integer(),
}

/** A category of podcasts by its widest name, as feeds have it, and its podcasts by their ids. */
export const PodcastCategory = Type.Object({ name: Type.String(), podcastIds: Type.Array(Type.String()) })
export type PodcastCategory = Static<typeof PodcastCategory>

const checkTimes = { last_checked_at: Nullable(Instant), next_check_at: Nullable(Instant) }

/**
 * The last check of a podcast's feed and the next one; lists of podcasts leave them out, as they change all the time.
 */
export const FeedCheck = Type.Object({ id: Type.String(), ...checkTimes })
export type FeedCheck = Static<typeof FeedCheck>

/** A podcast as socket frames carry it: without the fields that differ per user. */
export const SharedPodcast = Type.Object(podcastFields)
export type SharedPodcast = Static<typeof SharedPodcast>

export const Podcast = Type.Object({
  ...podcastFields,
  favorites: Type.Boolean(),
  tags: Type.Array(Tag),
  unlistened_count: Type.Integer(),
  /** Number of episodes that came since the user had the podcast, or that were marked as new, and are not played yet. */
  new_count: Type.Integer(),
  last_played_at: Nullable(Instant),
})
export type Podcast = Static<typeof Podcast>

/** A podcast as grids, tables and menus show it: the list of a thousand is a third as long. Its page reads the rest. */
export const PodcastBrief = Type.Pick(Podcast, [
  'id',
  'name',
  'image_url',
  'coverColor',
  'author',
  'language',
  'serial',
  'active',
  'episode_count',
  'added_at',
  'last_episode_at',
  'newest_episode_name',
  'downloaded_count',
  'downloaded_bytes',
  'feed_state',
  'feed_failures',
  'last_error',
  'favorites',
  'tags',
  'unlistened_count',
  'new_count',
  'last_played_at',
])
export type PodcastBrief = Static<typeof PodcastBrief>
/** A podcast in the interface: as the list had it, or more of it from its page and from events. */
export type KnownPodcast = PodcastBrief & Partial<Podcast>

export const PodcastExtras = Type.Object({
  funding: Type.Array(Type.Object({ url: Type.String(), text: Type.String() })),
  persons: Type.Array(Person),
  podroll: Type.Array(RemoteItem),
  ...commonTags,
  ...channelTags,
  trailers: Type.Optional(Type.Array(Trailer)),
  /** Live streams that the feed announced when it was last checked. */
  live: Type.Optional(Type.Array(LiveItem)),
})
export type PodcastExtras = Static<typeof PodcastExtras>

export const PodcastWithExtras = Type.Object({ ...Podcast.properties, ...checkTimes, extras: PodcastExtras })
export type PodcastWithExtras = Static<typeof PodcastWithExtras>

export const FeedAddress = Type.Object({ rssFeedUrl: Type.String() })
/** The user agent to send instead of Castellan's, for a host that refuses that; stored in the podcast's settings. */
const userAgent = Type.Optional(Type.String({ maxLength: 300 }))
export const FeedLook = Type.Object({ rssFeedUrl: Type.String(), userAgent })
export const NewPodcast = Type.Object({
  rssFeedUrl: Type.String(),
  /** Whether to add a feed even if nothing in it can be played. */
  even_unplayable: Type.Optional(Type.Boolean()),
  /** Number of newest episodes to download, null for all of them; only uploaders may choose. */
  first_downloads: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 50_000 }))),
  userAgent,
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
/** The `undo` cancels what was queued and is not downloaded yet. */
export const QueuedAll = Type.Object({ queued: Type.Integer(), undo: Type.String() })
export type QueuedAll = Static<typeof QueuedAll>
/** The episodes of a podcast without a file, with their size as far as the feed states it. */
export const MissingFiles = Type.Object({
  episodes: Type.Integer(),
  bytes: Type.Integer(),
  /** Number of episodes whose size the feed does not state. */
  unknownSizes: Type.Integer(),
  /** Room above the reserve; null = unknown. */
  freeBytes: Nullable(Type.Integer()),
})
export type MissingFiles = Static<typeof MissingFiles>
export const Affected = Type.Object({ affected: Type.Integer() })
export type Affected = Static<typeof Affected>

export const PodcastOrder = oneOf(['TITLE', 'PUBLISHEDDATE'])
export type PodcastOrder = Static<typeof PodcastOrder>

/** The filter and order that a user chose for the list of podcasts. */
export const Filter = Type.Object({
  user_id: Type.String(),
  title: Nullable(Type.String()),
  ascending: Type.Boolean(),
  filter: PodcastOrder,
  only_favored: Type.Boolean(),
})
export type Filter = Static<typeof Filter>
export const FilterEdit = Type.Object({
  title: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  ascending: Type.Boolean(),
  filter: PodcastOrder,
  only_favored: Type.Boolean(),
})
export type FilterEdit = Static<typeof FilterEdit>
