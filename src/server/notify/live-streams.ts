import type { Destinations } from './destinations'
import { cutTitle } from './news'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Store } from '../store'

type Needs = { store: Store; destinations: Pick<Destinations, 'record'>; publish: Publish; now: Clock }

/** Returns what notifies those who added a podcast, or made it a favourite, that a live stream of it has begun. */
export const createLiveNotices =
  ({ store, destinations, publish, now }: Needs) =>
  () => {
    if (!store.liveNotices.isDue()) return
    const added = store.inTransaction(() => {
      const due = store.liveNotices.listDue()
      store.liveNotices.markNotified()
      return due.map(({ userId, podcastId, podcastUuid, podcastTitle, title }) => {
        const stream = { podcastId: podcastUuid, podcastTitle: cutTitle(podcastTitle), title: cutTitle(title) }
        if (store.destinations.listOpen(userId).length > 0)
          destinations.record(userId, { types: ['liveStarted'], facts: stream })
        return { userId, notificationId: store.notifications.addLive(userId, podcastId, title || podcastTitle, now()) }
      })
    })
    for (const notification of added) publish({ type: 'notification', ...notification })
  }
