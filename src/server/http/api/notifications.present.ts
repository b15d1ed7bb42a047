import type { Notification } from '../../../shared/api/notification'
import type { NotificationRow } from '../../store/notifications'
import { writeInstant } from '../core/instants'

export const presentNotification = (row: NotificationRow): Notification => ({
  id: row.uuid,
  typeOfMessage: row.type,
  message: row.message,
  createdAt: writeInstant(row.created_at),
  status: row.dismissed ? 'dismissed' : 'unread',
  podcastId: row.podcast_uuid,
  episodeId: row.episode_uuid,
  episodeCount: row.episode_count,
})
