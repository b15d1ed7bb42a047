import type { Database } from 'bun:sqlite'
import type { PodcastRow } from './podcasts'
import { sortByTitle } from './titles'
import { visibleEpisode, visiblePodcast, type Viewer } from './users'

export const deviceTypes = ['desktop', 'laptop', 'mobile', 'server', 'other'] as const
export type DeviceType = (typeof deviceTypes)[number]

export type DeviceRow = {
  id: number
  user_id: number
  name: string
  caption: string
  type: DeviceType
  created_at: number
  last_sync_at: number | null
}

export type SubscriptionRow = {
  user_id: number
  feed_key: string
  url: string
  subscribed: number
  device: string | null
  changed_at: number
}

export const actionKinds = ['download', 'play', 'delete', 'new', 'flattr'] as const
export type ActionKind = (typeof actionKinds)[number]

/** Of actions: those that say where somebody is. */
const saysPlace = "action IN ('play', 'new')"

export type ActionRow = {
  id: number
  user_id: number
  feed_key: string
  feed_url: string
  media_key: string
  media_url: string
  guid: string | null
  action: ActionKind
  device: string
  at: number
  /** As the app said it. */
  said_at: number | null
  started: number | null
  position: number | null
  total: number | null
  received_at: number
}

export type ActionFilter = {
  since: number
  until?: number
  feedKey?: string | null
  /** Only what says where somebody is. */
  isOfPlaces?: boolean
  /** Only the last of each episode. */
  isAggregated?: boolean
  limit: number
}

/** As much of an episode as it takes to say where somebody is in it. */
export type KnownEpisode = { id: number; eid: string; podcast_id: number; duration: number }

/** An episode as directories and apps are told of it. */
export type EpisodeForSync = {
  uuid: string
  title: string
  enclosure_url: string
  link: string | null
  published_at: number
  podcast_title: string
  feed_url: string
}

/** Where a user is in an episode, with the names that apps have for it. */
export type HeardForSync = {
  feed_url: string
  enclosure_url: string
  guid: string
  started: number | null
  position: number
  total: number | null
  updated_at: number
}

const episodeForSync = 'e.uuid, e.title, e.enclosure_url, e.link, e.published_at, p.title AS podcast_title, p.feed_url'

export type PodcastForSync = Pick<
  PodcastRow,
  'id' | 'uuid' | 'title' | 'author' | 'summary' | 'image_url' | 'link' | 'feed_url'
> & {
  /** How many of the house favour it. */
  subscribers: number
}

