import { Type, type Static } from '@sinclair/typebox'
import { Nullable } from './parts'

/** Seconds, which may be fractional. `endTime` is 0 only where nobody knows it. */
export const Chapter = Type.Object({
  id: Type.String(),
  startTime: Type.Number(),
  endTime: Type.Number(),
  title: Type.String(),
  href: Nullable(Type.String()),
  image: Nullable(Type.String()),
})
export type Chapter = Static<typeof Chapter>
