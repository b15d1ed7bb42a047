import { Type, type Static } from '@sinclair/typebox'
import { Instant } from './parts'

/** An app that is signed in, by the name it gives itself, and its last network address. */
export const AppSession = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: Instant,
  lastUsedAt: Instant,
  lastAddress: Type.String(),
})
export type AppSession = Static<typeof AppSession>
