import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { EpisodeWrapper } from '../../src/shared/api/episode'
import { rss, silentMp3 } from '../../test/support/builders'
import { startBrowser } from '../../test/support/browser'
import { startFeedHost } from '../../test/support/feed-host'
import { paintCover } from '../../src/server/demo/feeds'
import { plantLarge } from '../../test/support/large-library'
import { startUpMs } from './process'
import { median } from '../../test/support/measure'
import { measureNetwork } from './network'
import { busiestTaskMs, heapBytes, layoutShift, observeVitals, painted, vitalsOf } from './vitals'
import { measureWalk } from './measure-walk'

type Report = (name: string, value: string, wanted?: string) => void

const LOADS = 5
const SLOWER = 4
const EPISODES = 10_000
const COVERS = 24
/** Pixels of each turn of the wheel, 72,000 a second where no frame is late: as when the scroll bar is dragged. */
const WHEEL = 1200
/** Pixels of each frame, and milliseconds. */
const FINGER_PX = 30
const FINGER_MS = 10_000
/** A frame and a half, at 60 a second. */
const LATE_FRAME_MS = 25
const FEW_NAVIGATIONS = 50
const NAVIGATIONS = 500
const viewport = { width: 1280, height: 800 }

/** The interface in a real browser, over 1,000 podcasts of 200 episodes and one of 10,000. */
export async function measureInterface(folder: string, castellan: string, env: Record<string, string>, report: Report) {
  const data = join(folder, 'interface')
  using host = startFeedHost()
  const covers = Array.from({ length: COVERS }, (_, index) =>
    host.file(`/${index}.png`, paintCover(index, [(index * 97) % 256, 120, 160], [250, 240, 220]), {
      type: 'image/png',
    }),
  )
  await plantLarge(data, 1000, 200, number => covers[number % COVERS]!)
  const server = await startUpMs([castellan], { ...env, DATA_DIRECTORY: data }, '/healthz')
  const browser = await startBrowser()
  try {
    const { id } = await subscribeToLong(host, server.origin)
    await measureBrowser(browser, server.origin, id, report)
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** The podcast of 10,000 episodes, of which one was begun. */
async function subscribeToLong(host: ReturnType<typeof startFeedHost>, origin: string): Promise<{ id: string }> {
  const audio = host.file('/long.mp3', silentMp3(600))
  const items = Array.from({ length: EPISODES }, (_, index) => ({
    title: `The long road, part ${EPISODES - index}`,
    enclosure: `${audio}?part=${index}`,
    notes: `<p>${'What was heard on the road, and who told it. '.repeat(20)}</p>`,
    date: new Date(Date.UTC(2026, 0, 1) - index * 86_400_000).toUTCString(),
    duration: '600',
  }))
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(await response.text())
    return response
  }
  await call('PUT', '/settings', { podcastPrefill: 0 })
  const rssFeedUrl = host.feed('/long.xml', rss({ title: 'The Long Road', items }))
  const { id } = (await (await call('POST', '/podcasts/feed', { rssFeedUrl })).json()) as { id: string }
  const episodes = (await (await call('GET', `/podcasts/${id}/episodes?limit=1`)).json()) as EpisodeWrapper[]
  const podcastEpisodeId = episodes[0]!.podcastEpisode.episode_id
  await call('POST', '/podcasts/episode', { podcastEpisodeId, time: 60 })
  return { id }
}

async function measureBrowser(browser: Browser, origin: string, longId: string, report: Report) {
  const podcasts = (await (await fetch(`${origin}/api/v1/podcasts`)).json()) as { id: string; image_url: string }[]
  // Each cover once, so that none is fetched or scaled during the measurement.
  for (const { image_url } of podcasts)
    for (const size of [64, 256])
      await (await fetch(`${image_url}${image_url.includes('?') ? '&' : '?'}size=${size}`)).arrayBuffer()
  await measureLoading(browser, origin, longId, report)
  await measureNetwork(browser, origin, report)
  await measureWalk(
    () => openPage(browser, origin, '/home/view', SLOWER),
    `on a processor ${SLOWER} times slower`,
    report,
  )
  await measureWalk(() => openPage(browser, origin, '/home/view', 1), 'at full speed', report)
  await measureScrolling(browser, origin, longId, report)
  await measureHeap(browser, origin, podcasts, report)
}

/** Opens a page with an empty cache, on a processor slowed down by the factor `slower`. */
export async function openPage(browser: Browser, origin: string, path: string, slower: number): Promise<Page> {
  const page = await browser.newPage({ viewport, locale: 'en-GB' })
  await observeVitals(page)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  await page.goto(`${origin}/ui${path}`)
  return page
}

async function measureLoading(browser: Browser, origin: string, longId: string, report: Report) {
  const pages: [string, string, string][] = [
    ['home', '/home/view', '.episode'],
    ['podcasts', '/podcasts', '.podcast-tile'],
    ['timeline', '/timeline', '.episode'],
    ['10,000 episodes of a podcast', `/podcasts/${longId}/episodes`, '.episode'],
  ]
  for (const [name, path, content] of pages) {
    const paints: number[] = []
    const shifts: number[] = []
    for (let round = 0; round < LOADS; round++) {
      const page = await openPage(browser, origin, path, SLOWER)
      await page.locator(content).first().waitFor()
      await page.waitForLoadState('networkidle')
      await painted(page)
      const vitals = await vitalsOf(page)
      paints.push(vitals.largestPaintMs)
      shifts.push(layoutShift(vitals.shifts))
      await page.context().close()
    }
    report(`largest contentful paint, cold, ${name}`, `${median(paints).toFixed(0)} ms`, '≤ 1,500 ms')
    report('  cumulative layout shift', Math.max(...shifts).toFixed(4), '< 0.01')
  }
}

async function measureScrolling(browser: Browser, origin: string, longId: string, report: Report) {
  const page = await openPage(browser, origin, `/podcasts/${longId}/episodes`, 1)
  await page.locator('.episode').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.mouse.move(viewport.width / 2, viewport.height / 2)
  report(`frames that come late at ${FINGER_PX * 60} px/s`, await lateFrames(page), '≤ 1 %')
  const lastRow = () =>
    page.evaluate(() => Number(document.querySelector('.episode-list li:last-child')?.getAttribute('aria-posinset')))
  await page.evaluate(() => Object.assign(window.vitals, { longTasksMs: [], framesMs: [] }))
  await browser.startTracing(page, { categories: ['toplevel'] })
  while ((await lastRow()) < EPISODES) {
    await page.mouse.wheel(0, WHEEL)
    await painted(page)
  }
  const busiestMs = busiestTaskMs(await browser.stopTracing())
  const { longTasksMs, mostRows, framesMs } = await vitalsOf(page)
  report('rows in the document while 10,000 episodes pass by, at most', String(mostRows), '≤ 80')
  const late = framesMs.filter(ms => ms > LATE_FRAME_MS).length
  report('  frames that came late', `${late} of ${framesMs.length}`, '≤ 1 %')
  report('  longest task by the clock', longTasksMs.length ? `${Math.max(...longTasksMs)} ms` : '≤ 50 ms', '≤ 50 ms')
  report('  longest task by processor time', `${busiestMs.toFixed(0)} ms`, '≤ 50 ms')
  await page.context().close()
}

/** The share of late frames while the page moves as under a quick finger. */
async function lateFrames(page: Page): Promise<string> {
  const framesMs = await page.evaluate(
    async ([pixels, lastsMs]) => {
      const found: number[] = []
      const end = performance.now() + lastsMs!
      for (let last = performance.now(); last < end;) {
        scrollBy(0, pixels!)
        const now = await new Promise<number>(requestAnimationFrame)
        found.push(now - last)
        last = now
      }
      return found
    },
    [FINGER_PX, FINGER_MS],
  )
  const late = framesMs.filter(ms => ms > LATE_FRAME_MS).length
  return `${late} of ${framesMs.length}`
}

async function measureHeap(browser: Browser, origin: string, podcasts: readonly { id: string }[], report: Report) {
  const page = await openPage(browser, origin, '/home/view', 1)
  const session = await page.context().newCDPSession(page)
  const fixed = ['/home/view', '/podcasts', '/timeline', '/favorites', '/tags', '/home/playlist', '/podcasts/search']
  const more = ['/info', '/info/statistics', '/info/downloads', '/settings/retention', '/settings/naming', '/profile']
  const addresses = podcasts.flatMap(({ id }, index) => [
    `/podcasts/${id}/episodes`,
    [...fixed, ...more][index % (fixed.length + more.length)]!,
  ])
  await page.locator('.episode').first().waitFor()
  let early = 0
  for (let count = 1; count <= NAVIGATIONS; count++) {
    await page.evaluate(path => history.pushState(null, '', path), `/ui${addresses[count]}`)
    await page.locator('h1, [role=combobox]').first().waitFor()
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
    await painted(page)
    if (count === FEW_NAVIGATIONS) early = await heapBytes(session)
  }
  const late = await heapBytes(session)
  const mb = (bytes: number) => (bytes / 1e6).toFixed(1)
  report(`heap after ${FEW_NAVIGATIONS} and after ${NAVIGATIONS} navigations`, `${mb(early)}, ${mb(late)} MB`)
  report('  ratio', `${(late / early).toFixed(2)} ×`, '≤ 1.2 ×')
  await page.context().close()
}
