import { join } from 'node:path'
import { startFeedHost } from '../../test/support/feed-host'
import { percentile } from '../../test/support/measure'
import { callsOf, noPrefill, type Call } from './api'
import type { Report } from './large'
import { feedOf } from './library'
import { cpuSeconds, latencies, peakMb, startUpMs } from './process'

const FEEDS = 300
const EPISODES = 100
const WORDS = 200
/** Pause between two requests for the timeline: the import is to be measured, not they. */
const PAUSE_MS = 20

/** An import of feeds, until every episode is stored and can be found, and the timeline meanwhile. */
export async function measureImport(folder: string, castellan: string, env: Record<string, string>, report: Report) {
  using host = startFeedHost()
  const outlines = Array.from({ length: FEEDS }, (_, index) => {
    const address = host.feed(`/${index}.xml`, feedOf(`Imported ${index}`, EPISODES, WORDS))
    return `<outline text="Imported ${index}" xmlUrl="${address}"/>`
  })
  const server = await startUpMs([castellan], { ...env, DATA_DIRECTORY: join(folder, 'import') }, '/healthz')
  const call = callsOf(server.origin)
  await noPrefill(call)
  const cpu = cpuSeconds(server.pid)
  const began = performance.now()
  const work = importAll(call, `<opml version="2.0"><body>${outlines.join('')}</body></opml>`)
  const times = await latencies(() => fetch(`${server.origin}/api/v1/podcasts/timeline?limit=25`), work, PAUSE_MS)
  const seconds = ((await work) - began) / 1000
  const spent = cpuSeconds(server.pid) - cpu
  report(`import of ${FEEDS} feeds of ${EPISODES} episodes`, `${seconds.toFixed(1)} s`)
  report('  every episode stored and searchable', `${(FEEDS / seconds).toFixed(0)} feeds/s`, '≥ 60')
  report('  CPU for each feed', `${((1000 * spent) / FEEDS).toFixed(1)} ms`)
  const [p50, p99] = [percentile(times, 0.5).toFixed(1), percentile(times, 0.99).toFixed(1)]
  report('  GET /podcasts/timeline meanwhile, p50, p99', `${p50}, ${p99} ms`, 'p99 ≤ 50 ms')
  report('  peak memory', `${peakMb(server.pid).toFixed(0)} MB`, '≤ 150 MB')
  await server.stop()
}

/** Imports a list; answers the moment when its last feed could be found. */
async function importAll(call: Call, content: string): Promise<number> {
  const { jobId } = await call<{ jobId: string }>('POST', '/podcasts/opml', { content })
  while ((await call<{ state: string }>('GET', `/jobs/${jobId}`)).state !== 'done') await Bun.sleep(50)
  const last = encodeURIComponent(`Imported ${FEEDS - 1}, part ${EPISODES}`)
  while ((await call<{ episodes: unknown[] }>('GET', `/search?q=${last}`)).episodes.length === 0) await Bun.sleep(20)
  return performance.now()
}
