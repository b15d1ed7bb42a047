import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startClock, startTestApp, withPasswords, type TestApp } from '../support/app'
import { startFeedHost } from '../support/feed-host'

/** The test's view and control of the device that a browser would have found. */
type Device = {
  media: HTMLMediaElement
  /** The elements whose sound goes through a graph of ours. */
  shaped: HTMLMediaElement[]
  /** The address that the device was given when the listener chose it. */
  given: string
  isNear: (isNear: boolean) => void
  /** The browser's answer when the listener is asked; null = the device connects. */
  refusal: string | null
  leave: () => void
}
type WithDevice = { device: Device; heard: HTMLMediaElement }

const HOUR = 3_600_000
const host = startFeedHost()
const now = startClock(Date.now())
let browser: Browser
let app: TestApp
let port: string

beforeAll(async () => {
  app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }, now })
  app.prefill(0)
  const items = ['Fog', 'Storm'].map(title => ({
    title,
    enclosure: host.file(`/${title}.mp3`, silentMp3(600), { type: 'audio/mpeg' }),
    duration: '600',
  }))
  await app.as('root', 'Sup3rSecret').podcasts.add(host.feed('/feed.xml', rss({ items })))
  port = new URL(app.listen()).port
  // A page over plain http says by its `Origin` alone where it comes from, and by that only with the usual security.
  browser = await startBrowser(['--host-resolver-rules=MAP castellan.lan 127.0.0.1'], ['--disable-web-security'])
})
afterAll(async () => {
  await browser.close()
  await app[Symbol.asyncDispose]()
  host.stop()
})

/** A page in a browser that knows of one device, as the Remote Playback API shows it; `kind`: how it watches for it. */
async function openPage(
  options: {
    kind?: 'watches' | 'watches addresses' | 'cannot watch' | 'none'
    at?: string
    viewport?: { width: number; height: number }
  } = {},
): Promise<Page> {
  const { kind = 'watches', at = 'castellan.lan', viewport = { width: 1280, height: 800 } } = options
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.addInitScript(kind => {
    const device = { shaped: [], refusal: null, isNear: () => undefined } as unknown as Device
    const page = Object.assign(window, { device }) as unknown as WithDevice
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function () {
      page.heard = this
      return play.call(this)
    }
    const connect = AudioContext.prototype.createMediaElementSource
    AudioContext.prototype.createMediaElementSource = function (element) {
      device.shaped.push(element)
      return connect.call(this, element)
    }
    const remotes = new WeakMap<HTMLMediaElement, EventTarget>()
    class Remote extends EventTarget {
      state = 'disconnected'
      readonly media: HTMLMediaElement
      constructor(media: HTMLMediaElement) {
        super()
        this.media = media
      }
      async watchAvailability(callback: (isNear: boolean) => void) {
        if (kind === 'cannot watch') throw new DOMException('No watching in the background', 'NotSupportedError')
        device.isNear = callback
        callback(kind === 'watches')
        if (kind !== 'watches addresses') return 1
        const tell = () => callback(this.media.hasAttribute('src'))
        new MutationObserver(tell).observe(this.media, { attributeFilter: ['src'] })
        tell()
        return 1
      }
      change(state: string, event: string) {
        this.state = state
        this.dispatchEvent(new Event(event))
      }
      async prompt() {
        if (device.refusal !== null) throw new DOMException('', device.refusal)
        device.media = this.media
        device.given = this.media.src
        device.leave = () => this.change('disconnected', 'disconnect')
        this.change('connecting', 'connecting')
        await new Promise(resolve => setTimeout(resolve, 50))
        this.change('connected', 'connect')
      }
    }
    Object.defineProperty(HTMLMediaElement.prototype, 'remote', {
      get(this: HTMLMediaElement) {
        const remote = remotes.get(this) ?? new Remote(this)
        remotes.set(this, remote)
        return remote
      },
    })
  }, kind)
  await page.goto(`http://${at}:${port}/ui/timeline`)
  await page.getByLabel('Username').fill('root')
  await page.getByLabel('Password').fill('Sup3rSecret')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Play Fog', exact: true }).first().waitFor()
  return page
}
const bar = (page: Page) => page.getByRole('region', { name: 'Player' })
const devices = (page: Page) => bar(page).getByRole('button', { name: 'Play on a speaker or television' })
const playing = (page: Page) => bar(page).getByRole('button', { name: 'Playing on a speaker or television' })
const seek = async (page: Page, seconds: number) => {
  await bar(page).getByRole('slider', { name: 'Position' }).fill(String(seconds))
  await page.keyboard.press('Tab')
}
const inside = (page: Page) => page.evaluateHandle(() => window as unknown as WithDevice)
const until = async (page: Page, holds: (page: WithDevice) => boolean) =>
  page.waitForFunction(holds as (page: unknown) => boolean, await inside(page))
