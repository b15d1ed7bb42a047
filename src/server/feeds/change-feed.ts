import { mayCarry, splitCredentials, type Credentials } from '../outbound/credentials'
import type { Reach } from '../outbound/reach'
import { isFolderAddress } from '../store/feeds'
import type { PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'
import { feedAccess, privacyOf } from './access'
import { ensureIsNew, requireConsent } from './admission'
import { findFeed, type Found, type Search } from './find-feed'
import type { FeedsNeeds } from './needs'
import { refuseAddress } from './problems'
import { UnreadableFeed } from './reader'
import { applyReading, readFetched } from './readings'
import type { Refresh } from './refresh'

type Needs = FeedsNeeds & { refresh: Refresh }

/**
 * Gives a podcast another address: its feed is read first, and its episodes are matched with the known ones. Throws
 * `Problem`.
 */
export async function changeFeed(needs: Needs, user: UserRow, podcast: PodcastRow, given: string): Promise<void> {
  const { store, outbound, reader, refresh } = needs
  const { address, credentials: typed } = splitCredentials(given)
  const ensureIsFree = (url: string) => {
    const holder = store.podcasts.findByFeed(url)
    if (holder && holder.id !== podcast.id) ensureIsNew(store, url, user)
  }
  ensureIsFree(address)
  const reach = await outbound.reachOf(address, user.role === 'admin').catch(refuseAddress)
  const bound = typed && { ...typed, givenFor: address }
  const access = feedAccess(needs, podcast)
  const credentials = bound ?? (mayCarry(podcast.feed_url, address) ? access.credentials : null)
  const { userAgent } = access
  const search: Search = { reach, credentials, userAgent, ensureIsNew: ensureIsFree, readings: [], readsAgain: true }
  const found = await findFeed(needs, search, address).finally(() =>
    reader.forget(search.readings.map(({ kept }) => kept)),
  )
  requireConsent(found.reading.facts, user)
  ensureIsFree(found.address)
  const outcome = await refresh.exclusively(podcast.id, { isAsked: true }, async () => {
    move(needs, podcast, found, { reach, given: typed, keepsCredential: credentials !== null })
    // Read again, now compared with the known episodes.
    const read = await readFetched(needs, found.fetched, podcast.id)
    if (!read.ok) throw new UnreadableFeed(read.reason)
    return applyReading(needs, store.podcasts.find(podcast.id) ?? podcast, found.fetched, [read.reading])
  })
  if (outcome.result === 'failed') await refresh.refresh(podcast.id)
}

type Move = { reach: Reach; given: Credentials | null; keepsCredential: boolean }

function move(
  { store, secret, now }: Needs,
  podcast: PodcastRow,
  found: Found,
  { reach, given, keepsCredential }: Move,
) {
  store.inTransaction(() => {
    // Nobody stopped the checks of what had no feed.
    if (isFolderAddress(podcast.feed_url)) store.podcasts.setActive(podcast.id, true, now())
    if (found.address !== podcast.feed_url)
      store.podcasts.move(podcast.id, podcast.feed_url, found.address, { privacy: privacyOf(reach), keepsCredential })
    if (given) store.podcasts.setCredential(podcast.id, secret.seal(JSON.stringify(given)))
  })
}
