import { type Static, Type } from '@sinclair/typebox'
import { skipSeconds } from '../limits'
import { nextKeys, roles } from '../choices'
import { Instant, Nullable, oneOf } from './parts'

export const RoleName = oneOf(roles)

/** An account as admins see it. */
export const UserSummary = Type.Object({
  id: Type.String(),
  username: Type.String(),
  role: RoleName,
  explicitConsent: Type.Boolean(),
  createdAt: Instant,
  /** Whether a sign-in by password asks for a code, too. */
  secondFactor: Type.Boolean(),
})
export type UserSummary = Static<typeof UserSummary>

/** An account as its owner sees it. */
export const User = Type.Object({
  ...UserSummary.properties,
  /** The API key, in the response to the change that set it; null elsewhere. */
  apiKey: Nullable(Type.String()),
  apiKeySet: Type.Boolean(),
  /** Whether assistants may use the API key; null = the server lets none. */
  apiKeyForAssistants: Nullable(Type.Boolean()),
  /** Key of the user's private feeds; null in open mode. */
  feedKey: Nullable(Type.String()),
  /** Whether name, password and role come from the configuration. */
  readOnly: Type.Boolean(),
  /** Whether the account signs in with a password here, and may have passkeys and a second factor. */
  hasPassword: Type.Boolean(),
  /** Number of podcasts that the account may still add; null means any number. */
  podcastsLeft: Nullable(Type.Integer()),
  /** Name of the first admin, null for admins. */
  admin: Nullable(Type.String()),
  country: Nullable(Type.String()),
  language: Nullable(Type.String()),
})
export type User = Static<typeof User>

const Text = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })))

/** A change of one's own account; fields that are absent, null or empty stay as they are. */
export const UserEdit = Type.Object({
  username: Text(200),
  password: Text(1000),
  apiKey: Text(100),
  /** Whether assistants may use the new API key. */
  apiKeyForAssistants: Type.Optional(Nullable(Type.Boolean())),
})
export type UserEdit = Static<typeof UserEdit>

export const UserChange = Type.Partial(Type.Object({ role: RoleName, explicitConsent: Type.Boolean() }))
export type UserChange = Static<typeof UserChange>

/** The name that an admin gives to an account. */
export const NewName = Type.Object({ username: Type.String({ maxLength: 200 }) })

export const SignUp = Type.Object({
  username: Type.String({ maxLength: 200 }),
  password: Type.String({ maxLength: 1000 }),
  inviteId: Type.String({ maxLength: 100 }),
})
export type SignUp = Static<typeof SignUp>

export const Login = Type.Object({
  username: Type.String({ maxLength: 200 }),
  password: Type.String({ maxLength: 1000 }),
  remember: Type.Optional(Type.Boolean()),
  /** A code of the authenticator app, or a recovery code, where a second factor is on. */
  code: Type.Optional(Type.String({ maxLength: 100 })),
})
export type Login = Static<typeof Login>

export const SessionStart = Type.Union([Type.Object({ remember: Type.Optional(Type.Boolean()) }), Type.Null()])

export const Locale = Type.Object({ country: Text(8), language: Text(8) })
export type Locale = Static<typeof Locale>

export const FeedKey = Type.Object({ feedKey: Type.String() })
export type FeedKey = Static<typeof FeedKey>

/** The size of an archive of everything of a user: podcasts, and downloaded files with their bytes. */
export const EverythingSize = Type.Object({
  podcasts: Type.Integer(),
  files: Type.Integer(),
  bytes: Type.Integer(),
})
export type EverythingSize = Static<typeof EverythingSize>

const [ten, fifteen, thirty, fortyFive, sixty] = skipSeconds
const Seconds = Type.Union([
  Type.Literal(ten),
  Type.Literal(fifteen),
  Type.Literal(thirty),
  Type.Literal(fortyFive),
  Type.Literal(sixty),
])

/**
 * The seconds that the player's buttons skip, and the action of the "next" key of headphones and keyboards, and whether
 * playing begins a little earlier after a pause, and whether episodes are brought to one loudness, for one user. An edit
 * without one of the last three keeps it.
 */
export const SkipLengths = Type.Object({
  back: Seconds,
  forward: Seconds,
  nextKey: Type.Optional(oneOf(nextKeys)),
  rewind: Type.Optional(Type.Boolean()),
  levelVolume: Type.Optional(Type.Boolean()),
})
export type SkipLengths = Static<typeof SkipLengths>

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
