import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3, wav } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { toneMp3 } from '../support/tones'

type Heard = { media: HTMLMediaElement; loudness: () => number }

const host = startFeedHost()
const browser = await startBrowser()
let running: Awaited<ReturnType<typeof startExecutable>>
let podcast: { id: string }

/** A stream that begins with sound and doesn't end. */
const endless = () =>
  new Response(new ReadableStream({ start: controller => controller.enqueue(new Uint8Array(toneMp3(60))) }), {
    headers: { 'Content-Type': 'audio/mpeg' },
  })

beforeAll(async () => {
  running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  await fetch(`${running.origin}/api/v1/settings`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"podcastPrefill":0}',
  })
  const start = new Date(Date.now() - 60_000).toISOString()
  const extra = `<podcast:trailer pubdate="Thu, 01 Jan 2026 08:00:00 GMT" url="${host.file('/trailer.wav', wav([[30, 'tone']]), { type: 'audio/wav' })}" type="audio/wav" length="1000">Coming soon</podcast:trailer>
<podcast:liveItem status="live" start="${start}"><title>Storm night</title><guid>night</guid><enclosure url="${host.on('/live.mp3', endless)}" type="audio/mpeg" length="0"/>
<podcast:contentLink href="https://video.example/night">Watch</podcast:contentLink><podcast:chat server="irc.lighthouse.example" protocol="irc" space="#night"/></podcast:liveItem>`
  const form = `<podcast:alternateEnclosure type="audio/wav" length="480000" bitrate="128000" title="Low bandwidth"><podcast:source uri="${host.file('/small.wav', wav([[30, 'tone']]), { type: 'audio/wav' })}"/></podcast:alternateEnclosure>
<podcast:alternateEnclosure type="video/mp4" length="90000000" height="720" title="Video"><podcast:source uri="https://cdn.example/fog.mp4"/></podcast:alternateEnclosure>`
  const enclosure = host.file('/fog.mp3', silentMp3(30))
  podcast = await running.api('/podcasts/feed', {
    rssFeedUrl: host.feed(
      '/feed.xml',
      rss({ title: 'Lighthouse Radio', extra, items: [{ title: 'Fog', enclosure, extra: form, duration: '30' }] }),
    ),
  })
})
afterAll(async () => {
  await browser.close()
  await running.stop()
  host.stop()
})

/** The page of the podcast, on which the sound that plays can be measured. */
async function open(viewport = { width: 1440, height: 900 }): Promise<Page> {
  const page = await browser.newPage({ viewport })
  page.setDefaultTimeout(60_000)
  await page.addInitScript(() => {
    const heard = { loudness: () => 0 } as unknown as Heard
    Object.assign(window, { heard })
    // Sound above the usual volume passes our graph, where it can be measured.
    localStorage.setItem('player.volume', '150')
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function () {
      heard.media = this
      return play.call(this)
    }
    const createGain = AudioContext.prototype.createGain
    AudioContext.prototype.createGain = function () {
      const gain = createGain.call(this)
      const analyser = this.createAnalyser()
      gain.connect(analyser)
      const samples = new Float32Array(analyser.fftSize)
      heard.loudness = () => {
        analyser.getFloatTimeDomainData(samples)
        return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
      }
      return gain
    }
  })
  await page.goto(`${running.origin}/ui/podcasts/${podcast.id}/episodes`)
  await page.getByRole('button', { name: 'Fog', exact: true }).waitFor()
  return page
}
const bar = (page: Page) => page.getByRole('region', { name: 'Player' })
const inside = (page: Page) => page.evaluateHandle(() => (window as unknown as { heard: Heard }).heard)
const until = async (page: Page, is: (heard: Heard) => boolean) =>
  page.waitForFunction(is as (heard: unknown) => boolean, await inside(page))
const sounds = (page: Page) => until(page, ({ media, loudness }) => media?.currentTime > 0.5 && loudness() > 0.005)
const source = (page: Page) => page.evaluate(() => (window as unknown as { heard: Heard }).heard.media.currentSrc)

test('a trailer plays with its sound, and stands among the episodes', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'More Lighthouse Radio', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Play Coming soon' }).click()
  await sounds(page)
  await dialog.waitFor({ state: 'detached' })
  await bar(page).getByRole('link', { name: 'Coming soon' }).waitFor()
  expect(await page.locator('.episode', { hasText: 'Coming soon' }).innerText()).toContain('Trailer')
  expect(host.requestsTo('/trailer.wav').length).toBeGreaterThan(0)
  await page.close()
})

test('another form of an episode is chosen beside it or in the player, which stays where it was', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Fog', exact: true }).click()
  await page.getByRole('button', { name: 'Play Low bandwidth' }).click()
  await sounds(page)
  expect(await source(page)).toContain('form=')
  await until(page, ({ media }) => media.currentTime > 2)

  await bar(page).getByRole('button', { name: 'Full screen' }).click()
  await page.getByRole('button', { name: 'Versions' }).click()
  await page.getByRole('menuitemradio', { name: 'Main version' }).click()
  await page.waitForFunction(() => !(window as unknown as { heard: Heard }).heard.media.currentSrc.includes('form='))
  await until(page, ({ media }) => media.currentTime > 2 && !media.paused)
  await page.close()
})

test('a live stream plays in the player, without a place to go to or a position that is saved', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Play Storm night' }).click()
  await sounds(page)
  expect(await source(page)).toContain('/media/live/')
  expect(await bar(page).getByRole('slider', { name: 'Position' }).count()).toBe(0)
  expect(
    await bar(page)
      .getByRole('button', { name: /Forward/ })
      .count(),
  ).toBe(0)
  await bar(page).getByRole('button', { name: 'Full screen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Storm night' })
  expect(await dialog.getByRole('link', { name: 'Chat: #night' }).getAttribute('href')).toBe(
    'ircs://irc.lighthouse.example/%23night',
  )
  await dialog.getByRole('link', { name: 'Watch' }).waitFor()

  const before = host.requestsTo('/live.mp3').length
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click()
  await dialog.getByRole('button', { name: 'Play', exact: true }).click()
  await sounds(page)
  expect(host.requestsTo('/live.mp3').length).toBeGreaterThan(before)
  await page.close()
})
