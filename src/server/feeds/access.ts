import type { Credentials } from '../outbound/credentials'
import { publicOnly, type Reach } from '../outbound/reach'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import type { PodcastRow } from '../store/podcasts'

const PUBLIC = 0
const PRIVATE = 1
const WITHIN_NETWORKS = 2

/** The number under which a podcast's row stores the reach of its feed. */
export const privacyOf = ({ home, networksOnly }: Reach) =>
  home === null ? PUBLIC : networksOnly ? WITHIN_NETWORKS : PRIVATE

const reachBack = (privacy: number, home: string | null): Reach =>
  privacy === PUBLIC ? publicOnly : { home, networksOnly: privacy === WITHIN_NETWORKS }

/**
 * The options of requests for a podcast: their reach, the feed's password if the address is on the feed's own origin,
 * and the user agent of the podcast's settings.
 */
export function feedAccess(
  { store, secret }: { store: Store; secret: Secret },
  podcast: PodcastRow,
  address: string,
): { reach: Reach; credentials: Credentials | null; userAgent: string | undefined } {
  const feed = URL.parse(podcast.feed_url)
  const reach = reachBack(podcast.private, feed?.hostname ?? null)
  const isSameOrigin = feed?.origin === URL.parse(address)?.origin
  const sealed = isSameOrigin ? store.podcasts.findCredential(podcast.id) : null
  return {
    reach,
    credentials: sealed && (JSON.parse(secret.open(sealed)) as Credentials),
    userAgent: store.podcastSettings.of(podcast.id).user_agent ?? undefined,
  }
}
