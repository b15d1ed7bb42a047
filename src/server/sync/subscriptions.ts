import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Store } from '../store'
import type { SubscriptionRow } from '../store/subscriptions'
import type { UserRow } from '../store/users'
import { addressKey, readAddress } from './addresses'
import { EXCHANGE_SECONDS, NAMELESS, type SyncClock } from './devices'
import { createConsent, type LibraryAddresses } from './library'
import { createFollow, openList } from './subscription-list'

export type Subscriptions = ReturnType<typeof createSubscriptions>

type SubscriptionsNeeds = {
  store: Store
  addresses: LibraryAddresses
  clock: SyncClock
  now: Clock
  publish: Publish
  subscribe: SubscribeTo
}

/** Adds a podcast to the library, within its user's limit. */
export type SubscribeTo = (
  user: UserRow,
  address: string,
  options: { evenUnplayable: boolean; source: 'sync' },
) => Promise<unknown>

export type Changes = { add: readonly string[]; remove: readonly string[] }
/** Addresses that we spell differently, with our spelling; '' for an address that we refuse. */
type Rewritten = [given: string, ours: string][]
/** The device that asks, and the server's address as it knows it. */
export type From = { device: string; base: string | null }

/** A larger upload is an import, for which there is OPML. */
const MAX_ADDED = 500

/**
 * A user's subscriptions: one list for all devices, one of which is the library. Subscribing on a phone makes a podcast
 * of the library a favourite; unsubscribing undoes that, and the podcast stays in the library.
 */
export function createSubscriptions(needs: SubscriptionsNeeds) {
  const { store, addresses } = needs
  const consent = createConsent(store, addresses)
  const visibleTo = (user: UserRow) => consent.ofSubscriptions(user, store.sync.subscriptions(user.id))
  const change = (user: UserRow, from: From, changes: Changes) => changeList(needs, user, from, changes)

  return {
    ...createFollow(needs),
    ...createUnfollow(needs),
    change,
    list: (user: UserRow) => visibleTo(user).map(({ url }) => url),
    /** Lists the latest state of all that changed from a second on, that second included. */
    since(user: UserRow, since: number) {
      const rows = consent.ofSubscriptions(user, store.sync.subscriptionsSince(user.id, since))
      const add = rows.filter(row => row.subscribed).map(row => row.url)
      const timestamp = needs.clock()
      // A device that gets a podcast only now has none of its positions; one that starts from 0 asks for all of them.
      if (since > 0) repeatPositions(needs, user, add, timestamp)
      return { add, remove: since === 0 ? [] : rows.filter(row => !row.subscribed).map(row => row.url), timestamp }
    },
    /** Applies the whole list of a device as changes. */
    replace: (user: UserRow, from: From, urls: readonly string[]) =>
      change(user, from, changesOf(needs, user, from, urls, visibleTo(user))),
    /**
     * Lists the feeds that devices are subscribed to and the library lacks. `base`: the server's address for the
     * caller.
     */
    missing(user: UserRow, base: string | null) {
      const find = addresses.finder()
      const phones = new Map(
        store.sync
          .devices(user.id)
          .flatMap(({ name, caption, app_password_id }) => (app_password_id === null ? [] : [[name, caption]])),
      )
      return store.sync
        .subscriptions(user.id)
        .filter(row => row.device !== null && !find(row.url) && !addresses.isOurs(row.url, base))
        .map(({ device, url }) => ({ device: phones.get(device!) ?? device!, podcast: url }))
    },
  }
}

/** `at`: the second to ask from next; that of the change, or of what others sent during the exchange. */
function changeList(
  needs: SubscriptionsNeeds,
  user: UserRow,
  { device, base }: From,
  changes: Changes,
): { at: number; rewritten: Rewritten } {
  const { store, addresses, clock, now, publish } = needs
  const { added, removed, rewritten } = readChanges(changes)
  const unknown: string[] = []
  const favoured = new Map<number, boolean>()
  const at = store.inTransaction(() => {
    const changedAt = clock()
    const list = openList(needs, user, device, changedAt)
    for (const url of removed) {
      const found = list.find(url)
      if (!found) list.set(url, false)
      else if (list.drop(found, url)) favoured.set(found.podcastId, false)
    }
    for (const url of added) {
      const found = list.find(url)
      if (!found) {
        if (list.set(url, true) && !addresses.isOurs(url, base)) unknown.push(url)
      } else if (list.join(found, url)) favoured.set(found.podcastId, true)
    }
    for (const [podcastId, isFavoured] of favoured) store.podcasts.favour(user.id, podcastId, isFavoured, now())
    const own = device === NAMELESS ? null : device
    return store.sync.firstChange(user.id, changedAt - EXCHANGE_SECONDS, own) ?? changedAt
  })
  for (const [podcastId, isFavoured] of favoured)
    publish({ type: 'podcastFavoured', userId: user.id, podcastId, favoured: isFavoured, source: 'sync' })
  if (user.sync_auto_add) void addAll(needs, user, unknown)
  return { at, rewritten }
}

