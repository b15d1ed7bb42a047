import { type Static, Type } from '@sinclair/typebox'
import { Code, Instant, Nullable, oneOf } from './parts'

export const JobItemState = oneOf(['waiting', 'running', 'added', 'present', 'failed'])
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
  kind: oneOf(['opml', 'rename']),
  state: oneOf(['running', 'done', 'cancelled']),
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

/** Kinds of work that the next start of the server resumes. */
export const workKinds = [
  'backup',
  'check',
  'color',
  'cover',
  'delivery',
  'document',
  'download',
  'feed',
  'import',
  'index',
  'kept-file',
  'move',
  'removal',
  'rename',
  'sidecar',
  'transcription',
] as const
export type WorkKind = (typeof workKinds)[number]

const Kind = oneOf(workKinds)

export const SetAsideKey = Type.Object({ kind: Kind, key: Type.String({ minLength: 1, maxLength: 5000 }) })
export type SetAsideKey = Static<typeof SetAsideKey>

/** Work that is no longer begun, since the server stopped twice during it. `label` names it for people. */
export const SetAsideItem = Type.Object({ kind: Kind, key: Type.String(), label: Type.String(), since: Instant })
export type SetAsideItem = Static<typeof SetAsideItem>
