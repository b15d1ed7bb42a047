import { type Clock, HOUR, MINUTE, SECOND } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Store } from '../store'
import type { DownloadRow } from '../store/downloads'
import { DownloadFailure, findStatus } from './failure'
import type { SpoolLimits } from './spool'

export type DownloadLimits = {
  /** The longest wait for the response headers. */
  headersMs: number
  /** The longest wait between two chunks of the body. */
  idleMs: number
  maxBytes: number
  /** The interval at which the progress of a running download is published. */
  progressMs: number
  /** Received bytes are synced to the disk, and recorded, after this many bytes or this much time. */
  checkpointBytes: number
  checkpointMs: number
  /** Free space is checked again after this many bytes. */
  spaceCheckBytes: number
  spool: Partial<SpoolLimits>
}

export const downloadLimits: DownloadLimits = {
  headersMs: 30 * SECOND,
  idleMs: 60 * SECOND,
  maxBytes: 64e9,
  progressMs: 500,
  checkpointBytes: 8 * 1024 * 1024,
  checkpointMs: 2 * SECOND,
  spaceCheckBytes: 64 * 1024 * 1024,
  spool: {},
}

// Why: docs/internals/decisions/0003

/** The least speed, 2 KB a second over two minutes: a slower host blocks a slot that other downloads could use. */
const WINDOW_MS = 2 * MINUTE
const WINDOW_BYTES = (2048 * WINDOW_MS) / SECOND
/** An attempt may take half an hour plus the time that its bytes need at 16 KB a second. */
const BASE_MS = 30 * MINUTE
const BYTES_PER_SECOND = 16 * 1024
/** The time for a body of unknown length. */
const UNKNOWN_MS = 6 * HOUR

/**
 * Creates a check of the speed at which a body arrives, to be called with the size of each chunk. It throws
 * `upstream-too-slow`, which keeps the received bytes and moves the download to the end of the queue.
 * `elapsed`: a clock that never runs backwards; `expected`: bytes of the body, null when the host does not say.
 */
export function createPace(elapsed: Clock, expected: number | null) {
  const allowedMs = expected === null ? UNKNOWN_MS : BASE_MS + (expected / BYTES_PER_SECOND) * SECOND
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

const GAUGE_MS = 15 * SECOND

export type Gauge = ReturnType<typeof createGauge>

/** Creates a measure of bytes per second over the last full fifteen seconds; null before the first. */
export function createGauge(now: number, received: number) {
  let begun = { at: now, received }
  let speed: number | null = null
  return {
    note(at: number, bytes: number) {
      // The download started over.
      if (bytes < begun.received) begun = { at, received: bytes }
      if (at - begun.at < GAUGE_MS) return
      speed = ((bytes - begun.received) / (at - begun.at)) * SECOND
      begun = { at, received: bytes }
    },
    speed: () => speed,
  }
}

/** The reason why a slow download ends so that others can have its place; it doesn't count as a failed attempt. */
export const stepsAside = (speed: number) => tooSlow(`Receiving ${(speed / 1000).toFixed(1)} KB a second`, 0)

const minutes = (ms: number) => `${Math.round(ms / MINUTE)} minutes`

/** Describes an attempt that took too long. `retryAfterMs`: the pause before the next one, null = the usual pause. */
const tooSlow = (reason: string, retryAfterMs: number | null) =>
  new DownloadFailure(
    'upstream-too-slow',
    `${reason}. Other downloads go first, then this one resumes.`,
    false,
    retryAfterMs,
  )

type Needs = { store: Store; publish: Publish }

/** The figures of a running download, fresher than its row. */
export type Progress = {
  received: number
  total: number | null
  /** Bytes per second, smoothed. */
  speed: number
  /** The received bytes that were published last. */
  announced: number
  /** The host that delivers the file, null before it answered. */
  host: string | null
  /** All bytes have arrived; the file is being read, or put in its place. */
  isReceived: boolean
}

export const startProgress = ({ received_bytes: received, total_bytes: total }: DownloadRow): Progress => ({
  received,
  total,
  speed: 0,
  announced: received,
  host: null,
  isReceived: false,
})

/** Measures the speed since the last tick, `everyMs` ago; returns whether there is news to publish. */
export function tick(progress: Progress, everyMs: number): boolean {
  const speed = ((progress.received - progress.announced) / everyMs) * SECOND
  progress.speed = Math.round(progress.speed === 0 ? speed : progress.speed * 0.6 + speed * 0.4)
  if (progress.received === progress.announced) return false
  progress.announced = progress.received
  return true
}

/** Publishes the state of a download. `live`: its figures while it runs. */
export function publishProgress({ store, publish }: Needs, id: number, live: Progress | undefined) {
  const row = store.downloads.find(id)
  if (!row) return
  const fresh = row.state === 'running' ? live : undefined
  publish({
    type: 'downloadProgress',
    id: row.uuid,
    eid: row.eid,
    state: row.state,
    receivedBytes: fresh?.received ?? row.received_bytes,
    totalBytes: fresh?.total ?? row.total_bytes,
    bytesPerSecond: fresh?.speed ?? 0,
    errorCode: row.error_code,
    status: findStatus(row.message),
    nextAttemptAt: row.next_attempt_at,
  })
}
