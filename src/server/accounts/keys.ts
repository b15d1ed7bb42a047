import { ciphers } from '../platform/crypto'
import type { Secret } from '../platform/secret'
import type { UserRow } from '../store/users'

// Why: docs/internals/decisions/0008

/** 32 lower-case hex digits: a UUID without dashes, as the interface makes it. */
export const isKey = (text: string) => /^[0-9a-f]{32}$/.test(text)

/** Whether a key looks drawn by chance: a UUID has 122 random bits, so it hardly repeats a digit or a group. */
export const isRandomKey = (text: string) =>
  isKey(text) && new Set(text).size >= 6 && !/(.)\1{7}/.test(text) && !/(.{2,8})\1{3}/.test(text)

/** Keys are long and random, so a fast digest keeps them as well as a slow one. */
export const keyHash = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('hex')

/**
 * Makes and reads feed keys. They are part of the addresses that podcast apps use, so they must be shown at any time,
 * and they are stored nowhere: a key is the ids of its user and version, one block of AES-256 under the server's
 * secret.
 */
export function createFeedKeys(secret: Secret) {
  let derived: Uint8Array | null = null
  const key = () => (derived ??= secret.derive('feed key'))
  // Remembered, since every answer to a podcast app contains one.
  const made = new Map<number, { version: number; text: string }>()

  function make(id: number, version: number): string {
    const block = Buffer.alloc(16)
    block.writeUInt32BE(id, 0)
    block.writeUInt32BE(version, 4)
    const cipher = ciphers().createCipheriv('aes-256-ecb', key(), null).setAutoPadding(false)
    return Buffer.concat([cipher.update(block), cipher.final()]).toString('hex')
  }

  return {
    of({ id, feed_key_version }: Pick<UserRow, 'id' | 'feed_key_version'>): string {
      const known = made.get(id)
      if (known?.version === feed_key_version) return known.text
      const text = make(id, feed_key_version)
      made.set(id, { version: feed_key_version, text })
      return text
    },
    /** The user and version of a key; null when it is none of ours. The caller checks that both are still valid. */
    read(text: string): { id: number; version: number } | null {
      if (!isKey(text)) return null
      const decipher = ciphers().createDecipheriv('aes-256-ecb', key(), null).setAutoPadding(false)
      const block = Buffer.concat([decipher.update(Buffer.from(text, 'hex')), decipher.final()])
      if (block.readBigUInt64BE(8) !== 0n) return null
      return { id: block.readUInt32BE(0), version: block.readUInt32BE(4) }
    },
  }
}
export type FeedKeys = ReturnType<typeof createFeedKeys>
