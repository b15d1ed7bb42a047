import { SECOND } from '../platform/clock'
import type { Store } from '../store'
import {
  type ActionForSync,
  type ActionKind,
  actionKinds,
  type ActionRow,
  type NewAction,
} from '../store/episode-actions'
import type { UserRow } from '../store/users'
import { readPrivateMedia, addressKey, readAddress } from './addresses'
import { LIBRARY, type LibraryAddresses } from './library'

/** An action as apps receive it; the time in seconds. */
export type SentAction = {
  /** The row of the library. */
  episodeId: number | null
  podcast: string
  episode: string
  guid: string | null
  action: ActionKind
  device: string
  at: number
  started: number | null
  position: number | null
  total: number | null
}

/** A length for apps that mistake a position without one for the end. */
const ASSUMED_SECONDS = 3600

type Names = Pick<SentAction, 'podcast' | 'episode' | 'guid'>

/**
 * Spells episodes as a user's apps know them: by our private feed if that is subscribed to; else as an app reported
 * them, or for the browser's reports as in the publisher's feed. A podcast that nobody subscribed to uses a private
 * feed of several podcasts, if there is one.
 */
export function createSpelling(store: Store, addresses: LibraryAddresses, user: UserRow) {
  const find = addresses.finder()
  const byPodcast = new Map<number, { url: string; isPrivate: boolean }>()
  let combined: string | null = null
  for (const { url } of store.sync.subscriptions(user.id)) {
    const found = find(url)
    if (found) byPodcast.set(found.podcastId, { url, isPrivate: found.isPrivate })
    else if (addresses.isOurs(url, null)) combined ??= url
  }

  function namesOf(row: ActionForSync): Names {
    const { podcast_id, podcast_feed, eid, enclosure_url } = row
    const asGiven = { podcast: row.feed_url, episode: row.media_url, guid: row.guid }
    // Sends back the app's own words, and nothing that the library knows about a hidden podcast.
    if (row.is_explicit === 1 && user.explicit_consent === 0) return asGiven
    if (podcast_id === null || podcast_feed === null || eid === null || enclosure_url === null) return asGiven
    const subscription = byPodcast.get(podcast_id)
    const feed = subscription ? (subscription.isPrivate ? subscription.url : null) : combined
    if (feed !== null) {
      const episode = addresses.mediaIn(user, feed, { eid, type: row.media_type })
      return { podcast: feed, episode, guid: row.own_guid }
    }
    // No other app finds the podcast by the address of an episode.
    const isAsItsFeed = row.feed_key !== row.media_key && readPrivateMedia(row.media_url) === null
    if (row.device !== LIBRARY && isAsItsFeed) return asGiven
    return { podcast: subscription?.url ?? podcast_feed, episode: enclosure_url, guid: row.feed_guid }
  }

  return (row: ActionForSync): SentAction => {
    const { action, device, at, started } = row
    const sent = { episodeId: row.episode_id, ...namesOf(row), action, device, at }
    const nowhere = { ...sent, started: null, position: null, total: row.known_total || null }
    if (action !== 'play' || row.position === null) return nowhere
    // An app calls an episode played by its own length, which may be longer than another app's.
    const end = row.known_total || Math.max(row.total ?? 0, 0)
    if (isFinished(row)) return { ...sent, started: started ?? 0, position: end, total: end }
    // Without a length, apps mistake the beginning for the end: unplayed has a separate word.
    if (device === LIBRARY && row.position === 0 && end === 0) return { ...nowhere, action: 'new' }
    const assumed = device === LIBRARY ? Math.max(ASSUMED_SECONDS, row.position + 1) : null
    return { ...sent, started, position: row.position, total: row.total || row.known_total || assumed }
  }
}

/** An action as an app sends it; its fields may hold anything. */
export type GivenAction = Record<string, unknown>

/** Reads an action of an app; null for one without feed, episode or known kind. `receivedAt` in seconds. */
export function readAction(userId: number, given: GivenAction, receivedAt: number): NewAction | null {
  const feed = readAddress(text(given.podcast))
  const media = readAddress(text(given.episode))
  const action = text(given.action).toLowerCase() as ActionKind
  if (!feed || !media || !actionKinds.includes(action)) return null
  const saidAt = readTime(given.timestamp)
  return {
    user_id: userId,
    feed_key: addressKey(feed),
    feed_url: text(given.podcast).trim(),
    media_key: addressKey(media),
    media_url: text(given.episode).trim(),
    guid: /^(|null)$/.test(text(given.guid).trim()) ? null : text(given.guid).slice(0, 2000),
    action,
    device: text(given.device).slice(0, 64),
    // A time in the future counts as now.
    at: Math.max(0, Math.min(saidAt ?? receivedAt, receivedAt)),
    said_at: saidAt,
    ...(action === 'play' ? readPlace(given) : { started: null, position: null, total: null }),
    received_at: receivedAt,
    episode_id: null,
  }
}

/**
 * Reads the three numbers of a position. AntennaPod knows no length of an episode that it never loaded: it reports it
 * as played with three zeros, or three times -1.
 */
function readPlace({ started, position, total }: GivenAction): Pick<ActionRow, 'started' | 'position' | 'total'> {
  const numbers = [started, position, total].map(number)
  if (numbers.every(value => value !== null && value <= 0 && value === numbers[0]))
    return { started: 0, position: 0, total: 0 }
  return { started: seconds(started), position: seconds(position), total: seconds(total) }
}

/** Returns whether an action carries a position. */
export const hasPlace = ({ action, position }: Pick<ActionRow, 'action' | 'position'>) =>
  action === 'new' || (action === 'play' && position !== null)

/** Returns whether an action reports the end of an episode, whatever its length is. */
export const isFinished = ({ action, started, position, total }: ActionRow | NewAction) =>
  action === 'play' && position !== null && total !== null && position >= total && (total > 0 || started === 0)

const text = (given: unknown) => (typeof given === 'string' ? given : '')

function number(given: unknown): number | null {
  const value = typeof given === 'number' || (typeof given === 'string' && given !== '') ? Number(given) : Number.NaN
  return Number.isFinite(value) ? Math.floor(value) : null
}

/** Whole seconds; null for anything else, such as the -1 of some apps. */
function seconds(given: unknown): number | null {
  const value = number(given)
  return value !== null && value >= 0 && value < 2 ** 31 ? value : null
}

/**
 * Reads Unix seconds from every spelling that apps use: with a zone, without one (UTC), with fractions, as a number.
 */
export function readTime(given: unknown): number | null {
  if (typeof given === 'number' && Number.isFinite(given)) return Math.floor(given)
  const value = text(given).trim()
  if (/^\d+(\.\d+)?$/.test(value)) return Math.floor(Number(value))
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(value)
  if (!match) return null
  const [, date, time, zone = 'Z'] = match
  const ms = Date.parse(`${date}T${time}${/^z$/i.test(zone) ? 'Z' : zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')}`)
  return Number.isNaN(ms) ? null : Math.floor(ms / SECOND)
}
