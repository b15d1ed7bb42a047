import type { FeedChoice, FeedPreview, PodcastPreview } from '../../shared/api/directory'
import { splitCredentials } from '../outbound/credentials'
import { createLanes } from '../outbound/lanes'
import { SECOND, type Clock, HOUR } from '../platform/clock'
import { Problem } from '../platform/problem'
import type { Secret } from '../platform/secret'
import { createTurns } from '../platform/turns'
import type { PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'
import { requireConsent, requireShare, requireUserAgent } from './admission'
import { normaliseFeedAddress, trySchemes } from './fetch/address'
import { feedLimits } from './fetch/fetch'
import {
  fetchAndRead,
  followAnnouncedHome,
  found,
  hasPlayable,
  MAX_ALTERNATES,
  type FindNeeds,
  type Found,
  type Search,
} from './fetch/find-feed'
import type { FeedsNeeds } from './needs'
import { textOf } from './parse/notes-text'
import { problemOfBody, refuseAddress } from './problems'

type PreviewNeeds = FindNeeds & Pick<FeedsNeeds, 'store' | 'findLink' | 'secret'> & { podcastLimit: number }
/** The part of a preview that the feed decides; the caller adds the downloads. */
type Previewed = Exclude<PodcastPreview, FeedPreview> | Omit<FeedPreview, 'downloads'>

const MAX_MS = 30 * SECOND
const MAX_A_MINUTE = 60
const MAX_SUMMARY = 500

/** Ends the search at the address of a podcast that is in the library. */
class AlreadyThere extends Error {
  constructor(readonly podcast: PodcastRow) {
    super('The library has this feed')
  }
}

/**
 * Previews an address before it is added, with the rules and limits of adding, and stores nothing. Each user has one
 * preview at a time: the next one cancels it.
 */
export function createPreview(needs: PreviewNeeds) {
  const lanes = createLanes({ total: 4, perHost: 2 })
  const requireTurn = createTurns<number>(needs.now, MAX_A_MINUTE, 'Too many addresses were tried')
  const running = new Map<number, AbortController>()

  /**
   * Throws a `Problem` with the address or the feed; `cancelled` if `signal` aborts or the user begins another preview.
   */
  return async function preview(user: UserRow, typed: string, signal: AbortSignal, agent?: string): Promise<Previewed> {
    requireShare(needs.store, user, needs.podcastLimit)
    const userAgent = requireUserAgent(user, agent)
    const given = splitCredentials(normaliseFeedAddress(typed))
    requireTurn(user.id)
    const mine = new AbortController()
    running.get(user.id)?.abort()
    running.set(user.id, mine)
    const deadline = AbortSignal.timeout(MAX_MS)
    const ended = AbortSignal.any([signal, mine.signal, deadline])
    const { hostname: host } = new URL(given.address)
    try {
      return await lanes.run(host, async () => {
        ended.throwIfAborted()
        const link = await needs.findLink(given.address, ended)
        if (link && 'kind' in link) return link
        return trySchemes(link?.feedUrl ?? typed, address =>
          look(needs, user, { ...splitCredentials(address), userAgent }, ended),
        )
      })
    } catch (error) {
      if (!ended.aborted || error instanceof Problem) throw error
      if (deadline.aborted) throw new Problem('upstream-timeout', 'The host took too long to answer', { host })
      throw new Problem('cancelled', 'The preview was cancelled')
    } finally {
      if (running.get(user.id) === mine) running.delete(user.id)
    }
  }
}

type Given = ReturnType<typeof splitCredentials> & { userAgent: string | undefined }

async function look(needs: PreviewNeeds, user: UserRow, given: Given, signal: AbortSignal): Promise<Previewed> {
  const { store, outbound, digester } = needs
  const { address, credentials, userAgent } = given
  const bound = credentials && { ...credentials, givenFor: address }
  const search: Search = { reach: { home: null }, credentials: bound, userAgent, ensureIsNew, summaries: [], signal }
  function ensureIsNew(other: string) {
    const known = store.podcasts.findByFeed(other)
    if (known) throw new AlreadyThere(known)
  }
  try {
    ensureIsNew(address)
    search.reach = await outbound.reachOf(address, user.role === 'admin').catch(refuseAddress)
    return await lookInto({ ...needs, limits: limitsOf(needs) }, user, search, address)
  } catch (error) {
    if (error instanceof AlreadyThere) return presentKnown(error.podcast, user)
    if (error instanceof Problem && error.code === 'feed-needs-credentials')
      return { kind: 'sign-in', feedUrl: address, isRefused: credentials !== null }
    throw error
  } finally {
    digester.forget(search.summaries.map(({ digestId }) => digestId))
  }
}

const limitsOf = ({ limits = feedLimits }: PreviewNeeds) => ({
  ...limits,
  headersMs: Math.min(limits.headersMs, 15 * SECOND),
  idleMs: Math.min(limits.idleMs, 15 * SECOND),
  totalMs: Math.min(limits.totalMs, MAX_MS),
})

async function lookInto(needs: PreviewNeeds, user: UserRow, search: Search, address: string): Promise<Previewed> {
  const { fetched, read } = await fetchAndRead(needs, search, address)
  if (read.ok) return presentFound(needs, user, search, found(search, address, fetched, read.summary))
  if (read.reason !== 'not-a-feed') throw problemOfBody(read)
  if (read.type === 'opml') return { kind: 'opml', url: address }
  const feeds = await readAlternates(needs, search, read.alternates.slice(0, MAX_ALTERNATES))
  if (feeds.length === 0) throw problemOfBody(read)
  const playable = feeds.filter(({ summary }) => hasPlayable(summary))
  if (playable.length > 1) return presentChoice(needs, user, playable)
  const [best] = [...playable, ...feeds]
  ensureFound(search, best!)
  return presentFound(needs, user, search, best!)
}

const ensureFound = (search: Search, { address }: Found) => search.ensureIsNew(address)

/** Reads the feeds that a page names. Throws the first failure when none of them can be read. */
async function readAlternates(needs: PreviewNeeds, search: Search, addresses: readonly string[]): Promise<Found[]> {
  const way = { ...search, credentials: null }
  const outcomes = await Promise.allSettled(
    addresses.map(async address => {
      const { fetched, read } = await fetchAndRead(needs, way, address)
      if (!read.ok) throw problemOfBody(read)
      return found(search, address, fetched, read.summary)
    }),
  )
  search.signal?.throwIfAborted()
  const feeds = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? outcome.value : []))
  const failure = outcomes.find(outcome => outcome.status === 'rejected')
  if (feeds.length === 0 && failure) throw failure.reason
  return feeds
}

