import { Type, type Static } from '@sinclair/typebox'
import { Episode } from './episode'
import { Nullable } from './parts'

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
  /** The address of the captions of a video, as WebVTT; null for a transcript to read. */
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
