import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

const host = startFeedHost()
const browser = await startBrowser()
let running: Awaited<ReturnType<typeof startExecutable>>
let podcast: { id: string }

const wide = `<p>${'w'.repeat(128)}</p><pre>${'code '.repeat(60)}</pre><p>At 00:20 the storm.</p>
  <table><tr>${'<td>column</td>'.repeat(30)}</tr></table>`

beforeAll(async () => {
  running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  const audio = host.file('/a.mp3', silentMp3(60))
  const items = Array.from({ length: 20 }, (_, index) => ({
    title: `Number ${index}`,
    enclosure: `${audio}?id=${index}`,
    notes: wide,
    duration: '60',
    ...(index === 0 && {
      extra: `<podcast:soundbite startTime="10" duration="5">Best of it</podcast:soundbite>
        <podcast:person role="guest">Jonas Weil</podcast:person>`,
    }),
  }))
  const extra = `<podcast:person role="host">Mara Field</podcast:person>
    <podcast:podroll><podcast:remoteItem feedUrl="${host.feed('/other.xml', rss({ title: 'Other', items: [{ guid: 'other' }] }))}" title="Other"/></podcast:podroll>`
  podcast = await running.api('/podcasts/feed', {
    rssFeedUrl: host.feed('/feed.xml', rss({ title: 'Lighthouse Radio', extra, items })),
  })
})
afterAll(async () => {
  await browser.close()
  await running.stop()
  host.stop()
})

async function open(viewport: { width: number; height: number }): Promise<Page> {
  const page = await browser.newPage({ viewport })
  await page.goto(`${running.origin}/ui/podcasts/${podcast.id}/episodes`)
  await page.getByRole('button', { name: 'Number 0', exact: true }).waitFor()
  return page
}

