import { Type, type Static } from '@sinclair/typebox'
import { Code, Instant, Nullable } from './parts'

export const JobItemState = Type.Union([
  Type.Literal('waiting'),
  Type.Literal('running'),
  Type.Literal('added'),
  Type.Literal('present'),
  Type.Literal('failed'),
])
export type JobItemState = Static<typeof JobItemState>

export const JobItem = Type.Object({
  feedUrl: Type.String(),
  title: Nullable(Type.String()),
  state: JobItemState,
  podcastId: Nullable(Type.String()),
  errorCode: Nullable(Code),
  message: Nullable(Type.String()),
})
export type JobItem = Static<typeof JobItem>

/** An import or a rename run. `done` counts failed items too: the end is reached when it equals `total`. */
export const Job = Type.Object({
  id: Type.String(),
  kind: Type.Union([Type.Literal('opml'), Type.Literal('rename')]),
  state: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('cancelled')]),
  total: Type.Integer(),
  done: Type.Integer(),
  failed: Type.Integer(),
  startedAt: Instant,
  finishedAt: Nullable(Instant),
  items: Type.Array(JobItem),
})
export type Job = Static<typeof Job>

export const JobStarted = Type.Object({ jobId: Type.String(), total: Type.Integer() })
export type JobStarted = Static<typeof JobStarted>

/**
 * An OPML file, as text (`content`), as base64 of bytes in any charset (`bytes`), or as an address to fetch it from
 * (`url`); `only` limits it to these feeds.
 */
export const OpmlImport = Type.Object({
  content: Type.Optional(Type.String()),
  bytes: Type.Optional(Type.String()),
  url: Type.Optional(Type.String({ maxLength: 4096 })),
  only: Type.Optional(Type.Array(Type.String(), { maxItems: 50_000 })),
})
export type OpmlImport = Static<typeof OpmlImport>

export const OpmlOutline = Type.Object({
  title: Nullable(Type.String()),
  feedUrl: Type.String(),
  folder: Nullable(Type.String()),
  /** Whether the library already has it. */
  known: Type.Boolean(),
})
export type OpmlOutline = Static<typeof OpmlOutline>
