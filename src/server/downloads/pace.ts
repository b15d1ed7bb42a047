import { HOUR, MINUTE, SECOND, type Clock } from '../platform/clock'

/** A host that sends less than this keeps a place busy that others could use. */
const WINDOW_MS = 2 * MINUTE
const WINDOW_BYTES = (2048 * WINDOW_MS) / SECOND
/** One attempt takes half an hour at most, and more by its size: at 16 KB a second everything comes in one piece. */
const LEAST_MS = 30 * MINUTE
const BYTES_PER_SECOND = 16 * 1024
const UNKNOWN_MS = 6 * HOUR

export type Pace = ReturnType<typeof createPace>

/**
 * Watches how fast a body comes in. `expected`: its bytes, null when the host does not say. `elapsed` never goes back.
 * Asked at each chunk; a host that sends none is somebody else's business.
 */
export function createPace(elapsed: Clock, expected: number | null) {
  const endsAt = elapsed() + (expected === null ? UNKNOWN_MS : LEAST_MS + (expected / BYTES_PER_SECOND) * SECOND)
  let window = { at: elapsed(), bytes: 0 }

  /** Why the attempt ends now, in a sentence; null = it goes on. */
  return function verdict(chunkBytes: number): { reason: string; isTooSlow: boolean } | null {
    const now = elapsed()
    window.bytes += chunkBytes
    if (now - window.at >= WINDOW_MS) {
      const { at, bytes } = window
      if (bytes < WINDOW_BYTES) return { reason: `Received ${bytes} bytes in ${inMinutes(now - at)}`, isTooSlow: true }
      window = { at: now, bytes: 0 }
    }
    return now < endsAt ? null : { reason: 'This took long enough; others have their turn first', isTooSlow: false }
  }
}

const inMinutes = (ms: number) => `${Math.round(ms / MINUTE)} minutes`
