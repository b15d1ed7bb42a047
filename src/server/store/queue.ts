import { required } from '../platform/problem'
import type { Database } from 'bun:sqlite'
import type { ContinueWith } from '../../shared/api/queue'
import type { QueuePlace } from '../../shared/api/settings'
import { type EpisodeForUser, episodeForUserColumns, episodeForUserJoins } from './episodes'
import { hasPodcast, type Viewer, visibleEpisode, visibleToUser } from './visibility'
import { isRemoving } from './removals'
import { nameKey } from './users'

export type QueueRow = { version: number; updated_at: number; name: string | null; continue_with: ContinueWith }
type QueuedEpisode = EpisodeForUser & { queue_uuid: string; queued_at: number; automatic: number }

/** An entry, with the facts that decide whether it makes room. */
export type QueueEntry = {
  episode_id: number
  podcast_id: number
  published_at: number
  /** Was added automatically. */
  automatic: number
  /** Its user is in the middle of it. */
  begun: number
}

/** Queues of users. */
export const queueStore = (db: Database) => ({
  find: (userId: number): QueueRow =>
    db
      .query<QueueRow, [number]>('SELECT version, updated_at, name, continue_with FROM queue WHERE user_id = ?')
      .get(userId) ?? { version: 0, updated_at: 0, name: null, continue_with: 'nothing' },
  itemsFor: (viewer: Viewer) =>
    db
      .query<QueuedEpisode, { userId: number }>(
        `SELECT q.uuid AS queue_uuid, q.added_at AS queued_at, q.automatic, ${episodeForUserColumns}
           FROM episode e ${episodeForUserJoins}
           JOIN queue_item q ON q.user_id = $userId AND q.episode_id = e.id
          WHERE ${visibleEpisode(viewer)} ORDER BY q.place`,
      )
      .all({ userId: viewer.id }),
  idsOf: (userId: number) =>
    db
      .query<{ episode_id: number }, [number]>(
        `SELECT q.episode_id FROM queue_item q JOIN episode e ON e.id = q.episode_id
          WHERE q.user_id = ? AND ${hasPodcast} ORDER BY q.place`,
      )
      .all(userId)
      .map(row => row.episode_id),
  /** The entries in their order. */
  entriesOf: (userId: number) =>
    db
      .query<QueueEntry, [number]>(
        `SELECT q.episode_id, e.podcast_id, e.published_at, q.automatic,
                EXISTS (SELECT 1 FROM playback h WHERE h.user_id = q.user_id AND h.episode_id = q.episode_id
                           AND h.played = 1 AND h.finished = 0) AS begun
           FROM queue_item q JOIN episode e ON e.id = q.episode_id
          WHERE q.user_id = ? AND ${hasPodcast} ORDER BY q.place`,
      )
      .all(userId),
  findItem: (userId: number, uuid: string) =>
    db
      .query<{ episode_id: number }, [number, string]>(
        'SELECT episode_id FROM queue_item WHERE user_id = ? AND uuid = ?',
      )
      .get(userId, uuid),
  /** Throws `queue-item-not-found`. */
  requireItem(userId: number, uuid: string): { episode_id: number } {
    return required(this.findItem(userId, uuid), 'queue-item')
  },

  /** Replaces the queue; items that stay keep their id. Returns the new version. */
  replace(userId: number, episodeIds: readonly number[], now: number): number {
    const wanted = JSON.stringify(episodeIds)
    db.query('DELETE FROM queue_item WHERE user_id = ? AND episode_id NOT IN (SELECT value FROM json_each(?))').run(
      userId,
      wanted,
    )
    db.query(
      `INSERT INTO queue_item (uuid, user_id, episode_id, place, added_at)
       SELECT lower(hex(randomblob(16))), $userId, value, key, $now FROM json_each($wanted) WHERE true
           ON CONFLICT DO UPDATE SET place = excluded.place`,
    ).run({ userId, wanted, now })
    return this.change(userId, now)
  },
  /** Counts a change, and returns the new version. */
  change: (userId: number, now: number): number =>
    db
      .query<{ version: number }, { userId: number; now: number }>(
        `INSERT INTO queue (user_id, version, updated_at) VALUES ($userId, 1, $now)
             ON CONFLICT DO UPDATE SET version = version + 1, updated_at = $now RETURNING version`,
      )
      .get({ userId, now })!.version,
  /** Names the queue; null = the main queue. */
  setName(userId: number, name: string | null) {
    db.query(
      `INSERT INTO queue (user_id, version, updated_at, name) VALUES (?, 0, 0, ?)
           ON CONFLICT DO UPDATE SET name = excluded.name`,
    ).run(userId, name)
  },
  /** Sets what plays when the queue has ended. */
  setContinueWith(userId: number, choice: ContinueWith) {
    db.query(
      `INSERT INTO queue (user_id, version, updated_at, continue_with) VALUES (?, 0, 0, ?)
           ON CONFLICT DO UPDATE SET continue_with = excluded.continue_with`,
    ).run(userId, choice)
  },
  /** Notes which of its episodes were added automatically, or that a person wants them there. */
  setAutomatic(userId: number, episodeIds: readonly number[], automatic: boolean) {
    db.query(
      'UPDATE queue_item SET automatic = ? WHERE user_id = ? AND episode_id IN (SELECT value FROM json_each(?))',
    ).run(Number(automatic), userId, JSON.stringify(episodeIds))
  },
})

