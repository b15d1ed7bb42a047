import { setAsideMessage, type BegunWork } from '../begun-work'
import { feedAccess } from '../feeds/access'
import { fetchBytes } from '../outbound/fetch-bytes'
import type { Outbound } from '../outbound/request'
import { DAY, HOUR, SECOND, type Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import type { Colors } from './colors'
import type { CoverFolder } from './folder'
import { asPicture } from './picture'

export type FetchNeeds = {
  store: Store
  outbound: Outbound
  secret: Secret
  publish: Publish
  now: Clock
  colors: Colors
  begun: BegunWork
  /** Removes the files of covers that nothing points to any more. */
  removeUnused: (digests: readonly string[]) => Promise<void>
}

const limits = { maxBytes: 20 * 1024 * 1024, timeoutMs: 20 * SECOND }
const headers = { Accept: 'image/webp, image/jpeg, image/png, image/*;q=0.5', 'Accept-Encoding': 'identity' }

/**
 * Fetches the cover of a podcast or episode and stores it by its digest. A failure is stored with the time of the next
 * attempt: 2 hours later, then twice as long after each failure, 7 days at most.
 */
export async function fetchCover(
  needs: FetchNeeds,
  folder: CoverFolder,
  { podcastId, url }: { podcastId: number; url: string },
  isStopping: () => boolean,
) {
  const { store, now } = needs
  const podcast = store.podcasts.find(podcastId)
  if (!podcast || isStopping()) return
  try {
    const body = await fetchBytes(needs.outbound, url, { ...feedAccess(needs, podcast), ...limits, headers })
    await needs.begun.run(
      { kind: 'cover', key: `${podcastId} ${url}`, label: podcast.title },
      () => storeCover(needs, folder, { podcastId, url }, body, isStopping),
      () => Promise.reject(new Error(setAsideMessage)),
    )
  } catch {
    // Unreachable, not a picture or too large: all are tried again later, and the reason is not stored.
    await store.whenWritable()
    if (isStopping() || !store.podcasts.find(podcastId)) return
    const failures = (store.covers.find(podcastId, url)?.failures ?? 0) + 1
    store.covers.fail(podcastId, url, now() + Math.min(HOUR * 2 ** failures, 7 * DAY))
  }
}

/** Stores the bytes of a cover by their digest. Throws for what is no picture. */
export async function storeCover(
  { store, now, colors, publish, removeUnused }: Omit<FetchNeeds, 'outbound' | 'secret' | 'begun'>,
  folder: CoverFolder,
  { podcastId, url }: { podcastId: number; url: string },
  body: Uint8Array,
  isStopping: () => boolean,
) {
  const { bytes, type } = await asPicture(body)
  const digest = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 40)
  await folder.write(folder.pathOf(digest, ''), bytes)
  const color = await colors.colorOf(digest, async () => bytes)
  await store.whenWritable()
  if (isStopping()) return
  const podcast = store.podcasts.find(podcastId)
  if (!podcast) return removeUnused([digest])
  const before = store.covers.find(podcastId, url)?.digest
  store.covers.keep(podcastId, url, { digest, type, color, now: now() })
  // Browsers are notified for the podcast's own cover only, not for each episode's.
  if (url === podcast.image_url) publish({ type: 'coverStored', podcastId })
  if (before) await removeUnused([before])
}
