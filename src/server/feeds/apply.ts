import { DAY, type Clock } from '../clock'
import type { Changes } from '../events'
import type { Store } from '../store'
import type { Validators } from '../store/podcasts'
import type { Digest } from './digest'

export type Applied = { addedIds: number[]; edited: number; explicit: Changes }

type Needs = {
  store: Store
  now: Clock
  /** Puts an episode into the queue of downloads; called inside the transaction that stores the episode. */
  enqueue: (episodeId: number) => void
}

// A transaction holds the main thread: with fifty episodes and their indexes that is a few milliseconds.
const CHUNK = 50

/**
 * Writes a digest in short transactions with a breath between them. The validators come last: a process killed in
 * between fetches the whole feed again and goes on where it was. The first time, the newest episodes are queued for
 * download as the settings say; later, whatever came out since the podcast was added.
 */
export async function applyDigest(
  { store, now, enqueue }: Needs,
  podcastId: number,
  digest: Digest,
  validators: Validators,
): Promise<Applied | null> {
  const podcast = store.podcasts.find(podcastId)
  if (!podcast) return null
  const isFirst = podcast.fetched_whole_at === null
  const { autoDownload, podcastPrefill } = store.settings.current()
  const seenAt = now()
  const addedIds: number[] = []

  // Oldest first, so that ids grow with time.
  const added = digest.added.map((facts, place) => ({ facts, place })).reverse()
  for (let at = 0; at < added.length; at += CHUNK) {
    const goesOn = store.inTransaction(() => {
      if (!store.podcasts.find(podcastId)) return false
      for (const { facts, place } of added.slice(at, at + CHUNK)) {
        const publishedAt = facts.announced_at === null ? seenAt - place : Math.min(facts.announced_at, seenAt)
        const id = store.episodes.add(podcastId, facts, publishedAt, seenAt)
        addedIds.push(id)
        const isRecent = facts.announced_at === null || facts.announced_at > podcast.added_at - DAY
        if (!isFirst && autoDownload && isRecent) enqueue(id)
      }
      return true
    })
    if (!goesOn) return null
    await Bun.sleep(0)
  }
  for (let at = 0; at < digest.edited.length; at += CHUNK) {
    store.inTransaction(() => {
      for (const { id, facts } of digest.edited.slice(at, at + CHUNK)) store.episodes.edit(id, facts)
    })
    await Bun.sleep(0)
  }

  const goesOn = store.inTransaction(() => {
    if (!store.podcasts.find(podcastId)) return false
    store.podcasts.describe(podcastId, digest.title || hostOf(podcast.feed_url), digest.facts)
    if (digest.vanished.length > 0) store.episodes.markInFeed(digest.vanished, false)
    if (digest.returned.length > 0) store.episodes.markInFeed(digest.returned, true)
    if (isFirst && autoDownload) for (const id of store.episodes.newestMissing(podcastId, podcastPrefill)) enqueue(id)
    store.podcasts.keepValidators(podcastId, validators, seenAt)
    return true
  })
  const explicit = {
    added: digest.added.filter(facts => facts.explicit).length,
    updated: digest.edited.filter(({ facts }) => facts.explicit).length,
  }
  return goesOn ? { addedIds, edited: digest.edited.length, explicit } : null
}

export const hostOf = (address: string) => URL.parse(address)?.hostname.replace(/^www\./, '') ?? address
