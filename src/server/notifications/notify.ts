import { DAY, type Clock } from '../platform/clock'
import type { Listeners, Publish } from '../platform/events'
import type { Store } from '../store'

const DISMISSED_MS = 30 * DAY

/**
 * Notifies users of what concerns them: of a new episode, if they added its podcast or made it a favourite; of a
 * download,
 * if they asked for it, when it ends; and admins of a failed download, once per episode. An episode that is downloaded
 * automatically counts as new when its file is here, any other when it is published.
 *
 * Rows hold what nobody was notified of yet; events only trigger a look at them.
 */
export function createNotifications({ store, publish, now }: { store: Store; publish: Publish; now: Clock }) {
  function sendDue() {
    if (!store.announcements.isDue()) return
    const added = store.inTransaction(() => {
      const due = store.announcements.listDue()
      store.announcements.markNotified()
      return due.map(notice => ({ userId: notice.userId, notificationId: store.notifications.add(notice, now()) }))
    })
    for (const notification of added) publish({ type: 'notification', ...notification })
  }

  return {
    sendDue,
    /** Once at the start, before any refresh: marks the episodes that a killed process had stored without a notice. */
    recover: () => store.inTransaction(() => store.announcements.markPublished(null)),
    listeners: {
      addedEpisodes: sendDue,
      downloadFinished: sendDue,
      downloadProgress({ state }) {
        if (state === 'failed' || state === 'cancelled') sendDue()
      },
    } satisfies Listeners,
    /** Deletes dismissed notices after 30 days. */
    removeOld: () => store.notifications.removeDismissed(now() - DISMISSED_MS),
  }
}
