import { afterAll, expect, test } from 'bun:test'
import { paintCover } from '../../src/server/demo/feeds'
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

test('what plays is not offered to play next, ways to keep it are one group, and a passage is moved by what one sees', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const enclosure = host.file('/a.mp3', silentMp3(60))
  const items = ['Fog', 'Lamps'].map(title => ({ title, enclosure, duration: '60' }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${app.listen()}/ui/podcasts/${podcast.id}/episodes`)
  await page.getByRole('button', { name: 'Play Fog' }).click()
  await page.getByRole('button', { name: 'More options for Lamps' }).click()
  await page.getByRole('menuitem', { name: 'Play next' }).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Full screen' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'More options for Fog' }).click()
  await sheet.getByRole('menuitem', { name: 'Add to a playlist…' }).waitFor()
  await sheet.getByRole('menuitemcheckbox', { name: 'Keep the screen on', checked: false }).waitFor()
  const entries = await sheet.getByRole('menuitem').allTextContents()
  expect(entries.slice(0, 7)).toEqual([
    'Mark a part to skip',
    'Speeds between…',
    'Skip lengths…',
    'Copy link to this moment',
    'Open podcast',
    'Close the player',
    'Add to a playlist…',
  ])
  expect(await sheet.getByRole('menuitem', { name: /^(?:Play next|Add to queue)$/ }).count()).toBe(0)
  await sheet.locator('.menu-group', { hasText: 'Downloads' }).waitFor()
  await page.keyboard.press('Escape')

  await sheet.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Passage' }).click()
  const end = page.getByRole('group', { name: 'End' })
  expect(await end.getByRole('button', { name: /^[−+]/ }).count()).toBe(4)
  await page.close()
}, 120_000)

test('the open player has five equal tools at every width, the light of its cover from tablets on, and a third column', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const enclosure = host.file('/a.mp3', silentMp3(60))
  const image = host.file('/red.png', paintCover(0, [200, 20, 20], [200, 20, 20]), { type: 'image/png' })
  const podcast = await app.podcasts.add(
    host.feed('/cells.xml', rss({ image, title: 'Coast', items: [{ title: 'Fog', enclosure, duration: '60' }] })),
  )
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await page.goto(`${app.listen()}/ui/podcasts/${podcast.id}/episodes?lng=de`)
  await page.getByRole('button', { name: 'Fog abspielen' }).first().click()
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Vollbild' }).click()
  const cells = page.locator('.tools .tool')
  await cells.first().waitFor()
  for (const [width, height] of [
    [360, 740],
    [768, 1024],
    [844, 390],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    const boxes = await cells.evaluateAll(all =>
      all.map(cell => {
        const { width, height } = cell.getBoundingClientRect()
        const isCut = [...cell.children].some(part => part.scrollWidth > cell.clientWidth)
        return { width: Math.round(width), isHigh: height >= 44, isCut }
      }),
    )
    expect(boxes).toEqual(Array.from({ length: 5 }, () => ({ width: boxes[0]!.width, isHigh: true, isCut: false })))
    expect(boxes[0]!.width).toBeGreaterThanOrEqual(44)
    expect(await page.locator('.backdrop').isVisible()).toBe(width !== 360 && height !== 390)
  }
  await page.waitForFunction(
    () =>
      document.querySelector<HTMLCanvasElement>('.backdrop > canvas')!.getContext('2d')!.getImageData(4, 4, 1, 1)
        .data[0]! > 150,
  )
  const aside = page.getByRole('dialog').getByRole('complementary', { name: 'Warteschlange' })
  expect(await aside.count()).toBe(0)
  await page.getByRole('button', { name: /Fog/ }).last().click()
  await page.getByRole('menuitem', { name: 'Podcast öffnen' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Vollbild' }).click()
  await aside.getByRole('heading', { name: 'Warteschlange' }).waitFor()
  await page.close()
}, 120_000)

test('the screen stays on while the player plays and is seen, a later visit remembers that, and a refusal says why', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const enclosure = host.file('/a.mp3', silentMp3(60))
  const podcast = await app.podcasts.add(host.feed('/awake.xml', rss({ items: [{ title: 'Fog', enclosure }] })))
  const address = `${app.listen()}/ui/podcasts/${podcast.id}/episodes`
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  // The machine of the tests has no screen.
  await page.addInitScript(() => {
    const held = Object.assign(globalThis, { locks: 0, isRefusing: false })
    Object.defineProperty(navigator, 'wakeLock', {
      value: {
        async request() {
          if (held.isRefusing) throw new DOMException('low battery', 'NotAllowedError')
          held.locks += 1
          return { release: async () => void (held.locks -= 1) }
        },
      },
    })
  })
  const locks = (count: number) => page.waitForFunction(count => (globalThis as never)['locks'] === count, count)
  const sheet = page.getByRole('dialog')
  const open = async () => {
    await page.goto(address)
    await page.getByRole('button', { name: 'Play Fog' }).click()
    await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Full screen' }).click()
  }
  const choose = async () => {
    await sheet.getByRole('button', { name: 'More options for Fog' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Keep the screen on' }).click()
  }
  await open()
  await choose()
  await locks(1)
  await sheet.getByRole('button', { name: 'Pause', exact: true }).click()
  await locks(0)
  await open()
  await locks(1)
  await choose()
  await locks(0)
  await page.evaluate(() => void Object.assign(globalThis, { isRefusing: true }))
  await choose()
  await page.getByText('This device refused to keep the screen on').waitFor()
  await sheet.getByRole('button', { name: 'More options for Fog' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Keep the screen on', checked: false }).waitFor()
  await page.close()
}, 120_000)