/** A new episode that may enter the queue of a user automatically. */
export type Arrival = {
  user_id: number
  episode_id: number
  podcast_id: number
  published_at: number
  /** The end at which it enters, and how many of its podcast may wait there. */
  queue_new: QueuePlace
  queue_most: number
  /** Whether the podcast is heard from its first episode on. */
  serial: number
}

/**
 * New episodes that wait to enter queues. They are noted in the transaction that stores the episode, so that if the
 * process is killed before queueing them, the next start does.
 */
export const queueArrivalStore = (db: Database) => ({
  /** Notes an episode for everybody who wants new ones of its podcast in the queue. */
  add(podcastId: number, episodeId: number) {
    db.query(
      `INSERT OR IGNORE INTO queue_arrival (episode_id, user_id)
       SELECT ?1, user_id FROM podcast_preference WHERE podcast_id = ?2 AND queue_new IS NOT NULL`,
    ).run(episodeId, podcastId)
  },
  isDue: () => db.query('SELECT 1 FROM queue_arrival LIMIT 1').get() !== null,
  /**
   * Episodes to be queued, the oldest first. Hidden and finished ones are left out, and those of a podcast whose new
   * episodes are not wanted any more.
   */
  listDue: () =>
    db
      .query<Arrival, []>(
        `SELECT a.user_id, a.episode_id, e.podcast_id, e.published_at, x.queue_new, x.queue_most, p.serial
           FROM queue_arrival a CROSS JOIN episode e ON e.id = a.episode_id
          CROSS JOIN podcast p ON p.id = e.podcast_id
          CROSS JOIN user u ON u.id = a.user_id
          CROSS JOIN podcast_preference x ON x.user_id = a.user_id AND x.podcast_id = e.podcast_id
          WHERE x.queue_new IS NOT NULL AND ${visibleToUser}
            AND NOT EXISTS (SELECT 1 FROM playback h
                             WHERE h.user_id = a.user_id AND h.episode_id = a.episode_id AND h.finished = 1)
          ORDER BY e.published_at, e.id`,
      )
      .all(),
  clear() {
    db.query('DELETE FROM queue_arrival').run()
  },
})

/** A saved queue; name null = the main queue. Times in milliseconds. */
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
  /**
   * With the number of episodes that the viewer may see. If nothing is hidden or being removed, episodes aren't read
   * for that.
   */
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
  /** Permanently forgets the deleted queues of a user, except for the `kept` that were deleted last. */
  forgetDeleted(userId: number, kept: number) {
    db.query(
      `DELETE FROM saved_queue WHERE id IN (
         SELECT id FROM saved_queue WHERE user_id = ? AND deleted_at IS NOT NULL
          ORDER BY deleted_at DESC, id DESC LIMIT -1 OFFSET ?)`,
    ).run(userId, kept)
  },

  /** Saves the queue in use, under its name; it stays in use until another one replaces it. */
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
  /** Appends an episode; returns false for a queue of `most` episodes. */
  append: (id: number, episodeId: number, now: number, most: number): boolean =>
    db
      .query<null, Record<string, number>>(
        `INSERT OR IGNORE INTO saved_queue_item (saved_queue_id, episode_id, place, added_at, automatic)
         SELECT $id, $episodeId, coalesce(max(place) + 1, 0), $now, 0 FROM saved_queue_item
          WHERE saved_queue_id = $id HAVING count(*) < $most`,
      )
      .run({ id, episodeId, now, most }).changes > 0,
  /** Replaces the queue in use with the episodes of a saved queue, and forgets that; finished ones are left out. */
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
