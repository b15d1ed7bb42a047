import { statfs } from 'node:fs/promises'
import type { Context } from '../../context'
import type { OpenRoutes } from '../core/open-routes'

/** Below this many bytes not even the database can be written. */
const MIN_FREE_BYTES = 20_000_000

/** Free bytes on the disk of a folder; null if the folder cannot be reached. */
export const freeBytes = (folder: string): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )

/** Reports whether the process runs, and whether it can work. */
export function health(routes: OpenRoutes, { store, config, integrity, room }: Context) {
  routes
    .get(
      '/healthz',
      () => new Response('ok', { headers: { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain' } }),
    )
    .get('/readyz', async () => {
      const free = await freeBytes(config.dataFolder)
      const checks = {
        database: isReadable(store) && integrity.damage() === null,
        disk: free !== null && free > MIN_FREE_BYTES && !room.isFull(),
      }
      const ready = checks.database && checks.disk
      return Response.json(ready ? { ready } : { ready, checks }, {
        status: ready ? 200 : 503,
        headers: { 'Cache-Control': 'no-store' },
      })
    })
}

function isReadable(store: Context['store']): boolean {
  try {
    store.dataVersion()
    return true
  } catch {
    return false
  }
}
