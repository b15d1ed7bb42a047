import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { paintSquare } from '../support/paint-square'

const host = startFeedHost()
const browser = await startBrowser()
let running: Awaited<ReturnType<typeof startExecutable>>
let podcast: { id: string }

beforeAll(async () => {
  const fixture = await Bun.file(join(import.meta.dir, '../fixtures/podcast-namespace.xml')).text()
  for (const name of ['mara', 'jonas'])
    host.file(
      `/${name}.png`,
      paintSquare(() => [200, 80, 20]),
      { type: 'image/png' },
    )
  running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  podcast = await running.api('/podcasts/feed', {
    rssFeedUrl: host.feed('/feed.xml', fixture.replaceAll('{host}', host.origin)),
  })
})
afterAll(async () => {
  await browser.close()
  await running.stop()
  host.stop()
})

test('every descriptive tag is shown where a listener looks, and no third party is asked for a picture', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  const foreign: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(running.origin)) foreign.push(request.url())
  })
  await page.goto(`${running.origin}/ui/podcasts/${podcast.id}/episodes`)
  await page.getByRole('button', { name: 'Fog', exact: true }).click()
  const details = page.locator('.episode-details')
  await details.getByText('The wet winter · Ch. 3').waitFor()
  const hrefOf = async (name: string | RegExp) => details.getByRole('link', { name }).first().getAttribute('href')
  expect(await hrefOf('The north pier')).toBe('https://www.openstreetmap.org/node/1234567')
  expect(await hrefOf('lighthouse-only')).toBe('https://lighthouse.example/license')
  expect(await hrefOf('Watch the fog')).toBe('https://video.example/fog')
  expect(await hrefOf('Discussion at social.example · @mara@social.example')).toBe('https://social.example/@mara/1')
  expect(await hrefOf(/^Chat at matrix.example/)).toStartWith('https://matrix.to/#/')
  expect(await hrefOf('Web page of Jonas Weil')).toBe('https://jonas.example/')
  expect(await hrefOf('Pay Jonas Weil by Lightning')).toBe('lightning:jonas@pay.example')
  await details.getByText('release: second take').waitFor()
  await details.getByText('01:00 to 04:57').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)

  await details.getByRole('link', { name: /^Jonas Weil/ }).click()
  await page.getByRole('heading', { name: 'Jonas Weil' }).waitFor()
  await page.getByRole('button', { name: 'Fog', exact: true }).waitFor()
  await page.goto(`${running.origin}/ui/people`)
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill('ingr')
  await page.getByRole('link', { name: /^Jonas Weil/ }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^Ingrid Ås/ }).waitFor()
  expect(foreign).toEqual([])
  await page.close()
}, 60_000)

test('the page about a podcast shows its tags, and the search finds its people', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${running.origin}/ui/podcasts/${podcast.id}/episodes`)
  await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
  await page.getByRole('menuitem', { name: 'About this podcast' }).click()
  const about = page.getByRole('dialog')
  for (const text of [
    'Every Monday morning',
    'Coast Media',
    'Skagen',
    'Copenhagen',
    'cc-by-4.0',
    'Recorded beside the lamp',
    'Chat at irc.lighthouse.example · #lamp',
    'host · cast',
    'Suggested: 5 sats a minute',
    'Fee · 10%',
    'Harbour Talk',
    'Keep the lamp lit',
  ])
    await about.getByText(text).first().waitFor()
  expect(await about.getByText('S6lpp').count()).toBe(0)
  await page.goto(`${running.origin}/ui/podcasts/search?q=mara`)
  await page
    .getByRole('option', { name: /Mara Field/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Mara Field' }).waitFor()
  await page.getByRole('link', { name: 'Lighthouse Radio' }).first().waitFor()
  await page.close()
}, 60_000)
