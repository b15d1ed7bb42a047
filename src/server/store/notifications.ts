import type { Database } from 'bun:sqlite'
import type { NotificationType } from '../../shared/api/notification'

export type NotificationRow = {
  id: number
  uuid: string
  user_id: number
  type: NotificationType
  message: string
  created_at: number
  dismissed: number
  podcast_uuid: string | null
  episode_uuid: string | null
}

export type NewNotification = {
  userId: number
  type: NotificationType
  message: string
  podcastId: number | null
  episodeId: number | null
}

const joined = `
  SELECT n.*, p.uuid AS podcast_uuid, e.uuid AS episode_uuid
    FROM notification n LEFT JOIN podcast p ON p.id = n.podcast_id LEFT JOIN episode e ON e.id = n.episode_id`

export const notificationStore = (db: Database) => ({
  find: (id: number) => db.query<NotificationRow, [number]>(`${joined} WHERE n.id = ?`).get(id),
  unread: (userId: number, limit: number) =>
    db
      .query<NotificationRow, [number, number]>(
        `${joined} WHERE n.user_id = ? AND n.dismissed = 0 ORDER BY n.id DESC LIMIT ?`,
      )
      .all(userId, limit),
  add: ({ userId, type, message, podcastId, episodeId }: NewNotification, now: number): number =>
    db
      .query<{ id: number }, (string | number | null)[]>(
        `INSERT INTO notification (uuid, user_id, type, message, created_at, podcast_id, episode_id)
         VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      )
      .get(crypto.randomUUID(), userId, type, message, now, podcastId, episodeId)!.id,
  wasTold: (type: NotificationType, episodeId: number) =>
    db
      .query<{ one: number }, [string, number]>('SELECT 1 AS one FROM notification WHERE type = ? AND episode_id = ?')
      .get(type, episodeId) !== null,
  /** Whether there was such a notification of this user; also the second time. */
  dismiss: (userId: number, uuid: string): boolean =>
    db.query('UPDATE notification SET dismissed = 1 WHERE user_id = ? AND uuid = ?').run(userId, uuid).changes > 0,
  removeDismissed(before: number) {
    db.query('DELETE FROM notification WHERE dismissed = 1 AND created_at < ?').run(before)
  },
  /** Who favours a podcast, or (with `orAsked`) asked for a download. */
  followersOf: (podcastId: number, orAsked: number | null) =>
    db
      .query<{ id: number; explicit_consent: number }, [number, number | null]>(
        `SELECT id, explicit_consent FROM user
          WHERE id IN (SELECT user_id FROM favourite WHERE podcast_id = ?) OR id = ?`,
      )
      .all(podcastId, orAsked),
})
