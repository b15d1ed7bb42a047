import { afterAll, expect, test } from 'bun:test'
import { startTestApp } from '../support/app'
import { rss, silentMp3 } from '../support/builders'
import { startBrowser } from '../support/browser'
import { startFeedHost } from '../support/feed-host'

const host = startFeedHost()
const browser = await startBrowser()
afterAll(async () => {
  await browser.close()
  host.stop()
})

test('what plays is not offered to play next, ways to keep it are one group, and a passage is moved by what one sees', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const enclosure = host.file('/a.mp3', silentMp3(60))
  const items = ['Fog', 'Lamps'].map(title => ({ title, enclosure, duration: '60' }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${app.listen()}/ui/podcasts/${podcast.id}/episodes`)
  await page.getByRole('button', { name: 'Play Fog' }).click()
  await page.getByRole('button', { name: 'More about Lamps' }).click()
  await page.getByRole('menuitem', { name: 'Play next' }).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Full screen' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'More about Fog' }).click()
  await sheet.getByRole('menuitem', { name: 'Add to a playlist…' }).waitFor()
  expect(await sheet.getByRole('menuitem', { name: /^(?:Play next|Add to queue)$/ }).count()).toBe(0)
  await sheet.locator('.menu-group', { hasText: 'Downloads' }).waitFor()
  await page.keyboard.press('Escape')

  await sheet.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Passage' }).click()
  const end = page.getByRole('group', { name: 'End' })
  expect(await end.getByRole('button', { name: /^[−+]/ }).count()).toBe(4)
  await page.close()
}, 120_000)
