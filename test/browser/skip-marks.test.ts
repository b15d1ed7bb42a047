import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { freePort } from '../support/ports'

type Running = Awaited<ReturnType<typeof startExecutable>>
type Heard = { media: HTMLMediaElement }

const host = startFeedHost()
const browser = await startBrowser()
const env = { DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0', PORT: String(freePort()) }
let running: Running

const chapters = `<psc:chapters xmlns:psc="http://podlove.org/simple-chapters">
  <psc:chapter start="00:00:00" title="The lamp"/>
  <psc:chapter start="00:02:00" title="Sponsor: Acme Mattresses"/>
  <psc:chapter start="00:03:00" title="The keeper"/>
  <psc:chapter start="00:08:00" title="The end"/>
</psc:chapters>`

beforeAll(async () => {
  running = await startExecutable(env)
  await fetch(`${running.origin}/api/v1/settings`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"podcastPrefill":0}',
  })
  const file = silentMp3(600)
  const items = ['Fog', 'Storm'].map(title => ({
    title,
    enclosure: host.file(`/${title}.mp3`, file, { type: 'audio/mpeg' }),
    duration: '600',
    extra: chapters,
  }))
  await running.api('/podcasts/feed', { rssFeedUrl: host.feed('/feed.xml', rss({ items })) })
})
afterAll(async () => {
  await browser.close()
  await running.stop()
  host.stop()
})

async function openPage(context?: BrowserContext): Promise<Page> {
  const page = await (context ?? browser).newPage()
  page.setDefaultTimeout(60_000)
  await page.addInitScript(() => {
    const heard = {} as Heard
    Object.assign(window, { heard })
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function () {
      heard.media = this
      return play.call(this)
    }
  })
  await page.goto(`${running.origin}/ui/timeline`)
  return page
}
const heardAt = (page: Page, from: number, to: number) =>
  page.waitForFunction(
    ([from, to]) => {
      const { media } = (window as unknown as { heard: Heard }).heard
      return media.currentTime >= from! && media.currentTime < to!
    },
    [from, to],
  )
const bar = (page: Page) => page.getByRole('region', { name: 'Player' })
const sheet = (page: Page) => page.getByRole('dialog').last()

/** Plays an episode, and opens the player at its chapters. */
async function openChapters(page: Page, name: string) {
  await page
    .getByRole('button', { name: `Play ${name}`, exact: true })
    .first()
    .click()
  await bar(page).getByRole('button', { name: 'Pause', exact: true }).waitFor()
  await bar(page).getByRole('button', { name: 'Full screen' }).click()
  await page.getByRole('tab', { name: 'Chapters' }).click()
}
const seek = (page: Page, seconds: number) =>
  sheet(page)
    .getByRole('slider', { name: 'Position' })
    .fill(String(seconds))
    .then(() => page.keyboard.press('Tab'))

test('a chapter of advertising is marked and skipped on request, and one press plays it after all', async () => {
  const page = await openPage()
  await openChapters(page, 'Fog')
  const row = sheet(page).getByRole('button', { name: 'Play from 02:00: Sponsor: Acme Mattresses, Advertising' })
  await row.waitFor()
  expect(await sheet(page).locator('.track-part').count()).toBe(1)
  await sheet(page).getByRole('checkbox', { name: 'Skip marked parts' }).check()

  await seek(page, 118)
  await page.getByText('Skipped: Sponsor: Acme Mattresses (01:00)').waitFor()
  await heardAt(page, 180, 200)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await heardAt(page, 120, 130)
  expect(await sheet(page).getByRole('slider', { name: 'Position' }).getAttribute('aria-valuetext')).toContain(
    'Sponsor: Acme Mattresses, Marked part',
  )
  // It was taken back: it is not skipped again while the page is open.
  await seek(page, 118)
  await heardAt(page, 120.5, 130)

  // Chosen by hand, it is played in another episode as well.
  await page.keyboard.press('Escape')
  await openChapters(page, 'Storm')
  await row.click()
  await heardAt(page, 121, 130)
  await page.close()
})

test('a part marked by two presses is skipped on every device, and can be removed', async () => {
  const page = await openPage()
  const other = await openPage(await browser.newContext())
  await openChapters(page, 'Storm')
  await openChapters(other, 'Storm')
  await sheet(page).getByRole('checkbox', { name: 'Skip marked parts' }).check()
  await seek(page, 300)
  await heardAt(page, 300, 310)
  await sheet(page).getByRole('button', { name: 'More options for Storm' }).click()
  await page.getByRole('menuitem', { name: 'Mark a part to skip' }).click()
  await page.getByText('Marking from 05:00. Press again where the part ends.').waitFor()
  await seek(page, 330)
  await heardAt(page, 330, 340)
  await sheet(page).getByRole('button', { name: 'End the marked part from 05:00 here' }).click()
  await page.getByText(/^Marked: 05:00–05:3\d$/).waitFor()
  const mark = other.getByRole('button', { name: /^05:00–05:3\d\s*To be skipped$/ })
  await mark.waitFor()

  await page.bringToFront()
  await seek(page, 298)
  await heardAt(page, 298, 345)
  await page.getByText(/^Skipped a marked part \(00:(29|3\d)\)$/).waitFor()
  await heardAt(page, 330, 345)

  await other.getByRole('button', { name: /^More options for the mark 05:00/ }).click()
  await other.getByRole('menuitem', { name: 'Remove mark' }).click()
  await other.getByText('Mark removed').waitFor()
  await page.getByRole('button', { name: /^05:00–05:3\d/ }).waitFor({ state: 'detached' })
  await other.context().close()
  await page.close()
})

test('a listener decides what is advertising, and the page of the episode follows', async () => {
  const page = await openPage()
  await openChapters(page, 'Storm')
  const say = async (chapter: string, entry: string) => {
    await sheet(page)
      .getByRole('button', { name: `More options for the chapter ${chapter}` })
      .click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await say('Sponsor: Acme Mattresses', 'This is not advertising')
  await sheet(page).locator('.track-part').waitFor({ state: 'detached' })
  await say('The end', 'This is advertising')
  await sheet(page).getByRole('button', { name: 'Play from 08:00: The end, Advertising' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.episode-open').filter({ hasText: 'Storm' }).click()
  await page.getByRole('button', { name: 'Play from 08:00: The end, Advertising' }).waitFor()
  expect(
    await page.getByRole('button', { name: 'Play from 02:00: Sponsor: Acme Mattresses', exact: true }).count(),
  ).toBe(1)
  await page.close()
})
