import { createApi } from '../src/ui/api'
import { createClient } from '../src/ui/api/client'
import { startExecutable } from '../test/support/executable'
import { startFeedHost, type FeedHost } from '../test/support/feed-host'
import { plantDemo } from './demo/library'

/** Every part of the API of a server that listens somewhere. */
export function apisOf(origin: string, authorization: string | null = null) {
  const client = createClient('', {
    authorization: () => authorization,
    fetch: request => fetch(new Request(request.url.replace(/^https?:\/\/[^/]+/, origin), request)),
  })
  return createApi(client)
}

/** The demo library in a data folder, with nothing left in the queue of downloads. */
export async function seed(folder: string, host: FeedHost) {
  await using running = await startExecutable({ DATA_DIRECTORY: folder, DISK_RESERVE: '0' })
  const apis = apisOf(running.origin)
  await plantDemo(host, apis)
  for (;;) {
    const { data } = await apis.downloads.page(null)
    if (data.counts.running + data.counts.queued === 0) break
    await Bun.sleep(100)
  }
}

if (import.meta.main) {
  const folder = process.argv[2] ?? './data'
  using host = startFeedHost()
  await seed(folder, host)
  console.log(`A demo library lies in ${folder}. Start Castellan on it: DATA_DIRECTORY=${folder} dist/castellan`)
  console.log('Its feeds are gone with this command: what was downloaded plays, a refresh fails.')
  process.exit(0)
}
