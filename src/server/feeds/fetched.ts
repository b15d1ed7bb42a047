import { MINUTE } from '../platform/clock'
import { collectGarbage } from '../platform/engine'
import type { PodcastRow } from '../store/podcasts'
import { feedLimits, type FetchedBody } from './fetch/fetch'
import type { FeedsNeeds } from './needs'
import { recordSuccess } from './next-check'
import { unchanged, type RefreshOutcome } from './runs'
import type { DigestSummary } from './tasks'

/** Fetching leaves a sixth of the garbage that reading does. */
const FETCHING_LEAVES_LESS = 6

/**
 * Digests a fetched body, compared with the podcast that it belongs to, if there is one. The body moves to the second
 * thread, so it can be digested only once, unless it is kept.
 */
export function digestFetched(
  { digester, limits = feedLimits }: Pick<FeedsNeeds, 'digester' | 'limits'>,
  { body, isCut, contentType, contentEncoding, url }: FetchedBody,
  podcastId: number | null,
  keepsBody = false,
) {
  const { maxBytes } = limits
  // The bodies of many feeds would pile up in this thread, too, each once as it came and once in one piece.
  collectGarbage(body.byteLength / FETCHING_LEAVES_LESS)
  return digester.digest({
    body: keepsBody ? body.slice() : body,
    isCut,
    contentType,
    contentEncoding,
    address: url,
    maxBytes,
    podcastId,
  })
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
