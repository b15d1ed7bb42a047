// The receiving end of RFC 8291 and RFC 8188, and a check of RFC 8292: what a browser and its push service do.

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))
const base64url = (data: ArrayBuffer | Uint8Array) => Buffer.from(data as Uint8Array).toString('base64url')
const utf8 = (text: string) => new TextEncoder().encode(text)
const join = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts))
const P256 = { name: 'ECDH', namedCurve: 'P-256' } as const

/** A browser's subscription at an address, and what reads the messages to it. */
export async function createSubscription(endpoint: string) {
  const pair = await crypto.subtle.generateKey(P256, true, ['deriveBits'])
  const own = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const auth = crypto.getRandomValues(new Uint8Array(16))
  return {
    subscription: { endpoint, p256dh: base64url(own), auth: base64url(auth) },
    /** Decrypts a message of one record. Throws for one that was not meant for this subscription. */
    async decrypt(message: Uint8Array): Promise<string> {
      const salt = message.slice(0, 16)
      const keyLength = message[20]!
      const sender = message.slice(21, 21 + keyLength)
      const record = message.slice(21 + keyLength)
      const senderKey = await crypto.subtle.importKey('raw', sender, P256, false, [])
      const shared = new Uint8Array(
        await crypto.subtle.deriveBits({ name: 'ECDH', public: senderKey }, pair.privateKey, 256),
      )
      const keyInfo = join(utf8('WebPush: info\0'), own, sender)
      const secret = await hkdf(auth, shared, keyInfo, 32)
      const contentKey = await hkdf(salt, secret, utf8('Content-Encoding: aes128gcm\0'), 16)
      const nonce = await hkdf(salt, secret, utf8('Content-Encoding: nonce\0'), 12)
      const key = await crypto.subtle.importKey('raw', contentKey, 'AES-GCM', false, ['decrypt'])
      const padded = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, key, record))
      // The last record ends with a 2 and zeros.
      const end = padded.findLastIndex(byte => byte !== 0)
      if (padded[end] !== 2) throw new Error('the record is not the last one')
      return new TextDecoder().decode(padded.slice(0, end))
    },
  }
}

async function hkdf(
  salt: Uint8Array<ArrayBuffer>,
  input: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  length: number,
) {
  const key = await crypto.subtle.importKey('raw', input, 'HKDF', false, ['deriveBits'])
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8))
}

/** The claims of a `vapid` authorization, once its signature and its key are right. */
export async function readVapid(authorization: string, serverKey: string) {
  const [, token, key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization)!
  if (key !== serverKey) throw new Error('another key')
  const [header, claims, signature] = token!.split('.') as [string, string, string]
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const publicKey = await crypto.subtle.importKey('raw', bytes(key!), algorithm, false, ['verify'])
  const isSigned = await crypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    publicKey,
    bytes(signature),
    utf8(`${header}.${claims}`),
  )
  if (!isSigned) throw new Error('the signature is wrong')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; exp: number; sub: string }
}
