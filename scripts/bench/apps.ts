import { join } from 'node:path'
import { openDataFolder } from '../../src/server/data-folder'
import { plantLarge } from '../../test/support/large-library'
import { percentile } from '../../test/support/measure'
import { load } from './load'
import { latencies, startUpMs } from './process'
import type { Report } from './large'

const PODCASTS = 1000
const EPISODES = 40
const MANY_EPISODES = 3000

type Env = Record<string, string>
/** `isFresh`: each request is another one, so that no answer is remembered. */
type Call = { name: string; path: string; wanted: string; isFresh?: boolean }

/**
 * Measures the requests of Audiobookshelf's apps: lists over 1,000 podcasts, and a podcast of 3,000 episodes with notes. Each is
 * asked with gzip, as phones do.
 */
export async function measureApps(folder: string, castellan: string, env: Env, report: Report) {
  const wide = join(folder, 'apps-wide')
  await plantLarge(wide, PODCASTS, EPISODES)
  play(wide, 1000)
  await measure(castellan, { ...env, DATA_DIRECTORY: wide }, report, library => [
    {
      name: '30 podcasts of a list',
      path: `${library}/items?limit=30&page=3&sort=addedAt&desc=1`,
      wanted: 'CPU ≤ 3.6 ms',
    },
    {
      name: '100 podcasts by title',
      path: `${library}/items?limit=100&sort=media.metadata.title`,
      wanted: 'CPU ≤ 3.6 ms',
    },
    { name: 'all podcasts', path: `${library}/items?limit=0`, wanted: 'CPU ≤ 7.2 ms', isFresh: true },
    { name: 'shelves', path: `${library}/personalized?limit=10`, wanted: 'CPU ≤ 3.6 ms' },
    { name: 'the 50 newest episodes', path: `${library}/recent-episodes?limit=50&page=0`, wanted: 'CPU ≤ 3.6 ms' },
    { name: 'page 20 of them', path: `${library}/recent-episodes?limit=50&page=20`, wanted: 'CPU ≤ 7.2 ms' },
    { name: 'filter data', path: `${library}?include=filterdata`, wanted: 'CPU ≤ 3.6 ms' },
    { name: 'search', path: `${library}/search?q=podcast&limit=12`, wanted: 'CPU ≤ 7.2 ms' },
  ])

  const long = join(folder, 'apps-long')
  await plantLarge(long, 1, MANY_EPISODES)
  const item = firstPodcast(long)
  await measure(castellan, { ...env, DATA_DIRECTORY: long }, report, () => [
    {
      name: `an item of ${MANY_EPISODES} episodes`,
      path: `/api/items/${item}?expanded=1`,
      wanted: 'CPU ≤ 60 ms',
      isFresh: true,
    },
    { name: 'the same while nothing changes', path: `/api/items/${item}?expanded=1`, wanted: 'CPU ≤ 3.6 ms' },
  ])
}

async function measure(castellan: string, env: Env, report: Report, callsOf: (library: string) => readonly Call[]) {
  const server = await startUpMs([castellan], { ...env, AUDIOBOOKSHELF_API: 'true' }, '/healthz')
  const { token, library } = await signIn(server.origin)
  const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'gzip' }
  let asked = 0
  for (const { name, path, wanted, isFresh } of callsOf(`/api/libraries/${library}`)) {
    const ask = () => fetch(`${server.origin}${path}${isFresh ? `&fresh=${asked++}` : ''}`, { headers })
    await load([server.pid], ask)
    const { times, cpuMs } = await load([server.pid], ask)
    const kilobytes = (await (await ask()).arrayBuffer()).byteLength / 1000
    const alone: number[] = []
    for (let round = 0; round < 20; round++) {
      const began = performance.now()
      await (await ask()).arrayBuffer()
      alone.push(performance.now() - began)
    }
    const spent = [cpuMs, percentile(times, 0.5), percentile(times, 0.99), percentile(alone, 0.5)]
    report(
      `${name}, ${kilobytes.toFixed(0)} KB: CPU, p50, p99, alone`,
      spent.map(ms => ms.toFixed(1)).join(', '),
      wanted,
    )
    if (!isFresh) continue
    const meanwhile = await latencies(() => fetch(`${server.origin}/healthz`), oneAfterTheOther(ask))
    const shown = [0.5, 0.99].map(share => percentile(meanwhile, share).toFixed(1))
    report('  /healthz while one app asks for it: p50, p99', `${shown.join(', ')} ms`)
  }
  await server.stop()
}

async function oneAfterTheOther(ask: () => Promise<Response>) {
  const began = performance.now()
  while (performance.now() - began < 3000) await (await ask()).arrayBuffer()
}

async function signIn(origin: string): Promise<{ token: string; library: string }> {
  const response = await fetch(`${origin}/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'any' }),
  })
  const { user, userDefaultLibraryId } = (await response.json()) as {
    user: { accessToken: string }
    userDefaultLibraryId: string
  }
  return { token: user.accessToken, library: userDefaultLibraryId }
}

/** Plays some of the newest episodes: every second one to its end. */
function play(folder: string, count: number) {
  const { store } = openDataFolder(folder)
  const user = store.users.findBuiltIn()!
  const filter = { favouritesOnly: false, likedOnly: false, unplayedOnly: false }
  store.inTransaction(() => {
    for (const [index, row] of store.timeline.pageFor(user, filter, count).entries())
      store.playback.save({
        user_id: user.id,
        episode_id: row.id,
        podcast_id: row.podcast_id,
        started: 0,
        position: 100,
        total: row.duration,
        finished: index % 2,
        device: 'phone',
        updated_at: Date.now() - index * 1000,
      })
  })
  store.close()
}

function firstPodcast(folder: string): string {
  const { store } = openDataFolder(folder)
  const { uuid } = store.podcasts.find(1)!
  store.close()
  return uuid
}
