import { type Clock, HOUR, SECOND } from '../platform/clock'
import { ciphers, type Secret } from '../platform/secret'
import type { UserRow } from '../store/users'

// Why: docs/internals/decisions/0008

/** 32 lower-case hex digits: a UUID without dashes, as the interface makes it. */
export const isKey = (text: string) => /^[0-9a-f]{32}$/.test(text)

/** Whether a key looks drawn by chance: a UUID has 122 random bits, so it hardly repeats a digit or a group. */
export const isRandomKey = (text: string) =>
  isKey(text) && new Set(text).size >= 6 && !/(.)\1{7}/.test(text) && !/(.{2,8})\1{3}/.test(text)

/** Keys are long and random, so a fast digest protects them as well as a slow one. */
export const keyHash = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('hex')

/**
 * Makes and reads feed keys. They are part of the addresses that podcast apps use, so it must be possible to show them
 * at any time. They are not stored: a key is the ids of its user and version, one block of AES-256 under the server's
 * secret.
 */
export function createFeedKeys(secret: Secret) {
  let derived: Uint8Array | null = null
  const key = () => (derived ??= secret.derive('feed key'))
  // Cached, since every answer to a podcast app contains one.
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
    /** The user and version of a key; null if we did not make it. The caller checks that both are still valid. */
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

/** Long enough for nearly every episode; if one is longer or paused, the page renews its key. */
const MEDIA_KEY_MS = 6 * HOUR

const BYTES_OF_CLAIMS = 16
const BYTES_OF_MAC = 16

/** Contents of a key: its user, what it ends with, and its end in milliseconds. `holder`: see `make`. */
type MediaKey = { userId: number; epoch: number; holder: number; expiresAt: number }

type Owner = Pick<UserRow, 'id' | 'epoch' | 'api_key_hash' | 'built_in'>

/** Numbers from here on mark API keys; those below are ids of sessions. */
const FIRST_MARK = 2 ** 31

/**
 * Makes and reads media keys: each opens the media of one episode for a device without a cookie, such as a television,
 * for six hours at most. They are not stored: a key says whose it is and until when, with an HMAC-SHA256 of that and
 * the episode under the server's secret.
 */
export function createMediaKeys(secret: Secret, configuredKey: string | null, now: Clock) {
  let derived: Uint8Array | null = null

  function macOf(claims: Uint8Array, eid: string): Buffer {
    derived ??= secret.derive('media key')
    const mac = new Bun.CryptoHasher('sha256', derived).update(claims).update(eid).digest()
    return Buffer.from(mac.buffer, mac.byteOffset, BYTES_OF_MAC)
  }

  /** A number that changes with the user's API key. */
  function markOf({ api_key_hash, built_in }: Owner): number {
    const digest = keyHash(`media key ${api_key_hash} ${built_in ? configuredKey : null}`)
    return FIRST_MARK + (Number.parseInt(digest.slice(0, 8), 16) % FIRST_MARK)
  }

  return {
    /**
     * Makes a key for an episode by its `eid`. `sessionId`: the key ends with it; null = a request without a session,
     * which an API key may have signed in: the key ends when its user gets another API key.
     */
    make(user: Owner, sessionId: number | null, eid: string): { key: string; expiresAt: number } {
      const seconds = Math.floor((now() + MEDIA_KEY_MS) / SECOND)
      const claims = Buffer.alloc(BYTES_OF_CLAIMS)
      const values = [user.id, user.epoch, sessionId ?? markOf(user), seconds]
      for (const [place, value] of values.entries()) claims.writeUInt32BE(value, place * 4)
      return { key: Buffer.concat([claims, macOf(claims, eid)]).toString('base64url'), expiresAt: seconds * SECOND }
    },
    /** Reads a key for an episode; null for one that this server did not make for it. The caller checks the rest. */
    read(text: string, eid: string): MediaKey | null {
      if (!/^[\w-]{43}$/.test(text)) return null
      const bytes = Buffer.from(text, 'base64url')
      const claims = bytes.subarray(0, BYTES_OF_CLAIMS)
      if (!crypto.timingSafeEqual(bytes.subarray(BYTES_OF_CLAIMS), macOf(claims, eid))) return null
      const [userId, epoch, holder, seconds] = [0, 4, 8, 12].map(place => claims.readUInt32BE(place)) as [
        number,
        number,
        number,
        number,
      ]
      return { userId, epoch, holder, expiresAt: seconds * SECOND }
    },
    /** The session that a key ends with; null = it ends with the API key of its user. */
    sessionOf: ({ holder }: MediaKey): number | null => (holder < FIRST_MARK ? holder : null),
    /** Whether a key without a session belongs to the API key that its user has now. */
    isOfCurrentKey: ({ holder }: MediaKey, user: Owner): boolean => holder === markOf(user),
  }
}
export type MediaKeys = ReturnType<typeof createMediaKeys>
