import { afterAll, expect, test } from 'bun:test'
import { startTestApp } from '../support/app'
import { rss, silentMp3 } from '../support/builders'
import { startBrowser } from '../support/browser'
import { startFeedHost } from '../support/feed-host'
import { barriers } from '../support/pages'
import { DAY, refresh } from '../support/refreshing'

const host = startFeedHost()
const browser = await startBrowser()
afterAll(async () => {
  await browser.close()
  host.stop()
})

test('before anything is typed, the search shows recent words, what is new since the last visit, and categories', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const audio = host.file('/a.mp3', silentMp3(60))
  const feedOf = (title: string, category: string, episodes: string[]) =>
    host.feed(
      `/${title}.xml`,
      rss({
        title,
        extra: `<itunes:category text="${category}"/>`,
        items: episodes.map((name, age) => ({
          title: name,
          guid: name,
          enclosure: audio,
          date: new Date(Date.now() - (age + 2 - episodes.length) * DAY).toUTCString(),
        })),
      }),
    )
  const tides = await app.podcasts.add(feedOf('Tides', 'Science', ['Ebb']))
  await app.podcasts.add(feedOf('Comets', 'Science', ['Halley']))
  await app.podcasts.add(feedOf('Bread', 'Arts', ['Rye']))
  feedOf('Tides', 'Science', ['Spring tide', 'Ebb'])
  await refresh(app, tides.id)

  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, serviceWorkers: 'block' })
  await page.addInitScript(() => {
    localStorage.setItem('visit', '1600000000000')
    if (!localStorage.getItem('search.recent')) localStorage.setItem('search.recent', '["skerry point"]')
  })
  await page.goto(`${app.listen()}/ui/podcasts/search`)
  await page.getByRole('option', { name: 'skerry point' }).waitFor()
  const section = page.locator('section').filter({ hasText: 'New since your last visit' })
  await section.getByRole('link', { name: 'Spring tide' }).waitFor()
  expect(await section.getByRole('link').count()).toBe(1)
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Clear: Recent searches' }).click()
  await page.getByRole('option').waitFor({ state: 'detached' })

  // One podcast makes no category.
  expect(await page.locator('.search-category').count()).toBe(1)
  await page.getByRole('link', { name: 'Science 2 podcasts' }).click()
  await page.getByRole('button', { name: 'Science', pressed: true }).waitFor()
  await page
    .getByRole('link', { name: /^Comets/ })
    .first()
    .waitFor()
  expect(await page.getByRole('link', { name: /^Bread/ }).count()).toBe(0)
  await page.close()

  // On a wide screen the page of a podcast leads to those of its category; its check is named in its menu alone.
  const wide = await browser.newPage({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
  await wide.goto(`${app.listen()}/ui/podcasts/${tides.id}/episodes`)
  const aside = wide.getByRole('complementary', { name: 'About this podcast' })
  await aside.getByRole('link', { name: 'Comets' }).waitFor()
  expect(await aside.getByRole('link').allInnerTexts()).toEqual([expect.stringContaining('Comets')])
  expect(await wide.getByText(/^Checked /).count()).toBe(0)
  await wide.getByRole('button', { name: 'More options for Tides' }).click()
  await wide.getByText(/^Checked /).waitFor()
  await wide.close()
}, 120_000)
