import type { UpdateFrequency } from '../../shared/api/podcast-tags'
import type { ErrorCode } from '../../shared/error-code'
import { DAY } from '../platform/clock'
import type { PodcastRow } from '../store/podcasts'
import { nextLiveCheck } from './apply/live-schedule'
import type { FeedsNeeds } from './needs'
import type { RefreshOutcome } from './runs'
import { intervalFor, leastWait, retryDelay, waitFor, withJitter } from './schedule'

type Needs = Pick<FeedsNeeds, 'store' | 'now' | 'pollingMinutes' | 'log'>

const WEEK = 7 * DAY
/** Failures in a row up to which a feed is still checked often before a live stream begins. */
const MAX_NEAR_LIVE = 5

type Checked = {
  /** When the feed's items were announced; null when it did not change, which keeps the known interval. */
  dates: number[] | null
  /** The pause that the host or the feed asks for. */
  atLeastMs: number
  complete: boolean
  warnings: boolean
}

/** Records a successful check and the time of the next one. */
export function recordSuccess({ store, now, pollingMinutes }: Needs, podcast: PodcastRow, checked: Checked) {
  const interval =
    checked.dates === null && podcast.interval_ms !== null
      ? Math.max(podcast.interval_ms, checked.atLeastMs)
      : intervalFor(checked.dates ?? [], { pollingMinutes, ...checked })
  const latest = store.podcasts.find(podcast.id) ?? podcast
  const wait = checked.complete
    ? withJitter(interval)
    : waitFor(frequencyOf(latest), interval, {
        now: now(),
        newest: (checked.dates ?? []).reduce((one, other) => Math.max(one, other), latest.last_episode_at ?? 0),
        leastMs: leastWait(pollingMinutes, checked.atLeastMs),
      })
  store.podcasts.recordCheck(podcast.id, {
    checkedAt: now(),
    nextCheckAt: Math.min(now() + wait, nextLiveCheck(latest, now()) ?? Number.POSITIVE_INFINITY),
    intervalMs: checked.dates === null ? podcast.interval_ms : interval,
    failures: 0,
    error: null,
    warnings: checked.warnings,
    gone: false,
  })
}

const frequencyOf = ({ extras }: Pick<PodcastRow, 'extras'>) =>
  (JSON.parse(extras) as { updateFrequency?: UpdateFrequency }).updateFrequency ?? null

export type CheckFailure = { code: ErrorCode; message: string; status: number | null; retryAfterMs: number | null }

/** Hosts that answered 429, and until when they are left alone. */
export type BlockedHosts = Map<string, number>

export const hostIn = (address: string) => URL.parse(address)?.host ?? ''

/** Records a failed check and the time of the next one, later with each failure in a row. */
export function recordFailure(
  { store, now, log, blockedHosts }: Needs & { blockedHosts: BlockedHosts },
  podcast: PodcastRow,
  { code, message, status, retryAfterMs }: CheckFailure,
): RefreshOutcome {
  const failures = podcast.failures + 1
  const isMissingForLong = status === 404 && podcast.error_since !== null && now() - podcast.error_since > WEEK
  const delay = isMissingForLong ? DAY : retryDelay(failures, retryAfterMs)
  const liveCheck = failures <= MAX_NEAR_LIVE && retryAfterMs === null ? nextLiveCheck(podcast, now()) : null
  if (status === 429) blockedHosts.set(hostIn(podcast.feed_url), now() + delay)
  store.podcasts.recordCheck(podcast.id, {
    checkedAt: now(),
    nextCheckAt: Math.min(now() + withJitter(delay), liveCheck ?? Number.POSITIVE_INFINITY),
    intervalMs: podcast.interval_ms,
    failures,
    error: { code, message },
    warnings: podcast.warnings === 1,
    // 410 means that the feed is gone for good: no more checks until a person asks for one.
    gone: status === 410,
  })
  log.debug('Feed failed', { podcast: podcast.title, reason: message, failures })
  return { result: 'failed', code, message }
}

/** Moves the next check, and changes nothing else. */
export function postpone({ store, now }: Needs, podcast: PodcastRow, delayMs: number): RefreshOutcome {
  store.podcasts.recordCheck(podcast.id, {
    checkedAt: podcast.checked_at ?? now(),
    nextCheckAt: now() + withJitter(delayMs),
    intervalMs: podcast.interval_ms,
    failures: podcast.failures,
    error: podcast.error_code ? { code: podcast.error_code, message: podcast.error_message ?? '' } : null,
    warnings: podcast.warnings === 1,
    gone: podcast.gone === 1,
  })
  return { result: 'unchanged' }
}
