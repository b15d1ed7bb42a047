import type { Database } from 'bun:sqlite'
import type { DeviceType } from '../../shared/api/access'
import { Problem } from '../platform/problem'

export const actionKinds = ['download', 'play', 'delete', 'new', 'flattr'] as const
export type ActionKind = (typeof actionKinds)[number]

/** Condition on actions that report a position. */
const reportsPosition = (row: string) => `${row}.action IN ('play', 'new')`

/** A report of an app about an episode; times in seconds. */
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
  /** The time in the report; null = none. `at` is never in the future. */
  said_at: number | null
  started: number | null
  position: number | null
  total: number | null
  received_at: number
  /** The episode of the library that it is about; null = not in the library. */
  episode_id: number | null
}
export type NewAction = Omit<ActionRow, 'id'>

/** An action with what the library knows about its episode; nulls if the library does not have the episode. */
export type ActionForSync = ActionRow & {
  podcast_id: number | null
  podcast_feed: string | null
  eid: string | null
  own_guid: string | null
  feed_guid: string | null
  enclosure_url: string | null
  media_type: string | null
  is_explicit: number
  /** The greatest duration that the library or any report has; 0 = unknown. */
  known_total: number
}

export type ActionFilter = {
  since: number
  /** Limits to one podcast, by its address and, if it is in the library, by its row. */
  podcast?: { feedKey: string; id: number | null } | null
  episodeIds?: readonly number[] | null
  /** Limits to actions that report a position. */
  isOfPlaces?: boolean
  /** One action for each episode: the last that reports a position, else the last of any kind. */
  isAggregated?: boolean
  /** Limits the list to the first `limit` after an action. */
  page?: { after: Pick<ActionRow, 'received_at' | 'id'> | null; limit: number }
}

/** Reads what podcast apps reported about episodes. */
export const episodeActions = (db: Database) => ({
  /** The last action of each episode and kind that arrived since a second, in order of arrival. */
  actions(userId: number, filter: ActionFilter): ActionForSync[] {
    const { since, podcast = null, episodeIds = null, page } = filter
    return db.query<ActionForSync, Record<string, string | number | null>>(actionQuery(filter)).all({
      userId,
      since,
      feedKey: podcast?.feedKey ?? null,
      podcastId: podcast?.id ?? null,
      ...(episodeIds && { ids: JSON.stringify(episodeIds) }),
      ...(page && { limit: page.limit }),
      ...(page?.after && { afterAt: page.after.received_at, afterId: page.after.id }),
    })
  },
  /** Second in which the first action since then arrived from another device than these; null = none. */
  firstAction: (userId: number, since: number, except: readonly string[]) =>
    db
      .query<{ at: number | null }, { userId: number; since: number; except: string }>(
        `SELECT min(received_at) AS at FROM episode_action
          WHERE user_id = $userId AND received_at >= $since AND device NOT IN (SELECT value FROM json_each($except))`,
      )
      .get({ userId, since, except: JSON.stringify(except) })!.at,
  /** The last play of the same episode on the same device before this action. */
  findPlayBefore: (id: number) =>
    db
      .query<{ started: number | null; position: number | null }, [number]>(
        `SELECT b.started, b.position FROM episode_action a JOIN episode_action b
             ON b.user_id = a.user_id AND b.episode_key = a.episode_key AND b.device = a.device AND b.action = 'play'
            AND (b.at, b.id) < (a.at, a.id)
          WHERE a.id = ? ORDER BY b.at DESC, b.id DESC LIMIT 1`,
      )
      .get(id),
  /** All actions about a feed, the latest last. */
  actionsOfFeed: (feedKey: string) =>
    db.query<ActionRow, [string]>('SELECT * FROM episode_action WHERE feed_key = ? ORDER BY at, id').all(feedKey),
  /** Actions that name the address of an episode as its podcast's and whose episode is unknown; the latest last. */
  actionsOfAddresses: () =>
    db
      .query<ActionRow, []>(
        `SELECT * FROM episode_action INDEXED BY episode_action_of_address
          WHERE feed_key = media_key AND episode_id IS NULL ORDER BY at, id LIMIT 500`,
      )
      .all(),
})

