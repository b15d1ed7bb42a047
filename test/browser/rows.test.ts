import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startTestApp, type TestApp } from '../support/app'
import { barriersIn } from '../support/axe'
import { startBrowser } from '../support/browser'
import { rss } from '../support/builders'
import { startFeedHost } from '../support/feed-host'
import { withInter } from '../support/inter'
import { settle } from '../support/pages'

const LONG = 'Moving Pictures of the Outer Islands, and What Their Keepers Thought of Them'
const host = startFeedHost()
const browser = await startBrowser()
let app: TestApp
let origin: string
let podcast: { id: string }
beforeAll(async () => {
  app = await startTestApp()
  origin = app.listen()
  app.prefill(0)
  const items = [{ title: 'Fog', duration: '60', extra: '<itunes:episodeType>trailer</itunes:episodeType>' }]
  await app.podcasts.add(host.feed('/short.xml', rss({ title: 'Fog', items })))
  podcast = await app.podcasts.add(host.feed('/long.xml', rss({ title: LONG, items })))
})
afterAll(async () => {
  await browser.close()
  await app[Symbol.asyncDispose]()
  host.stop()
})

/** The pixels between the visible end of the podcast's name and the beginning of the next fact, in each row. */
const holesIn = (page: Page) =>
  page.locator('.fact-list').evaluateAll(lists =>
    lists.map(list => {
      const [first, second] = list.querySelectorAll('.fact > .truncate')
      const words = document.createRange()
      words.selectNodeContents(first!)
      const end = Math.min(words.getBoundingClientRect().right, first!.getBoundingClientRect().right)
      return Math.round(second!.getBoundingClientRect().left - end)
    }),
  )

test('no hole follows the name of a podcast, cut off or not', async () => {
  const page = await browser.newPage({ viewport: { width: 768, height: 844 } })
  await page.goto(`${origin}/ui/timeline`)
  await page.getByText(LONG).first().waitFor()
  await settle(page)
  const holes = await holesIn(page)
  expect(holes).toHaveLength(2)
  for (const hole of holes) expect(hole).toBeWithin(4, 20)
  await page.close()
}, 120_000)

test('the dialog of a podcast gives its settings room, alike fields, and no colour of the cover', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.goto(`${origin}/ui/podcasts/${podcast.id}/episodes`)
  await page.getByRole('button', { name: `More options for ${LONG}` }).click()
  await page.getByRole('menuitem', { name: 'Your settings' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Skip marked parts').waitFor()
  const seen = await dialog.evaluate(element => {
    const rows = [...element.querySelectorAll('.setting-row')]
    const boxes = rows.map(row => {
      const texts = [...row.querySelectorAll('label, small')].map(text => text.getBoundingClientRect())
      return { top: texts[0]!.top, bottom: texts.at(-1)!.bottom }
    })
    const accentOf = (one: Element) => getComputedStyle(one).getPropertyValue('--accent')
    return {
      gaps: boxes.slice(1).map(({ top }, at) => top - boxes[at]!.bottom),
      bare: rows.filter(row => row.querySelector('input:not([role=switch])') && !row.querySelector('.setting-field'))
        .length,
      isOwnColour: accentOf(element) === accentOf(document.documentElement),
    }
  })
  expect(seen.gaps.length).toBeGreaterThan(7)
  expect(Math.min(...seen.gaps)).toBeGreaterThanOrEqual(12)
  expect(seen).toMatchObject({ bare: 0, isOwnColour: true })
  expect(await dialog.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
  await page.close()
}, 120_000)

test('a target that is too small is found, in the letters of the browser and in Inter', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await page.goto(`${origin}/ui/timeline`)
  await page.getByText(LONG).first().waitFor()
  await settle(page)
  const look = async () => [
    await barriersIn(page, ['target-size']),
    await withInter(page, () => barriersIn(page, ['target-size'])),
  ]
  expect(await look()).toEqual([[], []])
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('.episode .icon-button { all: unset; width: 12px; height: 12px; translate: -24px }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  })
  for (const found of await look()) expect(found.join('\n')).toContain('target-size')
  await page.close()
}, 120_000)

test('a setting of this device that differs from its usual value says so, and is reset by one press', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.goto(`${origin}/ui/settings/playback`)
  const speed = page.getByRole('combobox', { name: 'Speed' })
  await speed.waitFor()
  const notes = page.getByText('Only on this device')
  expect(await notes.count()).toBe(0)
  await speed.selectOption('1.5')
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  expect(await notes.count()).toBe(2)
  await page.getByRole('button', { name: 'Reset' }).first().click()
  expect(await speed.inputValue()).toBe('1')
  await page.reload()
  await notes.waitFor()
  expect(await speed.inputValue()).toBe('1')
  await page.getByRole('button', { name: 'Reset' }).click()
  expect(await notes.count()).toBe(0)
  await page.close()
}, 120_000)
