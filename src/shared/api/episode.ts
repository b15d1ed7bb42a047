import { Type, type Static } from '@sinclair/typebox'
import { History } from './history'
import { Instant, Nullable } from './parts'

const Text = Nullable(Type.String())

export const DownloadState = Type.Union([
  Type.Literal('queued'),
  Type.Literal('running'),
  Type.Literal('waiting'),
  Type.Literal('paused'),
  Type.Literal('failed'),
  Type.Literal('done'),
])
export type DownloadState = Static<typeof DownloadState>

const episodeFields = {
  id: Type.String(),
  legacyId: Nullable(Type.Integer()),
  episode_id: Type.String(),
  podcast_id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  date_of_recording: Instant,
  image_url: Type.String(),
  local_image_url: Type.String(),
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
  episode_type: Type.Union([Type.Literal('full'), Type.Literal('trailer'), Type.Literal('bonus')]),
  explicit: Type.Boolean(),
  mime_type: Text,
  file_size: Nullable(Type.Integer()),
  has_chapters: Type.Boolean(),
  /** The reason why the downloaded file was not searched for chapters; null if it was, or if there is no file. */
  chapters_unread: Nullable(Type.Union([Type.Literal('too-large'), Type.Literal('too-slow')])),
  has_transcript: Type.Boolean(),
  download_state: Nullable(DownloadState),
  /** Whether a newer episode took over its address; then it plays only if it was downloaded. */
  superseded: Type.Boolean(),
}

/** An episode as socket frames carry it: without its notes and the fields that differ per user. */
export const SharedEpisode = Type.Object(episodeFields)
export type SharedEpisode = Static<typeof SharedEpisode>

export const Episode = Type.Object({ ...episodeFields, description: Type.String(), favored: Type.Boolean() })
export type Episode = Static<typeof Episode>

export const EpisodeWrapper = Type.Object({ podcastEpisode: Episode, podcastHistoryItem: Nullable(History) })
export type EpisodeWrapper = Static<typeof EpisodeWrapper>

export const EpisodeExtras = Type.Object({
  persons: Type.Array(
    Type.Object({
      name: Type.String(),
      role: Type.Optional(Type.String()),
      img: Type.Optional(Type.String()),
      href: Type.Optional(Type.String()),
    }),
  ),
  soundbites: Type.Array(
    Type.Object({ startTime: Type.Number(), duration: Type.Number(), title: Type.Optional(Type.String()) }),
  ),
  location: Type.Optional(Type.String()),
  value: Type.Optional(Type.Unknown()),
})
export type EpisodeExtras = Static<typeof EpisodeExtras>

export const EpisodeWithExtras = Type.Composite([EpisodeWrapper, Type.Object({ extras: EpisodeExtras })])
export type EpisodeWithExtras = Static<typeof EpisodeWithExtras>

export const EpisodeFavour = Type.Object({ favored: Type.Boolean() })
export const Listened = Type.Object({ until: Type.Optional(Type.String()), finished: Type.Boolean() })
export type Listened = Static<typeof Listened>
/** The number of episodes that a marking changed, and the id that undoes it. */
export const Marked = Type.Object({ affected: Type.Integer(), undo: Type.String() })
export type Marked = Static<typeof Marked>
export const MarkedUndo = Type.Object({ undo: Type.String({ maxLength: 100 }) })
export const DownloadRange = Type.Object({ from: Type.Integer({ minimum: 1 }), to: Type.Integer({ minimum: 1 }) })
