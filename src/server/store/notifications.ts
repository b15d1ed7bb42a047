import type { Database } from 'bun:sqlite'
import type { NotificationType } from '../../shared/api/notification'
import { hasPodcast, visibleNotification, type Viewer } from './visibility'

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

/** A notification to be made about episodes of a podcast that arrived, or were requested, together: a batch. */
export type Notice = {
  userId: number
  type: NotificationType
  podcastId: number
  podcastTitle: string
  batch: number
  episodeCount: number
  /** The newest of its episodes. */
  episodeId: number
  episodeTitle: string
}

const joined = `
  SELECT n.*, p.uuid AS podcast_uuid, e.uuid AS episode_uuid
    FROM notification n LEFT JOIN podcast p ON p.id = n.podcast_id LEFT JOIN episode e ON e.id = n.episode_id AND ${hasPodcast}`

/** Notifications of users. */
export const notificationStore = (db: Database) => {
  const addPersonal = (type: NotificationType, userId: number, message: string, now: number): number =>
    db
      .query<{ id: number }, [string, number, NotificationType, string, number]>(
        'INSERT INTO notification (uuid, user_id, type, message, created_at) VALUES (?, ?, ?, ?, ?) RETURNING id',
      )
      .get(crypto.randomUUID(), userId, type, message, now)!.id

  return {
    find: (id: number) => db.query<NotificationRow, [number]>(`${joined} WHERE n.id = ?`).get(id),
    /** Newest first, without what the viewer may not see now. */
    unread: (viewer: Viewer, limit: number) =>
      db
        .query<NotificationRow, [number, number]>(
          `${joined} WHERE n.user_id = ? AND n.dismissed = 0
           AND ${visibleNotification(viewer)}
         ORDER BY n.id DESC LIMIT ?`,
        )
        .all(viewer.id, limit),
    /** Adds a notification, or adds the episodes to the unread one of the same batch; answers its id. */
    add({ episodeId, episodeTitle, podcastTitle, episodeCount, ...notice }: Notice, now: number): number {
      const grown = db
        .query<{ id: number }, Record<string, string | number>>(
          `UPDATE notification SET episode_count = episode_count + $episodeCount, message = $podcastTitle, episode_id = NULL
          WHERE user_id = $userId AND podcast_id = $podcastId AND type = $type AND batch = $batch AND dismissed = 0
      RETURNING id`,
        )
        .get({ ...notice, episodeCount, podcastTitle })
      if (grown) return grown.id
      const isOfOne = notice.type !== 'NewEpisodes' && episodeCount === 1
      const message = isOfOne ? episodeTitle : podcastTitle
      return db
        .query<{ id: number }, Record<string, string | number | null>>(
          `INSERT INTO notification (uuid, user_id, type, message, created_at, podcast_id, episode_id, episode_count, batch)
         VALUES ($uuid, $userId, $type, $message, $now, $podcastId, $episode, $episodeCount, $batch) RETURNING id`,
        )
        .get({ ...notice, uuid: crypto.randomUUID(), message, now, episode: isOfOne ? episodeId : null, episodeCount })!
        .id
    },
    /** Adds a notification of a live stream; answers its id. */
    addLive: (userId: number, podcastId: number, message: string, now: number): number =>
      db
        .query<{ id: number }, [string, number, string, number, number]>(
          `INSERT INTO notification (uuid, user_id, type, message, created_at, podcast_id)
           VALUES (?, ?, 'LiveStarted', ?, ?, ?) RETURNING id`,
        )
        .get(crypto.randomUUID(), userId, message, now, podcastId)!.id,
    /** Adds a notification of a sign-in; answers its id. */
    addSignIn: (userId: number, message: string, now: number): number => addPersonal('SignIn', userId, message, now),
    /** Adds a notification that an app's sign-in ended because it was copied; answers its id. */
    addRenewalReused: (userId: number, message: string, now: number): number =>
      addPersonal('RenewalReused', userId, message, now),
    /** Adds a notification that somebody guesses at an account; answers its id, or null where there is one since then. */
    addAttack(userId: number, username: string, since: number, now: number): number | null {
      const isTold = db
        .query<{ one: number }, [number, string, number]>(
          `SELECT 1 AS one FROM notification
            WHERE user_id = ? AND type = 'Attack' AND message = ? AND created_at > ? LIMIT 1`,
        )
        .get(userId, username, since)
      return isTold ? null : addPersonal('Attack', userId, username, now)
    },
    /** Answers whether the user has such a notification, dismissed before or not. */
    dismiss: (userId: number, uuid: string): boolean =>
      db.query('UPDATE notification SET dismissed = 1 WHERE user_id = ? AND uuid = ?').run(userId, uuid).changes > 0,
    removeOfPodcast(podcastId: number) {
      db.query('DELETE FROM notification WHERE podcast_id = ?').run(podcastId)
    },
    /** Removes up to `most` that were dismissed; returns their number. */
    removeDismissed: (before: number, most: number): number =>
      db
        .query(
          `DELETE FROM notification WHERE id IN (
             SELECT id FROM notification WHERE dismissed = 1 AND created_at < ? LIMIT ?)`,
        )
        .run(before, most).changes,
  }
}
