import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, wav } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

type Heard = { media: HTMLMediaElement; decibels: () => number }

const host = startFeedHost()
const browser = await startBrowser()
let running: Awaited<ReturnType<typeof startExecutable>>

const SECONDS = 120
/** Tones of about -9 and -27 LUFS. */
const peaks = { Loud: 13_000, Quiet: 1640 }
type Name = keyof typeof peaks

beforeAll(async () => {
  running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  const items = Object.entries(peaks).map(([title, peak]) => ({
    title,
    enclosure: host.file(`/${title}.wav`, wav([[SECONDS, 'tone']], 8000, peak), { type: 'audio/wav' }),
    type: 'audio/wav',
    duration: String(SECONDS),
  }))
  await running.api('/podcasts/feed', { rssFeedUrl: host.feed('/feed.xml', rss({ items })) })
})
afterAll(async () => {
  await browser.close()
  await running.stop()
  host.stop()
})

/** A page in a browser of its own, which hears what our graph sends to the speakers: the mean level in decibels. */
async function openPage(): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.addInitScript(() => {
    // The amplifier makes a graph, also while nothing is levelled.
    localStorage.setItem('player.volume', '101')
    const heard = { decibels: () => -Infinity } as unknown as Heard
    Object.assign(window, { heard })
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function () {
      heard.media = this
      return play.call(this)
    }
    const connect = AudioNode.prototype.connect as (this: AudioNode, ...to: unknown[]) => AudioNode
    let tap: AnalyserNode | null = null
    AudioNode.prototype.connect = function (this: AudioNode, ...to: unknown[]) {
      if (to[0] === this.context.destination) {
        tap ??= this.context.createAnalyser()
        const samples = new Float32Array(tap.fftSize)
        connect.call(this, tap)
        heard.decibels = () => {
          tap!.getFloatTimeDomainData(samples)
          return 10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
        }
      }
      return connect.apply(this, to)
    } as typeof connect as AudioNode['connect']
  })
  await page.goto(`${running.origin}/ui/timeline`)
  return page
}
const bar = (page: Page) => page.getByRole('region', { name: 'Player' })
const inside = (page: Page) => page.evaluateHandle(() => (window as unknown as { heard: Heard }).heard)
const decibels = async (page: Page) => page.evaluate(heard => heard.decibels(), await inside(page))
/** Waits until this much more was played, and the graph sounds. */
const passes = async (page: Page, seconds: number) => {
  const heard = await inside(page)
  await page.waitForFunction(heard => heard.media && heard.decibels() > -60, heard)
  const until = (await page.evaluate(heard => heard.media.currentTime, heard)) + seconds
  await page.waitForFunction(([heard, until]) => heard.media.currentTime >= until, [heard, until] as const)
}
async function play(name: Name) {
  const page = await openPage()
  const measured = page.waitForResponse(
    response => response.request().method() === 'PUT' && response.url().endsWith('/loudness'),
    { timeout: 110_000 },
  )
  measured.catch(() => undefined)
  await page
    .getByRole('button', { name: `Play ${name}`, exact: true })
    .first()
    .click()
  await passes(page, 1)
  return { page, measured }
}
const difference = async (loud: Page, quiet: Page) => (await decibels(loud)) - (await decibels(quiet))
const close = (...pages: Page[]) => Promise.all(pages.map(page => page.context().close()))

test('episodes sound as different as they are, until they are levelled and were heard for half a minute', async () => {
  const [loud, quiet] = await Promise.all([play('Loud'), play('Quiet')])
  expect(Math.round(await difference(loud.page, quiet.page))).toBe(18)

  // Chosen while it plays, in the dialog of one page and the settings of another.
  const { page } = loud
  await bar(page)
    .getByRole('button', { name: /^Speed/ })
    .focus()
  await page.keyboard.press('Shift+ArrowUp')
  const saved = page.waitForResponse(response => response.url().endsWith('/users/me/skipLengths'))
  await page.getByRole('dialog', { name: 'Speed' }).getByRole('switch', { name: 'Level the volume' }).check()
  await saved
  await page.keyboard.press('Escape')
  await quiet.page.goto(`${running.origin}/ui/settings/playback`)
  expect(await quiet.page.getByRole('switch', { name: 'Level the volume' }).isChecked()).toBe(true)
  await bar(quiet.page).getByRole('button', { name: 'Play', exact: true }).click()
  await passes(quiet.page, 1)
  expect(Math.round(await difference(loud.page, quiet.page))).toBe(18)

  const measures = await Promise.all(
    [loud, quiet].map(async ({ measured }) => (await measured).request().postDataJSON() as { lufs: number }),
  )
  expect(measures.map(({ lufs }) => Math.round(lufs))).toEqual([-9, -27])
  const heard = await Promise.all([inside(loud.page), inside(quiet.page)])
  await Promise.all([
    loud.page.waitForFunction(one => one.decibels() < -17, heard[0]),
    quiet.page.waitForFunction(one => one.decibels() > -19, heard[1]),
  ])
  expect(Math.abs(await difference(loud.page, quiet.page))).toBeLessThan(2)
  await close(loud.page, quiet.page)
}, 180_000)

test('once they are measured, episodes are equally loud from the start, and unlevelled again when that is off', async () => {
  const levelled = await Promise.all([play('Loud'), play('Quiet')])
  expect(Math.abs(await difference(levelled[0].page, levelled[1].page))).toBeLessThan(2)
  const { page } = levelled[0]
  await page.goto(`${running.origin}/ui/settings/playback`)
  const saved = page.waitForResponse(response => response.request().method() === 'PUT')
  await page.getByRole('switch', { name: 'Level the volume' }).uncheck()
  await saved
  await close(...levelled.map(one => one.page))
  const usual = await Promise.all([play('Loud'), play('Quiet')])
  expect(Math.round(await difference(usual[0].page, usual[1].page))).toBe(18)
  await close(...usual.map(one => one.page))
}, 120_000)

test('the limiter leaves sound below its limit as loud as it is, and nothing above full scale', async () => {
  const built = await Bun.build({ entrypoints: [join(import.meta.dir, '../../src/ui/playback/leveller.ts')] })
  const code = `data:text/javascript,${encodeURIComponent(await built.outputs[0]!.text())}`
  const page = await browser.newPage()
  const peaks = await page.evaluate(async code => {
    const { createLimiter } = (await import(code)) as typeof import('../../src/ui/playback/leveller')
    return Promise.all(
      [0.01, 0.1, 0.5, 0.7, 1, 2, 4].map(async level => {
        const context = new OfflineAudioContext(1, 48_000, 48_000)
        const [tone, gain, limiter] = [context.createOscillator(), context.createGain(), createLimiter(context)]
        gain.gain.value = level
        tone.connect(gain).connect(limiter.input)
        limiter.output.connect(context.destination)
        tone.start()
        const samples = (await context.startRendering()).getChannelData(0).subarray(24_000)
        return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)
      }),
    )
  }, code)
  expect(peaks.slice(0, 4)).toEqual([0.01, 0.1, 0.5, 0.7].map(peak => expect.closeTo(peak, 2)))
  for (const peak of peaks) expect(peak).toBeLessThan(1)
  await page.close()
})
