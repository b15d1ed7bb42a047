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

const said = `WEBVTT

00:00:01.000 --> 00:00:03.000
<v Mara>Who keeps the lamp?

00:00:03.000 --> 00:00:06.000
<v Mara>Who counts the ships?

00:00:06.000 --> 00:00:09.000
<v Tom>My grandfather did.
`

test('sentences are selected by keyboard, shared as a card without the names between them, and bookmarked', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const item = {
    title: 'Fog',
    enclosure: host.file('/a.mp3', silentMp3(60)),
    duration: '60',
    extra: `<podcast:transcript url="${host.file('/fog.vtt', Buffer.from(said), { type: 'text/vtt' })}" type="text/vtt" language="en"/>`,
  }
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'Coast', items: [item] })))
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${app.listen()}/ui/podcasts/${podcast.id}/episodes`)
  await page.getByRole('button', { name: 'Play Fog' }).click()
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Full screen' }).click()
  const sheet = page.getByRole('dialog', { name: 'Fog' })
  await sheet.getByRole('tab', { name: 'Transcript' }).click()
  const transcript = sheet.getByRole('region', { name: 'Transcript' })
  await transcript.getByText('Who keeps the lamp?').waitFor()
  await sheet.getByRole('button', { name: 'Pause', exact: true }).click()
  // The keys begin at the sentence that was spoken last.
  await sheet.getByRole('slider', { name: 'Position' }).fill('1')
  await sheet.locator('.sentence.is-sought', { hasText: 'Who keeps the lamp?' }).waitFor()

  await transcript.focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key)
  const actions = sheet.getByRole('toolbar', { name: 'Actions' })
  await actions.getByText('6 sec selected').waitFor()
  // The keys of the volume mean something else here.
  expect(await sheet.getByRole('button', { name: 'Volume 100 %' }).count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  const card = page.getByRole('dialog', { name: 'Share card' })
  await card.getByRole('img', { name: '“Who counts the ships? My grandfather did.” Mara Coast · 00:03' }).waitFor()
  await card.getByRole('button', { name: 'Tall' }).click()
  const saving = page.waitForEvent('download')
  await card.getByRole('button', { name: 'Save' }).click()
  expect((await saving).suggestedFilename()).toBe('Fog.png')
  await page.keyboard.press('Escape')

  await transcript.focus()
  await page.keyboard.press('ArrowDown')
  await actions.getByRole('button', { name: 'Bookmark' }).click()
  await page.getByText(/^Bookmark at 00:0/).waitFor()
  await page.keyboard.press('Escape')
  await actions.waitFor({ state: 'detached' })
  await sheet.getByRole('tab', { name: 'Bookmarks' }).click()
  await sheet
    .getByRole('button', { name: /Who|grandfather/ })
    .first()
    .waitFor()
  await page.close()
}, 120_000)
