import { MINUTE } from '../platform/clock'
import { collectGarbage } from '../platform/garbage'
import type { PodcastRow } from '../store/podcasts'
import { feedLimits, type FetchedBody } from './fetch'
import type { FeedsNeeds } from './needs'
import { recordSuccess } from './next-check'
import { unchanged, type RefreshOutcome } from './runs'
import type { Reading } from './tasks'

/**
 * Reads a fetched body, compared with the podcast that it belongs to, if there is one. The body can be read just once,
 * unless it is kept.
 */
export function readFetched(
  { reader, limits = feedLimits }: Pick<FeedsNeeds, 'reader' | 'limits'>,
  { body, isCut, contentType, contentEncoding, url }: FetchedBody,
  podcastId: number | null,
  keepsBody = false,
) {
  const { maxBytes } = limits
  // The bodies of many feeds would pile up in this thread, too.
  collectGarbage(body.byteLength)
  return reader.read({
    body: keepsBody ? body.slice() : body,
    isCut,
    contentType,
    contentEncoding,
    address: url,
    maxBytes,
    podcastId,
  })
}

/** Stores a reading, and the pages behind the first one; schedules the next check and publishes what is new. */
export async function applyReading(
  needs: FeedsNeeds,
  podcast: PodcastRow,
  fetched: FetchedBody,
  [reading, ...older]: readonly [Reading, ...Reading[]],
  firstDownloads?: number | null,
): Promise<RefreshOutcome> {
  const { store, reader, publish, now, log } = needs
  const applied = await reader.apply({
    podcastId: podcast.id,
    readings: [reading, ...older].map(({ kept }) => kept),
    validators: { etag: fetched.etag, lastModified: fetched.lastModified, digest: fetched.digest },
    now: now(),
    firstDownloads,
  })
  if (!applied) return unchanged
  await store.whenWritable()
  const { addedIds, edited, merged, explicit } = applied
  if (merged > 0) log.info('Merged episodes that were there twice', { podcast: podcast.title, episodes: merged })
  const { warnings } = reading
  recordSuccess(needs, podcast, {
    dates: reading.dates,
    atLeastMs: Math.max(fetched.freshForMs, (reading.ttlMinutes ?? 0) * MINUTE),
    complete: reading.complete,
    warnings: warnings.length > 0,
  })
  if (warnings.length > 0) log.warn('Feed read in part', { podcast: podcast.title, reasons: warnings.join('; ') })
  // The first reading of a podcast is its addition, not news.
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
