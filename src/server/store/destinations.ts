import type { DeliveryFailure, DestinationKind } from '../../shared/api/destination'
import type { Database } from 'bun:sqlite'

/** Destination of a person's news; times in milliseconds. */
export type DestinationRow = {
  id: number
  uuid: string
  user_id: number
  kind: DestinationKind
  name: string
  host: string
  /** Address, token and keys as JSON, sealed. */
  target: Uint8Array
  has_token: number
  /** JSON array of types of news. */
  events: string
  is_on: number
  /** Minutes of the day in `time_zone`; null = no quiet hours. */
  quiet_from: number | null
  quiet_to: number | null
  time_zone: string
  language: string
  /** The server's own address, with a trailing slash. */
  base_url: string
  created_at: number
  last_success_at: number | null
  last_failure_at: number | null
  last_failure: DeliveryFailure | null
  last_status: number | null
  /** 1 = the push service has forgotten the browser. */
  has_ended: number
  /** When its owner removed it; null = not removed. */
  removed_at: number | null
}

/** Fields that its owner decides. */
export type DestinationSettings = Pick<
  DestinationRow,
  | 'name'
  | 'host'
  | 'target'
  | 'has_token'
  | 'events'
  | 'is_on'
  | 'quiet_from'
  | 'quiet_to'
  | 'time_zone'
  | 'language'
  | 'base_url'
  | 'has_ended'
>
export type NewDestinationRow = Omit<DestinationSettings, 'is_on' | 'has_ended'> &
  Pick<DestinationRow, 'user_id' | 'kind' | 'created_at'>

/** A destination with what its owner may do, and the messages that wait for it. */
export type ListedDestination = DestinationRow & { waiting: number }

const listed = `
  SELECT d.*, (SELECT count(*) FROM delivery y WHERE y.destination_id = d.id) AS waiting FROM destination d`

/** Destinations of people's news. Removed ones are kept for a while, and found only to be restored. */
export const destinationStore = (db: Database) => ({
  list: (userId: number) =>
    db
      .query<ListedDestination, [number]>(
        `${listed} WHERE d.user_id = ? AND d.removed_at IS NULL ORDER BY d.created_at, d.id`,
      )
      .all(userId),
  find: (id: number) => db.query<DestinationRow, [number]>('SELECT * FROM destination WHERE id = ?').get(id),
  findOf: (userId: number, uuid: string) =>
    db
      .query<ListedDestination, [string, number]>(
        `${listed} WHERE d.uuid = ? AND d.user_id = ? AND d.removed_at IS NULL`,
      )
      .get(uuid, userId),
  /** Destinations of a user that news may be sent to. */
  listOpen: (userId: number) =>
    db
      .query<DestinationRow, [number]>(
        'SELECT * FROM destination WHERE user_id = ? AND is_on = 1 AND has_ended = 0 AND removed_at IS NULL',
      )
      .all(userId),
  /** Removed ones count, too: each can be restored. */
  countOf: (userId: number): number =>
    db.query<{ count: number }, [number]>('SELECT count(*) AS count FROM destination WHERE user_id = ?').get(userId)!
      .count,
  add: (row: NewDestinationRow): string =>
    db
      .query<{ uuid: string }, Record<string, string | number | null | Uint8Array>>(
        `INSERT INTO destination (uuid, user_id, kind, name, host, target, has_token, events, quiet_from, quiet_to,
                time_zone, language, base_url, created_at)
         VALUES ($uuid, $user_id, $kind, $name, $host, $target, $has_token, $events, $quiet_from, $quiet_to,
                $time_zone, $language, $base_url, $created_at)
      RETURNING uuid`,
      )
      .get({ ...row, uuid: crypto.randomUUID() })!.uuid,
  edit(id: number, settings: DestinationSettings) {
    db.query<null, Record<string, string | number | null | Uint8Array>>(
      `UPDATE destination
          SET name = $name, host = $host, target = $target, has_token = $has_token, events = $events, is_on = $is_on,
              quiet_from = $quiet_from, quiet_to = $quiet_to, time_zone = $time_zone, language = $language,
              base_url = $base_url, has_ended = $has_ended
        WHERE id = $id`,
    ).run({ id, ...settings })
  },
  noteSuccess(id: number, now: number) {
    db.query('UPDATE destination SET last_success_at = ? WHERE id = ?').run(now, id)
  },
  noteFailure(id: number, failure: DeliveryFailure, status: number | null, now: number) {
    db.query('UPDATE destination SET last_failure_at = ?, last_failure = ?, last_status = ? WHERE id = ?').run(
      now,
      failure,
      status,
      id,
    )
  },
  /** Ends a destination whose target is still this one; answers whether it is. */
  end: (id: number, target: Uint8Array): boolean =>
    db.query('UPDATE destination SET has_ended = 1 WHERE id = ? AND target = ?').run(id, target).changes > 0,
  /** Answers whether the user had such a destination. */
  remove: (userId: number, uuid: string, now: number): boolean =>
    db
      .query('UPDATE destination SET removed_at = ? WHERE uuid = ? AND user_id = ? AND removed_at IS NULL')
      .run(now, uuid, userId).changes > 0,
  restore: (userId: number, uuid: string): boolean =>
    db
      .query('UPDATE destination SET removed_at = NULL WHERE uuid = ? AND user_id = ? AND removed_at IS NOT NULL')
      .run(uuid, userId).changes > 0,
  /** Deletes those that were removed before a moment, with their secrets. */
  purge(before: number) {
    db.query('DELETE FROM destination WHERE removed_at IS NOT NULL AND removed_at < ?').run(before)
  },
})
