import { DAY, type Clock } from '../platform/clock'
import type { Changes, Listeners, Publish } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import { createLanes } from '../outbound/lanes'
import { publicOnly, type Outbound } from '../outbound/request'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import type { PodcastRow } from '../store/podcasts'
import { feedAccess, privacyOf } from './access'
import { BackgroundLost, UnreadableFeed, type Background } from '../thread'
import type { Reading } from '../tasks'
import { feedLimits, fetchFeed, WHOLE_AGAIN_MS, type FeedLimits, type FetchedBody, type FetchFailure } from './fetch'
import { intervalFor, retryDelay, withJitter } from './schedule'

export type FeedsNeeds = {
  store: Store
  outbound: Outbound
  background: Background
  secret: Secret
  publish: Publish
  now: Clock
  log: Log
  pollingMinutes: number
  parallel: number
  limits?: FeedLimits
}

export type RefreshOutcome =
  | { result: 'unchanged' }
  | ({ result: 'updated'; explicit: Changes } & Changes)
  | { result: 'failed'; code: string; message: string }

export type Refresh = ReturnType<typeof createRefresh>

type Moved = { fetched: FetchedBody; reading: Reading }

const WEEK = 7 * DAY

const nothing = { added: 0, updated: 0, explicit: { added: 0, updated: 0 } }

/**
 * Keeps podcasts up to date. One feed: ask (conditionally) → read, compare and store in the background → say when to
 * ask next. What goes wrong is an outcome with its reason and the time of the next attempt, never an exception.
 */
