import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noise } from '../../test/support/builders'
import { digestFeed } from '../../src/server/feeds/digest'
import { withHosts } from './hosts'
import { measureFeeds } from './feeds'
import { measureImport } from './import'
import { measureInterface } from './interface'
import { measureLarge } from './large'
import { largeFeed } from './library'
import { latencies, startUpMs } from './process'
import { median, percentile, residentMb } from '../../test/support/measure'
import { measureStreaming } from './streaming'
import { measureSync } from './sync'

// Speed and memory of the built executable. Every claim is a ratio of two things measured in this one run: machines
// differ, and so do their moods. `bun run bench [start|sign-in|refresh|stream|parse|feeds|large|import|sync|interface]`
// measures a part.

const root = join(import.meta.dir, '../..')
const parts = process.argv.slice(2)
const wants = (part: string) => parts.length === 0 || parts.includes(part)
const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'))
const report = (name: string, value: string, wanted = '') =>
  console.log(`${name.padEnd(62)}${value.padStart(18)}${wanted ? `   wanted ${wanted}` : ''}`)

Bun.spawnSync(['bun', 'scripts/build.ts'], { cwd: root })
const bare = join(folder, 'bare')
Bun.spawnSync(
  [
    'bun',
    'build',
    '--compile',
    '--minify',
    '--bytecode',
    '--format=esm',
    join(root, 'scripts/bench/bare.ts'),
    '--outfile',
    bare,
  ],
  { cwd: folder },
)
const castellan = join(root, 'dist/castellan')
const env = {
  DATA_DIRECTORY: join(folder, 'data'),
  PORT: '0',
  DISK_RESERVE: '0',

  LOG_FORMAT: 'text',
}

try {
  if (wants('parse')) measureParsing()
  if (wants('feeds')) measureFeeds(report)
  if (wants('start') || wants('sign-in') || wants('refresh'))
    await withHosts(async origins => {
      if (wants('start')) await measureStart(origins)
      if (wants('sign-in')) await measureSignIn(origins)
      if (wants('refresh')) await measureRefresh(origins)
    })
  if (wants('import')) await measureImport(folder, castellan, env, report)
  if (wants('large')) await measureLarge(folder, castellan, env, report)
  if (wants('sync')) await measureSync(folder, castellan, env, report)
  if (wants('interface')) await measureInterface(folder, castellan, env, report)
  if (wants('stream'))
    await measureStreaming(
      folder,
      castellan,
      { ...env, DATA_DIRECTORY: join(folder, 'stream') },
      noise(200 * 1024 * 1024, 4),
      report,
    )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function measureParsing() {
  const body = new TextEncoder().encode(largeFeed('Parse'))
  const request = {
    body,
    contentType: '',
    contentEncoding: '',
    address: 'https://pod.example/',
    maxBytes: 64e6,
    known: [],
  }
  const rate = (run: () => unknown) => {
    run()
    const times = Array.from({ length: 9 }, () => {
      const began = performance.now()
      run()
      return performance.now() - began
    })
    return body.byteLength / 1e6 / (median(times) / 1000)
  }
  const first = digestFeed(request)
  const known = first.ok
    ? first.digest.added.map(({ facts }, index) => ({
        ...facts,
        id: index + 1,
        in_feed: 1,
        superseded: 0,
      }))
    : []
  report('parse, compare and sanitise a feed of 500 new episodes', `${rate(() => digestFeed(request)).toFixed(1)} MB/s`)
  report('the same feed when nothing changed', `${rate(() => digestFeed({ ...request, known })).toFixed(1)} MB/s`)
}

async function subscribe(origin: string, addresses: readonly string[]) {
  const waiting = [...addresses]
  const worker = async () => {
    for (let address = waiting.shift(); address; address = waiting.shift()) {
      const response = await fetch(`${origin}/api/v1/podcasts/feed`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ rssFeedUrl: address }),
      })
      if (!response.ok) throw new Error(await response.text())
    }
  }
  await Promise.all(Array.from({ length: 4 }, worker))
}

function noPrefill(origin: string) {
  return fetch(`${origin}/api/v1/settings`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"podcastPrefill":0}',
  })
}

