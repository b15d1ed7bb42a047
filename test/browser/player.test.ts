import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3, wav } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { freePort } from '../support/ports'

type Running = Awaited<ReturnType<typeof startExecutable>>
type Heard = { media: HTMLMediaElement; loudness: () => number; rates: [number, number][] }

const host = startFeedHost()
const browser = await startBrowser()
const env = { DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0', PORT: String(freePort()) }
let running: Running

const episodes = {
  Hour: { file: silentMp3(3700), type: 'audio/mpeg', seconds: 3700 },
  Tone: { file: wav([[30, 'tone']]), type: 'audio/wav', seconds: 30 },
  Gap: {
    file: wav([
      [2, 'tone'],
      [8, 'silence'],
      [4, 'tone'],
    ]),
    type: 'audio/wav',
    seconds: 14,
  },
  First: { file: silentMp3(4), type: 'audio/mpeg', seconds: 4 },
  Second: { file: silentMp3(30), type: 'audio/mpeg', seconds: 30 },
}
type Name = keyof typeof episodes
const hangs = () => new Promise<Response>(() => {})

beforeAll(async () => {
  running = await startExecutable(env)
  await fetch(`${running.origin}/api/v1/settings`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"podcastPrefill":0}',
  })
  const items = Object.entries(episodes).map(([title, { file, type, seconds }]) => ({
    title,
    enclosure: host.file(`/${title}`, file, { type }),
    type,
    duration: String(seconds),
  }))
  items.push({ title: 'Slow', enclosure: host.on('/Slow', hangs), type: 'audio/mpeg', duration: '600' })
  await running.api('/podcasts/feed', { rssFeedUrl: host.feed('/feed.xml', rss({ items })) })
})
afterAll(async () => {
  await browser.close()
  await running.stop()
  host.stop()
})

