import type { Database } from 'bun:sqlite'
import { hasFeed } from './feeds'
import { hasPodcast, type Viewer, visibleEpisode, visiblePodcast } from './visibility'
import type { PodcastColumns } from './podcasts'
import { sortByTitle } from './podcast-settings'
import type { EpisodeColumns } from './episodes'

/** A feed address that a user is or was subscribed to; `device` is null if the library subscribed to it. */
export type SubscriptionRow = {
  user_id: number
  /** The same for every spelling of an address. */
  feed_key: string
  url: string
  subscribed: number
  device: string | null
  /** Seconds of the sync clock. */
  changed_at: number
}

/** Subscriptions of users, one list for all of a user's devices. */
export const subscriptionStore = (db: Database) => ({
  subscriptions: (userId: number) =>
    db
      .query<SubscriptionRow, [number]>(
        'SELECT * FROM subscription WHERE user_id = ? AND subscribed = 1 ORDER BY changed_at, url',
      )
      .all(userId),
  subscriptionsSince: (userId: number, since: number) =>
    db
      .query<SubscriptionRow, [number, number]>(
        'SELECT * FROM subscription WHERE user_id = ? AND changed_at >= ? ORDER BY changed_at, url',
      )
      .all(userId, since),
  /** Present and former subscriptions, the latest last, of one second the present ones. */
  subscriptionsEver: (userId: number) =>
    db
      .query<SubscriptionRow, [number]>('SELECT * FROM subscription WHERE user_id = ? ORDER BY changed_at, subscribed')
      .all(userId),
  /** Time of the first change since then that another device than `except` made; null = none. */
  firstChange: (userId: number, since: number, except: string | null) =>
    db
      .query<{ at: number | null }, { userId: number; since: number; except: string | null }>(
        `SELECT min(changed_at) AS at FROM subscription
          WHERE user_id = $userId AND changed_at >= $since AND ($except IS NULL OR device IS NOT $except)`,
      )
      .get({ userId, since, except })!.at,
  /** Ids of users with a device that is subscribed to one of the feeds, since before a second. */
  subscribersOf: (feedKeys: readonly string[], before = Number.MAX_SAFE_INTEGER) =>
    db
      .query<{ user_id: number }, [string, number]>(
        `SELECT DISTINCT user_id FROM subscription
          WHERE subscribed = 1 AND device IS NOT NULL AND feed_key IN (SELECT value FROM json_each(?))
            AND changed_at < ?`,
      )
      .all(JSON.stringify(feedKeys), before)
      .map(row => row.user_id),
})

/** Changes of subscriptions. */
export const subscriptionChanges = (db: Database) => ({
  /** Subscribes or unsubscribes; keeps the first spelling of an address. Returns whether that changed anything. */
  subscribe: (row: SubscriptionRow): boolean =>
    db
      .query<{ one: number }, SubscriptionRow>(
        `INSERT INTO subscription (user_id, feed_key, url, subscribed, device, changed_at)
         SELECT $user_id, $feed_key, $url, $subscribed, $device, $changed_at
          WHERE $subscribed = 1 OR EXISTS (SELECT 1 FROM subscription WHERE user_id = $user_id AND feed_key = $feed_key)
             ON CONFLICT DO UPDATE
            SET subscribed = $subscribed, device = $device, changed_at = $changed_at
          WHERE subscribed <> $subscribed
      RETURNING 1 AS one`,
      )
      .get(row) !== null,
  /** Sends a subscription to all devices again, changed or not. */
  announce(row: SubscriptionRow) {
    db.query<null, SubscriptionRow>(
      `INSERT OR REPLACE INTO subscription (user_id, feed_key, url, subscribed, device, changed_at)
       VALUES ($user_id, $feed_key, $url, $subscribed, $device, $changed_at)`,
    ).run(row)
  },
  /** Attributes a subscription of the library to a device that names it, too. */
  claim(userId: number, feedKey: string, device: string) {
    db.query('UPDATE subscription SET device = ? WHERE user_id = ? AND feed_key = ? AND device IS NULL').run(
      device,
      userId,
      feedKey,
    )
  },
})

