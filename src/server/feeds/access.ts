import type { Credentials, Reach } from '../outbound/request'
import type { Secret } from '../secret'
import type { Store } from '../store'
import type { PodcastRow } from '../store/podcasts'

/**
 * How requests for this podcast are made: how far they may reach, its password where the address is of the feed's own
 * origin, and what it wants to be asked by.
 */
export function feedAccess(
  { store, secret }: { store: Store; secret: Secret },
  podcast: PodcastRow,
  address: string,
): { reach: Reach; credentials: Credentials | null; userAgent: string | undefined } {
  const feed = URL.parse(podcast.feed_url)
  const reach: Reach = { home: podcast.private ? (feed?.hostname ?? null) : null }
  const isSameOrigin = feed?.origin === URL.parse(address)?.origin
  const sealed = isSameOrigin ? store.podcasts.findCredential(podcast.id) : null
  return {
    reach,
    credentials: sealed && (JSON.parse(secret.open(sealed)) as Credentials),
    userAgent: store.podcastSettings.of(podcast.id).user_agent ?? undefined,
  }
}
