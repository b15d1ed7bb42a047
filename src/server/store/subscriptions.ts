import type { Database } from 'bun:sqlite'

/** A feed address that a user is or was subscribed to; `device` is null where the library subscribed. */
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
  /** Subscribes or unsubscribes; keeps the first spelling of an address. Answers whether that changed anything. */
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
  /** Ascribes a subscription of the library to a device that names it, too. */
  claim(userId: number, feedKey: string, device: string) {
    db.query('UPDATE subscription SET device = ? WHERE user_id = ? AND feed_key = ? AND device IS NULL').run(
      device,
      userId,
      feedKey,
    )
  },
})
