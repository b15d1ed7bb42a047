import { Type, type Static } from '@sinclair/typebox'
import { Instant, Nullable } from './parts'

export const User = Type.Object({
  id: Type.String(),
  username: Type.String(),
  role: Type.Union([Type.Literal('admin'), Type.Literal('user'), Type.Literal('uploader')]),
  explicitConsent: Type.Boolean(),
  createdAt: Instant,
  apiKey: Nullable(Type.String()),
  apiKeySet: Type.Boolean(),
  feedKey: Nullable(Type.String()),
  readOnly: Type.Boolean(),
  country: Nullable(Type.String()),
  language: Nullable(Type.String()),
})
export type User = Static<typeof User>