function readChanges({ add, remove }: Changes) {
  const rewritten: Rewritten = []
  const readAll = (urls: readonly string[]) =>
    urls.flatMap(given => {
      const ours = readAddress(given)
      if (ours !== given) rewritten.push([given, ours ?? ''])
      return ours === null ? [] : [ours]
    })
  const added = readAll(add)
  const addedKeys = new Set(added.map(addressKey))
  const removed = readAll(remove).filter(url => !addedKeys.has(addressKey(url)))
  return { added, removed, rewritten }
}

/** Adds podcasts one by one; a feed that cannot be added stays in the list of missing ones. */
async function addAll(
  { store, addresses, subscribe, publish, now }: SubscriptionsNeeds,
  user: UserRow,
  urls: string[],
) {
  for (const url of urls.slice(0, MAX_ADDED)) {
    await subscribe(user, url, { evenUnplayable: true, source: 'sync' }).catch(() => undefined)
    // The library may have it under another address, or another person added it a moment ago.
    const found = addresses.finder()(url)
    if (!found || !store.sync.subscriptions(user.id).some(row => row.feed_key === addressKey(url))) continue
    store.podcasts.favour(user.id, found.podcastId, true, now())
    publish({ type: 'podcastFavoured', userId: user.id, podcastId: found.podcastId, favoured: true, source: 'sync' })
  }
}

/** Sends the positions of these podcasts to all devices again. */
function repeatPositions({ store, addresses }: SubscriptionsNeeds, user: UserRow, urls: readonly string[], at: number) {
  if (urls.length === 0) return
  const find = addresses.finder()
  store.inTransaction(() => {
    for (const url of urls) {
      const found = find(url)
      if (found) store.sync.resendPositions(user.id, found.podcastId, at)
    }
  })
}

/**
 * Compares the whole list of a device with that of its user. A podcast that the device knew and no longer names was
 * removed there; one that was added elsewhere since its last sync is unknown to it, and stays.
 */
function changesOf(
  { store, addresses }: SubscriptionsNeeds,
  user: UserRow,
  from: From,
  urls: readonly string[],
  rows: readonly SubscriptionRow[],
): Changes {
  const listSentAt = store.sync.findDevice(user.id, from.device)?.told_at ?? null
  const find = addresses.finder()
  const nameOf = (url: string) => find(url)?.podcastId ?? addressKey(url)
  const readable = urls.map(readAddress).filter(url => url !== null)
  const named = new Set(readable.map(nameOf))
  const known = new Set(rows.map(({ url }) => nameOf(url)))
  const isKnownTo = (row: SubscriptionRow) =>
    row.device === from.device || (listSentAt !== null && row.changed_at < listSentAt)
  const remove = rows.filter(row => !named.has(nameOf(row.url)) && isKnownTo(row)).map(({ url }) => url)
  // The device's own spelling of a known address: since it is sent with every list, it would change everybody's each
  // time.
  const claimed = new Set(urls.filter(url => known.has(nameOf(url))).map(nameOf))
  for (const row of rows) if (claimed.has(nameOf(row.url))) store.sync.claim(user.id, row.feed_key, from.device)
  return { add: urls.filter(url => !known.has(nameOf(url))), remove }
}

type Needs = Pick<SubscriptionsNeeds, 'store' | 'addresses' | 'clock'>

/** Undoes what the library subscribed to since a second of the sync clock. */
function createUnfollow({ store, addresses, clock }: Needs) {
  function subscribedSince(userId: number, since: number) {
    const rows = store.sync.subscriptions(userId).filter(({ changed_at }) => changed_at >= since)
    if (rows.length === 0) return []
    const find = addresses.finder()
    return rows.map(row => ({ ...row, podcastId: find(row.url)?.podcastId ?? null }))
  }

  return {
    /** Ids of the podcasts among these that a device of the user names as its own since then. */
    onDevicesSince(userId: number, since: number): Set<number | null> {
      const own = subscribedSince(userId, since).filter(({ device }) => device !== null)
      return new Set(own.map(({ podcastId }) => podcastId))
    },
    /** Ends the subscriptions to these podcasts that only the library has. */
    unfollow(userId: number, podcastIds: ReadonlySet<number>, since: number) {
      const ended = subscribedSince(userId, since).filter(
        ({ device, podcastId }) => device === null && podcastId !== null && podcastIds.has(podcastId),
      )
      const changed_at = clock()
      for (const { user_id, feed_key, url } of ended)
        store.sync.subscribe({ user_id, feed_key, url, subscribed: 0, device: null, changed_at })
    },
  }
}
