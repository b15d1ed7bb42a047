import { Type, type Static } from '@sinclair/typebox'
import { MAX_CLIP_DAYS, MAX_QUOTE } from '../limits'
import { Instant } from './parts'

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
