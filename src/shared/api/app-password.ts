import { Type, type Static } from '@sinclair/typebox'
import { Instant, Nullable } from './parts'

/** A password of a single app, which itself is never shown. */
export const AppPassword = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: Instant,
  lastUsedAt: Nullable(Instant),
  lastAddress: Nullable(Type.String()),
})
export type AppPassword = Static<typeof AppPassword>

/** An app that asks for access, as it calls itself. */
export const AccessRequest = Type.Object({ app: Type.String() })
export type AccessRequest = Static<typeof AccessRequest>
