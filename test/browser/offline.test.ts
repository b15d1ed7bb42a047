import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { freePort } from '../support/ports'

const browser = await startBrowser([], [], 'allow')
afterAll(() => browser.close())

const account = { BASIC_AUTH: 'true', USERNAME: 'mara', PASSWORD: 'Sup3rSecret' }
const authorization = `Basic ${btoa('mara:Sup3rSecret')}`

async function signIn(page: Page, origin: string) {
  await page.goto(`${origin}/ui/login`)
  await page.getByLabel('Username').fill('mara')
  await page.getByLabel('Password').fill('Sup3rSecret')
  await page.getByLabel('Remember me').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
}
/** The worker does the work from here on. */
const installed = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null)
/** Lists the addresses that this browser keeps for us. */
const everythingKept = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async name => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })

test('without the server the last library is readable, what was kept plays, and signing out leaves nothing', async () => {
  using host = startFeedHost()
  const env = { ...account, DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0', PORT: String(freePort()) }
  let running = await startExecutable(env)
  const call = async (path: string, body?: unknown) => {
    const response = await fetch(`${running.origin}/api/v1${path}`, {
      headers: { Authorization: authorization, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    return (await response.json()) as unknown
  }
  const items = [
    { title: 'Fog', enclosure: host.file('/a.mp3', silentMp3(60)), duration: '60' },
    { title: 'Gale', enclosure: host.file('/b.mp3', silentMp3(60)), duration: '60' },
  ]
  const { id } = (await call('/podcasts/feed', { rssFeedUrl: host.feed('/feed.xml', rss({ items })) })) as {
    id: string
  }
  const context = await browser.newContext()
  let page = await context.newPage()
  await signIn(page, running.origin)
  await installed(page)
  await page.goto(`${running.origin}/ui/podcasts/${id}/episodes`)
  await page.getByRole('button', { name: 'More options for Fog' }).click()
  await page.getByRole('menuitem', { name: 'Download to this device' }).click()
  await page.getByText('Fog is on this device now').waitFor()
  const mine = (address: string) => /\/(media|covers)\/|^\/api\/v1\//.test(address)
  await page.goto(`${running.origin}/ui/settings/retention`)
  await page.getByRole('switch').first().waitFor()
  await page.waitForFunction(() => caches.match('/api/v1/settings'))
  await page.goto(`${running.origin}/ui/podcasts/${id}/episodes`)
  await page.getByRole('button', { name: 'Play Gale' }).waitFor()
  await page.waitForFunction(async podcast => {
    const cache = await caches.open('castellan-answers')
    return cache.match(`/api/v1/podcasts/${podcast}/episodes`, { ignoreSearch: true })
  }, id)

  await running.stop()
  await page.reload()
  await page.getByText(/^You’re offline. This is your library as of .*20\d\d/).waitFor()
  const rowOf = (name: string) => page.locator('.episode', { hasText: name })
  await rowOf('Gale').and(page.locator('.is-away')).waitFor()
  expect(await rowOf('Fog').and(page.locator('.is-away')).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Play Gale' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByText('You’re offline. Settings need the server.').waitFor()
  expect(await page.getByRole('switch').first().isDisabled()).toBe(true)
  await page.goBack()
  await page.getByRole('button', { name: 'Play Fog' }).click()
  const player = page.getByRole('region', { name: 'Player' })
  await player.getByRole('button', { name: 'Pause' }).waitFor()
  const position = player.getByRole('slider', { name: 'Position' })
  await position.fill('20')
  await position.blur()
  await player.locator('.player-time', { hasText: /^00:2[1-9]$/ }).waitFor()
  await player.getByRole('button', { name: 'Pause' }).click()
  await rowOf('Gale').hover()
  await page.getByRole('button', { name: 'Add Gale to the queue' }).click()
  await page.getByText('Added to the queue').waitFor()
  await player.getByRole('button', { name: 'Like' }).click()
  await page.getByRole('button', { name: 'More options for Gale' }).click()
  await page.getByRole('menuitem', { name: 'Mark as played' }).click()
  await page.locator('.episode.is-finished', { hasText: 'Gale' }).waitFor()

  // Another page, after the tab was killed, shows all of it and sends it.
  await page.close()
  page = await context.newPage()
  await page.goto(`${running.origin}/ui/podcasts/${id}/episodes`)
  await page.locator('.episode.is-finished.is-away', { hasText: 'Gale' }).waitFor()
  await page.getByRole('button', { name: 'Queue: 1' }).waitFor()
  running = await startExecutable(env)
  await page.getByText('You’re offline').waitFor({ state: 'hidden' })
  await rowOf('Gale').and(page.locator(':not(.is-away)')).waitFor()
  await page.waitForFunction(() => localStorage.getItem('progress.pending') === null)
  await page.waitForFunction(() => localStorage.getItem('outbox') === null)
  type Row = { podcastEpisode: { name: string; favored: boolean }; podcastHistoryItem: Record<string, unknown> }
  const [fog, gale] = (await call(`/podcasts/${id}/episodes`)) as Row[]
  expect(fog).toMatchObject({ podcastEpisode: { favored: true }, podcastHistoryItem: { finished: false } })
  expect(fog!.podcastHistoryItem.position).toBeGreaterThan(20)
  expect(gale).toMatchObject({ podcastEpisode: { name: 'Gale' }, podcastHistoryItem: { finished: true } })

  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect((await everythingKept(page)).filter(mine)).toEqual([])
  expect(await page.evaluate(() => Object.keys(localStorage).filter(key => /kept|pending|answers/.test(key)))).toEqual(
    [],
  )
  await context.close()
  await running.stop()
}, 120_000)

test('a new version is offered, taken when somebody says so, and interrupts nothing before', async () => {
  await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  // The same server with another build of its worker.
  let edition = ''
  using newer = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const response = await fetch(`${running.origin}${pathname}${search}`, {
        headers: { 'Accept-Encoding': 'identity' },
      })
      const isWorker = pathname.endsWith('service-worker.js')
      const body = isWorker ? `${await response.text()}\n// ${edition}` : await response.bytes()
      const headers = new Headers(response.headers)
      for (const name of ['content-length', 'content-encoding']) headers.delete(name)
      return new Response(body, { status: response.status, headers })
    },
  })
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${newer.port}/ui/info`)
  await installed(page)
  await page.evaluate(() => Object.assign(window, { isOld: true }))
  edition = 'another build'
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
  await page.getByText('A new version of Castellan is ready.').waitFor()
  expect(await page.evaluate('window.isOld')).toBe(true)
  await page.getByRole('button', { name: 'Reload now' }).click()
  await page.waitForFunction(() => !('isOld' in window))
  await page.getByRole('heading', { level: 1, name: 'System info' }).waitFor()
  expect(await page.getByText('A new version of Castellan is ready.').count()).toBe(0)
  await page.close()
})

test('a visit loads the files of its page alone, as the worker keeps the rest', async () => {
  await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${running.origin}/ui/`)
  await installed(page)
  // Long enough for everything that waits for an idle moment.
  await page.clock.install()
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await page.goto(`${running.origin}/ui/tags`)
  await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
  const searched = page.waitForResponse(/\/assets\/.*\.js/)
  await page.clock.runFor(20_000)
  await page.keyboard.press('/')
  await searched
  await page.getByRole('dialog').waitFor()
  expect(asked.length).toBeLessThanOrEqual(36)
  await context.close()
})
