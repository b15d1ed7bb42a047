import { setAsideMessage } from '../begun-work'
import { createLanes } from '../outbound/lanes'
import type { Listeners } from '../platform/events'
import { describeError } from '../platform/log'
import { isFolderAddress } from '../store/feeds'
import type { PodcastRow } from '../store/podcasts'
import { ThreadLost } from '../thread'
import { feedAccess } from './fetch/address'
import { fetchFeed, WHOLE_AGAIN_MS, type FeedRequest, type FetchedBody, type FetchOutcome } from './fetch/fetch'
import { followAnnounced, followMove, moveTo, type Moved } from './fetch/moves'
import type { FeedsNeeds } from './needs'
import type { DigestSummary } from './tasks'
import { MINUTE } from '../platform/clock'
import {
  hostIn,
  postpone,
  recordFailure,
  recordSuccess,
  type BlockedHosts,
  type CheckFailure,
  createRuns,
  internalError,
  unchanged,
  type RefreshOutcome,
} from './runs'
import { expectedFeed } from './parse/not-a-feed'
import { UnreadableFeed, type NotDigested } from './digester'
import { digestFetched } from './digester'

export type Refresh = ReturnType<typeof createRefresh>

type Checker = FeedsNeeds & {
  /** Aborted when the server stops; every feed that is being checked stays due. */
  signal: AbortSignal
  blockedHosts: BlockedHosts
  isAsked: (id: number) => boolean
  isWhole: (id: number) => boolean
}

const MAX_DUE = 5000
const none = { etag: null, lastModified: null }
const setAside: CheckFailure = { code: 'set-aside', message: setAsideMessage, retryAfterMs: null, status: 200 }

/**
 * Keeps podcasts up to date. A failure is an outcome with its reason and the time of the next check, never an
 * exception.
 */
export function createRefresh(needs: FeedsNeeds) {
  const { store, now } = needs
  const stopping = new AbortController()
  const { signal } = stopping
  const runs = createRuns({ ...needs, signal })
  const lanes = createLanes({ total: needs.parallel, perHost: 2 })
  const checker: Checker = { ...needs, signal, blockedHosts: new Map(), isAsked: runs.isAsked, isWhole: runs.isWhole }

  /**
   * Refreshes a podcast; `isAsked`: a person asked, who also learns that nothing changed; `isWhole`: a person asked for
   * just this podcast, so its whole feed is fetched. Never rejects.
   */
  function refresh(id: number, { isAsked = false, isWhole = false } = {}): Promise<RefreshOutcome> {
    const joined = runs.join(id, { isAsked, isWhole })
    if (joined) return joined
    const podcast = store.podcasts.find(id)
    if (!podcast || isFolderAddress(podcast.feed_url)) return Promise.resolve(unchanged)
    if (isAsked) needs.begun.retry({ kind: 'feed', key: String(id) })
    return runs.exclusively(id, { isAsked, isWhole }, () =>
      lanes.run(hostIn(podcast.feed_url), () => check(checker, id)),
    )
  }

  return {
    refresh,
    listeners: { mediaRefused: ({ podcastId }) => refresh(podcastId) } satisfies Listeners,
    /** Runs other work on a podcast's feed while nothing else may touch it. */
    exclusively: runs.exclusively,
    /** Refreshes every podcast that is due, except those still being checked from the last time. */
    async refreshDue() {
      const { autoUpdate } = store.settings.current()
      const due = store.podcasts.due(now(), autoUpdate, MAX_DUE).filter(id => !runs.isRunning(id))
      await Promise.all(due.map(id => refresh(id)))
    },
    /** Refreshes the podcasts that somebody asked for on the command line, except those being checked for a person. */
    async refreshAsked() {
      const asked = store.podcasts.asked().filter(id => !runs.isAsked(id))
      const isWhole = asked.length === 1
      await Promise.all(asked.map(id => refresh(id, { isAsked: true, isWhole })))
    },
    async stop() {
      stopping.abort(new Error('The server is stopping'))
      await runs.settled()
    },
  }
}

async function check(checker: Checker, id: number, isRetry = false): Promise<RefreshOutcome> {
  const { store, now, signal, blockedHosts } = checker
  const podcast = store.podcasts.find(id)
  if (!podcast) return unchanged
  const blockedFor = (blockedHosts.get(hostIn(podcast.feed_url)) ?? 0) - now()
  if (blockedFor > 0 && !checker.isAsked(id)) return postpone(checker, podcast, blockedFor)
  try {
    return await fetchAndApply(checker, podcast)
  } catch (error) {
    if (signal.aborted) return unchanged
    if (error instanceof ThreadLost && !isRetry) return check(checker, id, true)
    await store.whenWritable()
    checker.log.error('Refresh failed', { podcast: podcast.title, error: describeError(error) })
    return recordFailure(checker, podcast, failureOfError(error))
  }
}

