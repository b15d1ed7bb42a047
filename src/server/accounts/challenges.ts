import { ciphers, randomBytes } from '../platform/crypto'
import { MINUTE, type Clock } from '../platform/clock'

const VALID_MS = 10 * MINUTE
const RANDOM_BYTES = 16
const MARK_BYTES = 32
/** More than people sign in within ten minutes; the oldest are forgotten first. */
const MOST_USED = 10_000

/**
 * Draws challenges for passkeys. A challenge carries its own expiry and purpose under a keyed digest, so strangers who
 * ask for many fill no memory; only those that were used are remembered. A restart ends all that are under way.
 */
export function createChallenges(now: Clock) {
  const key = randomBytes(32)
  /** By the challenge, when it expires. */
  const used = new Map<string, number>()

  const markOf = (body: Uint8Array, purpose: string) =>
    ciphers().createHmac('sha256', key).update(body).update(purpose).digest()

  function forgetExpired() {
    for (const [challenge, expiresAt] of used) {
      if (expiresAt > now() && used.size < MOST_USED) break
      used.delete(challenge)
    }
  }

  return {
    /** The bytes of a new challenge. */
    draw(purpose: string): Uint8Array<ArrayBuffer> {
      const body = Buffer.alloc(8 + RANDOM_BYTES)
      body.writeBigUInt64BE(BigInt(now() + VALID_MS))
      randomBytes(RANDOM_BYTES).copy(body, 8)
      return Uint8Array.from(Buffer.concat([body, markOf(body, purpose)]))
    },
    /** Uses a challenge up, in base64url; false for one of another purpose, an expired one, or one used before. */
    use(challenge: string, purpose: string): boolean {
      const bytes = Buffer.from(challenge, 'base64url')
      if (bytes.length !== 8 + RANDOM_BYTES + MARK_BYTES) return false
      const body = bytes.subarray(0, -MARK_BYTES)
      if (!ciphers().timingSafeEqual(markOf(body, purpose), bytes.subarray(-MARK_BYTES))) return false
      const expiresAt = Number(body.readBigUInt64BE())
      const written = bytes.toString('base64url')
      if (expiresAt <= now() || used.has(written)) return false
      forgetExpired()
      used.set(written, expiresAt)
      return true
    },
  }
}
