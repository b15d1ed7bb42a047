import { HOUR, SECOND, type Clock } from '../platform/clock'
import type { Secret } from '../platform/secret'
import type { UserRow } from '../store/users'
import { keyHash } from './keys'

// Why: docs/internals/decisions/0008

/** Long enough for nearly every episode; a page renews the key of one that is longer, or paused. */
const MEDIA_KEY_MS = 6 * HOUR

const BYTES_SAID = 16
const BYTES_OF_MAC = 16

/** Contents of a key: its user, what it ends with, and its end in milliseconds. `holder`: see `make`. */
export type MediaKey = { userId: number; epoch: number; holder: number; expiresAt: number }

type Owner = Pick<UserRow, 'id' | 'epoch' | 'api_key_hash' | 'built_in'>

/** Numbers from here on mark API keys; those below are ids of sessions. */
const FIRST_MARK = 2 ** 31

/**
 * Makes and reads media keys: each opens the media of one episode for a device without a cookie, such as a television,
 * for six hours at most. They are stored nowhere: a key says whose it is and until when, with an HMAC-SHA256 of that
 * and the episode under the server's secret.
 */
export function createMediaKeys(secret: Secret, configuredKey: string | null, now: Clock) {
  let derived: Uint8Array | null = null

  function macOf(said: Uint8Array, eid: string): Buffer {
    derived ??= secret.derive('media key')
    const mac = new Bun.CryptoHasher('sha256', derived).update(said).update(eid).digest()
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
      const said = Buffer.alloc(BYTES_SAID)
      const values = [user.id, user.epoch, sessionId ?? markOf(user), seconds]
      for (const [place, value] of values.entries()) said.writeUInt32BE(value, place * 4)
      return { key: Buffer.concat([said, macOf(said, eid)]).toString('base64url'), expiresAt: seconds * SECOND }
    },
    /** Reads a key for an episode; null for one that this server did not make for it. The caller checks the rest. */
    read(text: string, eid: string): MediaKey | null {
      if (!/^[\w-]{43}$/.test(text)) return null
      const bytes = Buffer.from(text, 'base64url')
      const said = bytes.subarray(0, BYTES_SAID)
      if (!crypto.timingSafeEqual(bytes.subarray(BYTES_SAID), macOf(said, eid))) return null
      const [userId, epoch, holder, seconds] = [0, 4, 8, 12].map(place => said.readUInt32BE(place)) as [
        number,
        number,
        number,
        number,
      ]
      return { userId, epoch, holder, expiresAt: seconds * SECOND }
    },
    /** The session that a key ends with; null = it ends with the API key of its user. */
    sessionOf: ({ holder }: MediaKey): number | null => (holder < FIRST_MARK ? holder : null),
    /** Whether a key without a session is of the API key that its user has now. */
    isOfCurrentKey: ({ holder }: MediaKey, user: Owner): boolean => holder === markOf(user),
  }
}
export type MediaKeys = ReturnType<typeof createMediaKeys>
