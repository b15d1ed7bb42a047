import type { Database } from 'bun:sqlite'
import { Problem } from '../platform/problem'
import { episodeActions } from './episode-actions'
import type { PodcastRow } from './podcasts'
import { sortByTitle } from './titles'
import { visibleEpisode, visiblePodcast, type Viewer } from './visibility'

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
  /** Up to when it knows what it is subscribed to, in seconds. */
  told_at: number | null
  /** Of a phone that speaks Nextcloud's dialect. */
  app_password_id: number | null
}

/** What a phone with a clock of its own asked last, and how it was answered; seconds. */
export type SyncRequestRow = { since: number; begun_at: number; answered_at: number }
export type SyncSubject = 'subscriptions' | 'actions'

export type SubscriptionRow = {
  user_id: number
  feed_key: string
  url: string
  subscribed: number
  device: string | null
  changed_at: number
}

/** An episode as directories and apps are told of it. */
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

export type PodcastForSync = Pick<
  PodcastRow,
  'id' | 'uuid' | 'title' | 'author' | 'summary' | 'image_url' | 'link' | 'feed_url'
> & {
  /** How many of the house favour it. */
  subscribers: number
}

export const syncStore = (db: Database) => ({
  ...episodeActions(db),
  /** The highest time that was ever told; `atLeast` raises it. */
  tick: (atLeast: number) =>
    db.query<{ at: number }, [number]>('UPDATE sync_clock SET at = max(at, ?) RETURNING at').get(atLeast)!.at,

  devices: (userId: number) =>
    db.query<DeviceRow, [number]>('SELECT * FROM device WHERE user_id = ? ORDER BY name').all(userId),
  findDevice: (userId: number, name: string) =>
    db.query<DeviceRow, [number, string]>('SELECT * FROM device WHERE user_id = ? AND name = ?').get(userId, name),
  /** Throws `not-found`. */
  requireDevice(userId: number, name: string): DeviceRow {
    const device = this.findDevice(userId, name)
    if (!device) throw new Problem('not-found', 'There is no such device')
    return device
  },
  /** A new device, or another caption or type for a known one. */
  saveDevice(userId: number, name: string, edit: { caption?: string; type?: DeviceType }, now: number) {
    db.query<null, Record<string, string | number | null>>(
      `INSERT INTO device (user_id, name, caption, type, created_at)
       VALUES ($userId, $name, coalesce($caption, 'New Device'), coalesce($type, 'other'), $now)
       ON CONFLICT DO UPDATE SET caption = coalesce($caption, caption), type = coalesce($type, type)`,
    ).run({ userId, name, caption: edit.caption ?? null, type: edit.type ?? null, now })
  },
  /** A device was here; `told`: and knows its list now. */
  noteSync(userId: number, name: string, at: number, told: boolean) {
    db.query(
      'UPDATE device SET last_sync_at = ?1, told_at = iif(?2, ?1, told_at) WHERE user_id = ?3 AND name = ?4',
    ).run(at, Number(told), userId, name)
  },
  /** The phone that an app password is for. */
  addPhone(userId: number, name: string, caption: string, appPasswordId: number | null, now: number) {
    db.query<null, Record<string, string | number | null>>(
      `INSERT OR IGNORE INTO device (user_id, name, caption, type, created_at, app_password_id)
       VALUES ($userId, $name, $caption, 'mobile', $now, $appPasswordId)`,
    ).run({ userId, name, caption, appPasswordId, now })
    return this.findDevice(userId, name)!
  },
  findLastRequest: (deviceId: number, what: SyncSubject) =>
    db
      .query<SyncRequestRow, [number, SyncSubject]>(
        'SELECT since, begun_at, answered_at FROM sync_asked WHERE device_id = ? AND what = ?',
      )
      .get(deviceId, what),
  noteRequest(deviceId: number, what: SyncSubject, { since, begun_at, answered_at }: SyncRequestRow) {
    db.query(
      'INSERT OR REPLACE INTO sync_asked (device_id, what, since, begun_at, answered_at) VALUES (?, ?, ?, ?, ?)',
    ).run(deviceId, what, since, begun_at, answered_at)
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

  /** Says it to all devices, whether or not anything is different. */
  announce(row: SubscriptionRow) {
    db.query<null, SubscriptionRow>(
      `INSERT OR REPLACE INTO subscription (user_id, feed_key, url, subscribed, device, changed_at)
       VALUES ($user_id, $feed_key, $url, $subscribed, $device, $changed_at)`,
    ).run(row)
  },
  /** Addresses that a user is or was subscribed to, the latest last. */
  subscriptionsEver: (userId: number) =>
    db.query<SubscriptionRow, [number]>('SELECT * FROM subscription WHERE user_id = ? ORDER BY changed_at').all(userId),
  /** Whose devices are subscribed to one of these. */
  subscribersOf: (feedKeys: readonly string[]) =>
    db
      .query<{ user_id: number }, [string]>(
        `SELECT DISTINCT user_id FROM subscription
          WHERE subscribed = 1 AND device IS NOT NULL AND feed_key IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(feedKeys))
      .map(row => row.user_id),

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
  /** What a user brought into the library or favours: his podcasts, for his devices. */
  podcastsOf: (userId: number, explicit: boolean) =>
    db
      .query<{ id: number; feed_url: string }, [number, number, number]>(
        `SELECT p.id, p.feed_url FROM podcast p
          WHERE (p.added_by = ? OR EXISTS (SELECT 1 FROM favourite f WHERE f.user_id = ? AND f.podcast_id = p.id))
            AND (p.explicit = 0 OR ?)`,
      )
      .all(userId, userId, Number(explicit)),
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
})
