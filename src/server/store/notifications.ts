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
  episode_count: number
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
  /** Whether there was such a notification of this user; also the second time. */
  dismiss: (userId: number, uuid: string): boolean =>
    db.query('UPDATE notification SET dismissed = 1 WHERE user_id = ? AND uuid = ?').run(userId, uuid).changes > 0,
  removeDismissed(before: number) {
    db.query('DELETE FROM notification WHERE dismissed = 1 AND created_at < ?').run(before)
  },
})
