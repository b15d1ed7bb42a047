import { HOUR } from '../../src/server/platform/clock'
import type { Notification } from '../../src/shared/api/notification'
import type { startClock, TestApp } from './app'

type Reader = Pick<TestApp, 'notifications'>

/** The lines of a bell, newest first: `Download Fog`, or `NewEpisodes Lighthouse Radio × 3` for several episodes. */
export async function bellOf({ notifications }: Reader): Promise<string[]> {
  const shown = (notice: Notification) =>
    `${notice.typeOfMessage} ${notice.message}${notice.episodeCount > 1 ? ` × ${notice.episodeCount}` : ''}`
  return (await notifications.unread()).map(shown)
}

/** Runs the queue until every download has come to its end; what waits for another attempt gets it. */
export async function endDownloads(app: TestApp, clock: ReturnType<typeof startClock>) {
  const { store, downloads } = app.context
  for (;;) {
    const { queued = 0, running = 0, waiting = 0 } = store.downloads.counts({ id: 0, explicit_consent: 1 })
    // The last word on a download comes after its row.
    if (queued + running + waiting === 0 && !store.announcements.isDue()) return
    const { promise: changed, resolve } = Promise.withResolvers<void>()
    const stop = app.context.events.listenToAll(({ type }) => {
      if (type === 'downloadProgress' || type === 'downloadFinished') resolve()
    })
    if (queued + running === 0 && waiting > 0) clock.advance(7 * HOUR)
    downloads.pump()
    await changed
    stop()
  }
}
