import { Type, type Static } from '@sinclair/typebox'
import { Instant, Nullable } from './parts'
import { RoleName } from './user'

/** An invitation; its random id is the secret in the link. */
export const Invite = Type.Object({
  id: Type.String(),
  role: RoleName,
  explicitConsent: Type.Boolean(),
  createdAt: Instant,
  expiresAt: Instant,
  acceptedAt: Nullable(Instant),
  /** Name of the account that it was accepted for, if there still is one. */
  acceptedBy: Nullable(Type.String()),
})
export type Invite = Static<typeof Invite>

export const NewInvite = Type.Union([
  Type.Object({ role: Type.Optional(RoleName), explicitConsent: Type.Optional(Type.Boolean()) }),
  Type.Null(),
])
export type NewInvite = Static<typeof NewInvite>
