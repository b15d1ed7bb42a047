import { ciphers, makeToken, type Secret } from '../platform/secret'

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

/** The pair of keys that identifies this server to push services (RFC 8292), base64url. */
export type VapidKeys = { publicKey: string; privateKey: string }

/**
 * Derives the keys from the server's secret: they survive a restart and a restore, and nothing has to be stored. A
 * number beyond the order of the curve is not a private key; then the next one is tried.
 */
export function deriveVapidKeys(secret: Secret): VapidKeys {
  for (let index = 0; ; index++) {
    const privateKey = secret.derive(`web push ${index}`)
    const curve = ciphers().createECDH('prime256v1')
    try {
      curve.setPrivateKey(privateKey)
    } catch {
      continue
    }
    return {
      publicKey: curve.getPublicKey('base64url', 'uncompressed'),
      privateKey: Buffer.from(privateKey).toString('base64url'),
    }
  }
}