async function fetchAndApply(checker: Checker, podcast: PodcastRow): Promise<RefreshOutcome> {
  const outcome = await fetchFeed(checker, conditionalRequest(checker, podcast))
  await checker.store.whenWritable()
  if (outcome.kind === 'failed') return recordFailure(checker, podcast, outcome.failure)
  if (outcome.kind === 'unchanged') return applyUnchanged(checker, podcast, outcome)
  const item = { kind: 'feed', key: String(podcast.id), label: podcast.title } as const
  return checker.begun.run(
    item,
    () => readAndApply(checker, podcast, outcome.fetched),
    () => recordFailure(checker, podcast, setAside),
  )
}

async function readAndApply(checker: Checker, podcast: PodcastRow, fetched: FetchedBody): Promise<RefreshOutcome> {
  const read = await digestFetched(checker, fetched, podcast.id)
  await checker.store.whenWritable()
  if (!read.ok) return recordFailure(checker, podcast, failureOfBody(read))
  const { summary } = read
  try {
    const moved = await followMove(checker, podcast, fetched, summary)
    return moved ? await applyMoved(checker, podcast, moved) : await applyFetched(checker, podcast, fetched, [summary])
  } finally {
    checker.digester.forget([summary.digestId])
  }
}

/** Requests the whole body if a person asked for this podcast, and after a week: a host's validators may be wrong. */
function conditionalRequest(checker: Checker, podcast: PodcastRow): FeedRequest {
  const { fetched_whole_at, etag, last_modified, body_digest, feed_url } = podcast
  const isRecent = fetched_whole_at !== null && checker.now() - fetched_whole_at <= WHOLE_AGAIN_MS
  const mine = { etag, lastModified: last_modified }
  return {
    address: feed_url,
    ...feedAccess(checker, podcast),
    validators: isRecent ? { ...(checker.isWhole(podcast.id) ? none : mine), digest: body_digest } : null,
    signal: checker.signal,
  }
}

async function applyUnchanged(
  checker: Checker,
  podcast: PodcastRow,
  { movedTo, freshForMs }: Extract<FetchOutcome, { kind: 'unchanged' }>,
): Promise<RefreshOutcome> {
  if (movedTo) await moveTo(checker, podcast, movedTo, { recognised: 1, title: podcast.title })
  // An earlier reading announced a move, and nothing was there yet.
  const announced = podcast.announced_feed_url
  const moved = announced ? await followAnnounced(checker, podcast, announced) : null
  if (moved) return applyMoved(checker, podcast, moved)
  const warnings = podcast.warnings === 1
  recordSuccess(checker, podcast, { dates: null, atLeastMs: freshForMs, complete: false, warnings })
  return unchanged
}

async function applyMoved(checker: Checker, podcast: PodcastRow, { fetched, summary }: Moved): Promise<RefreshOutcome> {
  try {
    return await applyFetched(checker, podcast, fetched, [summary])
  } finally {
    checker.digester.forget([summary.digestId])
  }
}

function failureOfBody(read: NotDigested): CheckFailure {
  const common = { retryAfterMs: null, status: 200 }
  if (read.reason === 'too-large') return { ...common, code: 'too-large-upstream', message: read.message }
  return { ...common, code: 'not-a-feed', message: expectedFeed(read.type) }
}

function failureOfError(error: unknown): CheckFailure {
  const common = { retryAfterMs: null, status: null }
  if (error instanceof UnreadableFeed)
    return { ...common, code: 'feed-unreadable', message: 'The feed could not be read' }
  return { ...common, ...internalError }
}

/** Stores the digest of a body, and those of the pages behind it; schedules the next check and publishes what is new. */
export async function applyFetched(
  needs: FeedsNeeds,
  podcast: PodcastRow,
  fetched: FetchedBody,
  [summary, ...older]: readonly [DigestSummary, ...DigestSummary[]],
  firstDownloads?: number | null,
): Promise<RefreshOutcome> {
  const { store, digester, publish, now, log } = needs
  const applied = await digester.apply({
    podcastId: podcast.id,
    digestIds: [summary, ...older].map(({ digestId }) => digestId),
    validators: { etag: fetched.etag, lastModified: fetched.lastModified, digest: fetched.digest },
    now: now(),
    firstDownloads,
  })
  if (!applied) return unchanged
  await store.whenWritable()
  const { addedIds, edited, merged, explicit } = applied
  if (merged > 0) log.info('Merged duplicate episodes', { podcast: podcast.title, episodes: merged })
  const { warnings } = summary
  recordSuccess(needs, podcast, {
    dates: summary.dates,
    atLeastMs: Math.max(fetched.freshForMs, (summary.ttlMinutes ?? 0) * MINUTE),
    complete: summary.complete,
    warnings: warnings.length > 0,
  })
  if (warnings.length > 0) log.warn('Feed read in part', { podcast: podcast.title, reasons: warnings.join('; ') })
  // The first reading adds the podcast, so nothing in it is news.
  if (addedIds.length > 0 && podcast.fetched_whole_at !== null)
    publish({
      type: 'addedEpisodes',
      podcastId: podcast.id,
      episodeIds: addedIds.slice(-50),
      total: addedIds.length,
      explicitTotal: explicit.added,
    })
  publish({ type: 'feedApplied', podcastId: podcast.id, addedIds })
  return { result: 'updated', added: addedIds.length, updated: edited + merged, explicit }
}
