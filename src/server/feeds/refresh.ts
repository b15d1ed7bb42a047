import { DAY, type Clock } from '../clock'
import type { Publish } from '../events'
import { describeError, type Log } from '../log'
import { createLanes } from '../outbound/lanes'
import type { Outbound } from '../outbound/request'
import type { Secret } from '../secret'
import type { Store } from '../store'
import type { PodcastRow } from '../store/podcasts'
import { feedAccess } from './access'
import { applyDigest } from './apply'
import type { Digest } from './digest'
import { feedLimits, fetchFeed, WHOLE_AGAIN_MS, type FeedLimits, type FetchedBody, type FetchFailure } from './fetch'
import { UnreadableFeed, type Reader } from './reader'
import { intervalFor, retryDelay, withJitter } from './schedule'

export type FeedsNeeds = {
  store: Store
  outbound: Outbound
  reader: Reader
  secret: Secret
  publish: Publish
  now: Clock
  log: Log
  pollingMinutes: number
  parallel: number
  limits?: FeedLimits
  enqueue: (episodeId: number) => void
  /** Called after the commit of a feed's changes: there may be downloads to start and covers to fetch. */
  afterApplied: () => void
}

export type RefreshOutcome =
  | { result: 'unchanged' }
  | { result: 'updated'; added: number; updated: number }
  | { result: 'failed'; code: string; message: string }

export type Refresh = ReturnType<typeof createRefresh>

const WEEK = 7 * DAY

/**
 * Keeps podcasts up to date. One feed: ask (conditionally) → read off the main thread → compare → store → say when to
 * ask next. What goes wrong is an outcome with its reason and the time of the next attempt, never an exception.
 */
