import type { Database } from 'bun:sqlite'
import { episodeForUserColumns, episodeForUserJoins, type EpisodeForUser } from './episodes'
import { required } from './required'
import { visibleEpisode, type Viewer } from './visibility'

export type QueueRow = { version: number; updated_at: number }
type QueuedEpisode = EpisodeForUser & { queue_uuid: string; queued_at: number }

/** Queues of users. */
export const queueStore = (db: Database) => ({
  find: (userId: number): QueueRow =>
    db.query<QueueRow, [number]>('SELECT version, updated_at FROM queue WHERE user_id = ?').get(userId) ?? {
      version: 0,
      updated_at: 0,
    },
  itemsFor: (viewer: Viewer) =>
    db
      .query<QueuedEpisode, { userId: number }>(
        `SELECT q.uuid AS queue_uuid, q.added_at AS queued_at, ${episodeForUserColumns}
           FROM episode e ${episodeForUserJoins}
           JOIN queue_item q ON q.user_id = $userId AND q.episode_id = e.id
          WHERE ${visibleEpisode(viewer)} ORDER BY q.place`,
      )
      .all({ userId: viewer.id }),
  idsOf: (userId: number) =>
    db
      .query<{ episode_id: number }, [number]>('SELECT episode_id FROM queue_item WHERE user_id = ? ORDER BY place')
      .all(userId)
      .map(row => row.episode_id),
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
    return db
      .query<{ version: number }, { userId: number; now: number }>(
        `INSERT INTO queue (user_id, version, updated_at) VALUES ($userId, 1, $now)
             ON CONFLICT DO UPDATE SET version = version + 1, updated_at = $now RETURNING version`,
      )
      .get({ userId, now })!.version
  },
})
