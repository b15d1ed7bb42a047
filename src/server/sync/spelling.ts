import type { Store } from '../store'
import type { ActionForSync, ActionKind } from '../store/episode-actions'
import type { UserRow } from '../store/users'
import { LIBRARY } from './consent'
import type { LibraryAddresses } from './library'
import { readPrivateMedia } from './private-addresses'
import { isFinished } from './read-action'

/** An action as it is told to apps; the time in seconds. */
export type ToldAction = {
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

type Names = Pick<ToldAction, 'podcast' | 'episode' | 'guid'>

/**
 * The names by which a user's apps know an episode: those of our private feed where the podcast is subscribed to by that;
 * else those that an app gave, and for what the browser reports those of the publisher's feed. Of a podcast that is not
 * subscribed to by itself, those of a private feed of several podcasts, if there is one.
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
    // A person's own words, and nothing that the library knows of what is hidden from them.
    if (row.is_explicit === 1 && user.explicit_consent === 0) return asGiven
    if (podcast_id === null || podcast_feed === null || eid === null || enclosure_url === null) return asGiven
    const subscription = byPodcast.get(podcast_id)
    const feed = subscription ? (subscription.isPrivate ? subscription.url : null) : combined
    if (feed !== null) {
      const episode = addresses.mediaIn(user, feed, { eid, type: row.media_type })
      return { podcast: feed, episode, guid: row.own_guid }
    }
    if (row.device !== LIBRARY && readPrivateMedia(row.media_url) === null) return asGiven
    return { podcast: subscription?.url ?? podcast_feed, episode: enclosure_url, guid: row.feed_guid }
  }

  return (row: ActionForSync): ToldAction => {
    const { action, device, at, started } = row
    const told = { episodeId: row.episode_id, ...namesOf(row), action, device, at }
    const nowhere = { ...told, started: null, position: null, total: row.known_total || null }
    if (action !== 'play' || row.position === null) return nowhere
    // An app calls an episode played by its own length of it, which may be longer than that of another.
    if (isFinished(row)) return { ...told, started: started ?? 0, position: row.known_total, total: row.known_total }
    return { ...told, started, position: row.position, total: row.total || row.known_total || null }
  }
}
