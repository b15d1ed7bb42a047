import { Type, type Static } from '@sinclair/typebox'
import { Instant } from './parts'

/** An app that is signed in, by the name it gives itself, and the network address that it called from last. */
export const AppSession = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: Instant,
  lastUsedAt: Instant,
  lastAddress: Type.String(),
})
export type AppSession = Static<typeof AppSession>
