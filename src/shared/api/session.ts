import { Type, type Static } from '@sinclair/typebox'
import { Instant, Nullable, oneOf } from './parts'

/** Means by which a user signed in to begin a session. */
export const SessionWay = oneOf(['password', 'passkey', 'single-sign-on', 'proxy', 'key'])
export type SessionWay = Static<typeof SessionWay>

/** A browser or an app that is signed in. */
export const Session = Type.Object({
  id: Type.String(),
  /** `sync`: an app that speaks gPodder's protocol; `app`: one of Audiobookshelf. */
  kind: Type.Union([Type.Literal('browser'), Type.Literal('sync'), Type.Literal('app')]),
  /** Browser and system, or the name of an app; empty = unknown. */
  device: Type.String(),
  /** The network that it was used from last; empty = unknown. */
  place: Type.String(),
  /** null = unknown. */
  way: Nullable(SessionWay),
  createdAt: Instant,
  /** Accurate to ten minutes. */
  lastSeenAt: Instant,
  /** Whether it is the caller's. */
  isCurrent: Type.Boolean(),
  /** Whether the browser keeps the password, and would sign in again with it. */
  keepsPassword: Type.Boolean(),
})
export type Session = Static<typeof Session>