const look = async <T>(page: Page, find: (page: WithDevice) => T) =>
  (await page.evaluate(find as (page: unknown) => T, await inside(page))) as T

async function play(page: Page, name = 'Fog') {
  await page
    .getByRole('button', { name: `Play ${name}`, exact: true })
    .first()
    .click()
  await bar(page).getByRole('button', { name: 'Pause', exact: true }).waitFor()
}
/** Fetches what the device fetches: by the address alone. */
const fetchAsDevice = (address: string) =>
  fetch(address.replace('castellan.lan', '127.0.0.1'), { headers: { Range: 'bytes=0-9', Host: new URL(address).host } })

test('a device plays the address with a key, past our graph, and hands back to it at the same second', async () => {
  const page = await openPage()
  await play(page)
  // An amplifier is at work, and silence is trimmed.
  await bar(page).getByRole('slider', { name: 'Volume' }).fill('150')
  await until(page, ({ device }) => device.shaped.length === 2)
  await bar(page)
    .getByRole('button', { name: /^Speed/ })
    .click()
  await seek(page, 200)
  await devices(page).click()
  await playing(page).waitFor()
  await until(page, ({ device, heard }) => heard === device.media && !heard.paused && heard.currentTime >= 200)
  const away = await look(page, ({ device: { media, shaped, given } }) => ({
    given,
    isShaped: shaped.includes(media),
    ours: shaped.map(element => element.getAttribute('src')),
    volume: media.volume,
    rate: media.playbackRate,
  }))
  expect(away).toMatchObject({ isShaped: false, ours: [null, null], volume: 1, rate: 1.1 })
  expect(away.given).toContain(`http://castellan.lan:${port}/media/`)

  const answer = await fetchAsDevice(away.given)
  expect([answer.status, answer.headers.get('content-length')]).toEqual([206, '10'])
  expect((await fetchAsDevice(away.given.replace(/\?.*/, ''))).status).toBe(401)

  // What is out of the path says so.
  expect(
    await bar(page).getByRole('slider', { name: 'The volume is set on the speaker or television' }).isDisabled(),
  ).toBe(true)
  await bar(page).getByRole('button', { name: 'Full screen' }).click()
  const sheet = page.getByRole('dialog')
  const trim = sheet.getByRole('button', { name: 'Trim silence: not on a speaker or television' })
  expect(await trim.isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })

  // The position is saved while it plays there.
  await seek(page, 300)
  await until(page, ({ device }) => device.media.currentTime >= 300)
  const { data } = await app.as('root', 'Sup3rSecret').timeline.page({}, null)
  const fog = data.data.find(row => row.podcast_episode.name === 'Fog')
  expect(fog!.history!.position).toBeGreaterThanOrEqual(300)

  await look(page, ({ device }) => device.leave())
  await devices(page).waitFor()
  await bar(page).getByRole('button', { name: 'Play', exact: true }).click()
  await until(page, ({ device, heard }) => device.shaped.includes(heard) && !heard.paused && heard.currentTime >= 300)
  expect(
    await look(page, ({ device, heard }) => [heard.playbackRate, heard.volume, device.media.getAttribute('src')]),
  ).toEqual([1.1, 1, away.given.replace(/\?.*/, '')])
  expect(await bar(page).getByRole('slider', { name: 'Volume' }).inputValue()).toBe('150')
  await page.context().close()
})

