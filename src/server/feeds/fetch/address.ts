import { splitCredentials, type Credentials, type GivenCredentials } from '../../outbound/credentials'
import { publicOnly, type Reach } from '../../outbound/reach'
import { invalidField, Problem } from '../../platform/problem'
import type { Secret } from '../../platform/secret'
import type { Store } from '../../store'
import type { PodcastRow } from '../../store/podcasts'

/** Schemes by which podcast links ask for an app; behind them is an http(s) address. */
const appSchemes =
  /^(?:(?:feed|itpc|pcast|podcasts?|rss|itmss?|itms-(?:podcasts?|pcast)|antennapod-subscribe):(?:\/\/)?|pktc:\/\/subscribe\/)/i

/**
 * Turns what a person typed or pasted into the address of a feed. A missing scheme is https; app links are unwrapped.
 * Throws `invalid-field` for text that is not an address and `address-not-allowed` for one that is not http(s).
 */
export function normaliseFeedAddress(typed: string): string {
  const { unwrapped, hasScheme } = unwrap(typed)
  const url = URL.parse(hasScheme ? unwrapped : `https://${unwrapped}`)
  if (!url || /\s/.test(unwrapped) || unwrapped === '' || unwrapped.length > 4096)
    throw invalidField('rssFeedUrl', 'an address such as https://example.com/feed.xml')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Problem('address-not-allowed', 'Only http and https addresses can be subscribed to', {
      field: 'rssFeedUrl',
    })
  if (!hasScheme && !/\.|^localhost$|^\[/.test(url.hostname))
    throw invalidField('rssFeedUrl', 'an address such as https://example.com/feed.xml')
  url.hash = ''
  return url.href
}

/**
 * Calls `find` with the address of a feed, and with http where https was our guess and cannot be reached. A password is
 * not sent by http for a guess.
 */
export async function trySchemes<T>(typed: string, find: (address: string) => Promise<T>): Promise<T> {
  const address = normaliseFeedAddress(typed)
  const isGuess = !unwrap(typed).hasScheme && splitCredentials(address).credentials === null
  return find(address).catch(error => {
    if (!isGuess || !(error instanceof Problem) || !isUnreachable(error)) throw error
    return find(address.replace(/^https:/, 'http:'))
  })
}

/**
 * The addresses that an entry of a list may mean, without passwords: by http as well where https is our guess. None for
 * an entry that is no address of a feed.
 */
export function addressesMeant(typed: string): string[] {
  try {
    const { address } = splitCredentials(normaliseFeedAddress(typed))
    return unwrap(typed).hasScheme ? [address] : [address, address.replace(/^https:/, 'http:')]
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

/** Finds the podcast that an entry of a list means, in any spelling. */
export function findMeant({ podcasts }: Store, feedUrl: string): PodcastRow | null {
  const meant = [feedUrl, ...addressesMeant(feedUrl)]
  return meant.map(url => podcasts.findByFeed(url)).find(found => found !== null) ?? null
}

/** Whether the host did not answer at all. */
const isUnreachable = ({ code, args }: Problem) =>
  code === 'feed-closed' || code === 'upstream-timeout' || (code === 'feed-unreachable' && !args?.['status'])

/** Takes the scheme of an app off what was typed. `hasScheme`: http, https or another one is left. */
function unwrap(typed: string): { unwrapped: string; hasScheme: boolean } {
  const text = typed.trim().replace(/^spotify:(show|episode):/i, 'https://open.spotify.com/$1/')
  const unwrapped = appSchemes.test(text) ? text.replace(appSchemes, '').replace(/^(https?):?\/\//i, '$1://') : text
  const isUserFirst = unwrapped !== text && /^[^/:@]+:[^/@]*@/.test(unwrapped)
  const isPortNext = /^[\w.-]+:\d+(\/|$)/.test(unwrapped)
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(unwrapped) && !isPortNext && !isUserFirst
  return { unwrapped, hasScheme }
}

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
