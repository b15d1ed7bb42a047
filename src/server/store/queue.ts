import type { Database } from 'bun:sqlite'
import type { ContinueWith } from '../../shared/api/queue'
import { episodeForUserColumns, episodeForUserJoins, type EpisodeForUser } from './episodes'
import { required } from './required'
import { hasPodcast, visibleEpisode, type Viewer } from './visibility'

export type QueueRow = { version: number; updated_at: number; name: string | null; continue_with: ContinueWith }
type QueuedEpisode = EpisodeForUser & { queue_uuid: string; queued_at: number; automatic: number }

/** An entry as making room sees it. */
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

  /** Replaces the queue; items that stay keep their id. Answers the new version. */
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
  /** Counts a change, and answers the new version. */
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
