import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { rss, silentMp3 } from '../support/builders'
import { temporaryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { startSlowHost } from '../support/slow-host'

const host = startFeedHost()
const browser = await startBrowser([], [], 'allow')
afterAll(async () => {
  await browser.close()
  host.stop()
})

const audioTime = (page: Page) => page.locator('.player-time').first().textContent()
const seconds = (text: string | null) => (text ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

/** Waits until the player's clock has passed a point; the clock follows the audio element. */
async function playsBeyond(page: Page, point: number) {
  await page.waitForFunction(
    wanted => {
      const text = document.querySelector('.player-time')?.textContent ?? ''
      return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) > wanted
    },
    point,
    { timeout: 15_000 },
  )
}

test("a newcomer's journey: from an empty library to going on where one was, across reload and restart", async () => {
  const folder = temporaryFolder()
  const cover = host.file('/cover.png', await Bun.file('src/ui/cover.png').bytes(), { type: 'image/png' })
  const small = host.file('/small.mp3', silentMp3(3))
  using slow = await startSlowHost(silentMp3(300), () => 40)
  const items = Array.from({ length: 7 }, (_, index) => ({
    title: index === 6 ? 'The long one' : `Short ${index}`,
    enclosure: index === 6 ? slow.address : `${small}?id=${index}`,
    notes: `<p>Notes of number ${index}</p>`,
  }))
  const feed = host.feed('/feed.xml', rss({ image: cover, items }))

  const env = { DATA_DIRECTORY: folder, PORT: String(20_000 + Math.floor(Math.random() * 20_000)) }
  let running = await startExecutable(env)
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const errors: string[] = []
  page.on('pageerror', error => errors.push(String(error)))
  page.on('console', message => {
    if (/Content Security Policy/.test(message.text())) errors.push(message.text())
  })

  // An empty library says what to do.
  await page.goto(`${running.origin}/`)
  await page.getByRole('heading', { name: 'Add your first podcast' }).waitFor()

  // Adding by the address of a feed, which is shown before.
  const field = page.getByRole('main').getByRole('textbox')
  await field.fill('http://')
  await page.getByRole('alert').getByText('This is not an address').waitFor()
  await field.fill(feed)
  await page.getByRole('region', { name: 'Lighthouse Radio' }).getByText('7 episodes since April 2026').waitFor()
  await page.getByRole('button', { name: 'Newest 5' }).waitFor()
  await page.getByRole('button', { name: 'Add podcast' }).click()

  // Its episodes and its cover appear without a reload.
  await page.getByRole('heading', { level: 1, name: 'Lighthouse Radio' }).waitFor()
  await page.locator('.episode').nth(6).waitFor()
  expect(await page.locator('.episode').count()).toBe(7)
  await page.waitForFunction(() => {
    const image = document.querySelector<HTMLImageElement>('.podcast-header .cover img')
    return image !== null && image.complete && image.naturalWidth > 0
  })
  await page.getByRole('button', { name: 'Short 2', exact: true }).click()
  await page.locator('.episode-details', { hasText: 'Notes of number 2' }).waitFor()

  // A download shows how far it is, and moves.
  const row = page.locator('.episode', { hasText: 'The long one' })
  await row.getByRole('button', { name: 'Download The long one' }).click()
  const seen = new Set<string>()
  const ring = row.locator('[data-percent]')
  while ((await row.getByRole('img', { name: 'On the server' }).count()) === 0) {
    const percent = await ring.getAttribute('data-percent', { timeout: 200 }).catch(() => null)
    if (percent !== null) seen.add(percent)
  }
  expect([...seen].filter(percent => Number(percent) > 0 && Number(percent) < 100).length).toBeGreaterThanOrEqual(2)

  // It plays: the time really advances.
  await row.getByRole('button', { name: 'Play The long one' }).click()
  await playsBeyond(page, 1)

  // Seeking.
  await page.getByRole('slider', { name: 'Position' }).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Home')
  await page.getByRole('button', { name: 'Forward 30 seconds' }).click()
  await page.getByRole('button', { name: 'Forward 30 seconds' }).click()
  await playsBeyond(page, 61)

  // After a reload it goes on within two seconds of where it was.
  const before = seconds(await audioTime(page))
  await page.reload()
  await page.getByRole('region', { name: 'Player' }).getByText('The long one').waitFor()
  await page.waitForFunction(() => document.querySelector('.player-time')?.textContent !== '00:00')
  const after = seconds(await audioTime(page))
  expect(Math.abs(after - before)).toBeLessThanOrEqual(2)
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Play' }).click()
  await playsBeyond(page, after + 1)
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Pause' }).click()
  const paused = seconds(await audioTime(page))

  // After a restart of the executable everything is still there.
  await running.stop()
  running = await startExecutable(env)
  await page.goto(`${running.origin}/`)
  await page.getByRole('heading', { name: 'Continue listening' }).waitFor()
  await page.getByRole('link', { name: 'The long one' }).first().waitFor()
  expect(Math.abs(seconds(await audioTime(page)) - paused)).toBeLessThanOrEqual(2)
  await page.getByRole('link', { name: 'All subscriptions' }).click()
  await page.locator('.podcast-tile').getByRole('link').click()
  await page.locator('.episode', { hasText: 'The long one' }).getByRole('img', { name: 'On the server' }).waitFor()

  expect(errors).toEqual([])
  await page.close()
  await running.stop()
}, 120_000)
