import { type Static, Type } from '@sinclair/typebox'
import { transcriptionStates } from '../choices'
import { Episode } from './episode'
import { Code, Instant, Nullable, oneOf } from './parts'

/** A document that a feed names: whether it was fetched and could be read. */
const documentFields = {
  status: Type.Union([
    Type.Literal('pending'),
    Type.Literal('downloaded'),
    Type.Literal('parsed'),
    Type.Literal('failed'),
  ]),
  error: Nullable(Type.String()),
  /** Why it failed, as `cause` or `cause:detail`: `status:404`, `other:html`, `unreachable`, `too-large`. */
  cause: Nullable(Type.String()),
}

/** The chapter file that a feed names for an episode. */
export const ChapterFile = Type.Object(documentFields)
export type ChapterFile = Static<typeof ChapterFile>

export const Transcript = Type.Object({
  id: Type.String(),
  /** `generated`: a program made it from the audio. */
  source: Type.Union([Type.Literal('feed'), Type.Literal('generated')]),
  /** The model that made it; null = not known. */
  model: Nullable(Type.String()),
  language: Nullable(Type.String()),
  mimeType: Type.String(),
  /**
   * The address of the transcript as WebVTT, for the captions of a video; null if it has no times, or the feed names
   * another one as captions.
   */
  captions: Nullable(Type.String()),
  ...documentFields,
})
export type Transcript = Static<typeof Transcript>

/** A segment of a transcript; times are milliseconds, null if the transcript has none. */
export const TranscriptSegment = Type.Object({
  idx: Type.Integer(),
  startMs: Nullable(Type.Integer()),
  endMs: Nullable(Type.Integer()),
  speaker: Nullable(Type.String()),
  text: Type.String(),
})
export type TranscriptSegment = Static<typeof TranscriptSegment>

export const TranscriptWithSegments = Type.Object({
  ...Transcript.properties,
  segments: Type.Array(TranscriptSegment),
})
export type TranscriptWithSegments = Static<typeof TranscriptWithSegments>

/** An episode with at most three places where the words were spoken. */
export const TranscriptHits = Type.Object({
  episodeId: Type.String(),
  episode: Episode,
  hits: Type.Array(
    Type.Object({
      transcriptId: Type.String(),
      startMs: Nullable(Type.Integer()),
      /** Escaped HTML with `<mark>` around the words that matched. */
      snippet: Type.String(),
      rank: Type.Number(),
    }),
  ),
})
export type TranscriptHits = Static<typeof TranscriptHits>

/** A chapter; times are seconds, possibly fractional. `endTime` is 0 if it is unknown. */
export const Chapter = Type.Object({
  id: Type.String(),
  startTime: Type.Number(),
  endTime: Type.Number(),
  title: Type.String(),
  /** Whether the title means advertising. */
  advertising: Type.Boolean(),
  href: Nullable(Type.String()),
  image: Nullable(Type.String()),
})
export type Chapter = Static<typeof Chapter>

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
