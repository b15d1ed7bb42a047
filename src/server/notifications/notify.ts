import { DAY, type Clock } from '../platform/clock'
import type { Listeners, Publish } from '../platform/events'
import type { Store } from '../store'

const KEPT_MS = 30 * DAY

/**
 * Turns what happened into notices of those whom it concerns: a new episode to whoever added or favours its podcast,
 * when it is here if it is downloaded by itself, else when it is published; a download to whoever asked for it, when it
 * ends; one that was given up to admins, once per episode.
 *
 * Rows say what nobody was notified of yet, events only that there may be some.
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
    /** At the start, when no feed is being stored: what a killed process had stored of one is announced. */
    recover: () => store.inTransaction(() => store.announcements.markPublished(null)),
    listeners: {
      addedEpisodes: sendDue,
      downloadFinished: sendDue,
      downloadProgress({ state }) {
        if (state === 'failed' || state === 'cancelled') sendDue()
      },
    } satisfies Listeners,
    removeOld: () => store.notifications.removeDismissed(now() - KEPT_MS),
  }
}