/** The sync clock, and how users sync. */
export const syncState = (db: Database) => ({
  /** Reads the sync clock after moving it forward to `atLeast`; it never runs backwards. */
  tick: (atLeast: number) =>
    db.query<{ at: number }, [number]>('UPDATE sync_clock SET at = max(at, ?) RETURNING at').get(atLeast)!.at,
  setAutoAdd(userId: number, autoAdd: boolean) {
    db.query('UPDATE user SET sync_auto_add = ? WHERE id = ?').run(Number(autoAdd), userId)
  },
  /** Marks that a user's devices receive favourites and positions from before; answers true the first time. */
  begin: (userId: number): boolean =>
    db.query('UPDATE user SET sync_begun = 1 WHERE id = ? AND sync_begun = 0').run(userId).changes > 0,
  hasBegun: (userId: number) =>
    db.query<{ one: number }, [number]>('SELECT 1 AS one FROM user WHERE id = ? AND sync_begun = 1').get(userId) !==
    null,
})

/** Feeds of the library, by which podcast apps name podcasts. */
export const syncFeeds = (db: Database) => ({
  /** Every address under which the library knows a podcast. */
  feeds: () =>
    db
      .query<{ id: number; uuid: string; url: string }, []>(
        `SELECT id, uuid, feed_url AS url FROM podcast
          UNION ALL SELECT a.podcast_id, p.uuid, a.url FROM feed_alias a JOIN podcast p ON p.id = a.podcast_id`,
      )
      .all(),
  feedsOf: (podcastId: number) =>
    db
      .query<{ url: string }, [number, number]>(
        'SELECT feed_url AS url FROM podcast WHERE id = ? UNION ALL SELECT url FROM feed_alias WHERE podcast_id = ?',
      )
      .all(podcastId, podcastId)
      .map(({ url }) => url),
  explicitPodcasts: () =>
    db
      .query<{ id: number }, []>('SELECT id FROM podcast WHERE explicit = 1')
      .all()
      .map(({ id }) => id),
  /** Podcasts that a user's devices receive: those that the user added or favours. */
  podcastsOf: (userId: number, explicit: boolean) =>
    db
      .query<{ id: number; feed_url: string }, [number, number]>(
        `SELECT p.id, p.feed_url FROM podcast p
          WHERE (p.added_by = ? OR EXISTS (SELECT 1 FROM favourite f WHERE f.user_id = ? AND f.podcast_id = p.id))
            AND ${hasFeed('p')} AND ${visiblePodcast({ explicit_consent: Number(explicit) })}`,
      )
      .all(userId, userId),
})

/** An episode as podcast apps list it. */
export type EpisodeForSync = {
  id: number
  uuid: string
  title: string
  enclosure_url: string
  link: string | null
  published_at: number
  podcast_title: string
  feed_url: string
}

const episodeForSync =
  'e.id, e.uuid, e.title, e.enclosure_url, e.link, e.published_at, p.title AS podcast_title, p.feed_url'

type PodcastForSync = Pick<
  PodcastColumns,
  'id' | 'uuid' | 'title' | 'author' | 'summary' | 'image_url' | 'link' | 'feed_url'
> & {
  /** Number of users with the podcast among their favourites. */
  subscribers: number
}

/** The library as podcast apps list and search it. */
export const syncDirectory = (db: Database) => ({
  /** Most favoured first, then by title. */
  podcasts: (viewer: Viewer) =>
    sortByTitle(
      db
        .query<PodcastForSync, []>(
          `SELECT p.id, p.uuid, p.title, p.author, p.summary, p.image_url, p.link, p.feed_url,
                  (SELECT count(*) FROM favourite f WHERE f.podcast_id = p.id) AS subscribers
             FROM podcast p WHERE ${hasFeed('p')} AND ${visiblePodcast(viewer)}`,
        )
        .all(),
    ).sort((a, b) => b.subscribers - a.subscribers),
  /** Newest first; `from` in milliseconds. */
  newest: (viewer: Viewer, podcastIds: readonly number[], from: number, limit: number) =>
    db
      .query<EpisodeForSync, [number, string, number]>(
        `SELECT ${episodeForSync} FROM episode e JOIN podcast p ON p.id = e.podcast_id
          WHERE e.published_at >= ? AND +e.podcast_id IN (SELECT value FROM json_each(?)) AND ${hasFeed('p')}
            AND ${visibleEpisode(viewer)}
          ORDER BY e.published_at DESC, e.id DESC LIMIT ?`,
      )
      .all(from, JSON.stringify(podcastIds), limit),
  liked: (viewer: Viewer) =>
    db
      .query<EpisodeForSync, [number]>(
        `SELECT ${episodeForSync}
           FROM episode_like l JOIN episode e ON e.id = l.episode_id JOIN podcast p ON p.id = e.podcast_id
          WHERE l.user_id = ? AND ${hasFeed('p')} AND ${visibleEpisode(viewer)}`,
      )
      .all(viewer.id),
})

