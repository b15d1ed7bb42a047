import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { libraryFolder } from '../support/app'
import { layersGone, startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

const browser = await startBrowser()
afterAll(() => browser.close())

const HOUR = 3_600_000

/** A podcast of three episodes, Fog, Lamps and Ropes, whose feed can bring more. */
async function startPodcast() {
  const host = startFeedHost()
  const running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  await fetch(`${running.origin}/api/v1/settings`, {
    method: 'PUT',
    body: JSON.stringify({ podcastPrefill: 0 }),
    headers: { 'Content-Type': 'application/json' },
  })
  const begun = Date.now() - 10 * HOUR
  const itemOf = (title: string, number: number) => ({
    title,
    guid: title,
    enclosure: host.file(`/${title}.mp3`, silentMp3(30)),
    duration: '30',
    date: new Date(begun + number * HOUR).toUTCString(),
  })
  const titles = ['Fog', 'Lamps', 'Ropes']
  const offer = () => host.feed('/a.xml', rss({ title: 'Lighthouse Radio', items: titles.map(itemOf) }))
  const podcast = await running.api<{ id: string }>('/podcasts/feed', { rssFeedUrl: offer() })
  type Wrapper = { podcastEpisode: { id: string; name: string } }
  return {
    running,
    podcast,
    async idOf(title: string) {
      const wrappers = await running.api<Wrapper[]>(`/podcasts/${podcast.id}/episodes`)
      return wrappers.find(({ podcastEpisode }) => podcastEpisode.name === title)!.podcastEpisode.id
    },
    /** The feed brings another episode, and somebody checks it. */
    async publish(title: string) {
      titles.push(title)
      offer()
      await running.api(`/podcasts/${podcast.id}/refresh`, {})
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

const waiting = (page: Page, names: string) =>
  page.waitForFunction(
    wanted =>
      [...document.querySelectorAll('.queue-list .queue-play')].map(({ textContent }) => textContent).join() === wanted,
    names,
  )

test('on a wide page new episodes come to the queue by themselves, and playing goes on after its end', async () => {
  await using here = await startPodcast()
  const { running, podcast } = here
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${running.origin}/ui/podcasts/${podcast.id}/episodes`)
  await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
  await page.getByRole('menuitem', { name: 'Your settings' }).click()
  await page.getByLabel('Queue new episodes').selectOption('At the front of the queue')
  await page.getByLabel('At most this many in the queue').fill('1')
  const saved = page.waitForResponse(response => response.request().postData() === '{"queueMost":1}')
  await page.keyboard.press('Enter')
  await saved
  await page.keyboard.press('Escape')
  await layersGone(page)

  await page.keyboard.press('q')
  const dock = page.getByRole('complementary', { name: 'Queue' })
  await dock.getByRole('region', { name: 'After the queue' }).waitFor()
  await here.publish('Storm')
  await waiting(page, 'Storm')
  await dock.getByRole('img', { name: 'Added automatically' }).waitFor()
  await here.publish('Tides')
  await waiting(page, 'Tides')

  // Playing Fog to its end, then the queue, then what follows in the podcast.
  await dock.getByRole('button', { name: 'After the queue: Nothing' }).click()
  await page.getByRole('menuitemradio', { name: 'Next in the podcast' }).click()
  await dock.getByRole('button', { name: 'Remove Tides from the queue' }).click()
  await page.getByRole('button', { name: 'Play Lamps', exact: true }).click()
  await dock.getByRole('group', { name: 'Continues with “Ropes”' }).waitFor()
  await dock.getByRole('button', { name: 'Stop after this episode' }).click()
  await dock.getByText('Stops after this episode.').waitFor()
  await dock.getByRole('region', { name: 'After the queue' }).getByRole('button', { name: 'Undo' }).click()
  await dock.getByRole('group', { name: 'Continues with “Ropes”' }).waitFor()
  const player = page.getByRole('region', { name: 'Player' })
  await player.getByRole('slider', { name: 'Position' }).press('End')
  const notice = page.getByText('Continues with “Ropes”').last()
  await notice.waitFor()
  await dock.getByText('Ropes').first().waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await player.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await dock.getByRole('group', { name: 'Continues with “Storm”' }).waitFor()

  // The choice belongs to the person: another browser has it.
  const other = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await other.addInitScript(() => localStorage.setItem('queue', 'docked'))
  await other.goto(`${running.origin}/ui/timeline`)
  await other.getByRole('button', { name: 'After the queue: Next in the podcast' }).waitFor()
  await other.close()
  await page.close()
}, 120_000)

test('what could not be loaded of the player is disabled, and tried again with the next episode and at the end of one', async () => {
  await using here = await startPodcast()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
  const page = await context.newPage()
  const late = /(continue-with|player-extras)-\w+\.js/
  await page.route(late, route => route.abort())
  await fetch(`${here.running.origin}/api/v1/queue/continue`, {
    method: 'PUT',
    body: JSON.stringify({ continueWith: 'podcast' }),
    headers: { 'Content-Type': 'application/json' },
  })
  await page.goto(`${here.running.origin}/ui/podcasts/${here.podcast.id}/episodes`)
  await page.getByRole('button', { name: 'Play Fog', exact: true }).click()
  const player = page.getByRole('region', { name: 'Player' })
  await player.getByRole('button', { name: 'Pause', exact: true }).waitFor()
  expect(await player.getByRole('button', { name: 'Sleep timer' }).isDisabled()).toBe(true)
  await player.getByRole('button', { name: 'Full screen' }).click()
  const sheet = page.getByRole('dialog', { name: 'Fog' })
  await sheet.getByRole('button', { name: 'More options for Fog' }).click()
  await page.getByRole('menuitem', { name: 'Skip lengths' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Mark a part to skip' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await layersGone(page)

  await page.unroute(late)
  await player.getByRole('slider', { name: 'Position' }).press('End')
  await page.getByText('Continues with “Lamps”').waitFor()
  await player.getByRole('button', { name: 'Sleep timer' }).click()
  await page.getByRole('menuitemradio', { name: '15 min' }).waitFor()
  await context.close()
}, 120_000)

test('the sleep timer at the end of the episode lets nothing follow', async () => {
  await using here = await startPodcast()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${here.running.origin}/ui/podcasts/${here.podcast.id}/episodes`)
  await page.getByRole('button', { name: 'Play Lamps', exact: true }).click()
  await page.keyboard.press('q')
  await page.getByRole('button', { name: 'After the queue: Nothing' }).click()
  await page.getByRole('menuitemradio', { name: 'Newest not played' }).click()
  await page.getByRole('group', { name: 'Continues with “Ropes”' }).waitFor()
  const player = page.getByRole('region', { name: 'Player' })
  await player.getByRole('button', { name: /^Sleep timer/ }).click()
  await page.getByRole('menuitemradio', { name: /^End of episode/ }).click()
  await player.getByRole('slider', { name: 'Position' }).press('End')
  await player.getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect(await page.getByText('Continues with “Ropes”').count()).toBe(0)
  expect(await player.getByText('Lamps').count()).toBeGreaterThan(0)
  await page.close()
}, 120_000)

test('on a phone one queue is put aside for another, found again as it was, and deleted with a way back', async () => {
  await using here = await startPodcast()
  const { running } = here
  for (const name of ['Fog', 'Lamps']) await running.api('/queue/items', { episode: await here.idOf(name) })
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await page.goto(`${running.origin}/ui/timeline`)
  await page.getByRole('button', { name: /^Queue/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Queue', exact: true })
  await waiting(page, 'Fog,Lamps')
  const menu = sheet.getByRole('button', { name: 'More options for the queue' })

  await menu.click()
  await page.getByRole('menuitem', { name: 'New queue' }).click()
  await page.getByLabel('Name').fill('Evening')
  await page.getByRole('button', { name: 'Begin', exact: true }).click()
  await sheet.getByText('Evening').waitFor()
  await waiting(page, '')

  // Another browser follows at once, and changes back. The queue in use is empty, and its button leads to the other.
  const other = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await other.goto(`${running.origin}/ui/timeline`)
  await other.getByRole('button', { name: /^Queue/ }).click()
  await other.getByRole('button', { name: 'More options for the queue' }).click()
  await other.getByRole('menuitemradio', { name: 'Main queue', exact: true }).click()
  await other.getByText('The queue “Main queue” is in use').waitFor()
  await waiting(page, 'Fog,Lamps')
  await other.close()

  await menu.click()
  await page.getByRole('menuitem', { name: 'All queues…' }).click()
  const all = page.getByRole('dialog', { name: 'Queues' })
  await all.getByRole('listitem').filter({ hasText: 'Evening' }).getByText('0 episodes').waitFor()
  await all.getByRole('button', { name: 'Rename the queue Evening' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Night')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await all.getByText('Night', { exact: true }).waitFor()
  await all.getByRole('button', { name: 'Delete the queue Night' }).click()
  await all.getByText('Night', { exact: true }).waitFor({ state: 'detached' })
  const deleted = page.locator('.toast').filter({ hasText: 'Queue “Night” deleted' })
  await deleted.getByRole('button', { name: 'Undo' }).click()
  await all.getByText('Night', { exact: true }).waitFor()
  await all.getByRole('button', { name: 'Use the queue Night' }).click()
  await waiting(page, '')
  const notice = page.locator('.toast').filter({ hasText: 'The queue “Night” is in use' })
  await notice.getByRole('button', { name: 'Undo' }).click()
  // What it goes on with is in the bar.
  await waiting(page, 'Lamps')
  await sheet.getByRole('region', { name: 'Now playing' }).getByText('Fog').waitFor()
  await page.close()
}, 120_000)

test('playing that began in a playlist goes on in it, after the queue was emptied too', async () => {
  await using here = await startPodcast()
  const { running } = here
  const items = await Promise.all(['Ropes', 'Fog', 'Lamps'].map(async name => ({ episode: await here.idOf(name) })))
  const { id } = await running.api<{ id: string }>('/playlist', { name: 'Evening', items })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${running.origin}/ui/home/playlist/${id}`)
  await page.getByRole('button', { name: 'Play Ropes', exact: true }).click()
  await page.keyboard.press('q')
  await page.getByRole('button', { name: 'After the queue: Nothing' }).click()
  await page.getByRole('menuitemradio', { name: 'The playlist it began in' }).click()
  const next = page.getByRole('group', { name: 'Continues with “Fog”' })
  await next.getByText('Evening').waitFor()
  await page.reload()
  await next.waitFor()

  // Something else, by hand.
  await page.goto(`${running.origin}/ui/timeline`)
  await page.getByRole('button', { name: 'Play Lamps', exact: true }).click()
  await page.getByText('This wasn’t started from a playlist. Playback stops here.').waitFor()
  await page.close()
}, 120_000)
