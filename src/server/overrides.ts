import type { MeasureFree } from './platform/room'
import type { ThrottleLimits } from './accounts/throttle'
import type { ClipLimits } from './clips/clips'
import type { DirectoryAddresses } from './directory/directories'
import type { DownloadLimits } from './downloads/limits'
import type { FeedLimits } from './feeds/fetch'
import type { MediaLimits } from './media/limits'
import type { ReaderLimits } from './moving/needs'
import type { Resolve } from './outbound/reach'
import type { Clock } from './platform/clock'
import type { Log } from './platform/log'
import type { BucketLimits } from './storage/s3'
import type { TranscriptionLimits } from './transcription/limits'

/** Times in milliseconds and numbers of the connections that apps keep for live events. */
export type SocketLimits = {
  /** Between two pings. */
  pingMs: number
  /** From a ping to its pong. */
  pongMs: number
  /** From the handshake to the sign-in. */
  signInMs: number
  /** From the websocket of an upgrade to its end. */
  upgradeMs: number
  /** Between two looks at all connections. */
  tickMs: number
  /** From a change to its event, with the changes that follow in the meantime. */
  settleMs: number
  /** The same for whole podcasts, and between two of them. */
  itemsMs: number
  /** For which clients that read keep waiting for those that do not. */
  drainMs: number
  connections: number
  perUser: number
  strangersPerAddress: number
}

/** Replacements for tests; the product takes the defaults. */
export type Overrides = {
  now?: Clock
  log?: Log
  feedLimits?: FeedLimits
  downloadLimits?: Partial<DownloadLimits>
  mediaLimits?: MediaLimits
  clipLimits?: ClipLimits
  readerLimits?: Partial<ReaderLimits>
  bucketLimits?: Partial<BucketLimits>
  transcriptionLimits?: Partial<TranscriptionLimits>
  /** A clock that never runs backwards. */
  elapsed?: Clock
  throttleLimits?: Partial<ThrottleLimits>
  bodySeconds?: number
  /** How long a request that changes something waits while another process writes, in milliseconds. */
  writeWaitMs?: number
  socketLimits?: Partial<SocketLimits>
  resolve?: Resolve
  /** Free bytes on the disk of the data folder. */
  measureFree?: MeasureFree
  directoryAddresses?: DirectoryAddresses
}