const nameOf = ({ address, summary }: Found) => summary.title || new URL(address).hostname

function presentChoice({ store }: PreviewNeeds, user: UserRow, feeds: readonly Found[]): FeedChoice {
  const allowed = feeds.filter(({ summary }) => summary.facts.explicit === 0 || user.explicit_consent === 1)
  // All of them are explicit: the refusal says so.
  if (allowed.length === 0) requireConsent(feeds[0]!.summary.facts, user)
  return {
    kind: 'choice',
    feeds: allowed.map(feed => ({
      feedUrl: feed.address,
      title: nameOf(feed),
      episodes: feed.summary.listed - feed.summary.skipped,
      podcastId: store.podcasts.findByFeed(feed.address)?.uuid ?? null,
    })),
  }
}

function presentKnown(podcast: PodcastRow, user: UserRow): Previewed {
  requireConsent(podcast, user)
  return { kind: 'known', podcastId: podcast.uuid, name: podcast.title }
}

async function presentFound(needs: PreviewNeeds, user: UserRow, search: Search, first: Found): Promise<Previewed> {
  const there = await followAnnouncedHome(needs, search, first)
  const { summary } = there
  const { facts, outline, listed, skipped, dates } = summary
  requireConsent(facts, user)
  const twin = facts.guid ? needs.store.podcasts.findByGuid(facts.guid) : null
  if (twin) return presentKnown(twin, user)
  const newest = outline?.newest[user.explicit_consent ? 'any' : 'clean'] ?? null
  const past = dates.filter(date => date > 0)
  return {
    kind: 'feed',
    feedUrl: first.address,
    title: nameOf(there),
    author: facts.author,
    language: facts.language,
    explicit: facts.explicit === 1,
    summary: facts.summary && textOf(facts.summary).slice(0, MAX_SUMMARY),
    imageUrl: facts.image_url,
    episodes: listed - skipped,
    hasMorePages: summary.nextPage !== null,
    isUnplayable: !hasPlayable(summary),
    oldestAt: past.length > 0 ? instantOf(past.reduce((one, other) => Math.min(one, other))) : null,
    newest: newest && {
      name: newest.title,
      publishedAt: newest.announcedAt === null ? null : instantOf(newest.announcedAt),
      duration: newest.duration,
      local_url: sealSample(needs, { feed: first.address, url: newest.url, type: newest.type, title: newest.title }),
    },
    sizes: outline?.sizes ?? { newest5: null, newest25: null, all: null },
  }
}

const instantOf = (ms: number) => new Date(ms).toISOString()

/** An episode of a feed that is not in the library, to be heard before the feed is added. */
export type Sample = { feed: string; url: string; type: string | null; title: string }
type Needs = { secret: Secret; now: Clock }

/** Seals a sample into a text that only this server can make, so that its relay is open to nothing else. */
const sealSample = ({ secret, now }: Needs, sample: Sample): string =>
  secret.seal(JSON.stringify({ ...sample, until: now() + HOUR })).toBase64({ alphabet: 'base64url', omitPadding: true })

/** Returns the sample; null if the text is not one of this server, or older than an hour. */
export function openSample({ secret, now }: Needs, sealed: string): Sample | null {
  try {
    const text = secret.open(Uint8Array.fromBase64(sealed, { alphabet: 'base64url' }))
    const { until, ...sample } = JSON.parse(text) as Sample & { until: number }
    return until > now() ? sample : null
  } catch {
    return null
  }
}
