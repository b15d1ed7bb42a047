import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { DATABASE_FILE } from '../../../src/server/data-folder'
import { callsOf, importFeeds, noPrefill, refreshThose } from '../api'
import { openPage } from '../interface'
import { listsOf } from '../lists'
import { latencies, peakMb, startUpMs } from '../process'
import { median, percentile, residentMb } from '../../../test/support/measure'
import { createWords } from '../../../test/support/words'
import { feedsOf } from '../versions/plant'
import { painted, vitalsOf } from '../vitals'
import type { Budget } from './budget'
import { measureRequests, threadsMs } from './requests'

export type Row = { what: string; wanted?: string; value: string }

const STARTS = 5
const REST_MS = 8000
const FEEDS = 1000
const GROWING = 100
const GROWING_EPISODES = 200
/** Waits for the work that the server still has once feeds are stored. */
const INDEXING_MS = 5000
const LOADS = 3

type Needs = {
  castellan: string
  env: Record<string, string>
  budget: Budget
  /** The hosts of the feeds. */
  origins: readonly string[]
  browser: Browser
}
type Server = Awaited<ReturnType<typeof startUpMs>>
type Add = (what: string, value: string, wanted?: string) => void

/** One library on one budget, from the first answer to the last feed. */
export async function measureLibrary({ castellan, env, budget, origins, browser }: Needs): Promise<Row[]> {
  const rows: Row[] = []
  const add = (what: string, value: string, wanted?: string) => {
    console.error(`  ${what}: ${value}`)
    rows.push({ what, value, ...(wanted && { wanted }) })
  }
  const start = async () => {
    const server = await startUpMs([...budget.wrap, castellan], env, '/healthz')
    budget.confine(server.pid)
    return server
  }
  const [starts, startsCpu]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < STARTS; turn++) {
    const server = await start()
    starts.push(server.ms)
    startsCpu.push(threadsMs(server.pid))
    await server.stop()
  }
  add(
    'start, to the first answer, and its CPU',
    `${median(starts).toFixed(0)}, ${median(startsCpu).toFixed(0)} ms`,
    '≤ 100 ms',
  )

  const server = await start()
  await using stack = new AsyncDisposableStack()
  stack.defer(server.stop)
  const { origin, pid } = server
  await Bun.sleep(REST_MS)
  add('memory at rest', `${residentMb(pid).toFixed(0)} MB`, '≤ 80 MB')
  await measureLists(server, add)
  add('typing 17 letters into the search: requests, CPU', await typing(browser, server))
  await Bun.sleep(REST_MS)
  add('memory after these requests', `${residentMb(pid).toFixed(0)} MB`)
  await measureFeeds(server, origins, add)
  add('first paint of the home page', `${await firstPaintMs(browser, origin)} ms`)
  add('peak memory of all this', `${peakMb(pid).toFixed(0)} MB`, '≤ 150 MB')
  await measureBackup(origin, env['DATA_DIRECTORY']!, add)
  return rows
}

const wanted: Record<string, string> = {
  'timeline, the newest 25': 'CPU ≤ 0.3 ms',
  'search, one letter': 'CPU ≤ 1.5 ms',
  'search, a word': 'CPU ≤ 1.5 ms',
  'search, three words': 'CPU ≤ 1.5 ms',
}

/** Measures one list after the other; a first round of each does not count. */
async function measureLists({ origin, pid }: Server, add: Add) {
  const lists = await listsOf(origin)
  for (const { name, address } of lists) {
    await measureRequests(pid, () => fetch(address()), { forMs: 1000 })
    add(name, await measureRequests(pid, () => fetch(address())), wanted[name])
    if (name.startsWith('search') || name.startsWith('50')) continue
    const known = address()
    const headers = { 'If-None-Match': (await fetch(known)).headers.get('etag') ?? '' }
    add(`${name}, as a 304`, await measureRequests(pid, () => fetch(known, { headers })), 'CPU ≤ 0.1 ms')
  }
  const call = callsOf(origin)
  const timeline = lists[0]!.address
  const { data } = (await (await fetch(timeline())).json()) as { data: { podcast_episode: { episode_id: string } }[] }
  let time = 0
  const podcastEpisodeId = data[0]!.podcast_episode.episode_id
  const before = () => call('POST', '/podcasts/episode', { podcastEpisodeId, time: (time += 1) })
  add('timeline, the newest 25, after each position', await measureRequests(pid, () => fetch(timeline()), { before }))
}

const KEY_MS = 120

