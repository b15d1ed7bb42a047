import { type Static, Type } from '@sinclair/typebox'
import { downloadStates, episodeTypes, queueTurns, yourLists } from '../choices'
import { MAX_CHOSEN } from '../limits'
import { History } from './history'
import { MatchingEpisodes } from './matching'
import { HexColor, Instant, Nullable, oneOf } from './parts'
import { EpisodeForm } from './playables'
import { commonTags, itemTags, Person } from './podcast-tags'
import { Bookmark } from './marks'

const Text = Nullable(Type.String())

export const EpisodeType = oneOf(episodeTypes)
export type EpisodeType = Static<typeof EpisodeType>

/** The reason why a downloaded file was not completely searched for chapters. */
export const ChaptersUnread = oneOf(['too-large', 'too-slow'])
export type ChaptersUnread = Static<typeof ChaptersUnread>

/** The place in the queue for an episode that a person adds. */
export const QueueTurn = oneOf(queueTurns)
export type QueueTurn = Static<typeof QueueTurn>

export const DownloadState = oneOf(downloadStates)
export type DownloadState = Static<typeof DownloadState>

const episodeFields = {
  id: Type.String(),
  legacyId: Nullable(Type.Integer()),
  episode_id: Type.String(),
  podcast_id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  date_of_recording: Instant,
  /** Whether its feed names no date; then `date_of_recording` is when it was first seen. */
  undated: Type.Boolean(),
  image_url: Type.String(),
  local_image_url: Type.String(),
  /** The colour of its picture, else of the podcast's. */
  coverColor: Nullable(HexColor),
  total_time: Type.Integer(),
  local_url: Type.String(),
  status: Type.Boolean(),
  download_time: Nullable(Instant),
  guid: Type.String(),
  deleted: Type.Boolean(),
  episode_numbering_processed: Type.Boolean(),
  link: Text,
  season: Nullable(Type.Integer()),
  episode_number: Nullable(Type.Number()),
  episode_type: EpisodeType,
  explicit: Type.Boolean(),
  mime_type: Text,
  file_size: Nullable(Type.Integer()),
  has_chapters: Type.Boolean(),
  /** The reason why the downloaded file was not searched for chapters; null if it was, or if there is no file. */
  chapters_unread: Nullable(ChaptersUnread),
  has_transcript: Type.Boolean(),
  download_state: Nullable(DownloadState),
  /** Whether a newer episode took over its address; then it plays only if it was downloaded. */
  superseded: Type.Boolean(),
  /** When it was first published, if its publisher has published it again, or a person merged two into it. */
  first_published: Nullable(Instant),
  /** Whether its publisher offers another recording than the file on the server. */
  newer_recording: Type.Boolean(),
}

/** An episode as socket frames carry it: without its notes and the fields that differ per user. */
export const SharedEpisode = Type.Object(episodeFields)
export type SharedEpisode = Static<typeof SharedEpisode>

export const Episode = Type.Object({
  ...episodeFields,
  description: Type.String(),
  favored: Type.Boolean(),
  is_new: Type.Boolean(),
})
export type Episode = Static<typeof Episode>

export const EpisodeWrapper = Type.Object({ podcastEpisode: Episode, podcastHistoryItem: Nullable(History) })
export type EpisodeWrapper = Static<typeof EpisodeWrapper>

export const EpisodeExtras = Type.Object({
  persons: Type.Array(Person),
  soundbites: Type.Array(
    Type.Object({ startTime: Type.Number(), duration: Type.Number(), title: Type.Optional(Type.String()) }),
  ),
  ...commonTags,
  ...itemTags,
  /** Absent if it is the podcast's. */
  author: Type.Optional(Type.String()),
  /** Other forms of the recording: video, a smaller file, another codec or language. */
  forms: Type.Optional(Type.Array(EpisodeForm)),
})
export type EpisodeExtras = Static<typeof EpisodeExtras>

export const EpisodeWithExtras = Type.Object({ ...EpisodeWrapper.properties, extras: EpisodeExtras })
export type EpisodeWithExtras = Static<typeof EpisodeWithExtras>

/**
 * The address of an episode's media for a device without a session, such as a speaker or a television; `expiresAt` is
 * null if it needs no key.
 */
export const MediaAddress = Type.Object({ address: Type.String(), expiresAt: Nullable(Instant) })
export type MediaAddress = Static<typeof MediaAddress>

/** The episode to play next of a podcast, and the reason why it is that one. */
export const NextUp = Type.Object({
  /** begun last, first of a serial, next of a serial, newest unplayed, or finished longest ago */
  reason: Type.Union([
    Type.Literal('begun'),
    Type.Literal('first'),
    Type.Literal('next'),
    Type.Literal('newest'),
    Type.Literal('again'),
  ]),
  episode: EpisodeWrapper,
})
export type NextUp = Static<typeof NextUp>

