import { makeToken, type Secret } from '../platform/secret'

/** Everything secret about a destination; stored encrypted. */
export type Target = {
  /** Address of the topic, the server, the hook or the subscription; may contain a user name and a password. */
  address: string
  /** An access token, or `user:password`; null = none. */
  token: string | null
  /** The secret that signs the requests of a webhook; null for other kinds. */
  secret: string | null
  /** Keys of a browser's subscription; null for other kinds. */
  keys: { p256dh: string; auth: string } | null
}

export const sealTarget = (secret: Secret, target: Target) => secret.seal(JSON.stringify(target))
export const openTarget = (secret: Secret, sealed: Uint8Array) => JSON.parse(secret.open(sealed)) as Target

/** A secret that a receiver checks signatures with. */
export const makeSigningSecret = () => `whsec_${makeToken()}`
