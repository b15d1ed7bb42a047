import { describeError } from '../platform/log'
import type { Store } from '../store'
import type { KnownEpisode } from '../store/episodes'
import type { Validators } from '../store/podcasts'
import type { TaskHandlers } from '../thread/serve'
import { applyDigest, type Applied } from './apply'
import { digestFeed, type Digest, type DigestRequest } from './digest'
import { outlineOf, type FeedOutline } from './outline'
import { joinPages } from './pages'
import { mergeTwins } from './twins'

/** `podcastId`: the podcast whose known episodes the feed is compared with; null for one that is not in the library. */
export type ReadRequest = Omit<DigestRequest, 'known' | 'guidEvidence' | 'body'> & {
  body: Uint8Array<ArrayBuffer>
  podcastId: number | null
}

/**
 * The summary of a digest. The digest itself stays in the second thread, under the number `kept`. `outline` is null for
 * a podcast of the library.
 */
export type Reading = Omit<Digest, 'added' | 'edited' | 'vanished' | 'returned' | 'superseded'> & {
  kept: number
  outline: FeedOutline | null
}

export type ReadResult =
  | { ok: true; reading: Reading }
  | { ok: false; reason: 'not-a-feed'; type: string; alternates: readonly string[] }
  | { ok: false; reason: 'too-large'; message: string; limit: string }
  /** Our reader threw. */
  | { ok: false; reason: 'unreadable'; bug: string }

/** `readings`: numbers of kept digests; several are the pages of one feed, the newest first. */
export type ApplyRequest = {
  podcastId: number
  readings: readonly number[]
  validators: Validators
  now: number
  /** Number of newest episodes to download at first; null means all, absent what the settings say. */
  firstDownloads?: number | null | undefined
}

/** The number of episodes that were there twice and are one now. */
export type Merged = { merged: number }

/** Tasks of the second thread for feeds. */
export type FeedTasks = {
  read: { request: ReadRequest; result: ReadResult }
  /** Null when the podcast is gone; `lost` when a digest went with the thread that kept it. */
  apply: { request: ApplyRequest; result: (Applied & Merged) | null | 'lost' }
  forget: { request: readonly number[]; result: void }
}

/** Reads feeds and keeps their digests until they are applied or forgotten. */
export function createFeedTasks(library: () => Store): TaskHandlers<FeedTasks> {
  const digests = new Map<number, Digest>()
  return {
    read({ podcastId, ...request }, id) {
      const known = podcastId === null ? [] : knownOf(library(), podcastId)
      const guidEvidence = podcastId === null ? null : library().podcasts.guidEvidenceOf(podcastId)
      const result = tryToDigest({ ...request, known, guidEvidence })
      if (!result.ok) return result
      digests.set(id, result.digest)
      const { added: _1, edited: _2, vanished: _3, returned: _4, superseded: _5, ...reading } = result.digest
      const outline = podcastId === null ? outlineOf(result.digest.added) : null
      return { ok: true, reading: { ...reading, outline, kept: id } }
    },
    async apply({ podcastId, readings, validators, now, firstDownloads }) {
      const pages = readings.map(kept => digests.get(kept))
      for (const kept of readings) digests.delete(kept)
      const [first, ...older] = pages
      if (!first || older.includes(undefined)) return 'lost'
      const digest = joinPages(first, older as Digest[])
      const applied = await applyDigest(library(), podcastId, digest, { validators, seenAt: now, firstDownloads })
      return applied && { ...applied, merged: await mergeTwins(library(), podcastId) }
    },
    forget(readings) {
      for (const kept of readings) digests.delete(kept)
    },
  }
}

/** Lists the rows of a podcast, and other items that people found to be the same as one of them, the oldest first. */
function knownOf({ episodes, formerEpisodes }: Store, podcastId: number) {
  const rows = episodes.knownOf(podcastId)
  const same = formerEpisodes.knownSameOf(podcastId)
  const time = ({ announced_at }: KnownEpisode) => announced_at ?? Number.MAX_SAFE_INTEGER
  return same.length === 0 ? rows : [...rows, ...same].toSorted((one, other) => time(one) - time(other))
}

function tryToDigest(request: DigestRequest) {
  try {
    return digestFeed(request)
  } catch (error) {
    return { ok: false as const, reason: 'unreadable' as const, bug: describeError(error) }
  }
}