export function createRefresh(needs: FeedsNeeds) {
  const { store, now, log, publish, background, limits = feedLimits } = needs
  const lanes = createLanes({ total: needs.parallel, perHost: 2 })
  const current = new Map<number, { outcome: Promise<RefreshOutcome>; isAsked: boolean }>()
  const blockedHosts = new Map<string, number>()
  const stopping = new AbortController()
  const { signal } = stopping

  /** The same for the schedule and for "refresh now", which also tells when nothing changed. Never rejects. */
  function refresh(id: number, { isAsked = false } = {}): Promise<RefreshOutcome> {
    const already = current.get(id)
    if (already) {
      already.isAsked ||= isAsked
      return already.outcome
    }
    const podcast = store.podcasts.find(id)
    if (!podcast) return Promise.resolve({ result: 'unchanged' })
    const host = URL.parse(podcast.feed_url)?.host ?? ''
    return exclusively(id, { isAsked }, () => lanes.run(host, () => check(id, host)))
  }

  /**
   * Work on a podcast's feed that nothing else may do at the same time; whoever asks for a refresh meanwhile joins it.
   * `isQuiet`: nobody is told unless somebody asked.
   */
  function exclusively(
    id: number,
    { isAsked = false, isQuiet = false }: { isAsked?: boolean; isQuiet?: boolean },
    work: () => Promise<RefreshOutcome>,
  ): Promise<RefreshOutcome> {
    const entry = { outcome: Promise.resolve<RefreshOutcome>({ result: 'unchanged' }), isAsked }
    const before = current.get(id)?.outcome
    // Before the work begins: the work looks whether anybody asked for it.
    current.set(id, entry)
    entry.outcome = (before ? before.then(work) : work())
      .catch((error: unknown): RefreshOutcome => {
        if (!signal.aborted) log.error('refresh failed', { error: describeError(error) })
        return { result: 'failed', code: 'unexpected', message: 'Something went wrong here; the log knows more' }
      })
      .then(outcome => {
        if (current.get(id) === entry) current.delete(id)
        if (!signal.aborted && (entry.isAsked || (!isQuiet && outcome.result !== 'unchanged')))
          announce(id, outcome, entry.isAsked)
        return outcome
      })
    return entry.outcome
  }

  async function check(id: number, host: string, isAgain = false): Promise<RefreshOutcome> {
    const podcast = store.podcasts.find(id)
    if (!podcast) return { result: 'unchanged' }
    const blockedFor = (blockedHosts.get(host) ?? 0) - now()
    if (blockedFor > 0 && !current.get(id)?.isAsked) return postpone(podcast, blockedFor)
    try {
      return await fetchAndApply(podcast, podcast.feed_url)
    } catch (error) {
      if (signal.aborted) return { result: 'unchanged' }
      if (error instanceof BackgroundLost && !isAgain) return check(id, host, true)
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

  async function fetchAndApply(podcast: PodcastRow, address: string): Promise<RefreshOutcome> {
    const outcome = await fetchFeed(
      { outbound: needs.outbound, now, limits },
      {
        address,
        ...feedAccess(needs, podcast, address),
        validators: validatorsOf(podcast, now()),
        signal,
      },
    )
    if (outcome.kind === 'failed') return fail(podcast, outcome.failure)
    if (outcome.kind === 'unchanged') {
      if (outcome.movedTo) await moveTo(podcast, outcome.movedTo, { recognised: 1, title: podcast.title })
      // It said so the last time, and nothing was there yet.
      const moved = podcast.announced_feed_url ? await followTo(podcast, podcast.announced_feed_url) : null
      if (moved) return applyMoved(podcast, moved)
      schedule(podcast, {
        dates: null,
        atLeastMs: outcome.freshForMs,
        complete: false,
        warnings: podcast.warnings === 1,
      })
      return { result: 'unchanged' }
    }
    const { fetched } = outcome
    const read = await readBody(fetched, podcast.id)
    if (!read.ok)
      return fail(podcast, {
        code: read.reason === 'too-large' ? 'too-large-upstream' : 'not-a-feed',
        message: read.reason === 'too-large' ? read.message : `Expected a feed, got ${read.type}`,
        retryAfterMs: null,
        status: 200,
      })
    try {
      const moved = await follow(podcast, fetched, read.reading)
      return moved ? await applyMoved(podcast, moved) : await applyRead(podcast, fetched, read.reading)
    } finally {
      background.forget([read.reading.kept])
    }
  }

  async function applyMoved(podcast: PodcastRow, { fetched, reading }: Moved): Promise<RefreshOutcome> {
    try {
      return await applyRead(podcast, fetched, reading)
    } finally {
      background.forget([reading.kept])
    }
  }

  const readBody = ({ body, isCut, contentType, contentEncoding, url }: FetchedBody, podcastId: number | null) =>
    background.read({ body, isCut, contentType, contentEncoding, address: url, maxBytes: limits.maxBytes, podcastId })

  /** `older`: the pages behind the first one. */
  async function applyRead(
    podcast: PodcastRow,
    fetched: FetchedBody,
    digest: Reading,
    older: readonly Reading[] = [],
  ): Promise<RefreshOutcome> {
    const { etag, lastModified, digest: bodyDigest } = fetched
    const applied = await background.apply({
      podcastId: podcast.id,
      readings: [digest, ...older].map(({ kept }) => kept),
      validators: { etag, lastModified, digest: bodyDigest },
      now: now(),
    })
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
        explicitTotal: applied.explicit.added,
      })
    publish({ type: 'feedApplied', podcastId: podcast.id, addedIds: applied.addedIds })
    return {
      result: 'updated',
      added: applied.addedIds.length,
      updated: applied.edited,
      explicit: applied.explicit,
    }
  }

  /** A feed that has moved for good, by permanent redirects alone or by its own word, once it proves to be the same. */
  async function follow(podcast: PodcastRow, fetched: FetchedBody, digest: Reading): Promise<Moved | null> {
    if (fetched.movedTo) await moveTo(podcast, fetched.movedTo, digest)
    const announced = digest.newFeedUrl
    const isHere = announced === podcast.feed_url || announced === fetched.url
    const isMove = announced !== null && !isHere && !isDowngrade(podcast.feed_url, announced)
    const moved = isMove ? await followTo(podcast, announced) : null
    // Nothing may be there yet: it is tried again with the next check, whether the feed changes or not.
    if (!moved) store.podcasts.announceMove(podcast.id, isMove ? announced : null)
    return moved
  }

  async function followTo(podcast: PodcastRow, announced: string): Promise<Moved | null> {
    const outcome = await fetchFeed(
      { outbound: needs.outbound, now, limits },
      { address: announced, ...feedAccess(needs, podcast, announced), validators: null, signal },
    )
    if (outcome.kind !== 'body') return null
    const read = await readBody(outcome.fetched, podcast.id).catch(() => null)
    if (!read?.ok) return null
    let isMoved = false
    try {
      isMoved = await moveTo(podcast, announced, read.reading)
    } finally {
      if (!isMoved) background.forget([read.reading.kept])
    }
    return isMoved ? { fetched: outcome.fetched, reading: read.reading } : null
  }

  /** A password stays behind when the feed leaves its origin, and so does the right to reach a private network. */
  async function moveTo(
    podcast: PodcastRow,
    address: string,
    digest: Pick<Reading, 'recognised' | 'title'>,
  ): Promise<boolean> {
    const isSame = digest.recognised > 0 || digest.title === podcast.title
    const holder = store.podcasts.findByFeed(address)
    if (!isSame || (holder && holder.id !== podcast.id) || isDowngrade(podcast.feed_url, address)) return false
    const [from, to] = [new URL(podcast.feed_url), new URL(address)]
    const isOwnHost = from.hostname === to.hostname
    const reach = await needs.outbound.reachOf(address, false).catch(() => publicOnly)
    const move = {
      privacy: isOwnHost ? podcast.private : privacyOf(reach),
      keepsCredential: from.origin === to.origin,
    }
    store.inTransaction(() => store.podcasts.move(podcast.id, podcast.feed_url, address, move))
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

  return {
    refresh,
    listeners: { mediaRefused: ({ podcastId }) => refresh(podcastId) } satisfies Listeners,
    exclusively,
    readBody,
    applyRead,
    /** Whatever is due, each on its own; what is still being checked from the last time is left alone. */
    async refreshDue() {
      const { autoUpdate } = store.settings.current()
      const due = store.podcasts.due(now(), autoUpdate, 5000).filter(id => !current.has(id))
      await Promise.all(due.map(id => refresh(id)))
    },
    /** Ends what is on the way; the feeds stay due. */
    async stop() {
      stopping.abort(new Error('stopping'))
      await Promise.all([...current.values()].map(entry => entry.outcome))
    },
  }
}

/** From https to http: a promise to its readers that a feed does not get to break. */
export const isDowngrade = (from: string, to: string) => from.startsWith('https:') && to.startsWith('http:')

/** None when the last whole body is a week old: a host's validators may lie. */
function validatorsOf(podcast: PodcastRow, now: number) {
  if (podcast.fetched_whole_at === null || now - podcast.fetched_whole_at > WHOLE_AGAIN_MS) return null
  return { etag: podcast.etag, lastModified: podcast.last_modified, digest: podcast.body_digest }
}
