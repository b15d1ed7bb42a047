import type { Store } from '../store'
import type { UserRow } from '../store/users'
import { addressKey } from './addresses'
import type { FoundPodcast, LibraryAddresses } from './library'

/**
 * A user's list while one device changes it. A podcast stands in it by one address: the first that was given, or that of
 * our private feed, which takes the place of the publisher's and of earlier ones, so that no phone has a podcast twice.
 */
export function openList(
  { store, addresses }: { store: Store; addresses: LibraryAddresses },
  user: UserRow,
  device: string | null,
  at: number,
) {
  const find = addresses.finder()
  const byPodcast = new Map<number, Set<string>>()
  for (const { url } of store.sync.subscriptions(user.id)) keep(url, true)

  function keep(url: string, subscribed: boolean) {
    const found = find(url)
    if (!found) return
    const urls = byPodcast.get(found.podcastId) ?? new Set()
    byPodcast.set(found.podcastId, urls)
    if (subscribed) urls.add(url)
    else urls.delete(url)
  }
  const rowOf = (url: string, subscribed: boolean) => ({
    user_id: user.id,
    feed_key: addressKey(url),
    url,
    subscribed: Number(subscribed),
    device,
    changed_at: at,
  })
  /** Answers whether anything is different now. */
  function set(url: string, subscribed: boolean): boolean {
    keep(url, subscribed)
    return store.sync.subscribe(rowOf(url, subscribed))
  }
  /** Says to everybody what is so already. */
  function announce(url: string, subscribed: boolean) {
    keep(url, subscribed)
    store.sync.announce(rowOf(url, subscribed))
  }
  const urlsOf = (podcastId: number) => [...(byPodcast.get(podcastId) ?? [])]
  const isPrivate = (url: string) => find(url)?.isPrivate === true
  const tellAgain = (podcastId: number) => store.sync.resendPositions(user.id, podcastId, at)

  /** Whether there was anything to leave. */
  function leave(podcastId: number): boolean {
    const urls = urlsOf(podcastId)
    for (const url of urls) set(url, false)
    return urls.length > 0
  }

  return {
    find,
    set,
    leave,
    /** Whether the podcast has been joined by this. */
    join({ podcastId, isPrivate: byPrivate }: FoundPodcast, url: string): boolean {
      const known = urlsOf(podcastId)
      const key = addressKey(url)
      const ours = known.filter(isPrivate)
      const isKnown = known.some(other => addressKey(other) === key)
      if (isKnown || (known.length > 0 && !byPrivate && ours.length === 0)) {
        if (device !== null) for (const other of known) store.sync.claim(user.id, addressKey(other), device)
        return false
      }
      if (!byPrivate && ours.length > 0) {
        // A phone that has both is told which to drop, and once more which to keep.
        if (device === null) return false
        announce(url, false)
        for (const other of ours) announce(other, true)
        return false
      }
      set(url, true)
      for (const other of known) set(other, false)
      // Who begins with a podcast, or with another address of it, has none of its positions.
      tellAgain(podcastId)
      return true
    },
    /** What a device drops. One address of a podcast that has another is no podcast: phones report what they were told to drop. */
    drop({ podcastId, isPrivate: byPrivate }: FoundPodcast, url: string): boolean {
      const known = urlsOf(podcastId)
      const isKnown = known.some(other => addressKey(other) === addressKey(url))
      const hasOther = byPrivate ? !isKnown : known.some(isPrivate)
      if (!hasOther) return leave(podcastId)
      if (isKnown) set(url, false)
      return false
    },
    /** Another address of the same feed, for everybody. */
    readdress(from: string, to: string, owner: string | null) {
      set(from, false)
      keep(to, true)
      store.sync.announce({ ...rowOf(to, true), device: owner })
      const found = find(to)
      if (found) tellAgain(found.podcastId)
    },
  }
}
