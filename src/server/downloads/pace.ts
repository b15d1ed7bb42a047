import { HOUR, MINUTE, SECOND, type Clock } from '../platform/clock'
import { DownloadFailure } from './failure'

/** A host that sends less than 2 KB a second blocks a slot that other downloads could use. */
const WINDOW_MS = 2 * MINUTE
const WINDOW_BYTES = (2048 * WINDOW_MS) / SECOND
/** An attempt may take half an hour, and longer for large files: at 16 KB a second, any file arrives in one attempt. */
const LEAST_MS = 30 * MINUTE
const BYTES_PER_SECOND = 16 * 1024
const UNKNOWN_MS = 6 * HOUR

/**
 * Creates the check of how fast a body arrives; call it with the size of each chunk. Throws `upstream-too-slow`, which
 * keeps the received bytes and moves the download to the end of the queue. `expected`: bytes of the body, null when the
 * host does not say; `elapsed`: a clock that never goes back.
 */
export function createPace(elapsed: Clock, expected: number | null) {
  const allowedMs = expected === null ? UNKNOWN_MS : LEAST_MS + (expected / BYTES_PER_SECOND) * SECOND
  const endsAt = elapsed() + allowedMs
  let window = { at: elapsed(), bytes: 0 }

  return function requirePace(chunkBytes: number) {
    const now = elapsed()
    window.bytes += chunkBytes
    if (now - window.at >= WINDOW_MS) {
      if (window.bytes < WINDOW_BYTES)
        throw tooSlow(`Received ${window.bytes} bytes in ${minutes(now - window.at)}`, null)
      window = { at: now, bytes: 0 }
    }
    // The host did nothing wrong: without other downloads, this one resumes at once.
    if (now >= endsAt) throw tooSlow(`The download took longer than ${minutes(allowedMs)}`, 0)
  }
}

const minutes = (ms: number) => `${Math.round(ms / MINUTE)} minutes`

/** `retryAfterMs`: null = the usual pause. */
const tooSlow = (reason: string, retryAfterMs: number | null) =>
  new DownloadFailure(
    'upstream-too-slow',
    `${reason}. Other downloads go first, then this one resumes.`,
    false,
    retryAfterMs,
  )
