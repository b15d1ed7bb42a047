import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { rss } from '../../test/support/builders'
import { percentile } from '../../test/support/measure'
import { callsOf, importFeeds, noPrefill, refreshAll } from './api'
import { latencies, startUpMs } from './process'

type Report = (name: string, value: string, wanted?: string) => void

const FEEDS = 150
const EPISODES = 50

/**
 * The first days of a library: one podcast with one episode, a restart, an import of many, and then one new episode in
 * each. `castellan` may be two executables by a comma: the first one makes the library of one podcast.
 */
export async function measureFirstPodcast(
  folder: string,
  castellan: string,
  env: Record<string, string>,
  report: Report,
) {
  const [first, then = first] = castellan.split(',') as [string, string?]
  let edition = 0
  using host = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url }) {
      const name = new URL(url).pathname
      const count = name === '/first' ? 1 : EPISODES + edition
      return new Response(
        rss({ title: name, items: Array.from({ length: count }, (_, at) => ({ guid: `${name} ${count - at}` })) }),
        { headers: { 'Content-Type': 'application/rss+xml', ETag: `"${count}"` } },
      )
    },
  })
  const start = (executable: string) =>
    startUpMs(
      [executable],
      {
        ...env,
        DATA_DIRECTORY: join(folder, 'first-podcast'),
        ALLOWED_NETWORKS: '127.0.0.0/8',
        MAX_PARALLEL_REFRESHES: '8',
      },
      '/healthz',
    )
  const at = (name: string) => new URL(name, host.url).href

  const before = await start(first)
  await noPrefill(callsOf(before.origin))
  await importFeeds(callsOf(before.origin), [at('/first')])
  await callsOf(before.origin)('GET', '/podcasts/timeline')
  await callsOf(before.origin)('GET', '/notifications/unread')
  await before.stop()
  plantStatistics(join(folder, 'first-podcast', 'castellan.db'))

  const server = await start(then)
  const call = callsOf(server.origin)
  await importFeeds(
    call,
    Array.from({ length: FEEDS }, (_, index) => at(`/${index}`)),
  )
  edition = 1
  const look = () => fetch(`${server.origin}/api/v1/podcasts/timeline`)
  const began = performance.now()
  // Announced once everything is stored: the job that does it runs every minute.
  const announced = async () => {
    await refreshAll(server.origin, FEEDS)
    while ((await call<unknown[]>('GET', '/notifications/unread')).length === 0) await Bun.sleep(200)
  }
  const times = await latencies(look, announced())
  report(
    `${FEEDS} feeds with a new episode each, after a start with one podcast`,
    `${((performance.now() - began) / 1000).toFixed(1)} s`,
  )
  report('  GET /podcasts/timeline meanwhile, p99', `${percentile(times, 0.99).toFixed(1)} ms`)
  report('  GET /podcasts/timeline meanwhile, longest', `${Math.max(...times).toFixed(0)} ms`, '≤ 1000 ms')
  await server.stop()
}

/** Leaves statistics of one row, as `PRAGMA optimize` of an early version did, or `ANALYZE` of another program. */
function plantStatistics(path: string) {
  using db = new Database(path)
  db.run('ANALYZE')
  const measured = db.query<{ stat: string }, []>("SELECT stat FROM sqlite_stat1 WHERE tbl = 'podcast'").all()
  if (!measured.some(({ stat }) => /^1( 1)*$/.test(stat)))
    throw new Error('the library has no statistics of one podcast')
}
