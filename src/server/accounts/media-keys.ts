import { HOUR, SECOND, type Clock } from '../platform/clock'
import type { Secret } from '../platform/secret'
import type { UserRow } from '../store/users'

/** Long enough for nearly every episode; a page renews the key of one that is longer, or paused. */
export const MEDIA_KEY_MS = 6 * HOUR

const BYTES_SAID = 16
const BYTES_OF_MAC = 16

/** Contents of a key: its user, the session that asked for it (0 = none), and its end in milliseconds. */
export type MediaKey = { userId: number; epoch: number; sessionId: number; expiresAt: number }

type Owner = Pick<UserRow, 'id' | 'epoch'>

/**
 * Makes and reads media keys: each opens the media of one episode for a device without a cookie, such as a television,
 * for six hours at most. They are stored nowhere: a key says whose it is and until when, with an HMAC-SHA256 of that and
 * the episode under the server's secret.
 */
export function createMediaKeys(secret: Secret, now: Clock) {
  let derived: Uint8Array | null = null

  function macOf(said: Uint8Array, eid: string): Buffer {
    derived ??= secret.derive('media key')
    const mac = new Bun.CryptoHasher('sha256', derived).update(said).update(eid).digest()
    return Buffer.from(mac.buffer, mac.byteOffset, BYTES_OF_MAC)
  }

  return {
    /** Makes a key for an episode by its `eid`. `sessionId`: the key ends with it; null = it ends by itself. */
    make({ id, epoch }: Owner, sessionId: number | null, eid: string): { key: string; expiresAt: number } {
      const seconds = Math.floor((now() + MEDIA_KEY_MS) / SECOND)
      const said = Buffer.alloc(BYTES_SAID)
      for (const [place, value] of [id, epoch, sessionId ?? 0, seconds].entries()) said.writeUInt32BE(value, place * 4)
      return { key: Buffer.concat([said, macOf(said, eid)]).toString('base64url'), expiresAt: seconds * SECOND }
    },
    /** Reads a key for an episode; null for one that this server did not make for it. The caller checks the rest. */
    read(text: string, eid: string): MediaKey | null {
      if (!/^[\w-]{43}$/.test(text)) return null
      const bytes = Buffer.from(text, 'base64url')
      const said = bytes.subarray(0, BYTES_SAID)
      if (!crypto.timingSafeEqual(bytes.subarray(BYTES_SAID), macOf(said, eid))) return null
      const [userId, epoch, sessionId, seconds] = [0, 4, 8, 12].map(place => said.readUInt32BE(place)) as [
        number,
        number,
        number,
        number,
      ]
      return { userId, epoch, sessionId, expiresAt: seconds * SECOND }
    },
  }
}
export type MediaKeys = ReturnType<typeof createMediaKeys>