/** A page on which what plays can be looked at from inside: the element, how loud it leaves our graph, its rates. */
async function openPage(context?: BrowserContext): Promise<Page> {
  const page = await (context ?? browser).newPage()
  await page.addInitScript(() => {
    const heard = { rates: [], loudness: () => 0 } as unknown as Heard
    Object.assign(window, { heard })
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function () {
      if (heard.media !== this)
        this.addEventListener('ratechange', () => heard.rates.push([this.currentTime, this.playbackRate]))
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
  await page.goto(`${running.origin}/ui/timeline`)
  return page
}
const inside = (page: Page) => page.evaluateHandle(() => (window as unknown as { heard: Heard }).heard)
const heardOn = async <T>(page: Page, look: (heard: Heard) => T) =>
  (await page.evaluate(look as (heard: unknown) => T, await inside(page))) as T
const until = async (page: Page, is: (heard: Heard) => boolean) =>
  page.waitForFunction(is as (heard: unknown) => boolean, await inside(page))

async function play(page: Page, name: Name) {
  await page
    .getByRole('button', { name: `Play ${name}`, exact: true })
    .first()
    .click()
  await bar(page).getByRole('button', { name: 'Pause', exact: true }).waitFor()
  await until(page, ({ media }) => media.currentTime > 0)
}
const bar = (page: Page) => page.getByRole('region', { name: 'Player' })
const slider = (page: Page, name: string) => bar(page).getByRole('slider', { name })

test('speeds go round as listed, the volume from 0 to 300, sliders by 1 and 10, and forward acts before the end alone', async () => {
  const page = await openPage()
  await play(page, 'Hour')
  const rate = bar(page).getByRole('button', { name: /^Speed/ })
  const rates: string[] = []
  for (let step = 0; step < 8; step++) {
    await rate.click()
    rates.push(await rate.innerText())
  }
  expect(rates).toEqual(['1.1×', '1.25×', '1.5×', '2×', '2.5×', '3×', '0.5×', '1×'])

  const volume = slider(page, 'Volume')
  const keysOn = async (keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    return volume.inputValue()
  }
  await volume.focus()
  expect(await keysOn(['End'])).toBe('300')
  expect(await keysOn(['ArrowRight'])).toBe('300')
  expect(await keysOn(['PageDown', 'Shift+ArrowLeft', 'ArrowLeft'])).toBe('279')
  expect(await keysOn(['Home', 'ArrowLeft'])).toBe('0')
  expect(await keysOn(['PageUp', 'Shift+ArrowUp', 'ArrowUp'])).toBe('21')
  await bar(page).getByRole('button', { name: 'Mute' }).click()
  expect(await heardOn(page, ({ media }) => media.volume)).toBe(0)
  await bar(page).getByRole('button', { name: 'Unmute' }).click()
  expect(await heardOn(page, ({ media }) => media.volume)).toBeCloseTo(0.21)

  const position = slider(page, 'Position')
  await bar(page).getByRole('button', { name: 'Pause', exact: true }).click()
  await position.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('PageDown')
  await page.keyboard.press('PageDown')
  await until(page, ({ media }) => Math.abs(media.currentTime - 3671) < 2)
  expect(await bar(page).locator('.player-time').first().innerText()).toBe('01:01:11')
  // Thirty more would be beyond the end: neither the button nor the key acts.
  await bar(page).getByRole('button', { name: 'Forward 30 seconds' }).click()
  await page.keyboard.press('l')
  expect(await bar(page).locator('.player-time').first().innerText()).toBe('01:01:11')
  await bar(page).getByRole('button', { name: 'Back 30 seconds' }).click()
  await until(page, ({ media }) => Math.abs(media.currentTime - 3641) < 2)
  await page.keyboard.press('Tab')
  expect(await bar(page).locator('.player-total').innerText()).toBe('−00:50')
  await bar(page).locator('.player-total').click()
  expect(await bar(page).locator('.player-total').innerText()).toBe('01:01:31')
  await position.focus()
  await page.keyboard.press('Home')
  await bar(page).getByRole('button', { name: 'Back 30 seconds' }).click()
  await until(page, ({ media }) => media.currentTime === 0)
  expect(await bar(page).locator('.player-time').first().innerText()).toBe('00:00')
  await page.close()
})

test('an episode that is slow to start can be paused by a click meanwhile', async () => {
  const page = await openPage()
  page.setDefaultTimeout(60_000)
  await page.getByRole('button', { name: 'Play Slow', exact: true }).first().click()
  await bar(page).locator('[aria-busy=true]').click()
  await bar(page).getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect(await heardOn(page, ({ media }) => media.paused)).toBe(true)
  await page.close()
})

test('every key does what it says, until keys of one stroke are turned off', async () => {
  const page = await openPage()
  await play(page, 'Hour')
  await page.locator('main').focus()
  const paused = () => heardOn(page, ({ media }) => media.paused)
  for (const [key, isPaused] of [
    ['k', true],
    ['K', false],
    [' ', true],
    [' ', false],
  ] as const) {
    await page.keyboard.press(key)
    await page.waitForFunction(
      wanted => (window as unknown as { heard: Heard }).heard.media.paused === wanted,
      isPaused,
    )
  }
  await page.keyboard.press('k')
  const shown = bar(page).locator('.player-time').first()
  await slider(page, 'Position').focus()
  await page.keyboard.press('Home')
  await page.locator('main').focus()
  for (const [key, time] of [
    ['l', '00:30'],
    ['ArrowRight', '01:00'],
    ['j', '00:30'],
    ['ArrowLeft', '00:00'],
  ] as const) {
    await page.keyboard.press(key)
    await shown.getByText(time).waitFor()
  }
  // Arrows are the page's while nothing plays, and the player's while something does or it is open.
  const volume = slider(page, 'Volume')
  const before = Number(await volume.inputValue())
  const isTaken = (key: string) =>
    page.evaluate(
      key => !document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })),
      key,
    )
  expect([await paused(), await isTaken('ArrowDown'), await isTaken('ArrowUp')]).toEqual([true, false, false])
  expect(Number(await volume.inputValue())).toBe(before)
  await page.keyboard.press('k')
  await bar(page).getByRole('button', { name: 'Pause' }).waitFor()
  await page.keyboard.press('ArrowDown')
  expect(Number(await volume.inputValue())).toBe(before - 5)
  await page.keyboard.press('k')
  await bar(page).getByRole('button', { name: 'Play' }).waitFor()
  await page.getByRole('button', { name: 'Full screen', exact: true }).click()
  await page.getByRole('button', { name: 'Leave full screen' }).waitFor()
  expect(await isTaken('ArrowUp')).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave full screen' }).waitFor({ state: 'hidden' })
  expect(Number(await volume.inputValue())).toBe(before)
  await slider(page, 'Position').focus()
  await page.keyboard.press('Home')
  await page.locator('main').focus()

  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })
  await page.locator('main').focus()
  for (const key of ['k', 'l', '?', '/', 'ArrowDown']) await page.keyboard.press(key)
  expect(await paused()).toBe(true)
  expect(await shown.innerText()).toBe('00:00')
  expect(await volume.inputValue()).toBe(String(before))
  expect(await page.getByRole('dialog').count()).toBe(0)
  // Ctrl+f is no key of one stroke: it opens, and closes.
  await page.keyboard.press('Control+f')
  await page.getByRole('combobox', { name: 'Search' }).waitFor()
  await page.keyboard.press('Control+f')
  await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'hidden' })
  await page.close()
})

