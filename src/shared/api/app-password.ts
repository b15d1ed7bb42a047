import { Type, type Static } from '@sinclair/typebox'
import { Instant, Nullable } from './parts'

/** The password of a single app; the password itself is never shown again. */
export const AppPassword = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: Instant,
  lastUsedAt: Nullable(Instant),
  lastAddress: Nullable(Type.String()),
})
export type AppPassword = Static<typeof AppPassword>

/** A podcast app that asks for access, by the name it gives itself. */
export const AccessRequest = Type.Object({ app: Type.String() })
export type AccessRequest = Static<typeof AccessRequest>