function actionQuery({ episodeIds, isOfPlaces, isAggregated, page }: ActionFilter): string {
  const other = `SELECT 1 FROM episode_action b WHERE b.user_id = a.user_id AND b.episode_key = a.episode_key`
  const [isPosition, otherIsPosition] = [reportsPosition('a'), reportsPosition('b')]
  const replaces = isAggregated
    ? `(NOT ${isPosition} OR ${otherIsPosition})`
    : `(b.action = a.action OR ${isPosition} AND ${otherIsPosition})`
  const conditions = [
    'a.user_id = $userId AND a.received_at >= $since',
    page?.after && '(a.received_at, a.id) > ($afterAt, $afterId)',
    '($feedKey IS NULL OR a.feed_key = $feedKey OR e.podcast_id = $podcastId)',
    episodeIds && 'a.episode_id IN (SELECT value FROM json_each($ids))',
    isOfPlaces && isPosition,
    `NOT EXISTS (${other} AND (b.at, b.id) > (a.at, a.id) AND ${replaces})`,
    isAggregated && `(${isPosition} OR NOT EXISTS (${other} AND ${otherIsPosition}))`,
  ].filter(Boolean)
  return `
    SELECT a.*, e.podcast_id, p.feed_url AS podcast_feed, e.eid, e.guid AS own_guid, e.feed_guid, e.enclosure_url,
           coalesce(e.file_type, e.enclosure_type) AS media_type,
           coalesce(e.explicit = 1 OR p.explicit = 1, 0) AS is_explicit,
           max(coalesce(e.duration, 0),
               coalesce((SELECT max(b.total) FROM episode_action b
                          WHERE b.user_id = a.user_id AND b.episode_key = a.episode_key), 0)) AS known_total
      FROM episode_action a
      LEFT JOIN episode e ON e.id = a.episode_id
      LEFT JOIN podcast p ON p.id = e.podcast_id
     WHERE ${conditions.join(' AND ')}
     ORDER BY a.received_at, a.id ${page ? 'LIMIT $limit' : ''}`
}

/** Stores what podcast apps report about episodes. */
export const episodeActionChanges = (db: Database) => ({
  /**
   * Adds an action; returns its id, null = it is known already. An action without a guid gets the one that another app
   * reported for the same media.
   */
  addAction: (row: NewAction): number | null =>
    db
      .query<{ id: number }, NewAction>(
        `INSERT OR IGNORE INTO episode_action (user_id, feed_key, feed_url, media_key, media_url, guid, action, device,
                at, said_at, started, position, total, received_at, episode_id)
         VALUES ($user_id, $feed_key, $feed_url, $media_key, $media_url,
                coalesce($guid, (SELECT guid FROM episode_action k
                                  WHERE k.user_id = $user_id AND k.media_key = $media_key AND k.guid IS NOT NULL LIMIT 1)),
                $action, $device,
                $at, $said_at, $started, $position, $total, $received_at, $episode_id)
      RETURNING id`,
      )
      .get(row)?.id ?? null,
  /** Links earlier actions to an episode that has entered the library since. */
  linkActions(userId: number, { mediaKey, guid }: { mediaKey: string; guid: string | null }, episodeId: number) {
    db.query<null, { userId: number; mediaKey: string; guid: string | null; episodeId: number }>(
      `UPDATE episode_action SET episode_id = $episodeId
        WHERE user_id = $userId AND media_key = $mediaKey AND episode_id IS NULL AND (guid IS NULL OR guid IS $guid)`,
    ).run({ userId, mediaKey, guid, episodeId })
  },
  linkAction(id: number, episodeId: number) {
    db.query('UPDATE episode_action SET episode_id = ? WHERE id = ?').run(episodeId, id)
  },
  /**
   * Forgets a device's earlier actions about an episode: a browser reports its position every fifteen seconds. Returns
   * how many there were.
   */
  replaceActions: (userId: number, episodeId: number, device: string): number =>
    db
      .query(`DELETE FROM episode_action WHERE user_id = ? AND episode_id = ? AND device = ?`)
      .run(userId, episodeId, device).changes,
  /** Forgets a device's actions about an episode, of all users. */
  removeActionsOf(episodeId: number, device: string) {
    db.query('DELETE FROM episode_action WHERE episode_id = ? AND device = ?').run(episodeId, device)
  },
  /** Forgets up to `most` actions of a device about episodes of a podcast, of all users; returns how many. */
  removeActionsOfPodcast: (podcastId: number, device: string, most: number): number =>
    db
      .query(
        `DELETE FROM episode_action WHERE id IN (
           SELECT a.id FROM episode e JOIN episode_action a ON a.episode_id = e.id
            WHERE e.podcast_id = ? AND a.device = ? LIMIT ?)`,
      )
      .run(podcastId, device, most).changes,
  /** Sends the positions in a podcast's episodes to all devices again, as if they had arrived in this second. */
  resendPositions(userId: number, podcastId: number, at: number) {
    db.query<null, { userId: number; podcastId: number; at: number }>(
      `UPDATE episode_action AS a SET received_at = $at
        WHERE user_id = $userId AND episode_id IN (SELECT id FROM episode WHERE podcast_id = $podcastId)
          AND ${reportsPosition('a')}
          AND NOT EXISTS (SELECT 1 FROM episode_action b
               WHERE b.user_id = a.user_id AND b.episode_key = a.episode_key AND ${reportsPosition('b')}
                 AND (b.at, b.id) > (a.at, a.id))`,
    ).run({ userId, podcastId, at })
  },
})

