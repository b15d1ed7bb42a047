import { SECOND } from '../platform/clock'

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
}

export const downloadLimits: DownloadLimits = {
  headersMs: 30 * SECOND,
  idleMs: 60 * SECOND,
  maxBytes: 64e9,
  progressMs: 500,
  checkpointBytes: 8 * 1024 * 1024,
  checkpointMs: 2 * SECOND,
  spaceCheckBytes: 64 * 1024 * 1024,
}
