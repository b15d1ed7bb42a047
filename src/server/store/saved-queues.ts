import type { Database } from 'bun:sqlite'
import { isRemoving } from './removals'
import { required } from './required'
import { nameKey } from './users'
import { visibleEpisode, type Viewer } from './visibility'

/** A queue that was put aside; name null = the main queue. Times in milliseconds. */
export type SavedQueueRow = {
  id: number
  uuid: string
  user_id: number
  name: string | null
  saved_at: number
  deleted_at: number | null
}
type CountedQueue = SavedQueueRow & { episodes: number }

const columns = 'id, uuid, user_id, name, saved_at, deleted_at'
const listed = (wanted: string) =>
  `SELECT ${wanted} FROM saved_queue WHERE user_id = ? AND deleted_at IS NULL ORDER BY saved_at DESC, id DESC`

const insert = (db: Database, userId: number, name: string | null, now: number): number =>
  db
    .query<{ id: number }, Record<string, string | number | null>>(
      `INSERT INTO saved_queue (uuid, user_id, name, name_key, saved_at)
       VALUES ($uuid, $userId, $name, $key, $now) RETURNING id`,
    )
    .get({ uuid: crypto.randomUUID(), userId, name, key: name && nameKey(name), now })!.id

/** Queues of users that are not in use. */
export const savedQueueStore = (db: Database) => ({
  /** The latest saved first. */
  listFor: (userId: number) => db.query<SavedQueueRow, [number]>(listed(columns)).all(userId),
  /** With the number of episodes that the viewer may see. Where nothing is hidden or being removed, none of them is looked at. */
  countedFor(viewer: Viewer) {
    const seen = `CROSS JOIN episode e ON e.id = i.episode_id JOIN podcast p ON p.id = e.podcast_id
      WHERE ${visibleEpisode(viewer)} AND`
    return db
      .query<CountedQueue, [number]>(
        listed(`${columns}, (SELECT count(*) FROM saved_queue_item i ${viewer.explicit_consent && !isRemoving(db) ? 'WHERE' : seen}
                              i.saved_queue_id = saved_queue.id) AS episodes`),
      )
      .all(viewer.id)
  },
  count: (userId: number) =>
    db
      .query<{ total: number }, [number]>(
        'SELECT count(*) AS total FROM saved_queue WHERE user_id = ? AND deleted_at IS NULL',
      )
      .get(userId)!.total,
  /** Throws `queue-not-found`. */
  require: (userId: number, uuid: string): SavedQueueRow =>
    required(
      db
        .query<SavedQueueRow, [number, string]>(`SELECT ${columns} FROM saved_queue WHERE user_id = ? AND uuid = ?`)
        .get(userId, uuid),
      'queue',
    ),
  /** The other queue of that name; null = the main queue. */
  findByName: (userId: number, name: string | null) =>
    db
      .query<SavedQueueRow, [number, string | null]>(
        `SELECT ${columns} FROM saved_queue WHERE user_id = ? AND deleted_at IS NULL AND name_key IS ?`,
      )
      .get(userId, name && nameKey(name)),
  rename(id: number, name: string) {
    db.query('UPDATE saved_queue SET name = ?, name_key = ? WHERE id = ?').run(name, nameKey(name), id)
  },
  setDeleted(id: number, at: number | null) {
    db.query('UPDATE saved_queue SET deleted_at = ? WHERE id = ?').run(at, id)
  },
  /** Forgets the deleted queues of a user for good, except for the `kept` that were deleted last. */
  forgetDeleted(userId: number, kept: number) {
    db.query(
      `DELETE FROM saved_queue WHERE id IN (
         SELECT id FROM saved_queue WHERE user_id = ? AND deleted_at IS NOT NULL
          ORDER BY deleted_at DESC, id DESC LIMIT -1 OFFSET ?)`,
    ).run(userId, kept)
  },

  /** Puts the queue in use aside, under its name; it stays in use until another one takes its place. */
  save(userId: number, name: string | null, now: number) {
    const id = insert(db, userId, name, now)
    db.query(
      `INSERT INTO saved_queue_item (saved_queue_id, episode_id, place, added_at, automatic)
       SELECT ?, episode_id, place, added_at, automatic FROM queue_item WHERE user_id = ?`,
    ).run(id, userId)
  },
  /** Makes an empty one, and returns its id. */
  add: (userId: number, name: string | null, savedAt: number): number => insert(db, userId, name, savedAt),
  holds: (id: number, episodeId: number) =>
    db
      .query<{ one: number }, [number, number]>(
        'SELECT 1 AS one FROM saved_queue_item WHERE saved_queue_id = ? AND episode_id = ?',
      )
      .get(id, episodeId) !== null,
  /** Appends an episode; answers false for a queue of `most` episodes. */
  append: (id: number, episodeId: number, now: number, most: number): boolean =>
    db
      .query<null, Record<string, number>>(
        `INSERT OR IGNORE INTO saved_queue_item (saved_queue_id, episode_id, place, added_at, automatic)
         SELECT $id, $episodeId, coalesce(max(place) + 1, 0), $now, 0 FROM saved_queue_item
          WHERE saved_queue_id = $id HAVING count(*) < $most`,
      )
      .run({ id, episodeId, now, most }).changes > 0,
  /** Lets the episodes of a saved queue take the place of those in use, and forgets it; finished ones are left out. */
  use({ id, user_id }: SavedQueueRow) {
    db.query('DELETE FROM queue_item WHERE user_id = ?').run(user_id)
    db.query(
      `INSERT INTO queue_item (uuid, user_id, episode_id, place, added_at, automatic)
       SELECT lower(hex(randomblob(16))), ?2, i.episode_id, i.place, i.added_at, i.automatic
         FROM saved_queue_item i
        WHERE i.saved_queue_id = ?1
          AND NOT EXISTS (SELECT 1 FROM playback h
                           WHERE h.user_id = ?2 AND h.episode_id = i.episode_id AND h.finished = 1)`,
    ).run(id, user_id)
    db.query('DELETE FROM saved_queue WHERE id = ?').run(id)
  },
  /** Drops episodes from all saved queues of a user, and returns whether one held any. */
  drop: (userId: number, episodeIds: readonly number[]): boolean =>
    db
      .query(
        `DELETE FROM saved_queue_item
          WHERE saved_queue_id IN (SELECT id FROM saved_queue WHERE user_id = ?)
            AND episode_id IN (SELECT value FROM json_each(?))`,
      )
      .run(userId, JSON.stringify(episodeIds)).changes > 0,
})