/** A podcast app that syncs; times in seconds of the sync clock. */
export type DeviceRow = {
  id: number
  user_id: number
  name: string
  caption: string
  type: DeviceType
  created_at: number
  last_sync_at: number | null
  /** Time of the last answer that listed its subscriptions. */
  told_at: number | null
  /** Set for a phone that speaks Nextcloud's dialect. */
  app_password_id: number | null
}

/** The last request of a phone with its own clock, and the span that the answer covered; seconds. */
type SyncRequestRow = { since: number; begun_at: number; answered_at: number }
export type SyncSubject = 'subscriptions' | 'actions'

const findDevice = (db: Database, userId: number, name: string) =>
  db.query<DeviceRow, [number, string]>('SELECT * FROM device WHERE user_id = ? AND name = ?').get(userId, name)

/** Podcast apps that sync. */
export const deviceStore = (db: Database) => ({
  devices: (userId: number) =>
    db.query<DeviceRow, [number]>('SELECT * FROM device WHERE user_id = ? ORDER BY name').all(userId),
  findDevice: (userId: number, name: string) => findDevice(db, userId, name),
  /** Throws `not-found`. */
  requireDevice(userId: number, name: string): DeviceRow {
    const device = findDevice(db, userId, name)
    if (!device) throw new Problem('not-found', 'There is no such device')
    return device
  },
  /** Adds a device, or gives a known one another caption or type. */
  saveDevice(userId: number, name: string, edit: { caption?: string; type?: DeviceType }, now: number) {
    db.query<null, Record<string, string | number | null>>(
      `INSERT INTO device (user_id, name, caption, type, created_at)
       VALUES ($userId, $name, coalesce($caption, 'New Device'), coalesce($type, 'other'), $now)
       ON CONFLICT DO UPDATE SET caption = coalesce($caption, caption), type = coalesce($type, type)`,
    ).run({ userId, name, caption: edit.caption ?? null, type: edit.type ?? null, now })
  },
  /** Adds the phone that an app password belongs to. */
  addPhone(userId: number, name: string, caption: string, appPasswordId: number | null, now: number): DeviceRow {
    db.query<null, Record<string, string | number | null>>(
      `INSERT OR IGNORE INTO device (user_id, name, caption, type, created_at, app_password_id)
       VALUES ($userId, $name, $caption, 'mobile', $now, $appPasswordId)`,
    ).run({ userId, name, caption, appPasswordId, now })
    return findDevice(db, userId, name)!
  },
  /** Records a sync; `hasList`: the device received its subscriptions. */
  noteSync(userId: number, name: string, at: number, hasList: boolean) {
    db.query(
      'UPDATE device SET last_sync_at = ?1, told_at = iif(?2, ?1, told_at) WHERE user_id = ?3 AND name = ?4',
    ).run(at, Number(hasList), userId, name)
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
  /** Returns whether there was such a device. */
  removeDevice: (userId: number, id: number): boolean =>
    db.query('DELETE FROM device WHERE user_id = ? AND id = ?').run(userId, id).changes > 0,
})
