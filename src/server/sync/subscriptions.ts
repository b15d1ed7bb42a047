import type { Store } from '../store'
import type { PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'
import { addressKey, readAddress } from './addresses'
import { EXCHANGE_SECONDS, NAMELESS, type SyncClock } from './clock'
import { createConsent } from './consent'

type Needs = {
  store: Store
  clock: SyncClock
  now: () => number
  /** Adds a podcast to the library, within what its user may add. */
  subscribe: (user: UserRow, address: string) => Promise<unknown>
}

/** More than that at once is an import, for which there is OPML. */
const MOST_ADDED = 500

export type Changes = { add: readonly string[]; remove: readonly string[] }
/** What was spelled otherwise than we take it; the second is '' where we do not take it at all. */
export type Rewritten = [given: string, taken: string][]

/**
 * What a user is subscribed to: one list for all of his devices, of which the library is one. A podcast that the library
 * has is favoured by subscribing to it on a phone, and no longer by unsubscribing; it stays in the library.
 */
export function createSubscriptions({ store, clock, now, subscribe }: Needs) {
  const consent = createConsent(store)
  const subscribed = (user: UserRow) => consent.ofSubscriptions(user, store.sync.subscriptions(user.id))
  /** Every podcast of the library by the keys of its addresses. */
  const library = () => new Map(store.sync.feeds().map(({ id, url }) => [addressKey(url), id]))

  function set(user: UserRow, url: string, subscribed: boolean, device: string | null, at: number): boolean {
    return store.sync.subscribe({
      user_id: user.id,
      feed_key: addressKey(url),
      url,
      subscribed: Number(subscribed),
      device,
      changed_at: at,
    })
  }

  /** The addresses of a podcast that a user is subscribed to: a feed that moved has several. */
  const subscribedTo = (user: UserRow, podcastId: number) =>
    store.sync
      .feedsOf(podcastId)
      .map(url => store.sync.findSubscription(user.id, addressKey(url)))
      .filter(row => row?.subscribed === 1)
      .map(row => row!.url)
  /** Whether anything is different now. */
  function leave(user: UserRow, podcastId: number, device: string | null, at: number): boolean {
    const urls = subscribedTo(user, podcastId)
    for (const url of urls) set(user, url, false, device, at)
    return urls.length > 0
  }
  /** By this address, unless there is one of the podcast's that he is subscribed to already. */
  function join(user: UserRow, podcastId: number, url: string, device: string | null, at: number): boolean {
    const already = subscribedTo(user, podcastId)
    if (device !== null) for (const known of already) store.sync.claim(user.id, addressKey(known), device)
    return already.length === 0 && set(user, url, true, device, at)
  }

  /** `at`: the second to ask from next; that of the change, or of what others have sent while the exchange went on. */
  function change(user: UserRow, device: string, { add, remove }: Changes): { at: number; rewritten: Rewritten } {
    const rewritten: Rewritten = []
    const read = (given: string) => {
      const taken = readAddress(given)
      if (taken !== given) rewritten.push([given, taken ?? ''])
      return taken
    }
    const added = add.map(read).filter(url => url !== null)
    const addedKeys = new Set(added.map(addressKey))
    const removed = remove
      .map(read)
      .filter(url => url !== null)
      .filter(url => !addedKeys.has(addressKey(url)))
    const unknown: string[] = []
    const at = store.inTransaction(() => {
      const changedAt = clock()
      const known = library()
      const podcastOf = (url: string) => known.get(addressKey(url)) ?? null
      for (const url of removed) {
        const podcastId = podcastOf(url)
        if (podcastId === null) set(user, url, false, device, changedAt)
        else if (leave(user, podcastId, device, changedAt)) store.podcasts.favour(user.id, podcastId, false, now())
      }
      for (const url of added) {
        const podcastId = podcastOf(url)
        if (podcastId !== null) {
          if (join(user, podcastId, url, device, changedAt)) store.podcasts.favour(user.id, podcastId, true, now())
        } else if (set(user, url, true, device, changedAt)) unknown.push(url)
      }
      const own = device === NAMELESS ? null : device
      return store.sync.firstChange(user.id, changedAt - EXCHANGE_SECONDS, own) ?? changedAt
    })
    if (user.sync_auto_add) void addAll(user, unknown)
    return { at, rewritten }
  }
  /** One after the other; what cannot be had stays in the list of what is missing. */
  async function addAll(user: UserRow, urls: readonly string[]) {
    for (const url of urls.slice(0, MOST_ADDED)) await subscribe(user, url).catch(() => undefined)
  }

  return {
    change,
    list: (user: UserRow) => subscribed(user).map(({ url }) => url),
    /** The latest state of everything that changed from a second on, that second included. */
    since(user: UserRow, since: number) {
      const rows = consent.ofSubscriptions(user, store.sync.subscriptionsSince(user.id, since))
      return {
        add: rows.filter(row => row.subscribed).map(row => row.url),
        // Who knows nothing yet has nothing to remove.
        remove: since === 0 ? [] : rows.filter(row => !row.subscribed).map(row => row.url),
        timestamp: clock(),
      }
    },
    /**
     * The whole list of a device. What it was told of and does not name any more it has removed; what came from elsewhere
     * since its last sync it cannot know, and that stays.
     */
    replace(user: UserRow, device: string, urls: readonly string[]) {
      const seenUntil = store.sync.findDevice(user.id, device)?.last_sync_at ?? null
      const named = new Set(
        urls
          .map(readAddress)
          .filter(url => url !== null)
          .map(addressKey),
      )
      const remove = subscribed(user)
        .filter(row => !named.has(row.feed_key))
        .filter(row => row.device === device || (seenUntil !== null && row.changed_at < seenUntil))
      return change(user, device, { add: urls, remove: remove.map(({ url }) => url) })
    },
    /** Favoured, added, or no longer favoured: the library's own change. */
    follow(user: UserRow, { id, feed_url }: Pick<PodcastRow, 'id' | 'feed_url'>, subscribed: boolean) {
      if (subscribed) join(user, id, feed_url, null, clock())
      else leave(user, id, null, clock())
    },
    /** Feeds that devices are subscribed to and the library has not. */
    missing(user: UserRow) {
      const known = library()
      return store.sync
        .subscriptions(user.id)
        .filter(row => row.device !== null && !known.has(row.feed_key))
        .map(({ device, url }) => ({ device: device!, podcast: url }))
    },
  }
}
export type Subscriptions = ReturnType<typeof createSubscriptions>
