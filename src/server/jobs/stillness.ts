import { statSync, watch } from 'node:fs'
import { MINUTE } from '../platform/clock'
import type { Stillness } from './scheduler'

/** Notices writes to a database, by this process or another one, in the log that SQLite writes first. */
export function stillnessOf(database: string): Stillness {
  const log = `${database}-wal`
  return {
    mark() {
      const found = statSync(log, { throwIfNoEntry: false })
      return found ? `${found.size} ${found.mtimeMs} ${found.ino}` : null
    },
    watch(onWrite) {
      try {
        const watcher = watch(log, { persistent: false }, () => onWrite())
        // A system that can't watch any longer: jobs run as often as they ask.
        watcher.on('error', () => onWrite())
        return () => watcher.close()
      } catch {
        return null
      }
    },
    afterMs: 2 * MINUTE,
    everyMs: 2 * MINUTE,
  }
}

/** Health checks ask every half minute, and nothing is due because of them. */
const isHealthCheck = (url: string) => /\/(?:healthz|readyz)$/.test(url)

type Touched = { onRequest: (handler: (context: { request: Request }) => void) => unknown }

/** Calls back at every request but health checks. */
export function touchedByRequests(app: Touched, touch: () => void) {
  app.onRequest(({ request }) => {
    if (!isHealthCheck(request.url)) touch()
  })
}
