import type { ElsewhereLink } from '../../shared/api/directory'
import type { BegunWork } from '../begun-work'
import type { Outbound } from '../outbound/request'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Log } from '../platform/log'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import type { FeedLimits } from './fetch/fetch'
import type { Digester } from './digester'

/** The parts that refreshing and subscribing both need. */
export type FeedsNeeds = {
  store: Store
  outbound: Outbound
  digester: Digester
  secret: Secret
  publish: Publish
  now: Clock
  log: Log
  begun: BegunWork
  pollingMinutes: number
  /** The number of feeds that are checked at once. */
  parallel: number
  limits?: FeedLimits
  /** Finds what is behind a link to another service; null for the address of anything else. */
  findLink: (address: string, signal?: AbortSignal) => Promise<{ feedUrl: string } | ElsewhereLink | null>
}
