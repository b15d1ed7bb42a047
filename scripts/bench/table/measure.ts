import type { Browser } from 'playwright-core'
import { createWords } from '../../demo/words'
import { openPage } from '../interface'
import { latencies, peakMb, startUpMs } from '../process'
import { median, percentile, residentMb } from '../../../test/support/measure'
import { painted, vitalsOf } from '../vitals'
import type { Budget } from './budget'

export type Row = { what: string; wanted?: string; value: string }

const STARTS = 5
const REST_MS = 8000
const FEEDS = 1000
const LOADS = 3

type Needs = {
  castellan: string
  env: Record<string, string>
  budget: Budget
  /** The hosts of the feeds. */
  origins: readonly string[]
  browser: Browser
}

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
  const starts: number[] = []
  for (let turn = 0; turn < STARTS; turn++) {
    const server = await start()
    starts.push(server.ms)
    await server.stop()
  }
  add('start, to the first answer', `${median(starts).toFixed(0)} ms`, '≤ 100 ms')

  const server = await start()
  const { origin, pid } = server
  await Bun.sleep(REST_MS)
  add('memory at rest', `${residentMb(pid).toFixed(0)} MB`, '≤ 80 MB')
  await measureLists(origin, add)
  await measureRefresh(origin, pid, origins, add)
  add('first paint of the home page', `${await firstPaintMs(browser, origin)} ms`)
  add('peak memory of all this', `${peakMb(pid).toFixed(0)} MB`, '≤ 150 MB')
  await server.stop()
  return rows
}

type Add = (what: string, value: string, wanted?: string) => void
const inMs = (times: readonly number[]) =>
  `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.99).toFixed(1)} ms`

/** Measures one list after the other; a first round of each does not count. */
async function measureLists(origin: string, add: Add) {
  const api = `${origin}/api/v1`
  const podcasts = (await (await fetch(`${api}/podcasts`)).json()) as { id: string }[]
  const { word, words, random } = createWords(7)
  const any = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
  const search = (text: string) => `${api}/search?q=${encodeURIComponent(text)}`
  const kinds: [string, () => string][] = [
    ['timeline, the newest 25', () => `${api}/podcasts/timeline?limit=25`],
    ['50 episodes of a podcast', () => `${api}/podcasts/${any(podcasts).id}/episodes?limit=50`],
    ['the list of all podcasts', () => `${api}/podcasts`],
    ['search, one letter', () => search(any([...'etaoinshrd']))],
    ['search, a word', () => search(word())],
    ['search, three words', () => search([word(), word(), any(words)].join(' '))],
  ]
  for (const [name, address] of kinds) {
    await latencies(() => fetch(address()), Bun.sleep(1000))
    add(`${name}, p50 / p99`, inMs(await latencies(() => fetch(address()), Bun.sleep(3000))))
  }
}

/**
 * Measures an import of a thousand feeds of twenty episodes; then their refresh, unchanged and changed, under requests.
 */
async function measureRefresh(origin: string, pid: number, origins: readonly string[], add: Add) {
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${origin}/api/v1${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
  await call('PUT', '/settings', { podcastPrefill: 0 })
  const feeds = Array.from({ length: FEEDS }, (_, n) => `${origins[n % origins.length]}/changing/changing${n}`)
  const content = `<opml version="2.0"><body>${feeds.map(url => `<outline xmlUrl="${url}"/>`).join('')}</body></opml>`
  const importing = performance.now()
  const { jobId } = (await (await call('POST', '/podcasts/opml', { content })).json()) as { jobId: string }
  while (((await (await call('GET', `/jobs/${jobId}`)).json()) as { state: string }).state !== 'done')
    await Bun.sleep(50)
  add('import of 1,000 feeds of 20 episodes', `${((performance.now() - importing) / 1000).toFixed(1)} s`)
  await Bun.sleep(5000)

  const imported = ((await (await call('GET', '/podcasts')).json()) as { id: string; rssfeed: string }[]).filter(
    ({ rssfeed }) => rssfeed.includes('/changing/'),
  )
  const refresh = async () => {
    const began = performance.now()
    await refreshThose(origin, new Set(imported.map(({ id }) => id)))
    return (performance.now() - began) / 1000
  }
  add('1,000 feeds, none of them changed', `${(await refresh()).toFixed(1)} s`, '≤ 5 s')
  await fetch(`${origins[0]}/edition`)
  const refreshing = refresh()
  const times = await latencies(() => call('GET', '/podcasts/timeline?limit=25'), refreshing)
  add('1,000 feeds, all of them changed', `${(await refreshing).toFixed(1)} s`)
  add('the timeline meanwhile, p50 / p99', inMs(times), 'p99 ≤ 50 ms')
  add('memory after that', `${residentMb(pid).toFixed(0)} MB`)
}

/** Refreshes each of them; the socket tells which are done. */
async function refreshThose(origin: string, ids: Set<string>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`)
  socket.onmessage = message => {
    const event = JSON.parse(message.data as string) as { type: string; podcast?: { id: string } }
    if (event.type === 'refreshedPodcast') ids.delete(event.podcast!.id)
    if (ids.size === 0) resolve()
  }
  await new Promise(opened => (socket.onopen = opened))
  const waiting = [...ids]
  const ask = async () => {
    for (let id = waiting.pop(); id; id = waiting.pop())
      await (await fetch(`${origin}/api/v1/podcasts/${id}/refresh`, { method: 'POST' })).arrayBuffer()
  }
  await Promise.all(Array.from({ length: 8 }, ask))
  await promise
  socket.close()
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
