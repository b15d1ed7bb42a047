import { Type, type Static } from '@sinclair/typebox'
import { Nullable } from './parts'

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
