import type { Database } from 'bun:sqlite'
import { visibleEpisode, type Viewer } from './users'

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
  started: number | null
  position: number | null
  total: number | null
  received_at: number
}

export type ActionFilter = {
  since: number
  until?: number
  feedKey?: string | null
  device?: string | null
  /** Only what says where somebody is. */
  isOfPlaces?: boolean
  /** Only the last of each episode. */
  isAggregated?: boolean
  limit: number
}

/** An episode of the library as apps may call it. */
export type KnownEpisode = { id: number; guid: string; enclosure_url: string }

export type LikedForSync = {
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
  /** What a user brought into the library or favours: his podcasts, for his devices. */
  podcastsOf: (userId: number, explicit: boolean) =>
    db
      .query<{ id: number; feed_url: string }, [number, number, number]>(
        `SELECT p.id, p.feed_url FROM podcast p
          WHERE (p.added_by = ? OR EXISTS (SELECT 1 FROM favourite f WHERE f.user_id = ? AND f.podcast_id = p.id))
            AND (p.explicit = 0 OR ?)`,
      )
      .all(userId, userId, Number(explicit)),
  episodesOf: (podcastId: number) =>
    db.query<KnownEpisode, [number]>('SELECT id, guid, enclosure_url FROM episode WHERE podcast_id = ?').all(podcastId),

  /** False where it is known already. */
  addAction: (row: Omit<ActionRow, 'id'>): boolean =>
    db
      .query<{ id: number }, Omit<ActionRow, 'id'>>(
        `INSERT OR IGNORE INTO episode_action (user_id, feed_key, feed_url, media_key, media_url, guid, action, device,
                at, started, position, total, received_at)
         VALUES ($user_id, $feed_key, $feed_url, $media_key, $media_url, $guid, $action, $device,
                $at, $started, $position, $total, $received_at)
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
      device = null,
      isOfPlaces = false,
      isAggregated = false,
      limit,
    }: ActionFilter,
  ) =>
    db
      .query<ActionRow, Record<string, string | number | null>>(
        `SELECT * FROM episode_action a
          WHERE user_id = $userId AND received_at BETWEEN $since AND $until
            AND ($feedKey IS NULL OR feed_key = $feedKey) AND ($device IS NULL OR device = $device)
            ${isOfPlaces ? `AND a.${saysPlace}` : ''}
            ${
              isAggregated
                ? `AND NOT EXISTS (SELECT 1 FROM episode_action b
                     WHERE b.user_id = a.user_id AND b.media_key = a.media_key ${isOfPlaces ? `AND b.${saysPlace}` : ''}
                      AND (b.at, b.id) > (a.at, a.id))`
                : ''
            }
          ORDER BY received_at, id LIMIT $limit`,
      )
      .all({ userId, since, until, feedKey, device, limit }),
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

  /** Episodes that a user likes. */
  liked: (viewer: Viewer) =>
    db
      .query<LikedForSync, [number]>(
        `SELECT e.title, e.enclosure_url, e.link, e.published_at, p.title AS podcast_title, p.feed_url
           FROM episode_like l JOIN episode e ON e.id = l.episode_id JOIN podcast p ON p.id = e.podcast_id
          WHERE l.user_id = ? AND ${visibleEpisode(viewer)}`,
      )
      .all(viewer.id),

  heardBy: (userId: number, episodeIds: readonly number[] | null) =>
    db
      .query<HeardForSync, { userId: number; ids: string | null }>(
        `SELECT p.feed_url, e.enclosure_url, e.guid, h.started, h.position, h.total, h.updated_at
           FROM playback h JOIN episode e ON e.id = h.episode_id JOIN podcast p ON p.id = e.podcast_id
          WHERE h.user_id = $userId AND ($ids IS NULL OR h.episode_id IN (SELECT value FROM json_each($ids)))`,
      )
      .all({ userId, ids: episodeIds === null ? null : JSON.stringify(episodeIds) }),
})