async function measureStart(origins: readonly string[]) {
  const first = await startUpMs([castellan], env, '/healthz')
  await noPrefill(first.origin)
  await subscribe(
    first.origin,
    Array.from({ length: 100 }, (_, index) => `${origins[index % origins.length]}/library/Library%20${index}`),
  )
  await first.stop()

  const ours: number[] = []
  const theirs: number[] = []
  const oursMb: number[] = []
  const theirsMb: number[] = []
  for (let round = 0; round < 9; round++) {
    const one = await startUpMs([bare], {}, '/')
    theirs.push(one.ms)
    await Bun.sleep(1500)
    theirsMb.push(residentMb(one.pid))
    await one.stop()
    const two = await startUpMs([castellan], env, '/healthz')
    ours.push(two.ms)
    await Bun.sleep(1500)
    oursMb.push(residentMb(two.pid))
    await two.stop()
  }
  report('start-up, library of 100 × 200 episodes', `${median(ours).toFixed(0)} ms`)
  report('start-up, bare server', `${median(theirs).toFixed(0)} ms`)
  report('  ratio', `${(median(ours) / median(theirs)).toFixed(2)} ×`, '≤ 3 ×')
  report('resident memory at rest, library of 100 × 200 episodes', `${median(oursMb).toFixed(1)} MB`)
  report('resident memory, bare server', `${median(theirsMb).toFixed(1)} MB`)
  report('  ratio', `${(median(oursMb) / median(theirsMb)).toFixed(2)} ×`, '≤ 2.5 ×')
}

/** Requests per second with a Basic header on each, beside those of open mode. */
async function measureSignIn(origins: readonly string[]) {
  const library = Array.from(
    { length: 10 },
    (_, index) => `${origins[index % origins.length]}/library/Library%20${index}`,
  )
  const of = async (name: string, more: Record<string, string>, authorization?: string) => {
    const data = { ...env, DATA_DIRECTORY: join(folder, name), HOST: '127.0.0.1' }
    // Filled in open mode: what it holds is then the account's that the configuration names.
    const filling = await startUpMs([castellan], data, '/healthz')
    await noPrefill(filling.origin)
    await subscribe(filling.origin, library)
    await filling.stop()
    const server = await startUpMs([castellan], { ...data, ...more }, '/healthz')
    const headers: Record<string, string> = authorization ? { Authorization: authorization } : {}
    return { server, headers, rates: [] as number[] }
  }
  const password = { BASIC_AUTH: 'true', USERNAME: 'root', PASSWORD: 'Sup3rSecret' }
  const open = await of('open', {})
  const basic = await of('basic', password, `Basic ${btoa('root:Sup3rSecret')}`)
  for (let round = 0; round < 7; round++)
    for (const { server, headers, rates } of [open, basic]) rates.push(await requestRate(server.origin, headers))
  await Promise.all([open.server.stop(), basic.server.stop()])
  report('GET /podcasts/timeline in open mode, 8 connections', `${median(open.rates).toFixed(0)} requests/s`)
  report('  with a Basic header', `${median(basic.rates).toFixed(0)} requests/s`)
  report('  ratio', `${(median(basic.rates) / median(open.rates)).toFixed(2)} ×`, '≥ 0.9 ×')
}

async function requestRate(origin: string, headers: Record<string, string>): Promise<number> {
  const began = performance.now()
  const until = began + 1500
  let count = 0
  const worker = async () => {
    while (performance.now() < until) {
      const response = await fetch(`${origin}/api/v1/podcasts/timeline`, { headers })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`status ${response.status}`)
      count++
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return count / ((performance.now() - began) / 1000)
}

async function measureRefresh(origins: readonly string[]) {
  const server = await startUpMs(
    [castellan],
    { ...env, DATA_DIRECTORY: join(folder, 'refresh'), ALLOWED_NETWORKS: '127.0.0.0/8' },
    '/healthz',
  )
  const { origin } = server
  await noPrefill(origin)
  const of = (kind: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${origins[index % origins.length]}/${kind}/${kind}${index}`)
  await subscribe(origin, [...of('small', 299), `${origins[0]}/hanging/small299`, ...of('large', 200)])
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

/** Refreshes everything and answers when so many were checked; the socket tells each one. */
async function refreshAll(origin: string, count: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const seen = new Set<string>()
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`)
  socket.onmessage = message => {
    const event = JSON.parse(message.data as string) as { type: string; podcast?: { id: string } }
    if (event.type === 'refreshedPodcast') seen.add(event.podcast!.id)
    if (seen.size >= count) resolve()
  }
  await new Promise(opened => (socket.onopen = opened))
  await fetch(`${origin}/api/v1/podcasts/all`, { method: 'POST' })
  await promise
  socket.close()
}
