import { type Static, Type } from '@sinclair/typebox'
import { Instant, Nullable } from './parts'
import { MAX_CLIP_DAYS, MAX_QUOTE } from '../limits'

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

/** A part of an episode that a user marked; seconds. A later mark counts where two overlap. */
export const SkipMark = Type.Object({
  id: Type.String(),
  /** `id` of the episode. */
  episode: Type.String(),
  start: Type.Number(),
  end: Type.Number(),
  /** Whether the part is to be skipped; false = it is to be played, whatever the title of its chapter says. */
  skip: Type.Boolean(),
})
export type SkipMark = Static<typeof SkipMark>

const Seconds = Type.Number({ minimum: 0, maximum: 1_000_000 })

export const NewSkipMark = Type.Object({
  episode: Type.String({ maxLength: 100 }),
  start: Seconds,
  end: Seconds,
  skip: Type.Boolean(),
})
export type NewSkipMark = Static<typeof NewSkipMark>

/** A passage of an episode, in seconds. */
export const Passage = Type.Object({
  start: Type.Number({ minimum: 0, maximum: 1e6 }),
  end: Type.Number({ minimum: 0, maximum: 1e6 }),
})
export type Passage = Static<typeof Passage>

/** A passage to publish for everybody who has its address, for a number of days. */
export const NewClip = Type.Composite([
  Passage,
  Type.Object({
    episode: Type.String({ maxLength: 100 }),
    title: Type.Optional(Type.String({ maxLength: 200 })),
    quote: Type.Optional(Type.String({ maxLength: MAX_QUOTE })),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_CLIP_DAYS })),
  }),
])
export type NewClip = Static<typeof NewClip>

/** A passage that strangers may hear at `url`, until it ends. */
export const Clip = Type.Object({
  id: Type.String(),
  url: Type.String(),
  episode: Type.String(),
  podcastId: Type.String(),
  title: Type.String(),
  episodeName: Type.String(),
  podcastName: Type.String(),
  quote: Type.String(),
  start: Type.Number(),
  end: Type.Number(),
  createdAt: Instant,
  endsAt: Instant,
})
export type Clip = Static<typeof Clip>
