import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'

/** Reads `SIGNING_KEY`: an Ed25519 key as PEM text. Null for a release that is unsigned on request. */
export function findSigningKey(pem: string | undefined, isUnsigned: boolean): KeyObject | null {
  if (isUnsigned) return null
  if (!pem) throw new Error('SIGNING_KEY is not set. Nobody can verify an unsigned release; --unsigned builds one')
  return readSigningKey(pem)
}

function readSigningKey(pem: string): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new Error('SIGNING_KEY is not a private key in PEM format. Make one with: openssl genpkey -algorithm ed25519')
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`SIGNING_KEY is ${key.asymmetricKeyType}, not ed25519`)
  return key
}

export const signText = (text: string, key: KeyObject): Buffer => sign(null, Buffer.from(text), key)

export const publicKeyOf = (key: KeyObject) => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()

/** Checks a signature; false too if the key is none. */
export function isSignedBy(text: string, signature: Uint8Array, publicKey: string): boolean {
  try {
    return verify(null, Buffer.from(text), publicKey, signature)
  } catch {
    return false
  }
}
