import { signal } from '@preact/signals-core'
import type { Notification } from '../../shared/api/notification'
import type { NotificationsApi } from '../api/notifications'

/** The unread notifications, newest first. */
export function createNotifications(api: NotificationsApi) {
  const all = signal<readonly Notification[]>([])
  const without = (id: string) => all.value.filter(notification => notification.id !== id)

  return {
    all,
    async load() {
      all.value = await api.unread()
    },
    arrived(notification: Notification) {
      all.value = [notification, ...without(notification.id)]
    },
    /** Dismisses a notification. It is shown until the server has confirmed that. */
    async dismiss(id: string) {
      await api.dismiss(id)
      all.value = without(id)
    },
    /** Dismisses all that are shown; one that arrives meanwhile stays. */
    async clear() {
      const dismissed = all.value
      await Promise.all(dismissed.map(({ id }) => api.dismiss(id)))
      all.value = all.value.filter(notification => !dismissed.includes(notification))
    },
  }
}
export type Notifications = ReturnType<typeof createNotifications>