/** The columns of an episode that say which one it is, and how long. */
export type KnownEpisode = Pick<EpisodeColumns, 'id' | 'eid' | 'podcast_id' | 'duration' | 'feed_guid'>

/** A user's position in an episode, with the names that podcast apps know it by. */
export type PlaybackForSync = {
  episode_id: number
  feed_url: string
  enclosure_url: string
  feed_guid: string | null
  started: number | null
  position: number
  total: number | null
  updated_at: number
}

const select = 'SELECT id, eid, podcast_id, duration, feed_guid FROM episode e'

/** Finds the episode that a podcast app means, and a user's position in it. */
export const syncEpisodes = (db: Database) => ({
  mediaOf: (podcastId: number) =>
    db
      .query<{ id: number; url: string }, [number]>('SELECT id, enclosure_url AS url FROM episode WHERE podcast_id = ?')
      .all(podcastId),
  /**
   * Finds the episode of a publisher's guid: the one that the feed lists under it now, else the one that had it last. Our
   * own guid differs where the publisher gave it to several.
   */
  findByGuid: (podcastId: number, guid: string) =>
    db
      .query<KnownEpisode, [number, string]>(
        `${select} WHERE id = coalesce(
           (SELECT id FROM episode WHERE podcast_id = ?1 AND guid = ?2 AND in_feed = 1),
           (SELECT id FROM episode WHERE podcast_id = ?1 AND feed_guid = ?2 AND guid <> feed_guid AND in_feed = 1
             ORDER BY id DESC LIMIT 1),
           (SELECT id FROM episode WHERE podcast_id = ?1 AND guid = ?2),
           (SELECT episode_id FROM former_episode
             WHERE id = (SELECT max(id) FROM former_episode WHERE podcast_id = ?1 AND feed_guid = ?2)))`,
      )
      .get(podcastId, guid),
  /** Newest first. Several episodes share an address in feeds that put the latest one in the same place. */
  findByMedia: (podcastId: number, url: string) =>
    db
      .query<KnownEpisode, [number, string]>(`${select} WHERE podcast_id = ? AND enclosure_url = ? ORDER BY id DESC`)
      .all(podcastId, url),
  /** The first episode of any podcast at an address. */
  findByAddress: (url: string) =>
    db
      .query<KnownEpisode, [string]>(
        `SELECT e.id, e.eid, e.podcast_id, e.duration, e.feed_guid
           FROM podcast p CROSS JOIN episode e ON e.podcast_id = p.id AND e.enclosure_url = ? LIMIT 1`,
      )
      .get(url),
  findByEid: (eid: string) => db.query<KnownEpisode, [string]>(`${select} WHERE eid = ? AND ${hasPodcast}`).get(eid),
  findKnown: (id: number) => db.query<KnownEpisode, [number]>(`${select} WHERE id = ? AND ${hasPodcast}`).get(id),
  /** Positions of a user, in all episodes or in some. */
  playbackOf: (userId: number, episodeIds: readonly number[] | null) =>
    db
      .query<PlaybackForSync, { userId: number; ids?: string }>(
        // A finished episode of unknown length ends where it was left.
        `SELECT e.id AS episode_id, p.feed_url, e.enclosure_url, e.feed_guid, h.position, h.updated_at,
                iif(h.finished AND h.total IS NULL, 0, h.started) AS started,
                iif(h.finished AND h.total IS NULL, h.position, h.total) AS total
           FROM playback h JOIN episode e ON e.id = h.episode_id JOIN podcast p ON p.id = e.podcast_id
          WHERE h.user_id = $userId
            ${episodeIds === null ? '' : 'AND h.episode_id IN (SELECT value FROM json_each($ids))'}`,
      )
      .all({ userId, ...(episodeIds !== null && { ids: JSON.stringify(episodeIds) }) }),
  /** Positions of episodes that are unplayed since a time in milliseconds. */
  unplayed: (episodeIds: readonly number[], since: number) =>
    db
      .query<PlaybackForSync, [number, string]>(
        `SELECT e.id AS episode_id, p.feed_url, e.enclosure_url, e.feed_guid, 0 AS started, 0 AS position,
                NULL AS total, ? AS updated_at
           FROM json_each(?) gone JOIN episode e ON e.id = gone.value JOIN podcast p ON p.id = e.podcast_id`,
      )
      .all(since, JSON.stringify(episodeIds)),
})
