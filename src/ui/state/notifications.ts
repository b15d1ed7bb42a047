import { signal } from '@preact/signals-core'
import type { Notification } from '../../shared/api/notification'
import type { Api } from '../api'

const KEY = 'notifications.seen'

/** The unread notifications, newest first. This browser remembers up to when they were looked at. */
export function createNotifications(api: Api['notifications'], storage: Pick<Storage, 'getItem' | 'setItem'>) {
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
    /** Returns the moment of the newest that was looked at, '' before the first. */
    seenUntil: () => storage.getItem(KEY) ?? '',
    /** Remembers those that are shown as looked at. */
    markSeen() {
      const [newest] = all.value
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .reverse()
      if (newest) storage.setItem(KEY, newest)
    },
    /** Dismisses a notification. It is shown until the server has confirmed that. */
    async dismiss(id: string) {
      await api.dismiss(id)
      all.value = without(id)
    },
    /** Dismisses all that are shown; one that arrives in the meantime stays. */
    async clear() {
      const dismissed = all.value
      await Promise.all(dismissed.map(({ id }) => api.dismiss(id)))
      all.value = all.value.filter(notification => !dismissed.includes(notification))
    },
  }
}
export type Notifications = ReturnType<typeof createNotifications>