/** The requests that typing words of 17 letters causes, and what they cost the server. */
async function typing(browser: Browser, { origin, pid }: Server): Promise<string> {
  const { words } = createWords(7)
  const long = words.filter(({ length }) => length === 8)
  const page = await openPage(browser, origin, '/podcasts/search', 1)
  const field = page.getByRole('combobox', { name: 'Search' })
  await field.waitFor()
  await page.waitForLoadState('networkidle')
  let requests = 0
  page.on('request', request => (requests += Number(new URL(request.url()).pathname.endsWith('/search'))))
  const cpu = threadsMs(pid)
  await field.pressSequentially(`${long[20]} ${long[40]}`, { delay: KEY_MS })
  await page.waitForLoadState('networkidle')
  await Bun.sleep(1000)
  const spent = threadsMs(pid) - cpu
  await page.context().close()
  return `${requests}, ${spent.toFixed(0)} ms`
}

/**
 * Measures an import of a thousand feeds of twenty episodes; then their refresh, unchanged and changed, under requests.
 * Then feeds of two hundred episodes, to which one is added.
 */
async function measureFeeds({ origin, pid }: Server, origins: readonly string[], add: Add) {
  const call = callsOf(origin)
  await noPrefill(call)
  const timed = async (count: number, work: () => Promise<unknown>) => {
    const [cpu, began] = [threadsMs(pid), performance.now()]
    await work()
    const seconds = (performance.now() - began) / 1000
    await Bun.sleep(INDEXING_MS)
    return `${seconds.toFixed(1)} s, ${((threadsMs(pid) - cpu) / count).toFixed(1)} ms`
  }
  const idsOf = async (kind: string) =>
    (await call<{ id: string; rssfeed: string }[]>('GET', '/podcasts'))
      .filter(({ rssfeed }) => rssfeed.includes(`/${kind}/`))
      .map(({ id }) => id)
  const feeds = Array.from({ length: FEEDS }, (_, n) => `${origins[n % origins.length]}/changing/changing${n}`)
  add('import of 1,000 feeds of 20 episodes, CPU of each', await timed(FEEDS, () => importFeeds(call, feeds)))

  const changing = await idsOf('changing')
  const refresh = () => refreshThose(origin, changing)
  add('1,000 feeds, none of them changed', await timed(FEEDS, refresh), '≤ 5 s')
  await fetch(`${origins[0]}/edition`)
  let times: number[] = []
  const refreshing = timed(FEEDS, async () => {
    const all = refresh()
    times = await latencies(() => fetch(`${origin}/api/v1/podcasts/timeline?limit=25`), all)
    await all
  })
  add('1,000 feeds, all of them changed', await refreshing)
  add(
    'the timeline during that, p50 / p99',
    `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.99).toFixed(1)} ms`,
    'p99 ≤ 50 ms',
  )
  add('memory after that', `${residentMb(pid).toFixed(0)} MB`)

  const growing = feedsOf(origins, GROWING, GROWING_EPISODES, 'growing', 'growing')
  await Promise.all(growing.map(async address => (await fetch(address)).arrayBuffer()))
  add('import of 100 feeds of 200 episodes, CPU of each', await timed(GROWING, () => importFeeds(call, growing)))
  await fetch(`${origins[0]}/edition`)
  const grown = await idsOf('growing')
  add('100 feeds with one new episode of 200', await timed(GROWING, () => refreshThose(origin, grown)), '≤ 5 ms')
}

/** The database with its index of words, and a copy of it made while nothing else is asked. */
async function measureBackup(origin: string, data: string, add: Add) {
  add('database on disk', `${(statSync(join(data, DATABASE_FILE)).size / 1e6).toFixed(0)} MB`)
  const began = performance.now()
  const { size } = await callsOf(origin)<{ size: number }>('POST', '/backups')
  add('a backup', `${((performance.now() - began) / 1000).toFixed(1)} s, ${(size / 1e6).toFixed(0)} MB`)
}

/** The largest thing above the fold, with nothing cached. */
async function firstPaintMs(browser: Browser, origin: string): Promise<string> {
  const paints: number[] = []
  for (let turn = 0; turn < LOADS; turn++) {
    const page = await openPage(browser, origin, '/home/view', 1)
    await page.locator('.episode').first().waitFor()
    await page.waitForLoadState('networkidle')
    await painted(page)
    paints.push((await vitalsOf(page)).largestPaintMs)
    await page.context().close()
  }
  return median(paints).toFixed(0)
}
