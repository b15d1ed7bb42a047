import type { Database } from 'bun:sqlite'
import { Problem } from '../platform/problem'

export const deviceTypes = ['desktop', 'laptop', 'mobile', 'server', 'other'] as const
export type DeviceType = (typeof deviceTypes)[number]

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
export type SyncRequestRow = { since: number; begun_at: number; answered_at: number }
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
  /** Answers whether there was such a device. */
  removeDevice: (userId: number, id: number): boolean =>
    db.query('DELETE FROM device WHERE user_id = ? AND id = ?').run(userId, id).changes > 0,
})
