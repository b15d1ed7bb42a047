import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3, type ItemSpec } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

const host = startFeedHost()
const browser = await startBrowser()
let running: Awaited<ReturnType<typeof startExecutable>>
let podcast: { id: string }

const titles = ['Fog', 'Rain', 'Snow', 'Wind', 'Hail', 'Sun']
let items: ItemSpec[] = titles.map((title, index) => ({
  guid: `guid-${title}`,
  title,
  date: new Date(Date.UTC(2026, 0, 20 - index)).toUTCString(),
  enclosure: host.file(`/${title}.mp3`, silentMp3(60 + index)),
  length: 100_000 + index,
  notes: `<p>About ${title}.</p>`,
}))

beforeAll(async () => {
  running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  const rssFeedUrl = host.on('/feed.xml', () => new Response(rss({ title: 'Weather', items })))
  podcast = await running.api('/podcasts/feed', { rssFeedUrl, first_downloads: 6 })
})
afterAll(async () => {
  await browser.close()
  await running.stop()
  host.stop()
})

async function open(): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${running.origin}/ui/podcasts/${podcast.id}/episodes`)
  await page.getByRole('button', { name: 'Rain', exact: true }).waitFor()
  return page
}

/** Keeps a picture of the screen, for a person who asks for it. */
async function look(page: Page, name: string) {
  const folder = process.env.LOOK_FOLDER
  if (!folder) return
  for (const width of [1440, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('a person fetches the newer recording, makes two episodes of one, and one of two', async () => {
  const page = await open()
  await page.getByRole('img', { name: 'On the server' }).nth(5).waitFor()
  items = items.map(item =>
    item.title === 'Rain'
      ? {
          ...item,
          title: 'Rain, live',
          date: new Date(Date.UTC(2026, 2, 1)).toUTCString(),
          enclosure: host.file('/live.mp3', silentMp3(90)),
          length: 200_000,
        }
      : item,
  )
  await running.api(`/podcasts/${podcast.id}/refresh`, {})
  await page.reload()
  await page.getByRole('button', { name: 'Rain, live', exact: true }).click()
  await page.getByText('A newer recording is there').waitFor()
  await look(page, 'notices')
  await page.getByRole('button', { name: 'Fetch the newer recording' }).click()
  await page.getByText('A newer recording is there').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Not the same episode…' }).click()
  await page.getByRole('button', { name: 'Make two episodes' }).waitFor()
  await look(page, 'split')
  await page.getByRole('button', { name: 'Make two episodes' }).click()
  await page.getByRole('button', { name: 'Rain', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: /^Rain/ }).count()).toBe(2)

  await page.getByRole('button', { name: 'More options for Rain', exact: true }).click()
  await page.getByText('Same episode as…').click()
  await page.getByRole('dialog').getByRole('searchbox').fill('live')
  await page.getByRole('radio', { name: /^Fog/ }).waitFor({ state: 'detached' })
  await page.getByRole('radio', { name: /^Rain, live/ }).check()
  await look(page, 'join')
  await page.getByRole('button', { name: 'Make them one' }).click()
  await page.getByRole('button', { name: 'Rain', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Rain, live', exact: true }).waitFor()
  await page.close()
}, 60_000)