export function createRefresh(needs: FeedsNeeds) {
  const { store, now, log, publish, reader, limits = feedLimits } = needs
  const lanes = createLanes({ total: needs.parallel, perHost: 2 })
  const current = new Map<number, Promise<RefreshOutcome>>()
  const blockedHosts = new Map<string, number>()

  /** The same for the schedule and for "refresh now", which also tells when nothing changed. */
  async function refresh(
    id: number,
    { isAsked = false, signal }: { isAsked?: boolean; signal?: AbortSignal } = {},
  ): Promise<RefreshOutcome> {
    const podcast = store.podcasts.find(id)
    if (!podcast) return { result: 'unchanged' }
    const host = URL.parse(podcast.feed_url)?.host ?? ''
    const already = current.get(id)
    const work = already ?? lanes.run(host, () => check(id, host, isAsked, signal))
    current.set(id, work)
    const outcome = await work.finally(() => current.delete(id))
    if (!already && (isAsked || outcome.result !== 'unchanged')) announce(id, outcome, isAsked)
    return outcome
  }

  async function check(
    id: number,
    host: string,
    isAsked: boolean,
    signal: AbortSignal | undefined,
  ): Promise<RefreshOutcome> {
    const podcast = store.podcasts.find(id)
    if (!podcast) return { result: 'unchanged' }
    const blockedFor = (blockedHosts.get(host) ?? 0) - now()
    if (blockedFor > 0 && !isAsked) return postpone(podcast, blockedFor)
    try {
      return await fetchAndApply(podcast, podcast.feed_url, signal)
    } catch (error) {
      if (signal?.aborted) return { result: 'unchanged' }
      const isKnown = error instanceof UnreadableFeed
      log.error('refresh failed', { podcast: podcast.title, error: describeError(error) })
      return fail(podcast, {
        code: isKnown ? 'feed-unreadable' : 'unexpected',
        message: isKnown ? 'The feed could not be read' : 'Something went wrong here; the log knows more',
        retryAfterMs: null,
        status: null,
      })
    }
  }

  async function fetchAndApply(
    podcast: PodcastRow,
    address: string,
    signal: AbortSignal | undefined,
  ): Promise<RefreshOutcome> {
    const outcome = await fetchFeed(
      { outbound: needs.outbound, now, limits },
      {
        address,
        ...feedAccess(needs, podcast, address),
        validators: validatorsOf(podcast, now()),
        ...(signal && { signal }),
      },
    )
    if (outcome.kind === 'failed') return fail(podcast, outcome.failure)
    if (outcome.kind === 'unchanged') {
      schedule(podcast, {
        dates: null,
        atLeastMs: outcome.freshForMs,
        complete: false,
        warnings: podcast.warnings === 1,
      })
      return { result: 'unchanged' }
    }
    const { fetched } = outcome
    const read = await reader.read({
      ...fetched,
      address: fetched.url,
      maxBytes: limits.maxBytes,
      known: store.episodes.knownOf(podcast.id),
    })
    if (!read.ok)
      return fail(podcast, {
        code: read.reason === 'too-large' ? 'too-large-upstream' : 'not-a-feed',
        message:
          read.reason === 'too-large' ? 'The feed is larger than 64 MB' : `What came is no feed but ${read.type}`,
        retryAfterMs: null,
        status: 200,
      })
    const moved = await follow(podcast, fetched, read.digest, signal)
    return applyRead(podcast, moved?.fetched ?? fetched, moved?.digest ?? read.digest)
  }

  async function applyRead(podcast: PodcastRow, fetched: FetchedBody, digest: Digest): Promise<RefreshOutcome> {
    const applied = await applyDigest(needs, podcast.id, digest, fetched)
    if (!applied) return { result: 'unchanged' }
    schedule(podcast, {
      dates: digest.dates,
      atLeastMs: Math.max(fetched.freshForMs, (digest.ttlMinutes ?? 0) * 60_000),
      complete: digest.complete,
      warnings: digest.warnings.length > 0,
    })
    if (digest.warnings.length > 0)
      log.warn('feed read in part', { podcast: podcast.title, why: digest.warnings.join('; ') })
    if (applied.addedIds.length > 0 && podcast.fetched_whole_at !== null)
      publish({
        type: 'addedEpisodes',
        podcastId: podcast.id,
        episodeIds: applied.addedIds.slice(-50),
        total: applied.addedIds.length,
      })
    needs.afterApplied()
    return { result: 'updated', added: applied.addedIds.length, updated: applied.edited }
  }

  /** A feed that has moved for good, by permanent redirects alone or by its own word, once it proves to be the same. */
  async function follow(
    podcast: PodcastRow,
    fetched: FetchedBody,
    digest: Digest,
    signal: AbortSignal | undefined,
  ): Promise<{ fetched: FetchedBody; digest: Digest } | null> {
    if (fetched.movedTo) moveTo(podcast, fetched.movedTo, digest)
    const announced = digest.newFeedUrl
    const isDowngrade = podcast.feed_url.startsWith('https:') && announced?.startsWith('http:')
    if (!announced || isDowngrade || store.podcasts.findByFeed(announced)?.id === podcast.id) return null
    const outcome = await fetchFeed(
      { outbound: needs.outbound, now, limits },
      { address: announced, ...feedAccess(needs, podcast, announced), validators: null, ...(signal && { signal }) },
    )
    if (outcome.kind !== 'body') return null
    const known = store.episodes.knownOf(podcast.id)
    const read = await reader.read({
      ...outcome.fetched,
      address: outcome.fetched.url,
      maxBytes: limits.maxBytes,
      known,
    })
    if (!read.ok || !moveTo(podcast, announced, read.digest)) return null
    return { fetched: outcome.fetched, digest: read.digest }
  }

  function moveTo(podcast: PodcastRow, address: string, digest: Digest): boolean {
    const isSame = digest.recognised > 0 || digest.title === podcast.title
    if (!isSame || store.podcasts.findByFeed(address)) return false
    store.inTransaction(() => store.podcasts.move(podcast.id, podcast.feed_url, address))
    log.info('feed moved', { podcast: podcast.title, to: address })
    return true
  }

  function schedule(
    podcast: PodcastRow,
    found: { dates: number[] | null; atLeastMs: number; complete: boolean; warnings: boolean },
  ) {
    const interval =
      found.dates === null && podcast.interval_ms !== null
        ? Math.max(podcast.interval_ms, found.atLeastMs)
        : intervalFor(found.dates ?? [], { pollingMinutes: needs.pollingMinutes, ...found })
    store.podcasts.recordCheck(podcast.id, {
      checkedAt: now(),
      nextCheckAt: now() + withJitter(interval),
      intervalMs: found.dates === null ? podcast.interval_ms : interval,
      failures: 0,
      error: null,
      warnings: found.warnings,
      gone: false,
    })
  }

  function fail(
    podcast: PodcastRow,
    failure: Pick<FetchFailure, 'message' | 'status' | 'retryAfterMs'> & { code: string },
  ): RefreshOutcome {
    const failures = podcast.failures + 1
    const isMissingForLong =
      failure.status === 404 && podcast.error_since !== null && now() - podcast.error_since > WEEK
    const delay = isMissingForLong ? DAY : retryDelay(failures, failure.retryAfterMs)
    if (failure.status === 429) blockedHosts.set(URL.parse(podcast.feed_url)?.host ?? '', now() + delay)
    store.podcasts.recordCheck(podcast.id, {
      checkedAt: now(),
      nextCheckAt: now() + withJitter(delay),
      intervalMs: podcast.interval_ms,
      failures,
      error: { code: failure.code, message: failure.message },
      warnings: podcast.warnings === 1,
      // 410 is the publisher's word that it will not come back: no more checks until somebody asks for one.
      gone: failure.status === 410,
    })
    log.debug('feed failed', { podcast: podcast.title, reason: failure.message, failures })
    return { result: 'failed', code: failure.code, message: failure.message }
  }

  function postpone(podcast: PodcastRow, delayMs: number): RefreshOutcome {
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

  function announce(podcastId: number, outcome: RefreshOutcome, isAsked: boolean) {
    const { result } = outcome
    const counts = result === 'updated' ? { added: outcome.added, updated: outcome.updated } : { added: 0, updated: 0 }
    if (!isAsked && result === 'updated' && counts.added + counts.updated === 0) return
    publish({
      type: 'refreshedPodcast',
      podcastId,
      result,
      ...counts,
      ...(result === 'failed' && { errorCode: outcome.code, message: outcome.message }),
    })
  }

  return {
    refresh,
    applyRead,
    /** Whatever is due, each on its own; answers when all of them were checked. */
    async refreshDue(signal: AbortSignal) {
      if (!store.settings.current().autoUpdate) return
      const due = store.podcasts.due(now(), 5000).filter(id => !current.has(id))
      await Promise.all(due.map(id => refresh(id, { signal })))
    },
    isIdle: () => current.size === 0,
  }
}

/** None when the last whole body is a week old: a host's validators may lie. */
function validatorsOf(podcast: PodcastRow, now: number) {
  if (podcast.fetched_whole_at === null || now - podcast.fetched_whole_at > WHOLE_AGAIN_MS) return null
  return { etag: podcast.etag, lastModified: podcast.last_modified, digest: podcast.body_digest }
}
