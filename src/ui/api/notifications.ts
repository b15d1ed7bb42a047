import type { Notification } from '../../shared/api/notification'
import type { Client } from './client'

export type NotificationsApi = ReturnType<typeof notificationsApi>

export const notificationsApi = (client: Client) => ({
  unread: () => client.get<Notification[]>('/notifications/unread'),
  dismiss: (id: string) => client.put<void>('/notifications/dismiss', { id }),
})
