import { UnreadableFeed } from './reader'
import type { Reading } from './tasks'
import { normaliseFeedAddress } from './address'
import { feedLimits } from './fetch'
import { createFindFeed, isPlayable, isSameOrigin, type Found } from './find-feed'
import { feedAccess, privacyOf } from './access'
import { hostOf } from './apply'
import { alreadyAdded } from './problems'
import { isDowngrade, type FeedsNeeds, type Refresh } from './refresh'
import { splitCredentials, type Credentials } from '../outbound/credentials'
import { OutboundError } from '../outbound/error'
import type { Reach } from '../outbound/reach'
import { Problem } from '../platform/problem'
import type { PodcastFacts, PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'

type SubscribeNeeds = FeedsNeeds & {
  refresh: Refresh
  /** A folder of the media root that no other podcast has. */
  folderFor: (podcast: PodcastFacts & { title: string; added_at: number }) => string
  /** Podcasts that a plain user may add. */
  podcastLimit: number
}

export type SubscribeOptions = {
  /** Also a feed in which nothing can be played. */
  evenUnplayable?: boolean
}

/** Adding a podcast by the address of its feed, or of a web page that names one. */
export function createSubscribe(needs: SubscribeNeeds) {
  const { store, outbound, reader, refresh, now, limits = feedLimits } = needs
  const { findFeed, followAnnounced, readPages } = createFindFeed({ outbound, now, limits, refresh })
  const adding = new Map<string, Promise<PodcastRow>>()

  async function subscribe(
    user: UserRow,
    typed: string,
    { evenUnplayable = false }: SubscribeOptions,
  ): Promise<PodcastRow> {
    const { address, credentials } = splitCredentials(normaliseFeedAddress(typed))
    ensureIsNew(address, user)
    const reach = await outbound.reachOf(address, user.role === 'admin').catch(refuse)
    const way = { reach, credentials }
    const readings: Reading[] = []
    try {
      const isNew = (other: string) => ensureIsNew(other, user)
      const there = await findFeed(address, way, readings, isNew)
      const found = await followAnnounced(there, way, readings, isNew)
      if (!evenUnplayable) requirePlayable(found.digest)
      return await add(user, { address, ...way }, found, readings)
    } finally {
      reader.forget(readings.map(({ kept }) => kept))
    }
  }

  /** Adds a new podcast from a feed that was found. `readings` collects its pages, for the caller to forget. */
  async function add(
    user: UserRow,
    { address, reach, credentials }: { address: string; reach: Reach; credentials: Credentials | null },
    found: Found,
    readings: Reading[],
  ): Promise<PodcastRow> {
    requireConsent(found.digest.facts, user)
    const moved = isDowngrade(found.address, found.fetched.movedTo ?? '') ? null : found.fetched.movedTo
    // With a password the address stays the one it was given for.
    const finalAddress = moved && (!credentials || isSameOrigin(moved, address)) ? moved : found.address
    ensureIsNew(finalAddress, user)
    const twin = found.digest.facts.guid ? store.podcasts.findByGuid(found.digest.facts.guid) : null
    if (twin) requireConsent(twin, user)
    if (twin) throw rememberAlias(twin, address)

    const older = await readPages(found, { reach, credentials }, readings)
    ensureIsNew(finalAddress, user)
    const title = found.digest.title || hostOf(finalAddress)
    const podcast = store.inTransaction(() => {
      requireShare(user)
      const row = store.podcasts.add({
        title,
        folder: needs.folderFor({ ...found.digest.facts, title, added_at: now() }),
        feedUrl: finalAddress,
        privacy: privacyOf(reach),
        userId: user.id,
        now: now(),
      })
      if (credentials) store.podcasts.setCredential(row.id, needs.secret.seal(JSON.stringify(credentials)))
      if (address !== finalAddress) store.podcasts.addAlias(row.id, address)
      if (found.announced) store.podcasts.announceMove(row.id, found.announced)
      return row
    })
    // From the row on nobody else may read this feed until its first reading is stored.
    const outcome = await refresh.exclusively(podcast.id, { isQuiet: true }, () =>
      refresh.applyRead(podcast, found.fetched, found.digest, older),
    )
    // It is in the library; the next attempt says what goes wrong, or that nothing does.
    if (outcome.result === 'failed') await refresh.refresh(podcast.id)
    needs.publish({ type: 'addedPodcast', podcastId: podcast.id })
    return store.podcasts.find(podcast.id) ?? podcast
  }

  /** Comes before anything is said of the library: what is explicit in it is not there for this user. */
  function requireConsent({ explicit }: { explicit: number }, user: UserRow) {
    if (explicit && !user.explicit_consent)
      throw new Problem('explicit-not-allowed', 'This podcast is explicit, and your account does not show such content')
  }

  /** A plain user may add so many podcasts, and no more. */
  function requireShare({ id, role }: UserRow) {
    if (role !== 'user') return
    const current = store.podcasts.countAddedBy(id)
    if (current >= needs.podcastLimit)
      throw new Problem('podcast-limit-reached', 'You may not add more podcasts', {
        limit: String(needs.podcastLimit),
        current: String(current),
        adding: '1',
      })
  }

  function ensureIsNew(address: string, user: UserRow) {
    const known = store.podcasts.findByFeed(address)
    if (known) requireConsent(known, user)
    if (known) throw alreadyAdded(known.title)
  }

  function rememberAlias(podcast: PodcastRow, address: string) {
    store.podcasts.addAlias(podcast.id, address)
    return alreadyAdded(podcast.title)
  }

  /** Another address for a podcast: its feed is read first, and its episodes are matched with those that are known. */
  async function changeFeed(user: UserRow, podcast: PodcastRow, typed: string): Promise<void> {
    const { address, credentials } = splitCredentials(normaliseFeedAddress(typed))
    const ensureIsFree = (url: string) => {
      const holder = store.podcasts.findByFeed(url)
      if (holder && holder.id !== podcast.id) ensureIsNew(url, user)
    }
    ensureIsFree(address)
    const reach = await outbound.reachOf(address, user.role === 'admin').catch(refuse)
    const isSame = isSameOrigin(address, podcast.feed_url)
    const kept = credentials ?? (isSame ? feedAccess(needs, podcast, address).credentials : null)
    const readings: Reading[] = []
    const found = await findFeed(address, { reach, credentials: kept }, readings, ensureIsFree).finally(() =>
      reader.forget(readings.map(({ kept: reading }) => reading)),
    )
    requireConsent(found.digest.facts, user)
    ensureIsFree(found.address)
    const outcome = await refresh.exclusively(podcast.id, { isAsked: true }, async () => {
      store.inTransaction(() => {
        if (found.address !== podcast.feed_url)
          store.podcasts.move(podcast.id, podcast.feed_url, found.address, {
            privacy: privacyOf(reach),
            keepsCredential: kept !== null,
          })
        if (credentials) store.podcasts.setCredential(podcast.id, needs.secret.seal(JSON.stringify(credentials)))
      })
      // Read anew, to be compared with what is known.
      const read = await refresh.readBody(found.fetched, podcast.id)
      if (!read.ok) throw new UnreadableFeed(read.reason)
      return refresh.applyRead(store.podcasts.find(podcast.id) ?? podcast, found.fetched, read.reading)
    })
    if (outcome.result === 'failed') await refresh.refresh(podcast.id)
  }

  return {
    changeFeed,
    /** Throws a Problem that says what is wrong with the address or the feed. The same address at once is added once. */
    async subscribe(user: UserRow, typed: string, options: SubscribeOptions = {}): Promise<PodcastRow> {
      requireShare(user)
      const address = typed.trim()
      // What somebody else adds at this moment; when that fails, it may have been for who they are.
      const meanwhile = await adding.get(address)?.catch(() => null)
      if (meanwhile) requireConsent(meanwhile, user)
      if (meanwhile) throw alreadyAdded(meanwhile.title)
      const work = subscribe(user, typed, options)
      adding.set(address, work)
      return work.finally(() => adding.delete(address))
    },
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error
  if (error.code === 'address-not-allowed')
    throw new Problem('address-not-allowed', 'This address may not be reached from here', { field: 'rssFeedUrl' })
  throw new Problem('feed-unreachable', 'The host could not be found', { host: error.host, status: '' })
}

function requirePlayable(reading: Reading) {
  const { feed_items } = reading.facts
  if (!isPlayable(reading))
    throw new Problem('nothing-playable', `${feed_items} items, nothing playable`, { items: String(feed_items) })
}
