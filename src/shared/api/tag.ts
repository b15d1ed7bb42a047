import { Type, type Static } from '@sinclair/typebox'
import { tagColors } from '../choices'
import { Instant, Nullable, oneOf } from './parts'

export const TagColor = oneOf(tagColors)
export type TagColor = Static<typeof TagColor>

export const Tag = Type.Object({
  id: Type.String(),
  name: Type.String(),
  color: TagColor,
  user_id: Type.String(),
  description: Nullable(Type.String()),
  created_at: Instant,
})
export type Tag = Static<typeof Tag>

const Description = Type.Optional(Nullable(Type.String({ maxLength: 1000 })))

export const NewTag = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  color: TagColor,
  description: Description,
})
export type NewTag = Static<typeof NewTag>

export const TagEdit = Type.Partial(NewTag)
export type TagEdit = Static<typeof TagEdit>

export const TagAssignment = Type.Object({ tag_id: Type.String(), podcast_id: Type.String() })