export const syncStore = (db: Database) => ({
  /** The highest time that was ever told; `atLeast` raises it. */
  tick: (atLeast: number) =>
    db.query<{ at: number }, [number]>('UPDATE sync_clock SET at = max(at, ?) RETURNING at').get(atLeast)!.at,

  devices: (userId: number) =>
    db.query<DeviceRow, [number]>('SELECT * FROM device WHERE user_id = ? ORDER BY name').all(userId),
  findDevice: (userId: number, name: string) =>
    db.query<DeviceRow, [number, string]>('SELECT * FROM device WHERE user_id = ? AND name = ?').get(userId, name),
  /** A new device, or another caption or type for a known one. */
  saveDevice(userId: number, name: string, edit: { caption?: string; type?: DeviceType }, now: number) {
    db.query<null, Record<string, string | number | null>>(
      `INSERT INTO device (user_id, name, caption, type, created_at)
       VALUES ($userId, $name, coalesce($caption, 'New Device'), coalesce($type, 'other'), $now)
       ON CONFLICT DO UPDATE SET caption = coalesce($caption, caption), type = coalesce($type, type)`,
    ).run({ userId, name, caption: edit.caption ?? null, type: edit.type ?? null, now })
  },
  noteSync(userId: number, name: string, now: number) {
    db.query('UPDATE device SET last_sync_at = ? WHERE user_id = ? AND name = ?').run(now, userId, name)
  },
  removeDevice: (userId: number, id: number) =>
    db
      .query<{ id: number }, [number, number]>('DELETE FROM device WHERE user_id = ? AND id = ? RETURNING id')
      .get(userId, id) !== null,

  setAutoAdd(userId: number, autoAdd: boolean) {
    db.query('UPDATE user SET sync_auto_add = ? WHERE id = ?').run(Number(autoAdd), userId)
  },
  /** Answers true for whoever comes first. */
  begin: (userId: number) =>
    db
      .query<{ id: number }, [number]>('UPDATE user SET sync_begun = 1 WHERE id = ? AND sync_begun = 0 RETURNING id')
      .get(userId) !== null,
  hasBegun: (userId: number) =>
    db.query<{ one: number }, [number]>('SELECT 1 AS one FROM user WHERE id = ? AND sync_begun = 1').get(userId) !==
    null,

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
  /** When the first change since then was made, but for those of one device. */
  firstChange: (userId: number, since: number, except: string | null) =>
    db
      .query<{ at: number | null }, { userId: number; since: number; except: string | null }>(
        `SELECT min(changed_at) AS at FROM subscription
          WHERE user_id = $userId AND changed_at >= $since AND ($except IS NULL OR device IS NOT $except)`,
      )
      .get({ userId, since, except })!.at,
  findSubscription: (userId: number, feedKey: string) =>
    db
      .query<SubscriptionRow, [number, string]>('SELECT * FROM subscription WHERE user_id = ? AND feed_key = ?')
      .get(userId, feedKey),
  /** The first spelling of an address stays; answers whether anything is different now. */
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

  /** A device names what the library told it, or would have: it is the device's as well from now on. */
  claim(userId: number, feedKey: string, device: string) {
    db.query('UPDATE subscription SET device = ? WHERE user_id = ? AND feed_key = ? AND device IS NULL').run(
      device,
      userId,
      feedKey,
    )
  },

  /** Every address under which the library knows a podcast. */
  feeds: () =>
    db
      .query<{ id: number; url: string }, []>(
        'SELECT id, feed_url AS url FROM podcast UNION ALL SELECT podcast_id, url FROM feed_alias',
      )
      .all(),
  feedsOf: (podcastId: number) =>
    db
      .query<{ url: string }, [number, number]>(
        'SELECT feed_url AS url FROM podcast WHERE id = ? UNION ALL SELECT url FROM feed_alias WHERE podcast_id = ?',
      )
      .all(podcastId, podcastId)
      .map(({ url }) => url),
  explicitFeeds: () =>
    db
      .query<{ url: string }, []>(
        `SELECT feed_url AS url FROM podcast WHERE explicit = 1
          UNION ALL SELECT a.url FROM podcast p JOIN feed_alias a ON a.podcast_id = p.id WHERE p.explicit = 1`,
      )
      .all()
      .map(({ url }) => url),
  /** Explicit episodes that a user has a position in. */
  explicitHeardBy: (userId: number) =>
    db
      .query<{ url: string }, [number]>(
        `SELECT e.enclosure_url AS url
           FROM playback h JOIN episode e ON e.id = h.episode_id JOIN podcast p ON p.id = e.podcast_id
          WHERE h.user_id = ? AND (p.explicit = 1 OR e.explicit = 1)`,
      )
      .all(userId)
      .map(({ url }) => url),
  /** What a user brought into the library or favours: his podcasts, for his devices. */
  podcastsOf: (userId: number, explicit: boolean) =>
    db
      .query<{ id: number; feed_url: string }, [number, number, number]>(
        `SELECT p.id, p.feed_url FROM podcast p
          WHERE (p.added_by = ? OR EXISTS (SELECT 1 FROM favourite f WHERE f.user_id = ? AND f.podcast_id = p.id))
            AND (p.explicit = 0 OR ?)`,
      )
      .all(userId, userId, Number(explicit)),
  mediaOf: (podcastId: number) =>
    db
      .query<{ id: number; url: string }, [number]>('SELECT id, enclosure_url AS url FROM episode WHERE podcast_id = ?')
      .all(podcastId),
  findByGuid: (podcastId: number, guid: string) =>
    db
      .query<KnownEpisode, [number, string]>(
        'SELECT id, eid, podcast_id, duration FROM episode WHERE podcast_id = ? AND guid = ?',
      )
      .get(podcastId, guid),
  findByMedia: (podcastId: number, url: string) =>
    db
      .query<KnownEpisode, [number, string]>(
        'SELECT id, eid, podcast_id, duration FROM episode WHERE podcast_id = ? AND enclosure_url = ?',
      )
      .get(podcastId, url),
  findKnown: (id: number) =>
    db.query<KnownEpisode, [number]>('SELECT id, eid, podcast_id, duration FROM episode WHERE id = ?').get(id),

  /** False where it is known already. A guid that one app knows, others that leave it out need not know. */
  addAction: (row: Omit<ActionRow, 'id'>): boolean =>
    db
      .query<{ id: number }, Omit<ActionRow, 'id'>>(
        `INSERT OR IGNORE INTO episode_action (user_id, feed_key, feed_url, media_key, media_url, guid, action, device,
                at, said_at, started, position, total, received_at)
         VALUES ($user_id, $feed_key, $feed_url, $media_key, $media_url,
                coalesce($guid, (SELECT guid FROM episode_action k
                                  WHERE k.user_id = $user_id AND k.media_key = $media_key AND k.guid IS NOT NULL LIMIT 1)),
                $action, $device,
                $at, $said_at, $started, $position, $total, $received_at)
      RETURNING id`,
      )
      .get(row) !== null,
  /** Of this device only the last of an episode counts: it is the browser, which tells every fifteen seconds. */
  replaceActions(userId: number, mediaKey: string, device: string) {
    db.query(`DELETE FROM episode_action WHERE user_id = ? AND media_key = ? AND device = ?`).run(
      userId,
      mediaKey,
      device,
    )
  },
  /** Oldest first. */
  actions: (
    userId: number,
    {
      since,
      until = Number.MAX_SAFE_INTEGER,
      feedKey = null,
      isOfPlaces = false,
      isAggregated = false,
      limit,
    }: ActionFilter,
  ) =>
    db
      .query<ActionRow, Record<string, string | number | null>>(
        `SELECT * FROM episode_action a
          WHERE user_id = $userId AND received_at BETWEEN $since AND $until
            AND ($feedKey IS NULL OR feed_key = $feedKey) ${isOfPlaces ? `AND a.${saysPlace}` : ''}
            ${
              isAggregated
                ? `AND NOT EXISTS (SELECT 1 FROM episode_action b
                     WHERE b.user_id = a.user_id AND b.media_key = a.media_key ${isOfPlaces ? `AND b.${saysPlace}` : ''}
                      AND (b.at, b.id) > (a.at, a.id))`
                : ''
            }
          ORDER BY received_at, id LIMIT $limit`,
      )
      .all({ userId, since, until, feedKey, limit }),
  /** When the first action since then arrived, but for those of some devices. */
  firstAction: (userId: number, since: number, except: readonly string[]) =>
    db
      .query<{ at: number | null }, { userId: number; since: number; except: string }>(
        `SELECT min(received_at) AS at FROM episode_action
          WHERE user_id = $userId AND received_at >= $since AND device NOT IN (SELECT value FROM json_each($except))`,
      )
      .get({ userId, since, except: JSON.stringify(except) })!.at,
  /** What is known of the episodes of a feed, the latest last. */
  playsOf: (feedKey: string) =>
    db
      .query<ActionRow, [string]>(`SELECT * FROM episode_action WHERE feed_key = ? AND ${saysPlace} ORDER BY at, id`)
      .all(feedKey),

  /** All that is known of these episodes. */
  actionsOf: (userId: number, mediaKeys: readonly string[]) =>
    db
      .query<ActionRow, [string, number]>(
        'SELECT a.* FROM json_each(?) k JOIN episode_action a ON a.user_id = ? AND a.media_key = k.value',
      )
      .all(JSON.stringify(mediaKeys), userId),

  /** The library as a directory: what most people favour comes first. */
  podcasts: (viewer: Viewer) =>
    sortByTitle(
      db
        .query<PodcastForSync, []>(
          `SELECT p.id, p.uuid, p.title, p.author, p.summary, p.image_url, p.link, p.feed_url,
                  (SELECT count(*) FROM favourite f WHERE f.podcast_id = p.id) AS subscribers
             FROM podcast p WHERE ${visiblePodcast(viewer)}`,
        )
        .all(),
    ).sort((a, b) => b.subscribers - a.subscribers),
  /** Newest first; `from` in milliseconds. */
  newest: (viewer: Viewer, podcastIds: readonly number[], from: number, limit: number) =>
    db
      .query<EpisodeForSync, [number, string, number]>(
        `SELECT ${episodeForSync} FROM episode e JOIN podcast p ON p.id = e.podcast_id
          WHERE e.published_at >= ? AND +e.podcast_id IN (SELECT value FROM json_each(?)) AND ${visibleEpisode(viewer)}
          ORDER BY e.published_at DESC, e.id DESC LIMIT ?`,
      )
      .all(from, JSON.stringify(podcastIds), limit),
  /** Episodes that a user likes. */
  liked: (viewer: Viewer) =>
    db
      .query<EpisodeForSync, [number]>(
        `SELECT ${episodeForSync}
           FROM episode_like l JOIN episode e ON e.id = l.episode_id JOIN podcast p ON p.id = e.podcast_id
          WHERE l.user_id = ? AND ${visibleEpisode(viewer)}`,
      )
      .all(viewer.id),

  heardBy: (userId: number, episodeIds: readonly number[] | null) =>
    db
      .query<HeardForSync, { userId: number; ids?: string }>(
        `SELECT p.feed_url, e.enclosure_url, e.guid, h.started, h.position, h.total, h.updated_at
           FROM playback h JOIN episode e ON e.id = h.episode_id JOIN podcast p ON p.id = e.podcast_id
          WHERE h.user_id = $userId
            ${episodeIds === null ? '' : 'AND h.episode_id IN (SELECT value FROM json_each($ids))'}`,
      )
      .all({ userId, ...(episodeIds !== null && { ids: JSON.stringify(episodeIds) }) }),
})
