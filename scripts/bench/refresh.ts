import { join } from 'node:path'
import { median, percentile, residentMb } from '../../test/support/measure'
import { callsOf, importFeeds, noPrefill, refreshAll } from './api'
import { latencies, startUpMs } from './process'

type Report = (name: string, value: string, wanted?: string) => void

/** Refreshes of unchanged and of changed feeds, and what requests notice of them. */
export async function measureRefresh(
  folder: string,
  castellan: string,
  env: Record<string, string>,
  origins: readonly string[],
  report: Report,
) {
  const server = await startUpMs(
    [castellan],
    { ...env, DATA_DIRECTORY: join(folder, 'refresh'), ALLOWED_NETWORKS: '127.0.0.0/8' },
    '/healthz',
  )
  const { origin } = server
  const call = callsOf(origin)
  await noPrefill(call)
  const of = (kind: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${origins[index % origins.length]}/${kind}/${kind}${index}`)
  await importFeeds(call, [...of('small', 299), `${origins[0]}/hanging/small299`, ...of('large', 200)])
  const look = () => fetch(`${origin}/api/v1/podcasts/timeline`)
  const { data } = (await (await look()).json()) as { data: { podcast_episode: { episode_id: string } }[] }
  const save = () =>
    fetch(`${origin}/api/v1/podcasts/episode`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ podcastEpisodeId: data[0]!.podcast_episode.episode_id, time: 1 }),
    })
  const idle = await latencies(look, Bun.sleep(3000))
  report('GET /podcasts/timeline while idle, p50', `${median(idle).toFixed(1)} ms`)
  report('GET /podcasts/timeline while idle, p99', `${percentile(idle, 0.99).toFixed(1)} ms`)

  await fetch(`${origins[0]}/reset`)
  const unchanged = performance.now()
  await refreshAll(origin, 500)
  const seconds = (performance.now() - unchanged) / 1000
  const { bodies } = (await (await fetch(`${origins[0]}/counts`)).json()) as { bodies: number }
  report('refresh of 500 unchanged feeds', `${(500 / seconds).toFixed(0)} feeds/s`)
  report('  bodies transferred', String(bodies), '0')
  const peak = residentMb(server.pid)

  await fetch(`${origins[0]}/edition`)
  const changed = performance.now()
  const refreshing = refreshAll(origin, 499)
  const [during, saving] = await Promise.all([latencies(look, refreshing), latencies(save, refreshing)])
  const changedSeconds = (performance.now() - changed) / 1000
  report(
    'refresh of 200 changed feeds of 1 MB beside 299 unchanged and one that hangs',
    `${changedSeconds.toFixed(1)} s`,
  )
  report('  GET /podcasts/timeline meanwhile, p50', `${median(during).toFixed(1)} ms`)
  report('  GET /podcasts/timeline meanwhile, p99', `${percentile(during, 0.99).toFixed(1)} ms`, '≤ 100 ms')
  report('  saving a position meanwhile, p50', `${median(saving).toFixed(1)} ms`)
  report('  saving a position meanwhile, p99', `${percentile(saving, 0.99).toFixed(1)} ms`, '≤ 100 ms')
  report(
    '  resident memory after 500 unchanged, after 200 changed',
    `${peak.toFixed(0)}, ${residentMb(server.pid).toFixed(0)} MB`,
  )
  await server.stop()
}
