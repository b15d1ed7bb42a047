import { afterAll, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { routes } from '../../src/ui/routes'
import { startTestApp } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, wav } from '../support/builders'
import { startFeedHost } from '../support/feed-host'
import { createKeyboard, createThumb } from '../support/hands'

// Whole days of a listener, whose sound is measured where it leaves the media element.

const host = startFeedHost()
const browser = await startBrowser()
afterAll(async () => {
  await browser.close()
  host.stop()
})

const LEFT_AT = 12
/** Longer than a slow machine takes for a journey, so that nothing ends before its time. */
const LENGTH = 240
const tone = wav([[LENGTH, 'tone']], 4000)
/** The tone of `wav` has 0.065. */
const AUDIBLE = 0.03

const said = `WEBVTT

00:00:00.000 --> 00:01:40.000
<v Mara>Who keeps the lamp?

00:01:40.000 --> 00:04:00.000
<v Tom>My grandfather did.
`

/** Three episodes, the newest with a transcript and begun; titles are as long as people write them. */
async function startEvening() {
  const app = await startTestApp()
  app.prefill(0)
  const transcript = host.file('/fog.vtt', Buffer.from(said), { type: 'text/vtt' })
  const items = ['Fog over the northern lights', 'Lamps', 'Ropes'].map((title, index) => ({
    title,
    enclosure: host.file(`/${index}.wav`, tone, { type: 'audio/wav' }),
    type: 'audio/wav',
    duration: String(LENGTH),
    date: new Date(Date.now() - index * 86_400_000).toUTCString(),
    ...(index === 0 && { extra: `<podcast:transcript url="${transcript}" type="text/vtt" language="en"/>` }),
  }))
  const podcast = await app.podcasts.add(host.feed('/coast.xml', rss({ title: 'Coast', items })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const fog = data.find(({ podcastEpisode }) => podcastEpisode.name.startsWith('Fog'))!.podcastEpisode
  await app.playback.save({ podcastEpisodeId: fog.episode_id, total: LENGTH, time: LEFT_AT })
  const origin = app.listen()
  return { app, at: (path: string) => `${origin}/ui${path}` }
}

type Sounding = { media: HTMLMediaElement; loudness: () => number }

async function openPage(size: { width: number; height: number }, hasTouch = false) {
  const context = await browser.newContext({ viewport: size, hasTouch, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function () {
      const sounding = (window as unknown as { sounding?: Sounding }).sounding
      if (sounding?.media !== this) {
        const audio = new AudioContext()
        const analyser = audio.createAnalyser()
        const samples = new Float32Array(analyser.fftSize)
        let source: MediaStreamAudioSourceNode | null = null
        const loudness = () => {
          // The element has a track once it knows its medium.
          const { captureStream } = this as unknown as { captureStream(): MediaStream }
          const stream = captureStream.call(this)
          if (stream.getAudioTracks().length === 0) return 0
          source?.disconnect()
          source = audio.createMediaStreamSource(stream)
          source.connect(analyser)
          analyser.getFloatTimeDomainData(samples)
          return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
        }
        Object.assign(window, { sounding: { media: this, loudness } })
      }
      return play.call(this)
    }
  })
  return page
}

/** Waits until a tone is heard between these seconds of what plays. */
const hears = (page: Page, from: number, to: number) =>
  page.waitForFunction(
    ([least, most, audible]) => {
      const { sounding } = window as unknown as { sounding?: Sounding }
      if (!sounding || sounding.media.paused) return false
      const { currentTime } = sounding.media
      return currentTime > least! && currentTime < most! && sounding.loudness() > audible!
    },
    [from, to, AUDIBLE] as const,
  )

const bar = (page: Page) => page.getByRole('region', { name: 'Player' })

test('a day on a phone: going on, moving by finger, reading along, sharing a line, and a queue that follows', async () => {
  const { app, at } = await startEvening()
  await using _ = app
  const page = await openPage({ width: 390, height: 844 }, true)
  const thumb = createThumb(page)
  await page.goto(at(routes.home))
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Resume/ })
    .first()
    .tap()
  await hears(page, LEFT_AT - 1, LENGTH / 2 - 20)

  await bar(page).getByRole('button', { name: 'Full screen' }).tap()
  const sheet = page.getByRole('dialog', { name: /^Fog/ })
  const line = (await sheet.getByRole('slider', { name: 'Position' }).boundingBox())!
  const y = line.y + line.height / 2
  await thumb.drag([line.x + line.width * 0.2, y], [line.x + line.width / 2, y])
  await hears(page, LENGTH / 2 - 15, LENGTH - 20)

  await sheet.getByRole('tab', { name: 'Transcript' }).tap()
  await sheet.getByText('My grandfather did.').tap()
  await hears(page, 100, LENGTH / 2 - 10)
  // As the handles of the system select it.
  await sheet.getByText('My grandfather did.').evaluate(line => document.getSelection()!.selectAllChildren(line))
  await sheet.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Share card' }).tap()
  const card = page.getByRole('dialog', { name: 'Share card' })
  await card.getByRole('img', { name: /My grandfather did\.” Tom Coast/ }).waitFor()
  await card.getByRole('button', { name: 'Close' }).tap()
  await thumb.drag([195, 160], [195, 660])
  await thumb.drag([195, 200], [195, 700])
  await sheet.waitFor({ state: 'hidden' })

  await page.getByRole('link', { name: 'Timeline' }).tap()
  for (const name of ['Lamps', 'Ropes']) await thumb.swipe(page.locator('.episode', { hasText: name }))
  await page.getByRole('button', { name: /^Queue/ }).tap()
  const queue = page.getByRole('dialog', { name: 'Queue' })
  for (const name of ['Lamps', 'Ropes'])
    await queue.getByRole('button', { name: `Move ${name}`, exact: true }).waitFor()
  await page.goBack()
  await bar(page).getByRole('button', { name: 'Full screen' }).tap()
  await sheet.getByRole('slider', { name: 'Position' }).press('End')
  await page.getByRole('dialog', { name: 'Lamps' }).waitFor()
  await hears(page, 0.1, LENGTH - 20)
  await page.close()
}, 120_000)

