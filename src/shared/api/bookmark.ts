import { Type, type Static } from '@sinclair/typebox'
import { Instant, Nullable } from './parts'

/** A moment of an episode that a user marked. */
export const Bookmark = Type.Object({
  id: Type.String(),
  /** `id` of the episode. */
  episode: Type.String(),
  /** Seconds. */
  time: Type.Integer(),
  note: Nullable(Type.String()),
  createdAt: Instant,
})
export type Bookmark = Static<typeof Bookmark>

const Note = Nullable(Type.String({ maxLength: 1000 }))

export const NewBookmark = Type.Object({
  episode: Type.String({ maxLength: 100 }),
  time: Type.Number({ minimum: 0, maximum: 1_000_000 }),
  note: Type.Optional(Note),
})
export type NewBookmark = Static<typeof NewBookmark>

export const BookmarkEdit = Type.Object({ note: Note })
export type BookmarkEdit = Static<typeof BookmarkEdit>
