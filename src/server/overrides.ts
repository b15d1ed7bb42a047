import type { ThrottleLimits } from './accounts/throttle'
import type { DirectoryAddresses } from './directory/directories'
import type { DownloadLimits } from './downloads/limits'
import type { FeedLimits } from './feeds/fetch'
import type { MediaLimits } from './media/limits'
import type { Resolve } from './outbound/reach'
import type { Clock } from './platform/clock'
import type { Log } from './platform/log'
import type { BucketLimits } from './storage/s3'

/** Replacements for tests; the product takes the defaults. */
export type Overrides = {
  now?: Clock
  log?: Log
  feedLimits?: FeedLimits
  downloadLimits?: Partial<DownloadLimits>
  mediaLimits?: MediaLimits
  bucketLimits?: Partial<BucketLimits>
  /** A clock that never goes back. */
  elapsed?: Clock
  throttleLimits?: ThrottleLimits
  bodySeconds?: number
  resolve?: Resolve
  directoryAddresses?: DirectoryAddresses
}
