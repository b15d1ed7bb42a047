import type { DeliveryFailure, NewsType } from '../../shared/api/notification'
import type { Database } from 'bun:sqlite'

/** A destination of a person's news; times in milliseconds. */
export type DestinationRow = {
  id: number
  uuid: string
  user_id: number
  kind: string
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
  /** 1 = the host has said that the address is gone. */
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

/** A destination with the number of messages that wait for it, and when the first of them is due. */
export type ListedDestination = DestinationRow & { waiting: number; due_at: number | null }

const listed = `
  SELECT d.*, (SELECT count(*) FROM delivery y WHERE y.destination_id = d.id) AS waiting,
         (SELECT min(y.due_at) FROM delivery y WHERE y.destination_id = d.id) AS due_at
    FROM destination d`

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
  /** An address that accepts a message is not gone, whatever it answered before. */
  noteSuccess(id: number, now: number) {
    db.query('UPDATE destination SET last_success_at = ?, has_ended = 0 WHERE id = ?').run(now, id)
  },
  noteFailure(id: number, failure: DeliveryFailure, status: number | null, now: number) {
    db.query('UPDATE destination SET last_failure_at = ?, last_failure = ?, last_status = ? WHERE id = ?').run(
      now,
      failure,
      status,
      id,
    )
  },
  /** Ends a destination whose target is still this one; returns whether it is. */
  end: (id: number, target: Uint8Array): boolean =>
    db.query('UPDATE destination SET has_ended = 1 WHERE id = ? AND target = ?').run(id, target).changes > 0,
  /** Returns whether the user had such a destination. */
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

/** A message that waits for its destination; times in milliseconds. */
export type DeliveryRow = {
  id: number
  /** Sent with the message, so that a receiver recognises a repeated one. */
  uuid: string
  destination_id: number
  type: NewsType
  /** JSON. */
  facts: string
  created_at: number
  due_at: number
  attempts: number
  first_tried_at: number | null
}

type NewDelivery = Pick<DeliveryRow, 'destination_id' | 'type' | 'facts' | 'created_at' | 'due_at'>

/** Messages that wait to be sent. */
export const deliveryStore = (db: Database) => ({
  add(row: NewDelivery) {
    db.query<null, Record<string, string | number>>(
      `INSERT INTO delivery (uuid, destination_id, type, facts, created_at, due_at)
       VALUES ($uuid, $destination_id, $type, $facts, $created_at, $due_at)`,
    ).run({ ...row, uuid: crypto.randomUUID() })
  },
  /** Ids of the destinations that a message is due for, longest waiting first. */
  dueDestinations: (now: number, limit: number): number[] =>
    db
      .query<{ id: number }, [number, number]>(
        `SELECT d.id, (SELECT min(y.due_at) FROM delivery y WHERE y.destination_id = d.id) AS due_at
           FROM destination d
          WHERE d.is_on = 1 AND d.has_ended = 0 AND d.removed_at IS NULL AND due_at <= ?
          ORDER BY due_at LIMIT ?`,
      )
      .all(now, limit)
      .map(({ id }) => id),
  /** The message that is due for a destination first. */
  nextFor: (destinationId: number, now: number) =>
    db
      .query<DeliveryRow, [number, number]>(
        'SELECT * FROM delivery WHERE destination_id = ? AND due_at <= ? ORDER BY due_at, id LIMIT 1',
      )
      .get(destinationId, now),
  /** The oldest message of one type that nobody has tried to deliver. */
  findUntried: (destinationId: number, type: NewsType) =>
    db
      .query<DeliveryRow, [number, string]>(
        'SELECT * FROM delivery WHERE destination_id = ? AND type = ? AND attempts = 0 ORDER BY id LIMIT 1',
      )
      .get(destinationId, type),
  /** Replaces the content of a waiting message; it is due no later than before. */
  rewrite(id: number, facts: string, dueAt: number) {
    db.query('UPDATE delivery SET facts = ?, due_at = min(due_at, ?) WHERE id = ?').run(facts, dueAt, id)
  },
  countOf: (destinationId: number): number =>
    db
      .query<{ count: number }, [number]>('SELECT count(*) AS count FROM delivery WHERE destination_id = ?')
      .get(destinationId)!.count,
  /** Fixes a message and plans its next attempt, in case this one fails or the process ends. */
  begin(id: number, facts: string, now: number, nextAt: number) {
    db.query<null, Record<string, string | number>>(
      `UPDATE delivery SET facts = $facts, attempts = attempts + 1, due_at = $nextAt,
              first_tried_at = coalesce(first_tried_at, $now)
        WHERE id = $id`,
    ).run({ id, facts, now, nextAt })
  },
  postpone(id: number, dueAt: number) {
    db.query('UPDATE delivery SET due_at = ? WHERE id = ?').run(dueAt, id)
  },
  /** Makes messages due that were never tried: the quiet hours of their destination may have changed. */
  makeDue(destinationId: number, now: number) {
    db.query('UPDATE delivery SET due_at = min(due_at, ?) WHERE destination_id = ? AND attempts = 0').run(
      now,
      destinationId,
    )
  },
  remove(id: number) {
    db.query('DELETE FROM delivery WHERE id = ?').run(id)
  },
  removeOf(destinationId: number) {
    db.query('DELETE FROM delivery WHERE destination_id = ?').run(destinationId)
  },
  /** Removes the oldest messages of one type for a destination beyond a number. */
  removeBeyond(destinationId: number, type: NewsType, kept: number) {
    db.query(
      `DELETE FROM delivery WHERE id IN (
         SELECT id FROM delivery WHERE destination_id = ? AND type = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    ).run(destinationId, type, kept)
  },
  /** Removes messages from before a moment, whatever their state. */
  removeBefore(time: number) {
    db.query('DELETE FROM delivery WHERE created_at < ?').run(time)
  },
})
