import { Type, type Static } from '@sinclair/typebox'
import { transcriptionStates } from '../choices'
import { Code, Instant, Nullable, oneOf } from './parts'

export const TranscriptionState = oneOf(transcriptionStates)
export type TranscriptionState = Static<typeof TranscriptionState>

/** The transcription of an episode's file by the speech server. */
export const Transcription = Type.Object({
  id: Type.String(),
  episodeId: Type.String(),
  episode_id: Type.String(),
  podcastId: Type.String(),
  episodeName: Type.String(),
  podcastName: Type.String(),
  state: TranscriptionState,
  /** Bytes of the file that were sent, and all of them; null unless it runs. */
  sentBytes: Nullable(Type.Integer()),
  totalBytes: Nullable(Type.Integer()),
  attempts: Type.Integer(),
  errorCode: Nullable(Code),
  /** The speech server's message, for uploaders. */
  message: Nullable(Type.String()),
  nextAttemptAt: Nullable(Instant),
  createdAt: Instant,
  startedAt: Nullable(Instant),
  automatic: Type.Boolean(),
})
export type Transcription = Static<typeof Transcription>

/** Those that are not done; only the first are listed. `model`: null = this server makes no transcripts. */
export const TranscriptionList = Type.Object({
  model: Nullable(Type.String()),
  counts: Type.Object({
    queued: Type.Integer(),
    running: Type.Integer(),
    waiting: Type.Integer(),
    failed: Type.Integer(),
  }),
  items: Type.Array(Transcription),
})
export type TranscriptionList = Static<typeof TranscriptionList>

/** Why an episode cannot be transcribed now. */
export const TranscriptionObstacle = Type.Union([
  Type.Literal('not-configured'),
  Type.Literal('not-downloaded'),
  Type.Literal('published'),
])
export type TranscriptionObstacle = Static<typeof TranscriptionObstacle>

/** The state of the transcript of an episode: what can be done about it, and what is being done. */
export const EpisodeTranscription = Type.Object({
  obstacle: Nullable(TranscriptionObstacle),
  /** Null: nothing is running or waiting. */
  current: Nullable(Transcription),
})
export type EpisodeTranscription = Static<typeof EpisodeTranscription>
