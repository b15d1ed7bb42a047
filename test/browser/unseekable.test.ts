import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { EpisodeWrapper } from '../../src/shared/api/episode'
import type { EpisodeHistory } from '../../src/shared/api/history'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { startPlainHost } from '../support/plain-host'
import { freePort } from '../support/ports'

/** An MP3 of ten minutes that says so in its first frame: a browser that knows the length seeks in no stream. */
const file = silentMp3(600)
file.set(Buffer.from('Info\0\0\0\x01'), 21)
new DataView(file.buffer).setUint32(29, file.byteLength / 417 - 1)
const HELD = 2_000_000
const feeds = startFeedHost()
const browser = await startBrowser()
const whole = await startPlainHost(file)
const endless = await startPlainHost(file, { saysLength: false, holdsAt: HELD })
const env = { DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0', PORT: String(freePort()) }
let running: Awaited<ReturnType<typeof startExecutable>>

/** Adds an episode of which 300 of 600 seconds are heard, and returns its id. */
async function withPlaceIn(title: string, enclosure: string): Promise<string> {
  const rssFeedUrl = feeds.feed(`/${title}.xml`, rss({ items: [{ title, enclosure, duration: '600' }] }))
  const { id } = await running.api<{ id: string }>('/podcasts/feed', { rssFeedUrl })
  const [{ podcastEpisode }] = await running.api<[EpisodeWrapper]>(`/podcasts/${id}/episodes`)
  const eid = podcastEpisode.episode_id
  await running.api('/podcasts/episode', { podcastEpisodeId: eid, time: 300, total: 600 })
  return eid
}
async function play(title: string) {
  const page = await browser.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(`${running.origin}/ui/timeline`)
  await page
    .getByRole('button', { name: new RegExp(`(Play|Resume|Continue) ${title}`) })
    .first()
    .click()
  return page
}
const placeIn = async (eid: string) => (await running.api<EpisodeHistory>(`/podcasts/episode/${eid}`)).position

beforeAll(async () => {
  running = await startExecutable(env)
  await fetch(`${running.origin}/api/v1/settings`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"podcastPrefill":0}',
  })
})
afterAll(async () => {
  await browser.close()
  await running.stop()
  for (const host of [whole, endless]) host[Symbol.dispose]()
  feeds.stop()
})

test('an episode of a host without ranges is entered at 300 seconds, and jumped in', async () => {
  const eid = await withPlaceIn('Fog', whole.address)
  const page = await play('Fog')
  const slider = page.getByRole('slider', { name: 'Position' }).first()
  const atLeast = (second: number) =>
    page.waitForFunction(
      at => Number(document.querySelector<HTMLInputElement>('input[type=range]')?.value) >= at,
      second,
    )
  await atLeast(301)
  await slider.fill('450')
  await slider.dispatchEvent('keyup')
  await atLeast(451)
  await page.getByRole('button', { name: 'Pause' }).first().click()
  while (((await placeIn(eid)) ?? 0) < 451) await Bun.sleep(20)
  expect(await placeIn(eid)).toBeLessThan(600)
  expect(whole.requests()).toBe(1)
  await page.close()
})

test('an episode whose host tells neither its length nor sends its end says so, and keeps the saved position', async () => {
  const eid = await withPlaceIn('Haze', endless.address)
  const page = await play('Haze')
  await page.getByText('The host sends this episode only from its start').waitFor()
  expect(await placeIn(eid)).toBe(300)
  await page.close()
  expect(await placeIn(eid)).toBe(300)
})
