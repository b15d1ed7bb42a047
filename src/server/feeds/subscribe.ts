import { type Credentials, mayCarry, splitCredentials } from '../outbound/credentials'
import { OutboundError } from '../outbound/error'
import { type Reach, publicOnly } from '../outbound/reach'
import type { Source } from '../platform/events'
import { isFolderAddress } from '../store/feeds'
import { allInherited } from '../store/podcast-settings'
import type { PodcastFacts, PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'
import { ensureIsNew, requireConsent, requirePlayable, requireShare, requireUserAgent } from './admission'
import { hostOf } from './apply/apply'
import { digestFetched, UnreadableFeed } from './digester'
import { feedAccess, privacyOf, normaliseFeedAddress, trySchemes } from './fetch/address'
import { findFeed, followAnnouncedHome, type Found, readPages, type Search } from './fetch/find-feed'
import { isDowngrade } from './fetch/moves'
import type { FeedsNeeds } from './needs'
import { alreadyAdded, refuseAddress } from './problems'
import { applyFetched, type Refresh } from './refresh'
import { unchanged } from './runs'

type SubscribeNeeds = FeedsNeeds & {
  refresh: Refresh
  /** A folder of the media root that no other podcast has. */
  folderFor: (podcast: PodcastFacts & { title: string; added_at: number }) => string
  /** Number of podcasts that a plain user may add. */
  podcastLimit: number
}

type SubscribeOptions = {
  /** Also adds a feed in which nothing can be played. */
  evenUnplayable?: boolean
  /** Number of newest episodes to download; null means all, absent what the settings say. */
  firstDownloads?: number | null | undefined
  source?: Source
  /** The name to send instead of ours; the podcast's settings keep it. */
  userAgent?: string | undefined
  /** Time in which no other process may check the feed, in ms: until then its first reading is stored. */
  dueAfterMs?: number
}

/** Adds podcasts by the address of their feed, or of a web page that names one. */
export function createSubscribe(needs: SubscribeNeeds) {
  const { store } = needs
  const adding = new Map<string, Promise<PodcastRow>>()
  return {
    changeFeed: (user: UserRow, podcast: PodcastRow, typed: string) =>
      trySchemes(typed, given => changeFeed(needs, user, podcast, given)),
    /**
     * Throws a `Problem` with the address or the feed. An address that two people add at the same time is added once.
     */
    async subscribe(user: UserRow, typed: string, options: SubscribeOptions = {}): Promise<PodcastRow> {
      requireShare(store, user, needs.podcastLimit)
      const address = typed.trim()
      // Somebody else may be adding it now. If that fails, the reason may have been who they are: it is tried again.
      const meanwhile = await adding.get(address)?.catch(() => null)
      if (meanwhile) requireConsent(meanwhile, user)
      if (meanwhile) throw alreadyAdded(meanwhile.title)
      const work = feedMeant(needs, typed).then(meant =>
        trySchemes(meant, given => subscribe(needs, user, given, options)),
      )
      adding.set(address, work)
      return work.finally(() => adding.delete(address))
    },
  }
}

/** The address of the feed that a link to another service means; any other address as it was typed. */
async function feedMeant({ findLink }: SubscribeNeeds, typed: string): Promise<string> {
  const link = await findLink(normaliseFeedAddress(typed))
  return link && 'feedUrl' in link ? link.feedUrl : typed
}

async function subscribe(
  needs: SubscribeNeeds,
  user: UserRow,
  given: string,
  { evenUnplayable = false, firstDownloads, dueAfterMs = 0, source = 'library', userAgent }: SubscribeOptions,
): Promise<PodcastRow> {
  const { store, outbound, digester } = needs
  const { address, credentials } = splitCredentials(given)
  ensureIsNew(store, address, user)
  const reach = await outbound.reachOf(address, user.role === 'admin').catch(refuseAddress)
  const search: Search = {
    reach,
    credentials: credentials && { ...credentials, givenFor: address },
    userAgent: requireUserAgent(user, userAgent),
    ensureIsNew: other => ensureIsNew(store, other, user),
    summaries: [],
  }
  try {
    const there = await findFeed(needs, search, address)
    const found = await followAnnouncedHome(needs, search, there)
    if (!evenUnplayable) requirePlayable(found.summary)
    return await add(needs, user, { address, search, found, firstDownloads, dueAfterMs, source })
  } finally {
    digester.forget(search.summaries.map(({ digestId }) => digestId))
  }
}

type Adding = Omit<NewPodcast, 'finalAddress'> & Pick<SubscribeOptions, 'firstDownloads'> & { source: Source }

async function add(needs: SubscribeNeeds, user: UserRow, { firstDownloads, source, ...adding }: Adding) {
  const { address, search, found } = adding
  const { store, refresh } = needs
  requireConsent(found.summary.facts, user)
  const finalAddress = finalAddressOf(found, address, search)
  ensureIsNew(store, finalAddress, user)
  refuseTwin(needs, user, address, found)
  const older = await readPages(needs, search, found)
  await store.whenWritable()
  ensureIsNew(store, finalAddress, user)
  const podcast = addRow(needs, user, { ...adding, finalAddress })
  const item = { kind: 'feed', key: String(podcast.id), label: podcast.title } as const
  // From here on nothing else may read this feed until its first reading is stored. The next start would read it again.
  const outcome = await refresh.exclusively(podcast.id, { isQuiet: true }, () =>
    needs.begun.run(
      item,
      () => applyFetched(needs, podcast, found.fetched, [found.summary, ...older], firstDownloads),
      () => unchanged,
    ),
  )
  // The podcast is in the library: another refresh repairs the failure, or records it.
  if (outcome.result === 'failed') await refresh.refresh(podcast.id)
  needs.publish({ type: 'addedPodcast', podcastId: podcast.id, source })
  return store.podcasts.find(podcast.id) ?? podcast
}

/** The address after permanent redirects; with a password, only if it may be sent there. */
function finalAddressOf({ address: foundAt, fetched: { movedTo } }: Found, address: string, { credentials }: Search) {
  if (!movedTo || isDowngrade(foundAt, movedTo)) return foundAt
  return credentials && !mayCarry(address, movedTo) ? foundAt : movedTo
}

/** Throws for a feed that the library has under another address, and remembers this one. */
function refuseTwin({ store }: SubscribeNeeds, user: UserRow, address: string, { summary }: Found) {
  const twin = summary.facts.guid ? store.podcasts.findByGuid(summary.facts.guid) : null
  if (!twin) return
  requireConsent(twin, user)
  store.podcasts.addAlias(twin.id, address)
  throw alreadyAdded(twin.title)
}

type NewPodcast = { address: string; finalAddress: string; search: Search; found: Found; dueAfterMs: number }

function addRow(
  needs: SubscribeNeeds,
  user: UserRow,
  { address, finalAddress, search, found, dueAfterMs }: NewPodcast,
): PodcastRow {
  const { store, now, secret } = needs
  const { reach, credentials, userAgent } = search
  const { title: given, facts } = found.summary
  const title = given || hostOf(finalAddress)
  return store.inTransaction(() => {
    requireShare(store, user, needs.podcastLimit)
    const row = store.podcasts.add({
      title,
      folder: needs.folderFor({ ...facts, title, added_at: now() }),
      feedUrl: finalAddress,
      privacy: privacyOf(reach),
      userId: user.id,
      now: now(),
      dueAt: now() + dueAfterMs,
    })
    if (credentials) {
      const { user: name, password } = credentials
      store.podcasts.setCredential(row.id, secret.seal(JSON.stringify({ user: name, password })))
    }
    if (userAgent) store.podcastSettings.keep(row.id, { ...allInherited, user_agent: userAgent })
    if (address !== finalAddress) store.podcasts.addAlias(row.id, address)
    if (found.announced) store.podcasts.announceMove(row.id, found.announced)
    return row
  })
}

type Needs = FeedsNeeds & { refresh: Refresh }

/**
 * Gives a podcast another address: its feed is read first, and its episodes are matched with the known ones. Throws
 * `Problem`.
 */
async function changeFeed(needs: Needs, user: UserRow, podcast: PodcastRow, given: string): Promise<void> {
  const { store, outbound, digester, refresh } = needs
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
  const search: Search = { reach, credentials, userAgent, ensureIsNew: ensureIsFree, summaries: [], readsAgain: true }
  const found = await findFeed(needs, search, address).finally(() =>
    digester.forget(search.summaries.map(({ digestId }) => digestId)),
  )
  requireConsent(found.summary.facts, user)
  ensureIsFree(found.address)
  const outcome = await refresh.exclusively(podcast.id, { isAsked: true }, async () => {
    move(needs, podcast, found, { reach, given: typed, keepsCredential: credentials !== null })
    // Read again, now compared with the known episodes.
    const read = await digestFetched(needs, found.fetched, podcast.id)
    if (!read.ok) throw new UnreadableFeed(read.reason)
    return applyFetched(needs, store.podcasts.find(podcast.id) ?? podcast, found.fetched, [read.summary])
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

export type AddUnreadNeeds = Pick<FeedsNeeds, 'store' | 'outbound' | 'secret' | 'publish' | 'now'> & {
  /** A folder of the media root that no other podcast has. */
  folderFor: (podcast: PodcastFacts & { title: string; added_at: number }) => string
  podcastLimit: number
}

/** Facts of a feed that was never read. */
export const noFacts: PodcastFacts = {
  author: null,
  summary: null,
  language: null,
  keywords: null,
  link: null,
  guid: null,
  medium: null,
  explicit: 0,
  serial: 0,
  image_url: null,
  extras: '{}',
  built_at: null,
  feed_items: 0,
  feed_unplayable: 0,
  guid_evidence: null,
}

/**
 * Adds a podcast whose feed does not answer, with what another program knew about it; its feed is due at once. Throws a
 * `Problem` if the address must not be requested or is in the library, or the person may add no more.
 */
export async function addUnread(needs: AddUnreadNeeds, user: UserRow, typed: string, title: string | null) {
  const { store, outbound, secret, now } = needs
  const { address, credentials } = splitCredentials(normaliseFeedAddress(typed))
  ensureIsNew(store, address, user)
  const reach = await outbound.reachOf(address, user.role === 'admin').catch((error: unknown) => {
    // A host that no longer exists has no address.
    if (error instanceof OutboundError && error.code !== 'address-not-allowed') return publicOnly
    return refuseAddress(error)
  })
  const podcast = store.inTransaction((): PodcastRow => {
    ensureIsNew(store, address, user)
    requireShare(store, user, needs.podcastLimit)
    const name = title ?? hostOf(address)
    const folder = needs.folderFor({ ...noFacts, title: name, added_at: now() })
    const privacy = privacyOf(reach)
    const row = store.podcasts.add({ title: name, folder, feedUrl: address, privacy, userId: user.id, now: now() })
    if (credentials) store.podcasts.setCredential(row.id, secret.seal(JSON.stringify(credentials)))
    return row
  })
  needs.publish({ type: 'addedPodcast', podcastId: podcast.id, source: 'import' })
  return podcast
}
