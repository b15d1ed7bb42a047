import type { Database } from 'bun:sqlite'
import { visibleToUser } from './visibility'

/** A new episode that may enter the queue of a user automatically. */
export type Arrival = {
  user_id: number
  episode_id: number
  podcast_id: number
  published_at: number
  /** The end at which it enters, and how many of its podcast may wait there. */
  queue_new: 'front' | 'end'
  queue_most: number
  /** Whether the podcast is heard from its first episode on. */
  serial: number
}

/**
 * New episodes on their way into queues. They are noted in the transaction that stores the episode, so that a process
 * killed before queueing does that after its next start.
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
