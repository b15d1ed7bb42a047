import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { percentile } from '../../../test/support/measure'
import { importFeeds, noPrefill, refreshThose } from '../api'
import { load } from '../load'
import { cpuSeconds, peakMb } from '../process'
import { byTurns, type Samples } from '../samples'
import { feedsOf, untilFound } from './plant'
import { account, startVersion, type Running, type Side, type Version } from './server'

const EPISODES = 100
const REST_MS = 3000
const GROWING = 40
const GROWING_EPISODES = 200

type Work = { feeds: number; turns: number; folder: string; origins: readonly string[]; samples: Samples<Side> }

/** Imports into an empty library, refreshes of what was imported, and requests with a session, by turns. */
export async function measureImports(versions: readonly Version[], { feeds, turns, folder, origins, samples }: Work) {
  const addresses = feedsOf(origins, feeds, EPISODES)
  // Each once, so that the making of a feed is not measured.
  for (const address of addresses) await (await fetch(address)).arrayBuffer()
  await byTurns(versions, turns, async version => {
    const data = join(folder, 'import')
    const server = await startVersion(version, { folder: data, signIn: true })
    await noPrefill(server.call)
    const add = (what: string, ...values: number[]) => samples.add(what, version.side, ...values)
    await measureImport(server, addresses, add)
    await Bun.sleep(REST_MS)
    await measureRefresh(server, add)
    await measureSession(server, add)
    await measureGrowth(server, origins, add)
    await server.stop()
    rmSync(data, { recursive: true })
  })
}

type Add = (what: string, ...values: number[]) => void

async function measureImport({ call, pid }: Running, addresses: readonly string[], add: Add) {
  const cpu = cpuSeconds(pid)
  const began = performance.now()
  await importFeeds(call, addresses)
  await untilFound(call, addresses.length, EPISODES)
  const seconds = (performance.now() - began) / 1000
  const name = `import of ${addresses.length} feeds of ${EPISODES} episodes`
  add(`${name}: feeds/s, CPU s`, addresses.length / seconds, cpuSeconds(pid) - cpu)
  add(`${name}: peak MB`, peakMb(pid))
}

async function measureRefresh({ call, origin, headers, pid }: Running, add: Add) {
  const podcasts = await call<{ id: string }[]>('GET', '/podcasts')
  const cpu = cpuSeconds(pid)
  const began = performance.now()
  const ids = podcasts.map(({ id }) => id)
  await refreshThose(origin, ids, headers)
  const seconds = (performance.now() - began) / 1000
  add(
    `refresh of ${ids.length} unchanged feeds: feeds/s, CPU ms each`,
    ids.length / seconds,
    (1000 * (cpuSeconds(pid) - cpu)) / ids.length,
  )
}

/** Refreshes of feeds that have one new episode, the rest byte for byte the same. */
async function measureGrowth({ call, origin, headers, pid }: Running, origins: readonly string[], add: Add) {
  const known = new Set((await call<{ id: string }[]>('GET', '/podcasts')).map(({ id }) => id))
  await importFeeds(call, feedsOf(origins, GROWING, GROWING_EPISODES, 'growing', 'growing'))
  const ids = (await call<{ id: string }[]>('GET', '/podcasts')).flatMap(({ id }) => (known.has(id) ? [] : [id]))
  await Bun.sleep(REST_MS)
  await fetch(`${origins[0]}/edition`)
  const cpu = cpuSeconds(pid)
  await refreshThose(origin, ids, headers)
  await Bun.sleep(REST_MS)
  add(
    `refresh of ${GROWING} feeds with 1 new of ${GROWING_EPISODES} episodes: CPU ms each`,
    (1000 * (cpuSeconds(pid) - cpu)) / ids.length,
  )
}

/** Covers need a sign-in and little else: by cookie, most of it is the session. */
async function measureSession({ call, origin, pid }: Running, add: Add) {
  const [podcast] = await call<{ id: string }[]>('GET', '/podcasts')
  const signedIn = await fetch(`${origin}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(account),
  })
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  const ask = () => fetch(`${origin}/covers/podcasts/${podcast!.id}`, { method: 'HEAD', headers: { Cookie: cookie } })
  await load([pid], ask, 500)
  const { times, cpuMs } = await load([pid], ask, 1000)
  add('a cover by session, HEAD: CPU, p50, p99 ms', cpuMs, percentile(times, 0.5), percentile(times, 0.99))
}
