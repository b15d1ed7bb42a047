import type { Store } from '../store'
import type { ActionForSync, ActionKind } from '../store/episode-actions'
import type { UserRow } from '../store/users'
import { LIBRARY, type LibraryAddresses } from './library'
import { readPrivateMedia } from './addresses'
import { isFinished } from './read-action'

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
    return { ...sent, started, position: row.position, total: row.total || row.known_total || null }
  }
}
