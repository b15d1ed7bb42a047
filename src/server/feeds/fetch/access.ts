import type { Credentials, GivenCredentials } from '../../outbound/credentials'
import { publicOnly, type Reach } from '../../outbound/reach'
import { invalidField } from '../../platform/problem'
import type { Secret } from '../../platform/secret'
import type { Store } from '../../store'
import type { PodcastRow } from '../../store/podcasts'

const PUBLIC = 0
const PRIVATE = 1
const WITHIN_NETWORKS = 2

/** The number under which a podcast's row stores the reach of its feed. */
export const privacyOf = ({ home, networksOnly }: Reach) =>
  home === null ? PUBLIC : networksOnly ? WITHIN_NETWORKS : PRIVATE

const reachBack = (privacy: number, home: string | null): Reach =>
  privacy === PUBLIC ? publicOnly : { home, networksOnly: privacy === WITHIN_NETWORKS }

/**
 * The user agent that a person wants us to send; null for ours. Throws `invalid-field` for text that does not fit into
 * a header.
 */
export function readUserAgent(typed: string | null | undefined): string | null {
  const userAgent = typed?.trim() || null
  if (userAgent && !/^[\x20-\x7e]+$/.test(userAgent)) throw invalidField('userAgent', 'plain ASCII')
  return userAgent
}

/** The options of every request for a podcast: for its feed, files, covers, chapters and transcripts. */
export type FeedAccess = { reach: Reach; credentials: GivenCredentials | null; userAgent: string | undefined }

/**
 * The options of all requests for a podcast, whatever their address: their reach, the feed's password, which is sent to
 * the feed's own host only, and the user agent of the podcast's settings.
 */
export function feedAccess(
  { store, secret }: { store: Store; secret: Secret },
  { id, feed_url, private: privacy }: PodcastRow,
): FeedAccess {
  const sealed = store.podcasts.findCredential(id)
  return {
    reach: reachBack(privacy, URL.parse(feed_url)?.hostname ?? null),
    credentials: sealed && { ...(JSON.parse(secret.open(sealed)) as Credentials), givenFor: feed_url },
    userAgent: store.podcastSettings.of(id).user_agent ?? undefined,
  }
}
