import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

export type Secret = ReturnType<typeof createSecret>

export const SECRET_BYTES = 32

/** The text form of a secret: 64 hex digits. */
export const writeSecretText = (key: Uint8Array): string => key.toHex()

/** Reads the text form of a secret; null = it isn't one. */
export const parseSecretText = (text: string): Uint8Array | null =>
  /^[0-9a-f]{64}$/i.test(text) ? Uint8Array.fromHex(text) : null

/** Fingerprint of a secret, a number from 1, for the header of a database. Reveals nothing else about it. */
export function fingerprintOf(key: Uint8Array): number {
  const digest = new Bun.CryptoHasher('sha256').update('castellan secret fingerprint').update(key).digest()
  return (digest.readUInt32BE(0) >>> 1) | 1
}

/** Writes a new secret, readable only by its owner, and waits until the disk has it. */
export function makeSecret(path: string) {
  const file = openSync(path, 'w', 0o600)
  try {
    writeSync(file, randomBytes(SECRET_BYTES))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Loads the secret that the first start made and put next to the database. */
export function loadSecret(path: string): Secret {
  const key = readFileSync(path)
  if (key.length !== SECRET_BYTES) throw new Error(`${path} should hold ${SECRET_BYTES} bytes, it holds ${key.length}`)
  return createSecret(key)
}

/** The server's own secret. Losing it loses feed passwords and feed keys. */
export function createSecret(key: Uint8Array) {
  return {
    /** Its 32 bytes, for backups. */
    key,
    /** 32 bytes for one purpose, by HKDF-SHA256. */
    derive: (purpose: string): Uint8Array => new Uint8Array(ciphers().hkdfSync('sha256', key, '', purpose, 32)),
    /** AES-256-GCM: 12 bytes of nonce, 16 of tag, the text. */
    seal(text: string): Uint8Array {
      const nonce = randomBytes(12)
      const cipher = ciphers().createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    open(sealed: Uint8Array): string {
      const decipher = ciphers().createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
      decipher.setAuthTag(sealed.subarray(12, 28))
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}

/** Random bytes fit for secrets. */
export const randomBytes = (count: number): Buffer => crypto.getRandomValues(Buffer.alloc(count))

/** A new token of 256 random bits, in 43 characters. */
export const makeToken = () => randomBytes(32).toString('base64url')

/** Node's ciphers, loaded when they are first needed: they import streams, which the start doesn't need. */
export const ciphers = () => process.getBuiltinModule('node:crypto')
