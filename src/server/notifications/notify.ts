import type { Destinations } from '../destinations'
import { DAY, type Clock } from '../platform/clock'
import type { Listeners, Publish } from '../platform/events'
import type { Store } from '../store'
import type { DueNotice } from '../store/announcements'
import { newsOf } from './episode-news'
import { createLiveNotices } from './live-streams'

const DISMISSED_MS = 30 * DAY

type Needs = { store: Store; destinations: Pick<Destinations, 'record'>; publish: Publish; now: Clock }

/**
 * Notifies users of what concerns them: of a new episode, if they added its podcast or made it a favourite; of a
 * download, if they asked for it, when it ends; and admins of a failed download, once per episode; of a live stream, once when it begins. An episode that is
 * downloaded automatically counts as new when its file is here, any other when it is published. Each notice is sent to the
 * bell and to the destinations of its user.
 *
 * Rows hold what nobody was notified of yet; events only trigger a look at them.
 */
export function createNotifications({ store, destinations, publish, now }: Needs) {
  const sendLive = createLiveNotices({ store, destinations, publish, now })

  function add(due: DueNotice) {
    if (store.destinations.listOpen(due.userId).length > 0) destinations.record(due.userId, newsOf(store, due))
    const { isNew: _, episodeIds: __, ...notice } = due
    return { userId: due.userId, notificationId: store.notifications.add(notice, now()) }
  }

  function sendDue() {
    if (!store.announcements.isDue()) return
    const added = store.inTransaction(() => {
      const due = store.announcements.listDue()
      store.announcements.markNotified()
      return due.map(add)
    })
    for (const notification of added) publish({ type: 'notification', ...notification })
  }

  return {
    sendDue() {
      sendLive()
      sendDue()
    },
    /** Once at the start, before any refresh: marks the episodes that a killed process had stored without a notice. */
    recover: () => store.inTransaction(() => store.announcements.markPublished(null)),
    listeners: {
      feedApplied: sendLive,
      addedEpisodes: sendDue,
      downloadFinished: sendDue,
      downloadProgress({ state }) {
        if (state === 'failed' || state === 'cancelled') sendDue()
      },
    } satisfies Listeners,
    /** Deletes dismissed notices after 30 days. */
    removeOld: () => store.inPieces(most => store.notifications.removeDismissed(now() - DISMISSED_MS, most)),
  }
}
