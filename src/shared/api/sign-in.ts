import { type Static, Type } from '@sinclair/typebox'
import { Instant, Nullable, oneOf } from './parts'

/** The proof that a person enters before a change of how they sign in. */
export const Proof = Type.Object({
  password: Type.String({ maxLength: 1000 }),
  /** A code of the authenticator app, or a recovery code, if a second factor is on. */
  code: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
})
export type Proof = Static<typeof Proof>

export const SecondFactorState = Type.Object({ isOn: Type.Boolean(), recoveryCodesLeft: Type.Integer() })
export type SecondFactorState = Static<typeof SecondFactorState>

/** A secret for an authenticator app: to be typed, and as the address in a QR code. */
export const SecondFactorSecret = Type.Object({ secret: Type.String(), address: Type.String() })
export type SecondFactorSecret = Static<typeof SecondFactorSecret>

export const SecondFactorCode = Type.Object({ code: Type.String({ maxLength: 100 }) })

export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) })
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** Browser and system on which it was made; empty = unknown. */
  device: Type.String(),
  /** The host name of the server that it works for. */
  host: Type.String(),
  createdAt: Instant,
  lastUsedAt: Nullable(Instant),
})
export type Passkey = Static<typeof Passkey>

/** An answer of `navigator.credentials`, as WebAuthn writes it in JSON. */
const Credential = Type.Object({ id: Type.String({ maxLength: 2000 }) }, { additionalProperties: true })

export const NewPasskey = Type.Object({ name: Type.String({ maxLength: 200 }), response: Credential })
export type NewPasskey = Static<typeof NewPasskey>
export const PasskeyName = Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) })

export const PasskeyLogin = Type.Object({ response: Credential, remember: Type.Optional(Type.Boolean()) })
export type PasskeyLogin = Static<typeof PasskeyLogin>

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
