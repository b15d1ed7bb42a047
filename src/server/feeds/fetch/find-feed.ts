import { mayCarry, type GivenCredentials } from '../../outbound/credentials'
import { publicOnly, type Reach } from '../../outbound/reach'
import { Problem } from '../../platform/problem'
import { fetchFeed, type FetchedBody } from './fetch'
import { isDowngrade } from './moves'
import type { FeedsNeeds } from '../needs'
import { problemOf, problemOfBody, unreadable } from '../problems'
import { UnreadableFeed } from '../digester'
import { digestFetched } from '../digester'
import type { DigestSummary } from '../tasks'

export type Found = {
  address: string
  fetched: FetchedBody
  summary: DigestSummary
  /** A new address that the feed announces and where nothing was found. */
  announced: string | null
}

/** One search for the feed behind an address that a person typed. */
export type Search = {
  /** The reach of the requests, and the password that was typed with the address. */
  reach: Reach
  credentials: GivenCredentials | null
  /** The user agent of the podcast's settings, or the one that was typed for them; absent: ours. */
  userAgent?: string | undefined
  /** Throws for the address of a podcast that is already in the library. */
  ensureIsNew: (address: string) => void
  /** Collects every reading, for the caller to forget. */
  summaries: DigestSummary[]
  /** The feed that is found will be read again. */
  readsAgain?: boolean
  signal?: AbortSignal
}

export type FindNeeds = Pick<FeedsNeeds, 'outbound' | 'now' | 'limits' | 'digester'>
type Way = Pick<Search, 'reach' | 'credentials' | 'userAgent' | 'readsAgain' | 'signal'>

const MAX_PAGES = 20
export const MAX_ALTERNATES = 5
const MAX_MOVES = 5

/** Finds the feed at the address, or the best one that the page there names. Throws `Problem`. */
export async function findFeed(needs: FindNeeds, search: Search, address: string): Promise<Found> {
  const { fetched, read } = await fetchAndRead(needs, search, address)
  if (read.ok) return found(search, address, fetched, read.summary)
  if (read.reason === 'not-a-feed') {
    const alternate = await findAlternate(needs, search, read.alternates.slice(0, MAX_ALTERNATES))
    if (alternate) return alternate
  }
  throw problemOfBody(read)
}

export function found({ summaries }: Search, address: string, fetched: FetchedBody, summary: DigestSummary): Found {
  summaries.push(summary)
  return { address, fetched, summary, announced: null }
}

/** The first feed with something to play, else the first one: pages also name the feed of their comments. */
async function findAlternate(needs: FindNeeds, search: Search, addresses: readonly string[]): Promise<Found | null> {
  const feeds: Found[] = []
  let failure: unknown = null
  for (const address of addresses) {
    search.ensureIsNew(address)
    try {
      const { fetched, read } = await fetchAndRead(needs, { ...search, credentials: null }, address)
      if (!read.ok) throw problemOfBody(read)
      feeds.push(found(search, address, fetched, read.summary))
      if (hasPlayable(read.summary)) break
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      failure ??= error
    }
  }
  const best = feeds.find(({ summary }) => hasPlayable(summary)) ?? feeds[0]
  if (!best && failure !== null) throw failure
  return best ?? null
}

/**
 * Follows the new address that a feed announces (`itunes:new-feed-url`), over several moves if necessary. If the new
 * address does not answer, the feed stays as it was found; every check tries again.
 */
export async function followAnnouncedHome(needs: FindNeeds, search: Search, first: Found): Promise<Found> {
  const visited = new Set([first.address, first.fetched.url])
  for (let move = 0, current = first; ; move++) {
    const next = current.summary.newFeedUrl
    if (!next || visited.has(next) || isDowngrade(current.address, next)) return current
    // A password is sent only to the host that it was given for.
    if (search.credentials && !mayCarry(current.address, next)) return current
    search.ensureIsNew(next)
    visited.add(next)
    const reach = isSameHost(next, current.address) ? search.reach : publicOnly
    const way = { ...search, reach }
    const there = move < MAX_MOVES ? await fetchAndRead(needs, way, next).catch(ignoreProblem) : null
    if (!there?.read.ok) return { ...current, announced: next }
    current = found(search, next, there.fetched, there.read.summary)
  }
}

/** Reads the pages behind the first one (RFC 5005), newest first. */
export async function readPages(needs: FindNeeds, search: Search, first: Found): Promise<DigestSummary[]> {
  const pages: DigestSummary[] = []
  const visited = new Set([first.fetched.url])
  let next = first.summary.nextPage
  while (next && pages.length + 1 < MAX_PAGES && !visited.has(next) && mayCarry(first.fetched.url, next)) {
    visited.add(next)
    const { read } = (await fetchAndRead(needs, search, next).catch(ignoreProblem)) ?? {}
    if (!read?.ok) break
    search.summaries.push(read.summary)
    pages.push(read.summary)
    next = read.summary.nextPage
  }
  return pages
}

/** Fetches and reads one address. Throws `Problem` if the host sends nothing, but not for what it sends. */
export async function fetchAndRead(
  needs: FindNeeds,
  { reach, credentials, userAgent, readsAgain, signal }: Way,
  address: string,
) {
  const outcome = await fetchFeed(needs, {
    address,
    reach,
    credentials,
    userAgent,
    validators: null,
    ...(signal && { signal }),
  })
  if (outcome.kind === 'failed') throw problemOf(outcome.failure)
  if (outcome.kind === 'unchanged') throw new Error('A request without a digest cannot find the feed unchanged')
  const read = await digestFetched(needs, outcome.fetched, null, readsAgain).catch(error => {
    throw error instanceof UnreadableFeed ? unreadable() : error
  })
  return { fetched: outcome.fetched, read }
}

/** False when every item of a feed is unplayable. A feed without items belongs to a podcast that has not begun. */
export const hasPlayable = ({ facts: { feed_items, feed_unplayable } }: DigestSummary) =>
  feed_items === 0 || feed_unplayable < feed_items

function ignoreProblem(error: unknown): null {
  if (error instanceof Problem) return null
  throw error
}

const isSameHost = (one: string, other: string) => URL.parse(one)?.hostname === URL.parse(other)?.hostname
