import { ciphers, type Secret } from '../platform/secret'

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
