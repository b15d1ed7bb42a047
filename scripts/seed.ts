import { apisOf } from '../test/support/apis'
import { startExecutable } from '../test/support/executable'
import { startFeedHost, type FeedHost } from '../test/support/feed-host'
import { parseArgs } from 'node:util'
import { plantLarge } from '../test/support/large-library'
import { plantDemo } from './demo/library'

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
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { podcasts: { type: 'string' }, episodes: { type: 'string' } },
  })
  const folder = positionals[0] ?? './data'
  if (values.podcasts || values.episodes) {
    await plantLarge(folder, Number(values.podcasts ?? 100), Number(values.episodes ?? 100))
  } else {
    using host = startFeedHost()
    await seed(folder, host)
  }
  console.log(`The demo library is in ${folder}`)
  process.exit(0)
}