/** The overview on a podcast's page that leads a user to its episodes. */
export const PodcastOverview = Type.Object({
  counts: Type.Object({
    all: Type.Integer(),
    new: Type.Integer(),
    unplayed: Type.Integer(),
    downloaded: Type.Integer(),
    liked: Type.Integer(),
  }),
  next: Nullable(NextUp),
  newest: Nullable(EpisodeWrapper),
})
export type PodcastOverview = Static<typeof PodcastOverview>

/** `form`: the id of one of the episode's forms, or `main`; absent = as the podcast's settings prefer. */
export const DownloadRequest = Type.Union([
  Type.Object({ form: Type.Optional(Type.String({ maxLength: 40, examples: ['main'] })) }),
  Type.Null(),
])
export const EpisodeFavour = Type.Object({ favored: Type.Boolean() })
/** The other episode of the podcast that is the same, by either of its ids. */
export const SameEpisode = Type.Object({ episode: Type.String({ maxLength: 100 }) })
export const Listened = Type.Object({ until: Type.Optional(Type.String()), finished: Type.Boolean() })
export type Listened = Static<typeof Listened>
/** The number of episodes that a marking changed, and the id that undoes it. */
export const Marked = Type.Object({ affected: Type.Integer(), undo: Type.String() })
export type Marked = Static<typeof Marked>
export const MarkedUndo = Type.Object({ undo: Type.String({ maxLength: 100 }) })
/** The part of a podcast's list that a heading is above: a season (null: the episodes without one) or a year. */
export const EpisodeGroup = Type.Object({
  key: Nullable(Type.Integer()),
  count: Type.Integer(),
  seconds: Type.Integer(),
  /** How many of them the user has finished. */
  finished: Type.Integer(),
})
export type EpisodeGroup = Static<typeof EpisodeGroup>
/**
 * The outline of a podcast's list. `by`: what it is divided by; null = nothing, then there are no groups. `place`: that
 * of the episode that the query names, from 0.
 */
export const EpisodeOutline = Type.Object({
  by: Nullable(oneOf(['season', 'year'])),
  total: Type.Integer(),
  groups: Type.Array(EpisodeGroup),
  place: Nullable(Type.Integer()),
})
export type EpisodeOutline = Static<typeof EpisodeOutline>

/**
 * Episodes by their `id`; those that the user may not see are left out. With `matching`: all that match, except for
 * `episodes`.
 */
export const ChosenEpisodes = Type.Object({
  episodes: Type.Array(Type.String({ maxLength: 100 }), { maxItems: MAX_CHOSEN }),
  matching: Type.Optional(MatchingEpisodes),
})
export type ChosenEpisodes = Static<typeof ChosenEpisodes>
/** All episodes of a list, except for some by their `id`. */
export type AllMatching = MatchingEpisodes & { except?: readonly string[] }
/** Chosen episodes by their `id`, or all that match a filter. */
export type Chosen = readonly string[] | AllMatching
/** The episodes that a request changed, by their `id`, and their number. */
export const ChangedEpisodes = Type.Object({ affected: Type.Integer(), episodes: Type.Array(Type.String()) })
export type ChangedEpisodes = Static<typeof ChangedEpisodes>
export const ChosenListened = Type.Object({ ...ChosenEpisodes.properties, finished: Type.Boolean() })
export const ChosenFavour = Type.Object({ ...ChosenEpisodes.properties, favored: Type.Boolean() })
export const ChosenNew = Type.Object({ ...ChosenEpisodes.properties, isNew: Type.Boolean() })
/** The episodes that are not new any more. */
export const NotNew = Type.Object({ episodes: Type.Array(Type.String()) })
export const ChosenQueued = Type.Object({
  ...ChosenEpisodes.properties,
  at: QueueTurn,
})
export const DownloadRange = Type.Object({ from: Type.Integer({ minimum: 1 }), to: Type.Integer({ minimum: 1 }) })

export const YourList = oneOf(yourLists)

/** An episode of such a list, and when it was added to it; under `bookmarked`, once for each bookmark. */
export const YourEpisode = Type.Object({ ...EpisodeWrapper.properties, at: Instant, bookmark: Nullable(Bookmark) })
export type YourEpisode = Static<typeof YourEpisode>

/** The length of such a list, and the days of a time zone in its order, such as `2026-11-22`. */
export const YourOutline = Type.Object({
  total: Type.Integer(),
  days: Type.Array(Type.Object({ day: Type.String(), count: Type.Integer() })),
})
export type YourOutline = Static<typeof YourOutline>

/** Numbers of episodes, counted up to 10,000. */
export const YourCounts = Type.Object({
  liked: Type.Integer(),
  bookmarked: Type.Integer(),
  'in-progress': Type.Integer(),
  downloaded: Type.Integer(),
})
export type YourCounts = Static<typeof YourCounts>
