import { afterAll, expect, test } from 'bun:test'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

const browser = await startBrowser()
afterAll(() => browser.close())

const DAY = 86_400_000
const TOTAL = 260

/** A podcast of so many episodes, one a day, all of them liked and with the same guest. */
async function begin(total = TOTAL, screen = { viewport: { width: 1440, height: 900 }, hasTouch: false }) {
  const host = startFeedHost()
  const running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  const items = Array.from({ length: total }, (_, day) => ({
    title: `Watch ${total - day}`,
    date: new Date(Date.UTC(2020, 11, 31) - day * DAY).toUTCString(),
    duration: '60',
    extra: '<podcast:person>Jonas Weil</podcast:person>',
  }))
  const podcast = await running.api<{ id: string }>('/podcasts/feed', {
    rssFeedUrl: host.feed('/a.xml', rss({ items })),
  })
  await running.api('/podcasts/episodes/batch/favor', {
    episodes: [],
    matching: { podcast: podcast.id },
    favored: true,
  })
  const page = await browser.newPage(screen)
  const end = async () => {
    await page.close()
    await running.stop()
    host[Symbol.dispose]()
  }
  return { running, page, [Symbol.asyncDispose]: end }
}

test('a range reaches over rows that were never loaded, and Ctrl+A and one press select all, in each long list', async () => {
  await using here = await begin()
  const { page, running } = here
  for (const path of ['timeline', 'episodes/liked', 'people?name=Jonas+Weil']) {
    await page.goto(`${running.origin}/ui/${path}`)
    // A list may load again when its page is connected.
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Select Watch 258' }).click()
    await page.keyboard.press('End')
    // A press is lost if its row moves before the button of the mouse is up.
    await page.getByRole('checkbox', { name: 'Select Watch 3', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.getByRole('checkbox', { name: 'Select Watch 3', exact: true }).click({ modifiers: ['Shift'] })
    await page.getByText('256 selected').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
  }
  await page.goto(`${running.origin}/ui/timeline`)
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Select all 260' }).click()
  await page.getByRole('checkbox', { name: 'Select Watch 259' }).click()
  await page.getByText('259 selected').first().waitFor()
  await page.getByRole('button', { name: 'Played', exact: true }).click()
  await page.getByText('259 episodes marked as played').waitFor()
  expect((await running.api<{ total: number }>('/episodes/yours/history/outline?tz=UTC')).total).toBe(259)
}, 120_000)

test('a finger that rests on a row or tile opens its menu, and its release leaves that open', async () => {
  await using here = await begin(3, { viewport: { width: 390, height: 844 }, hasTouch: true })
  const { page, running } = here
  const cdp = await page.context().newCDPSession(page)
  for (const [path, selector, entry] of [
    ['timeline', '.episode-open', 'Add to queue'],
    ['podcasts', '.podcast-tile > a', 'Play'],
  ] as const) {
    await page.goto(`${running.origin}/ui/${path}`)
    const box = (await page.locator(selector).first().boundingBox())!
    const touch = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    await page.waitForLoadState('networkidle')
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [touch] })
    await page.getByRole('menuitem', { name: entry, exact: true }).waitFor()
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }
}, 120_000)

test('a podcast that takes long to load has the way back and grey rows without a spinner', async () => {
  await using here = await begin(3)
  const { page, running } = here
  const [podcast] = await running.api<{ id: string }[]>('/podcasts')
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/v1/podcasts**', route => answered.then(() => route.continue()))
  await page.goto(`${running.origin}/ui/podcasts/${podcast!.id}/episodes`)
  await page.locator('.top-bar-back').waitFor()
  const rows = page.locator('[aria-busy=true] .skeleton-row')
  await rows.first().waitFor()
  const spinners = () =>
    page
      .locator('main div[aria-busy=true]')
      .evaluateAll(all => all.map(one => getComputedStyle(one, '::before').display))
  expect([await rows.count(), await spinners()]).toEqual([8, ['none']])
  answer()
  await page.getByRole('heading', { name: 'Watch 3' }).waitFor()
}, 120_000)

test('the End key reaches the oldest of many bookmarks at once, and the scroll bar knew of it', async () => {
  await using here = await begin(3)
  const { page, running } = here
  const liked = await running.api<{ podcastEpisode: { id: string } }[]>('/episodes/yours/liked')
  const episode = liked[0]!.podcastEpisode.id
  for (let time = 1; time <= TOTAL; time++) await running.api('/bookmarks', { episode, time, note: `Note ${time}` })
  await page.goto(`${running.origin}/ui/episodes/bookmarked`)
  await page.getByRole('link', { name: `Note ${TOTAL}`, exact: true }).waitFor()
  const height = () => page.evaluate(() => document.documentElement.scrollHeight)
  const before = await height()
  await page.keyboard.press('End')
  await page.getByRole('link', { name: 'Note 1', exact: true }).waitFor()
  expect(Math.abs((await height()) / before - 1)).toBeLessThan(0.25)
  await page.getByRole('button', { name: 'Play from 00:01: Note 1', exact: true }).waitFor()
  expect(await page.locator('.bookmark-row').count()).toBeLessThan(60)
}, 120_000)