test('on a phone the newest episode is one press away, and six whole rows lie above what plays', async () => {
  const page = await open({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Play newest' }).click()
  await page.getByRole('button', { name: 'Pause', exact: true }).first().waitFor()
  const foot = (await page.getByRole('region', { name: 'Player' }).boundingBox())!.y
  const rows = await page.locator('.episode').all()
  const boxes = await Promise.all(rows.map(row => row.boundingBox()))
  expect(boxes.filter(box => box !== null && box.y + box.height <= foot).length).toBeGreaterThanOrEqual(6)
  await page.close()
})

test('notes never widen the page, and a time in them plays from there', async () => {
  const page = await open({ width: 320, height: 700 })
  await page.getByRole('button', { name: 'Number 0', exact: true }).click()
  await page.getByRole('button', { name: /Best of it/ }).waitFor()
  await page.getByText('Jonas Weil').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  await page.getByRole('link', { name: 'Play from 00:20' }).click()
  // Where there is room, the player shows its time.
  await page.setViewportSize({ width: 1280, height: 800 })
  await page
    .getByRole('region', { name: 'Player' })
    .getByText(/^00:2\d$/)
    .first()
    .waitFor()
  await page.close()
})

test('a filter shows what its number promises, and what one likes is one of them', async () => {
  const page = await open({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'More options for Number 3' }).click()
  await page.getByRole('menuitem', { name: 'Like', exact: true }).click()
  await page.getByRole('button', { name: 'Liked 1' }).click()
  await page.locator('.episode', { hasNotText: 'Number 3' }).first().waitFor({ state: 'detached' })
  // The list is empty for a moment, until the answer is there.
  await page.locator('.episode', { hasText: 'Number 3' }).waitFor()
  expect(await page.locator('.episode h3').allInnerTexts()).toEqual(['Number 3'])
  await page.close()
})

test('once the header has scrolled away, the bar above names the podcast and plays it', async () => {
  const page = await open({ width: 1280, height: 800 })
  const bar = page.getByRole('banner')
  await page.mouse.wheel(0, 600)
  await bar.getByText('Lighthouse Radio').waitFor()
  await bar.getByRole('button', { name: 'Play Lighthouse Radio' }).waitFor()
  await page.mouse.wheel(0, -600)
  await bar.getByText('Lighthouse Radio').waitFor({ state: 'detached' })
  await page.close()
})

test('More tells of the people and of what they recommend, which is added from there', async () => {
  const page = await open({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'More Lighthouse Radio' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Mara Field').last().waitFor()
  await dialog.getByRole('button', { name: 'Add Other' }).click()
  await dialog.getByRole('link', { name: 'Open', exact: true }).click()
  await page.getByRole('heading', { name: 'Other', level: 1 }).waitFor()
  await page.close()
})

test('what is not loaded is selected with the rest in one press, marked as played, and that is undone', async () => {
  const audio = host.file('/long.mp3', silentMp3(60))
  const items = Array.from({ length: 120 }, (_, index) => ({
    title: `Part ${index}`,
    enclosure: `${audio}?id=${index}`,
  }))
  const { id } = await running.api<{ id: string }>('/podcasts/feed', {
    rssFeedUrl: host.feed('/long.xml', rss({ title: 'Long story', items })),
    first_downloads: 0,
  })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${running.origin}/ui/podcasts/${id}/episodes`)
  await page.getByRole('button', { name: 'Part 0', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.keyboard.press('Control+a')
  const bar = page.getByRole('toolbar', { name: 'Selected episodes' })
  await page.getByText('The 50 episodes loaded so far are selected.').waitFor()
  await page.getByRole('button', { name: 'Select all 120' }).click()
  await bar.getByText('120 selected').waitFor()
  await bar.getByRole('button', { name: 'Played' }).click()
  await page.getByText('120 episodes marked as played').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Not played 120' }).waitFor()
  await page.close()
})

test('the number of next episodes to keep downloaded is chosen in the settings of the podcast, and shown there again', async () => {
  const page = await open({ width: 1024, height: 768 })
  const openSettings = async () => {
    await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
    await page.getByRole('menuitem', { name: 'Podcast settings' }).click()
    return page.getByLabel('Next episodes to keep downloaded')
  }
  const field = await openSettings()
  expect(await field.inputValue()).toBe('')
  await field.selectOption('3')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved').waitFor()
  expect(await (await openSettings()).inputValue()).toBe('3')
  await page.close()
})

test('a podcast leaves the timeline and rings no bell if its menu says so', async () => {
  const page = await open({ width: 390, height: 844 })
  const openNews = async () => {
    await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
    await page.getByRole('menuitem', { name: 'Your settings' }).click()
    return page.getByRole('dialog')
  }
  const dialog = await openNews()
  await dialog.getByLabel('Notify me of new episodes').selectOption('Never')
  const saved = page.waitForResponse(response => response.request().postData()?.includes('inTimeline') ?? false)
  await dialog.getByRole('switch', { name: 'Show in my timeline' }).click()
  await saved
  expect(await running.api(`/podcasts/${podcast.id}/preferences`)).toMatchObject({ notify: false, inTimeline: false })
  const answer = page.waitForResponse(response => response.url().includes('/podcasts/timeline?'))
  await page.goto(`${running.origin}/ui/timeline`)
  const { data } = (await (await answer).json()) as { data: { podcast: { id: string } }[] }
  expect(data.filter(row => row.podcast.id === podcast.id)).toEqual([])
  await page.goto(`${running.origin}/ui/podcasts/${podcast.id}/episodes`)
  expect(await (await openNews()).getByLabel('Notify me of new episodes').inputValue()).toBe('off')
  await page.close()
})

test('seasons have headings that stick and fold, and those that were played are folded from the second visit on', async () => {
  const audio = host.file('/seasons.mp3', silentMp3(60))
  const items = Array.from({ length: 60 }, (_, index) => ({
    title: `Watch ${index}`,
    enclosure: `${audio}?id=${index}`,
    date: new Date(Date.UTC(2026, 0, 1) - index * 86_400_000).toUTCString(),
    extra: `<itunes:season>${3 - Math.floor(index / 20)}</itunes:season>`,
  }))
  const { id } = await running.api<{ id: string }>('/podcasts/feed', {
    rssFeedUrl: host.feed('/seasons.xml', rss({ title: 'Three seasons', items })),
    first_downloads: 0,
  })
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.goto(`${running.origin}/ui/podcasts/${id}/episodes`)
  const season = (number: number) => page.getByRole('button', { name: new RegExp(`^Season ${number} 20 episodes`) })
  await season(3).waitFor()
  await page.getByRole('button', { name: 'Go to a season' }).click()
  await page.getByRole('menuitem', { name: 'Season 2' }).click()
  await page.getByRole('button', { name: 'Watch 20', exact: true }).waitFor()
  await page.evaluate(() => scrollBy(0, 300))
  // It is below the filters, and folding it leads back to its beginning.
  await season(2).click()
  await page.getByRole('button', { name: 'Watch 20', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Watch 40', exact: true }).waitFor()
  await page.getByRole('button', { name: 'More options for Season 1' }).click()
  await page.getByRole('menuitem', { name: 'Mark all as played' }).click()
  await page.getByText('20 episodes marked as played').waitFor()
  await page.getByRole('button', { name: /^Season 1 .* all played$/ }).waitFor()
  expect(await page.getByRole('button', { name: 'Watch 40', exact: true }).count()).toBe(1)

  await page.reload()
  const played = page.getByRole('button', { name: /^Season 1 .* all played$/ })
  await season(3).waitFor()
  await page.keyboard.press('End')
  await played.waitFor()
  expect(await Promise.all([season(2), played].map(heading => heading.getAttribute('aria-expanded')))).toEqual([
    'false',
    'false',
  ])
  await page.close()
})

test('End goes to the last episode in one press, however many there are', async () => {
  const audio = host.file('/end.mp3', silentMp3(60))
  const items = Array.from({ length: 600 }, (_, index) => ({
    title: `Night ${index}`,
    enclosure: `${audio}?id=${index}`,
  }))
  const { id } = await running.api<{ id: string }>('/podcasts/feed', {
    rssFeedUrl: host.feed('/end.xml', rss({ title: 'Thousand nights', items })),
    first_downloads: 0,
  })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${running.origin}/ui/podcasts/${id}/episodes`)
  await page.getByRole('button', { name: 'Night 0', exact: true }).waitFor()
  await page.keyboard.press('End')
  const last = page.getByRole('button', { name: 'Night 599', exact: true })
  await last.waitFor()
  await page.waitForFunction(
    element => element!.getBoundingClientRect().bottom <= innerHeight,
    await last.elementHandle(),
  )
  await page.close()
})
