import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { DATABASE_FILE } from '../../../src/server/data-folder'
import { callsOf, importFeeds, noPrefill, refreshThose } from '../api'
import { openPage } from '../interface'
import { listsOf } from '../lists'
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
  await measureBackup(origin, env['DATA_DIRECTORY']!, add)
  await server.stop()
  return rows
}

type Add = (what: string, value: string, wanted?: string) => void
const inMs = (times: readonly number[]) =>
  `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.99).toFixed(1)} ms`

/** Measures one list after the other; a first round of each does not count. */
async function measureLists(origin: string, add: Add) {
  for (const { name, address } of await listsOf(origin)) {
    await latencies(() => fetch(address()), Bun.sleep(1000))
    add(`${name}, p50 / p99`, inMs(await latencies(() => fetch(address()), Bun.sleep(3000))))
  }
}

/**
 * Measures an import of a thousand feeds of twenty episodes; then their refresh, unchanged and changed, under requests.
 */
async function measureRefresh(origin: string, pid: number, origins: readonly string[], add: Add) {
  const call = callsOf(origin)
  await noPrefill(call)
  const feeds = Array.from({ length: FEEDS }, (_, n) => `${origins[n % origins.length]}/changing/changing${n}`)
  const importing = performance.now()
  await importFeeds(call, feeds)
  add('import of 1,000 feeds of 20 episodes', `${((performance.now() - importing) / 1000).toFixed(1)} s`)
  await Bun.sleep(5000)

  const podcasts = await call<{ id: string; rssfeed: string }[]>('GET', '/podcasts')
  const imported = podcasts.filter(({ rssfeed }) => rssfeed.includes('/changing/')).map(({ id }) => id)
  const refresh = async () => {
    const began = performance.now()
    await refreshThose(origin, imported)
    return (performance.now() - began) / 1000
  }
  add('1,000 feeds, none of them changed', `${(await refresh()).toFixed(1)} s`, '≤ 5 s')
  await fetch(`${origins[0]}/edition`)
  const refreshing = refresh()
  const times = await latencies(() => fetch(`${origin}/api/v1/podcasts/timeline?limit=25`), refreshing)
  add('1,000 feeds, all of them changed', `${(await refreshing).toFixed(1)} s`)
  add('the timeline meanwhile, p50 / p99', inMs(times), 'p99 ≤ 50 ms')
  add('memory after that', `${residentMb(pid).toFixed(0)} MB`)
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
