import type { NewsType } from '../../shared/api/destination'
import type { Database } from 'bun:sqlite'

/** A message on its way to a destination; times in milliseconds. */
export type DeliveryRow = {
  id: number
  /** Sent along: a receiver knows by it that a message came twice. */
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

/** Messages on their way. */
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
  /** Gives a waiting message other content; it is due no later than before. */
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
  /** Makes due now what was never tried: the quiet hours of its destination may be others. */
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
  /** Removes messages from before a moment, wherever they are stuck. */
  removeBefore(time: number) {
    db.query('DELETE FROM delivery WHERE created_at < ?').run(time)
  },
})