test('the next episode plays on the device as well, and an address that ends is renewed where it is', async () => {
  const page = await openPage()
  await page.clock.install({ time: now() })
  await page.reload()
  await play(page)
  await devices(page).click()
  await playing(page).waitFor()
  await until(page, ({ device, heard }) => heard === device.media && heard.currentTime > 0)
  await play(page, 'Storm')
  await until(
    page,
    ({ device, heard }) => heard === device.media && heard.currentTime > 0 && heard.src !== device.given,
  )
  const [first, second] = await look(page, ({ device }) => [device.given, device.media.src])
  expect((await fetchAsDevice(first!)).status).toBe(206)
  expect((await fetchAsDevice(second!)).status).toBe(206)

  await seek(page, 100)
  await until(page, ({ device }) => device.media.currentTime >= 100 && !device.media.seeking)
  now.advance(6 * HOUR)
  expect((await fetchAsDevice(second!)).status).toBe(401)
  await page.clock.setSystemTime(now())
  await page.waitForFunction(old => {
    const { device } = window as unknown as WithDevice
    return device.media.src !== old && device.media.currentTime >= 100
  }, second!)
  expect((await fetchAsDevice(await look(page, ({ device }) => device.media.src))).status).toBe(206)
  await page.context().close()
})

/** Makes the device ask with a key that the server refuses, as one whose time is over. */
function beRefused({ device: { media } }: WithDevice) {
  media.src = `${media.src}x`
  media.play().catch(() => undefined)
}

test('an address that the server refuses is replaced once, and then the device is said not to reach it', async () => {
  const page = await openPage()
  await play(page)
  await devices(page).click()
  await playing(page).waitFor()
  await until(page, ({ device, heard }) => heard === device.media && heard.currentTime > 0)

  await look(page, beRefused)
  await until(page, ({ device }) => device.media.currentTime > 0 && !device.media.src.endsWith('x'))
  await bar(page).getByRole('button', { name: 'Pause', exact: true }).waitFor()

  await look(page, beRefused)
  await page
    .getByText(`The device could not fetch the episode. Check that it can reach castellan.lan:${port}`)
    .waitFor()
  await page.context().close()
})

test('the button is there when a device is, or when the browser has to be asked', async () => {
  const none = await openPage({ kind: 'none' })
  await play(none)
  await bar(none).getByRole('button', { name: 'Full screen' }).waitFor()
  expect(await devices(none).count()).toBe(0)
  await look(none, ({ device }) => device.isNear(true))
  await devices(none).waitFor()
  await none.context().close()

  const asking = await openPage({ kind: 'cannot watch', viewport: { width: 390, height: 844 } })
  await play(asking)
  await bar(asking)
    .getByRole('button', { name: /^Full screen|^Player: / })
    .filter({ visible: true })
    .click()
  const sheet = asking.getByRole('dialog')
  const button = sheet.getByRole('button', { name: 'Play on a speaker or television' })
  await button.click()
  await sheet.getByRole('button', { name: 'Playing on a speaker or television' }).waitFor()
  await asking.context().close()
})

test('the button stays after a device is left, in a browser that looks for devices of an address', async () => {
  const page = await openPage({ kind: 'watches addresses' })
  await play(page)
  await devices(page).click()
  await playing(page).waitFor()
  await until(page, ({ device, heard }) => heard === device.media && heard.currentTime > 0)
  await look(page, ({ device }) => device.leave())
  await playing(page).waitFor({ state: 'detached' })
  await devices(page).click()
  await playing(page).waitFor()

  // What plays there by now is a different episode.
  await play(page, 'Storm')
  await look(page, ({ device }) => device.leave())
  await devices(page).waitFor()
  const { data } = await app.as('root', 'Sup3rSecret').timeline.page({}, null)
  const storm = data.data.find(row => row.podcast_episode.name === 'Storm')
  expect(await look(page, ({ device }) => device.media.getAttribute('src'))).toEndWith(
    `/${storm!.podcast_episode.episode_id}.mp3`,
  )
  await page.context().close()
})

test('a device that is not there, and an address that only this computer knows, are told apart', async () => {
  const page = await openPage()
  await play(page)
  await look(page, ({ device }) => (device.refusal = 'NotFoundError'))
  await devices(page).click()
  await page.getByText('No speaker or television was found in your network').waitFor()
  await look(page, ({ device }) => (device.refusal = 'OperationError'))
  await devices(page).click()
  await page.getByText('The device could not be connected').waitFor()
  await page.context().close()

  const local = await openPage({ at: 'localhost' })
  await play(local)
  await devices(local).click()
  await local.getByText(`A speaker or television cannot reach localhost:${port}`).waitFor()
  expect(await look(local, ({ device }) => device.given)).toBeUndefined()
  await local.context().close()
})
