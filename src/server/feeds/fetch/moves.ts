import { mayCarry } from '../../outbound/credentials'
import { publicOnly } from '../../outbound/reach'
import type { PodcastRow } from '../../store/podcasts'
import { feedAccess, privacyOf } from './address'
import { fetchFeed, type FetchedBody } from './fetch'
import type { FeedsNeeds } from '../needs'
import { digestFetched } from '../digester'
import type { DigestSummary } from '../tasks'

type MoveNeeds = FeedsNeeds & { signal: AbortSignal }

/** The feed at its new address. The caller forgets the reading. */
export type Moved = { fetched: FetchedBody; summary: DigestSummary }

/**
 * Follows a feed that has moved permanently: by permanent redirects, or by `itunes:new-feed-url`. Null when the feed
 * that was fetched is still the one to store.
 */
export async function followMove(
  needs: MoveNeeds,
  podcast: PodcastRow,
  fetched: FetchedBody,
  summary: DigestSummary,
): Promise<Moved | null> {
  if (fetched.movedTo) await moveTo(needs, podcast, fetched.movedTo, summary)
  const announced = summary.newFeedUrl
  const isHere = announced === podcast.feed_url || announced === fetched.url
  const isMove = announced !== null && !isHere && !isDowngrade(podcast.feed_url, announced)
  const moved = isMove ? await followAnnounced(needs, podcast, announced) : null
  // There may be nothing at the new address yet: it is tried again with every check, whether the feed changes or not.
  if (!moved) needs.store.podcasts.announceMove(podcast.id, isMove ? announced : null)
  return moved
}

/** Moves a podcast to the address that its feed announced, if the same feed is there. */
export async function followAnnounced(needs: MoveNeeds, podcast: PodcastRow, announced: string): Promise<Moved | null> {
  const request = { address: announced, ...feedAccess(needs, podcast), validators: null, signal: needs.signal }
  const outcome = await fetchFeed(needs, request)
  if (outcome.kind !== 'body') return null
  const read = await digestFetched(needs, outcome.fetched, podcast.id).catch(() => null)
  if (!read?.ok) return null
  let isMoved = false
  try {
    isMoved = await moveTo(needs, podcast, announced, read.summary)
  } finally {
    if (!isMoved) needs.digester.forget([read.summary.digestId])
  }
  return isMoved ? { fetched: outcome.fetched, summary: read.summary } : null
}

/**
 * Moves a podcast to another address if the feed there is the same one and no other podcast has it. A password is kept
 * if the feed moves from http to https on the same host, and dropped if it leaves the host. So is the right to reach a
 * private network. Returns whether it moved.
 */
export async function moveTo(
  { store, outbound, log }: MoveNeeds,
  podcast: PodcastRow,
  address: string,
  found: Pick<DigestSummary, 'recognised' | 'title'>,
): Promise<boolean> {
  const isSame = found.recognised > 0 || found.title === podcast.title
  const holder = store.podcasts.findByFeed(address)
  if (!isSame || (holder && holder.id !== podcast.id) || isDowngrade(podcast.feed_url, address)) return false
  const [from, to] = [new URL(podcast.feed_url), new URL(address)]
  const reach = await outbound.reachOf(address, false).catch(() => publicOnly)
  const move = {
    privacy: from.hostname === to.hostname ? podcast.private : privacyOf(reach),
    keepsCredential: mayCarry(podcast.feed_url, address),
  }
  store.inTransaction(() => store.podcasts.move(podcast.id, podcast.feed_url, address, move))
  log.info('Feed moved', { podcast: podcast.title, to: address })
  return true
}

/** From https to http: its readers were promised encryption, which a feed can't take away. */
export const isDowngrade = (from: string, to: string) => from.startsWith('https:') && to.startsWith('http:')
