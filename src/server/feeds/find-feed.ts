import { UnreadableFeed } from './reader'
import type { Reading, ReadResult } from './tasks'
import { Problem } from '../platform/problem'
import type { Credentials } from '../outbound/credentials'
import { publicOnly, type Reach } from '../outbound/reach'
import type { Outbound } from '../outbound/request'
import type { Clock } from '../platform/clock'
import { hostOf } from './apply'
import { fetchFeed, type FeedLimits, type FetchedBody } from './fetch'
import { problemOf } from './problems'
import { isDowngrade, type Refresh } from './refresh'

export type Found = {
  address: string
  fetched: FetchedBody
  digest: Reading
  /** A new home that the feed names and where nothing was found. */
  announced: string | null
}

/** How to ask for a feed: how far a request may reach, and what it says of the one who asks. */
type Way = { reach: Reach; credentials: Credentials | null }

type FindNeeds = { outbound: Outbound; now: Clock; limits: FeedLimits; refresh: Refresh }

const MAX_PAGES = 20
const MAX_ALTERNATES = 5
const MAX_MOVES = 5

/**
 * Finds the feed behind an address that somebody typed. `readings` collects what is read on the way, for the caller to
 * forget. `ensureIsNew` throws for an address of a podcast that is here already. Each throws a Problem.
 */
export function createFindFeed({ outbound, now, limits, refresh }: FindNeeds) {
  /** The feed at the address, or the best one that the page there names. */
  async function findFeed(
    address: string,
    way: Way,
    readings: Reading[],
    ensureIsNew: (address: string) => void,
  ): Promise<Found> {
    const { fetched, read } = await fetchAndRead(address, way)
    if (read.ok) {
      readings.push(read.reading)
      return { address, fetched, digest: read.reading, announced: null }
    }
    if (read.reason === 'not-a-feed') {
      const found = await findAlternate(read.alternates.slice(0, MAX_ALTERNATES), way.reach, readings, ensureIsNew)
      if (found) return found
    }
    throw problemOfReading(read)
  }

  /** The first feed with something to play, else the first one; pages also name the feed of their comments. */
  async function findAlternate(
    alternates: readonly string[],
    reach: Reach,
    readings: Reading[],
    ensureIsNew: (address: string) => void,
  ): Promise<Found | null> {
    const feeds: Found[] = []
    let failure: unknown = null
    for (const address of alternates) {
      ensureIsNew(address)
      try {
        const { fetched, read } = await fetchAndRead(address, { reach, credentials: null })
        if (!read.ok) throw problemOfReading(read)
        readings.push(read.reading)
        feeds.push({ address, fetched, digest: read.reading, announced: null })
        if (isPlayable(read.reading)) break
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        failure ??= error
      }
    }
    const found = feeds.find(({ digest }) => isPlayable(digest)) ?? feeds[0]
    if (!found && failure !== null) throw failure
    return found ?? null
  }

  async function fetchAndRead(address: string, { reach, credentials }: Way) {
    const outcome = await fetchFeed({ outbound, now, limits }, { address, reach, credentials, validators: null })
    if (outcome.kind === 'failed') throw problemOf(outcome.failure)
    if (outcome.kind === 'unchanged')
      throw new Problem('feed-unreachable', 'The host answered 304 to a first request', {
        host: hostOf(address),
        status: '304',
      })
    const read = await refresh.readBody(outcome.fetched, null).catch(error => {
      if (error instanceof UnreadableFeed)
        throw new Problem('not-a-feed', 'The feed could not be read', { type: 'unreadable' })
      throw error
    })
    return { fetched: outcome.fetched, read }
  }

  /**
   * Where the feed says that it lives now (`itunes:new-feed-url`), over several moves if need be. The feed that was
   * found stays where its new home does not answer; that is tried again with every check.
   */
  async function followAnnounced(
    found: Found,
    way: Way,
    readings: Reading[],
    ensureIsNew: (address: string) => void,
  ): Promise<Found> {
    const visited = new Set([found.address, found.fetched.url])
    for (let move = 0, current = found; ; move++) {
      const next = current.digest.newFeedUrl
      if (!next || visited.has(next) || isDowngrade(current.address, next)) return current
      // A password is for the address that it was given for.
      if (way.credentials && !isSameOrigin(next, current.address)) return current
      ensureIsNew(next)
      visited.add(next)
      const reach = isSameHost(next, current.address) ? way.reach : publicOnly
      const there = move < MAX_MOVES ? await fetchAndRead(next, { ...way, reach }).catch(ignoreProblem) : null
      if (!there?.read.ok) return { ...current, announced: next }
      readings.push(there.read.reading)
      current = { address: next, fetched: there.fetched, digest: there.read.reading, announced: null }
    }
  }

  /** The pages behind the first one (RFC 5005), newest first. */
  async function readPages(first: Found, way: Way, readings: Reading[]): Promise<Reading[]> {
    const pages: Reading[] = []
    const visited = new Set([first.fetched.url])
    let next = first.digest.nextPage
    for (
      let page = 1;
      next && page < MAX_PAGES && !visited.has(next) && isSameOrigin(next, first.fetched.url);
      page++
    ) {
      visited.add(next)
      const { read } = (await fetchAndRead(next, way).catch(ignoreProblem)) ?? {}
      if (!read?.ok) break
      readings.push(read.reading)
      pages.push(read.reading)
      next = read.reading.nextPage
    }
    return pages
  }

  return { findFeed, followAnnounced, readPages }
}

function problemOfReading(read: Exclude<ReadResult, { ok: true }>): Problem {
  if (read.reason === 'too-large') return new Problem('too-large-upstream', read.message, { limit: read.limit })
  if (read.reason === 'unreadable')
    return new Problem('not-a-feed', 'The feed could not be read', { type: 'unreadable' })
  return new Problem('not-a-feed', `Expected a feed, got ${read.type}`, { type: read.type })
}

/** A feed without items is a podcast that has not begun; one with items alone that nobody can play is none. */
export const isPlayable = ({ facts: { feed_items, feed_unplayable } }: Reading) =>
  feed_items === 0 || feed_unplayable < feed_items

function ignoreProblem(error: unknown): null {
  if (error instanceof Problem) return null
  throw error
}

const isSameHost = (one: string, other: string) => URL.parse(one)?.hostname === URL.parse(other)?.hostname
export const isSameOrigin = (one: string, other: string) => URL.parse(one)?.origin === URL.parse(other)?.origin