test('above 100 percent it is louder, as measured behind our amplifier', async () => {
  const page = await openPage()
  await play(page, 'Tone')
  const volume = slider(page, 'Volume')
  await volume.fill('101')
  await until(page, ({ loudness }) => loudness() > 0.06)
  const usual = await heardOn(page, ({ loudness }) => loudness())
  await volume.fill('300')
  await until(page, ({ loudness }) => loudness() > 0.18)
  expect((await heardOn(page, ({ loudness }) => loudness())) / usual).toBeCloseTo(300 / 101, 0)
  await page.close()
})

test('silence is hurried through, and what follows it is heard at its own speed', async () => {
  const page = await openPage()
  await play(page, 'Gap')
  await bar(page).getByRole('button', { name: 'Full screen' }).click()
  await page.getByRole('button', { name: 'Trim silence' }).click()
  await until(page, ({ media }) => media.currentTime > 11)
  const rates = await heardOn(page, heard => heard.rates)
  const [hurry, back] = [rates.find(([, rate]) => rate === 4)!, rates.at(-1)!]
  expect(hurry[0]).toBeGreaterThan(2)
  expect(hurry[0]).toBeLessThan(6)
  expect(back[1]).toBe(1)
  expect(back[0]).toBeGreaterThan(9)
  await page.close()
})