test('an evening at a television by keyboard: found by its words, played, louder, queued, and followed by the next', async () => {
  const { app, at } = await startEvening()
  await using _ = app
  const page = await openPage({ width: 2560, height: 1440 })
  const keys = createKeyboard(page)
  await page.goto(at(routes.home))
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await keys.press(page.locator('header').getByRole('button', { name: /^Search/ }))
  await page.getByRole('combobox', { name: 'Search' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('lamp')
  await keys.press(page.getByRole('option', { name: /Lamps/ }).first())
  await page
    .getByRole('heading', { level: 1, name: 'Coast' })
    .or(page.getByRole('heading', { name: 'Lamps' }))
    .first()
    .waitFor()
  await keys.press(page.getByRole('main').getByRole('button', { name: 'Play Lamps' }))
  await hears(page, 0.1, LENGTH - 20)
  await keys.press(bar(page).getByRole('button', { name: 'Full screen' }))
  const sheet = page.getByRole('dialog', { name: 'Lamps' })
  await sheet.waitFor()
  await page.keyboard.press('ArrowUp')
  await sheet.getByRole('button', { name: 'Volume 105 %' }).waitFor()
  await page.keyboard.press('k')
  await sheet.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })

  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor()
  await keys.press(page.getByRole('main').getByRole('button', { name: 'Add Ropes to the queue' }))
  await page.getByText('Added to the queue').waitFor()
  await bar(page).getByRole('slider', { name: 'Position' }).focus()
  await page.keyboard.press('End')
  await bar(page).getByText('Ropes').first().waitFor()
  await hears(page, 0.1, LENGTH - 20)
  await page.close()
}, 120_000)
