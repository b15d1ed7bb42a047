import { Type, type Static } from '@sinclair/typebox'
import { Code, Instant, Nullable, oneOf } from './parts'

/** `receiving`: uploaded in parts; `reading`: recognised and tried out; `ready`: waits for a person to let it begin. */
export const MoveState = oneOf([
  'receiving',
  'reading',
  'ready',
  'adding',
  'applying',
  'done',
  'failed',
  'undoing',
  'undone',
])
export type MoveState = Static<typeof MoveState>

/** Counts of the things of a kind that were taken, were here already, and were left out. */
export const MoveCount = Type.Object({
  kind: Type.String(),
  taken: Type.Integer(),
  present: Type.Integer(),
  leftOut: Type.Integer(),
  /** Why things were left out. */
  reasons: Type.Array(Type.Object({ reason: Type.String(), total: Type.Integer() })),
})
export type MoveCount = Static<typeof MoveCount>

/**
 * Further things that admins choose: people without an account here, and files: of a folder on the server, or, with
 * `fetchFiles`, sent by the other Castellan.
 */
export const MoveOptions = Type.Object({
  withPeople: Type.Boolean(),
  fetchFiles: Type.Optional(Type.Boolean()),
  /** `there`: how the other program calls the folder; '' = any. */
  files: Nullable(Type.Object({ there: Type.String({ maxLength: 4096 }), here: Type.String({ maxLength: 4096 }) })),
})
export type MoveOptions = Static<typeof MoveOptions>

/** A move from another program. Until it begins, `counts` are those of a rehearsal that requested no feed. */
export const Move = Type.Object({
  id: Type.String(),
  state: MoveState,
  /** Title of the program that made the file; null = not known yet. */
  source: Nullable(Type.String()),
  file: Type.String(),
  /** Bytes of an upload in all and so far. */
  bytes: Nullable(Type.Integer()),
  received: Type.Integer(),
  startedAt: Instant,
  finishedAt: Nullable(Instant),
  /** Whether it changed anything, or may have: what has not begun can be dropped. */
  begun: Type.Boolean(),
  /** The server stopped twice while working on it; nothing happens until somebody tries it again. */
  setAside: Type.Boolean(),
  /** Why it failed: in English, and as a code with arguments, of which `detail` is a fact in no language. */
  message: Nullable(Type.String()),
  errorCode: Nullable(Code),
  arguments: Type.Record(Type.String(), Type.String()),
  podcasts: Type.Object({ total: Type.Integer(), done: Type.Integer() }),
  /** Everything else; `total` is known once it was tried out. */
  items: Type.Object({ total: Nullable(Type.Integer()), applied: Type.Integer() }),
  counts: Type.Array(MoveCount),
  options: MoveOptions,
  /** Whether it is copied from a Castellan, which can send its files. */
  sendsFiles: Type.Boolean(),
  /** Until then it can be undone as a whole; null = it cannot. One that is at work can be stopped and undone. */
  undoableUntil: Nullable(Instant),
  /** Counts of the things of a kind that were undone, and of those that stay because people have used them since. */
  undone: Type.Array(Type.Object({ kind: Type.String(), undone: Type.Integer(), kept: Type.Integer() })),
})
export type Move = Static<typeof Move>

/** A podcast of a move: its outcome, and how many things of it were taken, were here already, and were left out. */
export const MovePodcast = Type.Object({
  feedUrl: Type.String(),
  title: Nullable(Type.String()),
  state: oneOf(['waiting', 'added', 'present', 'unread', 'refused']),
  podcastId: Nullable(Type.String()),
  errorCode: Nullable(Code),
  arguments: Type.Record(Type.String(), Type.String()),
  message: Nullable(Type.String()),
  taken: Type.Integer(),
  present: Type.Integer(),
  leftOut: Type.Integer(),
})
export type MovePodcast = Static<typeof MovePodcast>

/**
 * A file to upload (`name`, `bytes`), one on the server (`path`, for admins), or another server, with the name and the
 * password or API key of a person there. `from` is the program that made the file, or the API to use of the server.
 */
export const NewMove = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  bytes: Type.Optional(Type.Integer({ minimum: 1 })),
  path: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, examples: ['/mnt/old/podcast.db'] })),
  server: Type.Optional(
    Type.Object({
      address: Type.String({ minLength: 1, maxLength: 2048, examples: ['https://castellan.example'] }),
      user: Type.String({ minLength: 1, maxLength: 255 }),
      password: Type.String({ maxLength: 1024 }),
    }),
  ),
  from: Type.Optional(Type.String({ maxLength: 50, examples: ['gpodder'] })),
})
export type NewMove = Static<typeof NewMove>

/** A program whose files people can bring. */
export const MoveSource = Type.Object({ name: Type.String(), title: Type.String() })
export type MoveSource = Static<typeof MoveSource>