test('an episode that ends is recorded with its whole length, and the next in the queue begins', async () => {
  const page = await openPage()
  const more = async (name: Name, entry: string) => {
    await page.getByRole('button', { name: `More options for ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  await more('Second', 'Add to queue')
  await page.getByText('Added to the queue').waitFor()
  await play(page, 'First')
  await bar(page).getByText('Second').waitFor()
  await until(page, ({ media }) => !media.paused && media.currentTime > 0)
  const { data } = await running.api<{
    data: { podcast_episode: { name: string }; history: { position: number; finished: boolean } }[]
  }>('/podcasts/timeline?limit=10')
  const first = data.find(({ podcast_episode }) => podcast_episode.name === 'First')!
  expect(first.history).toMatchObject({ position: 4, finished: true })
  await page.close()
})

test('the next episode begins without the network, and at the speed that was kept for its podcast', async () => {
  const page = await openPage()
  await page.addInitScript(() => {
    const spares: HTMLAudioElement[] = []
    const Native = window.Audio
    Object.assign(window, {
      spares,
      Audio: class extends Native {
        constructor() {
          super()
          spares.push(this)
        }
      },
    })
  })
  await page.reload()
  await play(page, 'Hour')
  await bar(page)
    .getByRole('button', { name: /^Speed/ })
    .focus()
  await page.keyboard.press('Shift+ArrowUp')
  const dialog = page.getByRole('dialog', { name: 'Speed' })
  await dialog.getByRole('switch', { name: 'Only for this podcast' }).check()
  const saved = page.waitForResponse(response => response.request().postData()?.includes('1.05') ?? false)
  await dialog.getByRole('combobox', { name: 'Speed' }).selectOption('1.05×')
  await saved
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More options for Tone', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Play next', exact: true }).click()
  await play(page, 'First')
  await page.waitForFunction(() =>
    (window as unknown as { spares: HTMLAudioElement[] }).spares.some(
      ({ paused, readyState }) => paused && readyState > 2,
    ),
  )
  await page.route('**', () => undefined)
  await bar(page).getByText('Tone').waitFor()
  await until(page, ({ media }) => !media.paused && media.currentTime > 0.5 && media.duration === 30)
  expect(await heardOn(page, ({ media }) => media.playbackRate)).toBe(1.05)
  await page.unrouteAll({ behavior: 'ignoreErrors' })

  const elsewhere = await openPage(await browser.newContext())
  await play(elsewhere, 'Hour')
  await bar(elsewhere).getByText('1.05×').waitFor()
  await elsewhere.context().close()
  await page.close()
}, 60_000)

test('the sleep timer counts down and pauses', async () => {
  const page = await openPage()
  await page.clock.install()
  await page.reload()
  await play(page, 'Hour')
  await bar(page).getByRole('button', { name: 'Full screen' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Sleep timer' }).click()
  await sheet.getByRole('menuitemradio', { name: '15 min' }).click()
  await page.clock.runFor(60_000)
  expect(await heardOn(page, ({ media }) => media.paused)).toBe(false)
  await sheet.getByRole('button', { name: /^Sleep timer, 1[34] minutes left$/ }).waitFor()
  await page.clock.runFor(14 * 60_000 + 1000)
  await until(page, ({ media }) => media.paused)
  await page.close()
})

/** Moves one finger from a point, and lets go without resting. */
async function swipe(page: Page, [x, y]: readonly [number, number], distance: number) {
  const session = await page.context().newCDPSession(page)
  const touch = (type: string, at?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints: at === undefined ? [] : [{ x, y: at }],
    })
  await touch('touchStart', y)
  for (let step = 1; step <= 10; step++) await touch('touchMove', y + (distance * step) / 10)
  await touch('touchEnd')
  await session.detach()
}

test('on a phone a finger pulls the player up and down, its panels too, and throws it away while it is paused', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const page = await openPage(context)
  await play(page, 'Hour')
  const sheet = page.getByRole('dialog', { name: 'Hour' })
  const mini = (await bar(page).boundingBox())!
  const middle = [mini.x + 100, mini.y + 28] as const
  // While it plays, nothing takes it away.
  await swipe(page, middle, 50)
  await swipe(page, middle, -200)
  await sheet.waitFor()
  await swipe(page, [195, 815], -400)
  await sheet.getByRole('tabpanel', { name: 'Notes' }).waitFor()
  await swipe(page, [195, 160], 500)
  await sheet.getByRole('tabpanel', { name: 'Notes' }).waitFor({ state: 'hidden' })
  await swipe(page, [195, 200], 500)
  await sheet.waitFor({ state: 'hidden' })

  await bar(page).getByRole('button', { name: 'Pause' }).tap()
  await bar(page).getByRole('button', { name: 'Play' }).waitFor()
  await swipe(page, middle, 60)
  await bar(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).tap()
  await bar(page).getByText('Hour').waitFor()
  await bar(page).getByRole('button', { name: 'Full screen' }).tap()
  await sheet.waitFor()
  await context.close()
})

test('one tab plays at a time', async () => {
  const context = await browser.newContext()
  const [one, other] = [await openPage(context), await openPage(context)]
  await play(one, 'Hour')
  await play(other, 'Tone')
  await until(one, ({ media }) => media.paused)
  expect(await heardOn(other, ({ media }) => media.paused)).toBe(false)
  await context.close()
})

test('when the connection breaks, it goes on by itself where it was', async () => {
  const page = await openPage()
  await play(page, 'Hour')
  await running.stop()
  // Not there yet, so it must be fetched.
  const position = slider(page, 'Position')
  await position.fill('2000')
  await position.blur()
  await bar(page).locator('.player-toggle[aria-busy=true]').waitFor()
  running = await startExecutable(env)
  await until(page, ({ media }) => !media.paused && media.currentTime > 2000.5 && media.currentTime < 2100)
  await page.close()
}, 120_000)

/** A short film, recorded by the browser. */
async function film(): Promise<Uint8Array> {
  const studio = await browser.newPage()
  const bytes = await studio.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 })
    const brush = canvas.getContext('2d')!
    const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: 'video/webm' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    recorder.start()
    for (let frame = 0; frame < 20; frame++) {
      brush.fillStyle = `hsl(${frame * 18} 60% 50%)`
      brush.fillRect(0, 0, 320, 180)
      await new Promise(passed => setTimeout(passed, 200))
    }
    recorder.stop()
    await new Promise(stopped => (recorder.onstop = stopped))
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  })
  await studio.close()
  return Uint8Array.from(bytes)
}

test('a video is shown where somebody presses play, then in the corner, in the open player, or not at all', async () => {
  const enclosure = host.file('/film', await film(), { type: 'video/webm' })
  const vtt = 'WEBVTT\n\n00:00.000 --> 00:10.000\nA red square'
  host.on('/film.vtt', () => new Response(vtt, { headers: { 'Content-Type': 'text/vtt' } }))
  const extra = `<podcast:transcript url="${host.origin}/film.vtt" type="text/vtt" language="en"/>`
  const items = [{ title: 'Film', enclosure, type: 'video/webm', duration: '600', extra }]
  await running.api('/podcasts/feed', { rssFeedUrl: host.feed('/film.xml', rss({ title: 'Cinema', items })) })
  const page = await openPage()
  await page.getByRole('link', { name: 'Cinema' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Cinema' }).waitFor()
  const header = page.locator('.podcast-header')
  const cover = header.locator('.cover')
  await cover.waitFor()
  await page.getByRole('button', { name: 'Play Film', exact: true }).click()
  await until(page, ({ media }) => media?.tagName === 'VIDEO')
  // It must not end before a busy machine has shown it.
  await heardOn(page, ({ media }) => void (media.loop = true))
  await header.locator('video').waitFor()
  await cover.waitFor({ state: 'hidden' })
  const { width, height } = (await header.locator('video').boundingBox())!
  expect(Math.abs(width / height - 16 / 9)).toBeLessThan(0.02)
  await until(page, ({ media }) => (media as HTMLVideoElement).videoWidth > 0)

  await header.getByRole('button', { name: 'Captions' }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await until(page, ({ media }) => media.textTracks[0]?.activeCues?.length === 1)

  await page.getByRole('link', { name: 'Home' }).first().click()
  const corner = bar(page).locator('.corner-picture')
  await corner.locator('video').waitFor()
  // The captions are there as well, and it was never paused.
  await until(page, ({ media }) => media.textTracks[0]?.mode === 'showing' && !media.paused)
  await corner.locator('video').click()
  const sheet = page.getByRole('dialog')
  await sheet.locator('video').waitFor()
  await sheet.getByRole('button', { name: 'Fill the screen' }).waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })

  await corner.getByRole('button', { name: 'Hide the picture' }).click()
  await page.locator('body > video').waitFor({ state: 'attached' })
  await until(page, ({ media }) => !media.paused)
  // Opening the player asks for it again.
  await bar(page).getByRole('button', { name: 'Full screen' }).click()
  await sheet.locator('video').waitFor()
  await page.keyboard.press('Escape')
  await corner.locator('video').waitFor()
  await page.close()
})
