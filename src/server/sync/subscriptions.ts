import type { Store } from '../store'
import type { PodcastRow } from '../store/podcasts'
import type { SubscriptionRow } from '../store/sync'
import type { UserRow } from '../store/users'
import { addressKey, readAddress } from './addresses'
import { EXCHANGE_SECONDS, NAMELESS, type SyncClock } from './clock'
import { createConsent } from './consent'
import type { LibraryAddresses } from './library'
import { withKey } from './private-addresses'
import { openList } from './subscription-list'

type Needs = {
  store: Store
  addresses: LibraryAddresses
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
type Followed = Pick<PodcastRow, 'id' | 'feed_url'>

/** Which device it is, and where it finds us. */
export type From = { device: string; base: string | null }

/**
 * What a user is subscribed to: one list for all devices, of which the library is one. A podcast that the library has is
 * favoured by subscribing to it on a phone, and no longer by unsubscribing; it stays in the library.
 */
export function createSubscriptions({ store, addresses, clock, now, subscribe }: Needs) {
  const consent = createConsent(store, addresses)
  const subscribed = (user: UserRow) => consent.ofSubscriptions(user, store.sync.subscriptions(user.id))
  const open = (user: UserRow, device: string | null, at: number) => openList({ store, addresses }, user, device, at)

  /** `at`: the second to ask from next; that of the change, or of what others have sent while the exchange went on. */
  function change(
    user: UserRow,
    { device, base }: From,
    { add, remove }: Changes,
  ): { at: number; rewritten: Rewritten } {
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
      const list = open(user, device, changedAt)
      for (const url of removed) {
        const found = list.find(url)
        if (!found) list.set(url, false)
        else if (list.drop(found, url)) store.podcasts.favour(user.id, found.podcastId, false, now())
      }
      for (const url of added) {
        const found = list.find(url)
        if (found) {
          if (list.join(found, url)) store.podcasts.favour(user.id, found.podcastId, true, now())
        } else if (list.set(url, true) && !addresses.isOurs(url, base)) unknown.push(url)
      }
      const own = device === NAMELESS ? null : device
      return store.sync.firstChange(user.id, changedAt - EXCHANGE_SECONDS, own) ?? changedAt
    })
    if (user.sync_auto_add) void addAll(user, unknown)
    return { at, rewritten }
  }
  /** One after the other; what cannot be had stays in the list of what is missing. */
  async function addAll(user: UserRow, urls: readonly string[]) {
    for (const url of urls.slice(0, MOST_ADDED)) {
      await subscribe(user, url).catch(() => undefined)
      // It may be here by another of its addresses, or by somebody else, a moment ago.
      const found = addresses.finder()(url)
      if (found && store.sync.subscriptions(user.id).some(row => row.feed_key === addressKey(url)))
        store.podcasts.favour(user.id, found.podcastId, true, now())
    }
  }

  function tellAgain(user: UserRow, urls: readonly string[], at: number) {
    if (urls.length === 0) return
    const find = addresses.finder()
    store.inTransaction(() => {
      for (const url of urls) {
        const found = find(url)
        if (found) store.sync.resendPositions(user.id, found.podcastId, at)
      }
    })
  }

  /** By the private address that a user had of a podcast before, if that is the last that there was. */
  function createAddressFor(user: UserRow) {
    const find = addresses.finder()
    const last = new Map(store.sync.subscriptionsEver(user.id).map(({ url }) => [find(url)?.podcastId, url]))
    return ({ id, feed_url }: Followed) => {
      const known = last.get(id)
      return known !== undefined && find(known)!.isPrivate ? current(user, known) : feed_url
    }
  }
  const current = (user: UserRow, url: string) =>
    addresses.hasFeedKey(url) ? withKey(url, addresses.keyOf(user)) : url

  return {
    change,
    list: (user: UserRow) => subscribed(user).map(({ url }) => url),
    /** The latest state of everything that changed from a second on, that second included. */
    since(user: UserRow, since: number) {
      const rows = consent.ofSubscriptions(user, store.sync.subscriptionsSince(user.id, since))
      const add = rows.filter(row => row.subscribed).map(row => row.url)
      const timestamp = clock()
      // Whoever is told of a podcast only now has taken up none of its positions; who knows nothing yet asks for all of them.
      if (since > 0) tellAgain(user, add, timestamp)
      return { add, remove: since === 0 ? [] : rows.filter(row => !row.subscribed).map(row => row.url), timestamp }
    },
    /**
     * The whole list of a device. What it was told of and does not name any more it has removed; what came from elsewhere
     * since its last sync it cannot know, and that stays.
     */
    replace(user: UserRow, from: From, urls: readonly string[]) {
      const toldAt = store.sync.findDevice(user.id, from.device)?.told_at ?? null
      const find = addresses.finder()
      const nameOf = (url: string) => find(url)?.podcastId ?? addressKey(url)
      const named = new Set(
        urls
          .map(readAddress)
          .filter(url => url !== null)
          .map(nameOf),
      )
      const rows = subscribed(user)
      const known = new Set(rows.map(({ url }) => nameOf(url)))
      const isKnownTo = (row: SubscriptionRow) =>
        row.device === from.device || (toldAt !== null && row.changed_at < toldAt)
      const remove = rows.filter(row => !named.has(nameOf(row.url)) && isKnownTo(row)).map(({ url }) => url)
      // Its own spelling of what everybody has by another: sent each time, it would change everybody's each time.
      const claimed = urls.filter(url => known.has(nameOf(url)))
      for (const row of rows)
        if (claimed.some(url => nameOf(url) === nameOf(row.url))) store.sync.claim(user.id, row.feed_key, from.device)
      return change(user, from, { add: urls.filter(url => !known.has(nameOf(url))), remove })
    },
    /** Favoured, added, or no longer favoured: the library's own changes. */
    follow(user: UserRow, podcasts: readonly Followed[], subscribed: boolean) {
      store.inTransaction(() => {
        const list = open(user, null, clock())
        const addressFor = createAddressFor(user)
        for (const podcast of podcasts) {
          const url = addressFor(podcast)
          const found = list.find(url)
          if (!subscribed) list.leave(podcast.id)
          else if (found) list.join(found, url)
        }
      })
    },
    /** The feed key is another now: what was subscribed to by the old one is told by the new one. */
    renewKey(user: UserRow) {
      store.inTransaction(() => {
        const list = open(user, null, clock())
        for (const { url, device } of store.sync.subscriptions(user.id)) {
          const renewed = current(user, url)
          if (renewed !== url) list.readdress(url, renewed, device)
        }
      })
    },
    /** Feeds that devices are subscribed to and the library has not. `base`: where whoever asks finds us. */
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
export type Subscriptions = ReturnType<typeof createSubscriptions>
