import { Type, type Static } from '@sinclair/typebox'
import { Instant, Nullable } from './parts'

/** A user's position in an episode, shaped like an episode action of gPodder. Times are seconds. */
export const History = Type.Object({
  podcast: Type.String(),
  episode: Type.String(),
  timestamp: Instant,
  guid: Nullable(Type.String()),
  action: Type.Union([Type.Literal('new'), Type.Literal('download'), Type.Literal('play'), Type.Literal('delete')]),
  started: Nullable(Type.Integer()),
  position: Nullable(Type.Integer()),
  total: Nullable(Type.Integer()),
  device: Type.String(),
  finished: Type.Boolean(),
})
export type History = Static<typeof History>

/** The position in any episode; one that was never played is `new`, at position 0, with timestamp null. */
export const EpisodeHistory = Type.Object({ ...History.properties, timestamp: Nullable(Instant) })
export type EpisodeHistory = Static<typeof EpisodeHistory>

const Seconds = Type.Number({ minimum: 0, maximum: 10_000_000 })

export const Progress = Type.Object({
  podcastEpisodeId: Type.String(),
  time: Seconds,
  started: Type.Optional(Nullable(Seconds)),
  total: Type.Optional(Nullable(Seconds)),
  timestamp: Type.Optional(Nullable(Type.String())),
  device: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  finished: Type.Optional(Nullable(Type.Boolean())),
  /** Seconds since the last report that took no time: by a higher speed, and by trimming silence. */
  saved: Type.Optional(Seconds),
  trimmed: Type.Optional(Seconds),
  /** Returned with the event of this report, so that its player knows it. */
  sender: Type.Optional(Type.String({ maxLength: 100 })),
})
export type Progress = Static<typeof Progress>

/**
 * The loudness of an episode in LUFS (ITU-R BS.1770), and the seconds of sound that it is based on: at least half a
 * minute, or it could be that of a jingle.
 */
export const MeasuredLoudness = Type.Object({
  lufs: Type.Number({ minimum: -70, maximum: 5 }),
  seconds: Type.Integer({ minimum: 30, maximum: 10_000_000 }),
})
export type MeasuredLoudness = Static<typeof MeasuredLoudness>

/** The loudness that the caller's browsers measured; null = they have not. */
export const Loudness = Type.Object({ measured: Nullable(MeasuredLoudness) })
export type Loudness = Static<typeof Loudness>
