import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

const browser = await startBrowser()
afterAll(() => browser.close())

type Running = Awaited<ReturnType<typeof startExecutable>>

/** A library of one podcast, whose three episodes wait in the queue in the order Fog, Lamps, Ropes. */
async function fill(running: Running, host: ReturnType<typeof startFeedHost>) {
  const items = ['Fog', 'Lamps', 'Ropes'].map(title => ({
    title,
    enclosure: host.file(`/${title}.mp3`, silentMp3(60)),
    duration: '60',
  }))
  const feed = host.feed('/a.xml', rss({ title: 'Lighthouse Radio', items }))
  const podcast = await running.api<{ id: string }>('/podcasts/feed', { rssFeedUrl: feed })
  const wrappers = await running.api<{ podcastEpisode: { id: string; name: string } }[]>(
    `/podcasts/${podcast.id}/episodes`,
  )
  for (const name of ['Fog', 'Lamps', 'Ropes']) {
    const { podcastEpisode } = wrappers.find(wrapper => wrapper.podcastEpisode.name === name)!
    await running.api('/queue/items', { episode: podcastEpisode.id })
  }
  return podcast.id
}

const order = (page: Page) => page.locator('.queue-play').allInnerTexts()
const until = async (page: Page, names: string) =>
  page.waitForFunction(
    wanted => [...document.querySelectorAll('.queue-play')].map(({ textContent }) => textContent).join() === wanted,
    names,
  )

/**
 * Picks up the row that has the focus, and waits until the list has measured its places: an arrow before does nothing.
 */
async function pickUp(page: Page, announced: string) {
  await page.keyboard.press('Space')
  await page.getByText(announced).waitFor({ state: 'attached' })
  await page.evaluate(
    () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  )
}

test('the queue stands beside a wide page, is sorted by keyboard and mouse, is there again after a reload, and keeps the focus', async () => {
  using host = startFeedHost()
  await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  await fill(running, host)
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${running.origin}/ui/timeline`)
  await page.getByRole('button', { name: /^Queue/ }).click()
  const dock = page.getByRole('complementary', { name: 'Queue' })
  await dock.getByText('3 · 3 min').waitFor()
  // The page makes room.
  const main = (await page.getByRole('main').boundingBox())!
  expect(main.x + main.width).toBeLessThanOrEqual((await dock.boundingBox())!.x)

  await page.getByRole('button', { name: 'Move Ropes', exact: true }).focus()
  await pickUp(page, 'Ropes is now at place 3 of 3.')
  await page.keyboard.press('ArrowUp')
  await page.getByText('Ropes is now at place 2 of 3.').waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await page.getByText('Ropes is back in its old place.').waitFor({ state: 'attached' })
  expect(await order(page)).toEqual(['Fog', 'Lamps', 'Ropes'])
  await pickUp(page, 'Ropes is now at place 3 of 3.')
  await page.keyboard.press('ArrowUp')
  await page.getByText('Ropes is now at place 2 of 3.').waitFor({ state: 'attached' })
  await page.keyboard.press('Space')
  await until(page, 'Fog,Ropes,Lamps')

  const grip = (await page.getByRole('button', { name: 'Move Fog', exact: true }).boundingBox())!
  await page.mouse.move(grip.x + 20, grip.y + 20)
  await page.mouse.down()
  await page.mouse.move(grip.x + 20, grip.y + 90, { steps: 5 })
  await page.mouse.move(grip.x + 20, grip.y + 150, { steps: 5 })
  await page.mouse.up()
  await until(page, 'Ropes,Lamps,Fog')

  await page.reload()
  await until(page, 'Ropes,Lamps,Fog')

  // Played from the keyboard, its row leaves the list, and the focus stays there.
  await dock.getByRole('button', { name: 'Play Fog', exact: true }).focus()
  await page.keyboard.press('Enter')
  await until(page, 'Ropes,Lamps')
  expect(await page.evaluate(() => document.activeElement!.getAttribute('aria-label'))).toBe('Play Lamps')

  await dock.getByRole('button', { name: 'Hide the queue' }).click()
  await dock.waitFor({ state: 'detached' })
  await page.close()
}, 120_000)

test.each([
  ['wide', { width: 1440, height: 900 }],
  ['on a phone', { width: 390, height: 844 }],
])(
  'a notice covers neither the player nor the navigation, %s',
  async (_, viewport) => {
    using host = startFeedHost()
    await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
    const id = await fill(running, host)
    const page = await browser.newPage({ viewport })
    await page.goto(`${running.origin}/ui/podcasts/${id}/episodes`)
    await page.getByRole('button', { name: 'Play Fog', exact: true }).first().click()
    const player = page.getByRole('region', { name: 'Player' })
    await player.getByRole('button', { name: 'Pause' }).first().waitFor()
    await page.getByRole('button', { name: 'More options for Lamps' }).click()
    await page.getByRole('menuitem', { name: 'Play next' }).click()
    const notice = page.locator('.toast').first()
    await notice.waitFor()
    await notice.evaluate(element => Promise.all(element.getAnimations().map(({ finished }) => finished)))
    const box = (await notice.boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual((await player.boundingBox())!.y)
    await page.close()
  },
  120_000,
)

test('on a phone the queue is a sheet that Back and a pull close; a finger sorts it, and a swipe removes with a way back', async () => {
  using host = startFeedHost()
  await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  await fill(running, host)
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await page.goto(`${running.origin}/ui/timeline`)
  await page.getByRole('button', { name: /^Queue/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Queue' })
  await sheet.getByText(/^3 episodes · 3 min? · until /).waitFor()
  expect((await sheet.locator('article').boundingBox())!.width).toBe(390)

  const touch = await page.context().newCDPSession(page)
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  const row = (await sheet.getByText('Lamps').boundingBox())!
  const y = row.y + 8
  await finger('touchStart', [{ x: 300, y }])
  for (const x of [270, 240, 200, 170]) await finger('touchMove', [{ x, y }])
  await finger('touchEnd', [])
  await until(page, 'Fog,Ropes')
  await sheet.getByRole('button', { name: 'Undo' }).click()
  await until(page, 'Fog,Lamps,Ropes')

  const grip = (await page.getByRole('button', { name: 'Move Fog', exact: true }).boundingBox())!
  const x = grip.x + grip.width / 2
  await finger('touchStart', [{ x, y: grip.y + 20 }])
  await page.getByText('Fog is now at place 1 of 3.').waitFor({ state: 'attached' })
  for (const by of [30, 50, 70]) await finger('touchMove', [{ x, y: grip.y + 20 + by }])
  await page.getByText('Fog is now at place 2 of 3.').waitFor({ state: 'attached' })
  await finger('touchEnd', [])
  await until(page, 'Lamps,Fog,Ropes')

  await page.goBack()
  await sheet.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/ui/timeline')

  await page.getByRole('button', { name: /^Queue/ }).tap()
  const heading = (await sheet.getByRole('heading').boundingBox())!
  await finger('touchStart', [{ x: 195, y: heading.y }])
  for (const by of [40, 120, 240, 400]) await finger('touchMove', [{ x: 195, y: heading.y + by }])
  await finger('touchEnd', [])
  await sheet.waitFor({ state: 'detached' })
  await page.close()
}, 120_000)
