import { describeError } from '../platform/log'
import type { Store } from '../store'
import type { KnownEpisode } from '../store/episodes'
import type { Validators } from '../store/podcasts'
import type { TaskHandlers } from '../thread'
import { applyDigest, type Applied } from './apply/apply'
import { digestFeed, type Digest, type DigestRequest, type FeedEpisode } from './apply/digest'
import { mergeTwins } from './apply/twins'
import { fitGuid } from './parse/values'
import { copyOf } from './parse/packed'

/** `podcastId`: the podcast whose known episodes the feed is compared with; null for one that is not in the library. */
export type DigestFeedRequest = Omit<DigestRequest, 'known' | 'guidEvidence' | 'body'> & {
  body: Uint8Array<ArrayBuffer>
  podcastId: number | null
}

/**
 * The summary of a digest. The digest itself stays in the second thread, under `digestId`. `outline` is null for
 * a podcast of the library.
 */
export type DigestSummary = Omit<Digest, 'added' | 'edited' | 'vanished' | 'returned' | 'rehashed' | 'superseded'> & {
  digestId: number
  outline: FeedOutline | null
}

export type DigestOutcome =
  | { ok: true; summary: DigestSummary }
  | { ok: false; reason: 'not-a-feed'; type: string; alternates: readonly string[] }
  | { ok: false; reason: 'too-large'; message: string; limit: string }
  /** Our reader threw. */
  | { ok: false; reason: 'unreadable'; bug: string }

/** `digestIds`: several are the pages of one feed, the newest first. */
export type ApplyRequest = {
  podcastId: number
  digestIds: readonly number[]
  validators: Validators
  now: number
  /** Number of newest episodes to download at first; null means all, absent what the settings say. */
  firstDownloads?: number | null | undefined
}

/** The number of duplicate episodes that were merged. */
export type Merged = { merged: number }

/** Tasks of the second thread for feeds. */
export type FeedTasks = {
  digestFeed: { request: DigestFeedRequest; result: DigestOutcome }
  /** Null when the podcast is gone; `lost` if a digest was lost with the thread that held it. */
  applyDigests: { request: ApplyRequest; result: (Applied & Merged) | null | 'lost' }
  forgetDigests: { request: readonly number[]; result: void }
}

/** Reads feeds and keeps their digests until they are applied or forgotten. */
export function createFeedTasks(library: () => Store): TaskHandlers<FeedTasks> {
  const digests = new Map<number, Digest>()
  return {
    digestFeed({ podcastId, ...request }, id) {
      const known = podcastId === null ? [] : knownOf(library(), podcastId)
      const guidEvidence = podcastId === null ? null : library().podcasts.guidEvidenceOf(podcastId)
      const result = tryToDigest({ ...request, known, guidEvidence })
      if (!result.ok) return result
      digests.set(id, result.digest)
      const {
        added: _1,
        edited: _2,
        vanished: _3,
        returned: _4,
        rehashed: _5,
        superseded: _6,
        ...summary
      } = result.digest
      const outline = podcastId === null ? outlineOf(result.digest.added) : null
      return { ok: true, summary: { ...summary, outline, digestId: id } }
    },
    async applyDigests({ podcastId, digestIds, validators, now, firstDownloads }) {
      const pages = digestIds.map(digestId => digests.get(digestId))
      for (const digestId of digestIds) digests.delete(digestId)
      const [first, ...older] = pages
      if (!first || older.includes(undefined)) return 'lost'
      const digest = joinPages(first, older as Digest[])
      const applied = await applyDigest(library(), podcastId, digest, { validators, seenAt: now, firstDownloads })
      return applied && { ...applied, merged: await mergeTwins(library(), podcastId) }
    },
    forgetDigests(digestIds) {
      for (const digestId of digestIds) digests.delete(digestId)
    },
  }
}

/**
 * Lists the rows of a podcast, and other items that people declared to be the same as one of them, the oldest first.
 */
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

type OutlineEpisode = { title: string; announcedAt: number | null; duration: number; url: string; type: string | null }

/** The few facts about the episodes of a feed that a person sees before adding it. */
export type FeedOutline = {
  /** The newest of all episodes, and the newest that is not explicit. */
  newest: { any: OutlineEpisode | null; clean: OutlineEpisode | null }
  /** Bytes of the newest 5, the newest 25 and all episodes; null if the feed gives too few sizes. */
  sizes: { newest5: number | null; newest25: number | null; all: number | null }
}

/** The share of episodes whose size must be known for an estimate of the rest. */
const KNOWN_SHARE = 0.9

/** Outlines the episodes of a feed. Those without a date count as the newest, in the feed's order. */
function outlineOf(episodes: readonly FeedEpisode[]): FeedOutline {
  const newestFirst = episodes
    .map(({ facts }) => facts)
    .sort((one, other) => (other.announced_at ?? Infinity) - (one.announced_at ?? Infinity) || 0)
  const describe = (facts: FeedEpisode['facts'] | undefined): OutlineEpisode | null =>
    facts
      ? {
          title: facts.title,
          announcedAt: facts.announced_at,
          duration: facts.duration,
          url: facts.enclosure_url,
          type: facts.enclosure_type,
        }
      : null
  const sizes = newestFirst.map(facts => facts.enclosure_size)
  return {
    newest: { any: describe(newestFirst[0]), clean: describe(newestFirst.find(({ explicit }) => explicit === 0)) },
    sizes: { newest5: sizeOf(sizes.slice(0, 5)), newest25: sizeOf(sizes.slice(0, 25)), all: sizeOf(sizes) },
  }
}

function sizeOf(sizes: readonly (number | null)[]): number | null {
  const known = sizes.filter(size => size !== null)
  if (known.length === 0 || known.length < KNOWN_SHARE * sizes.length) return null
  const mean = known.reduce((sum, size) => sum + size, 0) / known.length
  return Math.round(mean * sizes.length)
}

/** Joins the pages of a feed that is not in the library yet, newest page first, with each episode once. */
function joinPages(first: Digest, older: readonly Digest[]): Digest {
  if (older.length === 0) return first
  const seen = new Set<string>()
  const guids = new Set<string>()
  const lengths = new Map<string, number | null>()
  const added: FeedEpisode[] = []
  for (const page of [first, ...older]) {
    for (const episode of page.added) {
      const { facts } = episode
      const identity = JSON.stringify([facts.feed_guid ?? facts.enclosure_url, facts.title, facts.announced_at])
      // An item moves to the next page when a new one is published between two requests.
      if (seen.has(identity)) continue
      seen.add(identity)
      const newer = lengths.get(facts.enclosure_url)
      const isSuperseded = newer !== undefined && (newer === null || newer !== facts.enclosure_size)
      const guid = guids.has(facts.guid) ? fitGuid(`${facts.guid}#${Bun.hash(identity).toString(36)}`) : facts.guid
      guids.add(guid)
      added.push(copyOf(episode, { facts: copyOf(facts, { guid }), superseded: episode.superseded || isSuperseded }))
    }
    for (const { facts } of page.added) lengths.set(facts.enclosure_url, facts.enclosure_size)
  }
  return { ...first, added }
}
