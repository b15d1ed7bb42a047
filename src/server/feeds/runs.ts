import type { UpdateFrequency } from '../../shared/api/podcast-tags'
import type { ErrorCode } from '../../shared/error-code'
import { DAY } from '../platform/clock'
import type { Changes, Publish } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { PodcastRow } from '../store/podcasts'
import type { FeedsNeeds } from './needs'
import { nextLiveCheck, intervalFor, leastWait, retryDelay, waitFor, withJitter } from './schedule'

export type RefreshOutcome =
  | { result: 'unchanged' }
  | ({ result: 'updated'; explicit: Changes } & Changes)
  | { result: 'failed'; code: ErrorCode; message: string }

export const unchanged: RefreshOutcome = { result: 'unchanged' }
export const internalError = {
  code: 'unexpected',
  message: 'Internal error; the log has the details',
} as const

type Needs = { publish: Publish; log: Log; signal: AbortSignal }
/**
 * `isAsked`: a person asked for this run and hears its outcome, whatever it is. `isWhole`: they mean this one podcast,
 * whose host is not believed that nothing changed.
 */
type Run = { outcome: Promise<RefreshOutcome>; isAsked: boolean; isWhole: boolean }
type RunOptions = {
  isAsked?: boolean
  isWhole?: boolean
  /** Announces nothing, unless a person asked. */
  isQuiet?: boolean
}

/** Runs the work on feeds, one at a time for each podcast, and announces its outcomes. Nothing here rejects. */
export function createRuns({ publish, log, signal }: Needs) {
  const runs = new Map<number, Run>()

  function finish(id: number, run: Run, outcome: RefreshOutcome, { isQuiet = false }: RunOptions) {
    if (runs.get(id) === run) runs.delete(id)
    const isNews = !isQuiet && outcome.result !== 'unchanged'
    if (!signal.aborted && (run.isAsked || isNews)) announce(publish, id, outcome, run.isAsked)
    return outcome
  }

  function failUnexpectedly(error: unknown): RefreshOutcome {
    if (!signal.aborted) log.error('Refresh failed', { error: describeError(error) })
    return { result: 'failed', ...internalError }
  }

  return {
    isRunning: (id: number) => runs.has(id),
    isAsked: (id: number) => runs.get(id)?.isAsked ?? false,
    isWhole: (id: number) => runs.get(id)?.isWhole ?? false,
    /** The run of this podcast, if there is one. */
    join(id: number, { isAsked = false, isWhole = false }: RunOptions): Promise<RefreshOutcome> | null {
      const run = runs.get(id)
      if (run) run.isAsked ||= isAsked
      if (run) run.isWhole ||= isWhole
      return run?.outcome ?? null
    },
    /** Runs `work` once the podcast's current run has ended; a refresh that is asked for in the meantime joins it. */
    exclusively(id: number, options: RunOptions, work: () => Promise<RefreshOutcome>): Promise<RefreshOutcome> {
      const before = runs.get(id)?.outcome
      const { isAsked = false, isWhole = false } = options
      const run: Run = { outcome: Promise.resolve(unchanged), isAsked, isWhole }
      // Set before the work begins, which looks up whether anybody asked for it.
      runs.set(id, run)
      run.outcome = (before ? before.then(work) : work())
        .catch(failUnexpectedly)
        .then(outcome => finish(id, run, outcome, options))
      return run.outcome
    },
    /** Settles when every current run has ended. */
    settled: () => Promise.all([...runs.values()].map(run => run.outcome)),
  }
}

const nothing = { added: 0, updated: 0, explicit: { added: 0, updated: 0 } }

function announce(publish: Publish, podcastId: number, outcome: RefreshOutcome, isAsked: boolean) {
  const { result } = outcome
  const { added, updated, explicit } = result === 'updated' ? outcome : nothing
  if (!isAsked && result === 'updated' && added + updated === 0) return
  publish({
    type: 'refreshedPodcast',
    podcastId,
    result,
    added,
    updated,
    explicit,
    ...(result === 'failed' && { errorCode: outcome.code, message: outcome.message }),
  })
}

type RecordNeeds = Pick<FeedsNeeds, 'store' | 'now' | 'pollingMinutes' | 'log'>

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
export function recordSuccess({ store, now, pollingMinutes }: RecordNeeds, podcast: PodcastRow, checked: Checked) {
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
  { store, now, log, blockedHosts }: RecordNeeds & { blockedHosts: BlockedHosts },
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
export function postpone({ store, now }: RecordNeeds, podcast: PodcastRow, delayMs: number): RefreshOutcome {
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
