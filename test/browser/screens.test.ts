import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startTestApp, withPasswords, type TestApp } from '../support/app'
import { barriersIn } from '../support/axe'
import { startBrowser } from '../support/browser'
import { plantHostileLibrary } from '../support/hostile-library'
import { withInter } from '../support/inter'
import { layers } from '../support/layers'
import { layoutFaultsIn, motionIn, stateFaultsIn } from '../support/layout/layout-faults'
import { startLibraryHosts } from '../support/small-library'
import { summarise, type Fault } from '../support/faults'
import { isAt, PHONE, pages } from '../support/screens'
import { startVisits, type Visits } from '../support/visits'

// Measures every screen and every layer, filled with whatever breaks a layout, at every size: nothing that can be
// pressed lies outside, beneath something else or too close to its neighbour, and no text is cut off.

type Look = {
  width: number
  height: number
  direction?: 'rtl'
  textSize?: string
  /** Measured in every run, in one visit with those of the same form. */
  everyRun?: 'wide' | 'phone'
  /** Looked for in the same visit of each screen: to lead there takes longer than to look. */
  also?: { name: string; find: (page: Page) => Promise<readonly string[]> }
}

async function findInForcedColours(page: Page) {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.keyboard.press('Shift')
  const found = await stateFaultsIn(page)
  await page.emulateMedia({ forcedColors: 'none' })
  return found
}

const forcedColours = {
  name: 'in forced colours what is chosen looks chosen, and the focus can be seen',
  find: findInForcedColours,
}
/** In rows of all lengths, with narrow letters and with wide ones. */
async function findSmallTargets(page: Page) {
  const isCovered = (await page.locator('dialog[open], .bell-popover').count()) > 0
  if (isCovered || !/\/(timeline|episodes\/(liked|history))$/.test(page.url())) return []
  const look = () => barriersIn(page, ['target-size'])
  return [...(await look()), ...(await withInter(page, look)).map(fault => `with Inter: ${fault}`)]
}
const lessMotion = {
  name: 'asked for less motion, nothing moves; nothing to press in a row is too small',
  find: async (page: Page) => [...(await motionIn(page)), ...(await findSmallTargets(page))],
}

const looks: readonly Look[] = [
  { width: 320, height: 640 },
  { width: 390, height: 844, everyRun: 'phone', also: lessMotion },
  { width: 844, height: 390 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768, everyRun: 'wide' },
  { width: 1440, height: 900, everyRun: 'wide', also: forcedColours },
  { width: 2560, height: 1440 },
  { width: 390, height: 844, direction: 'rtl' },
  { width: 1440, height: 900, direction: 'rtl' },
  { width: 1024, height: 768, textSize: '200%' },
  { width: 320, height: 640, textSize: '200%', everyRun: 'phone' },
]

const { USERNAME, PASSWORD } = withPasswords
const hosts = await startLibraryHosts()
const browser = await startBrowser()
let full: TestApp
let bare: TestApp
let visits: Visits

beforeAll(async () => {
  full = await startTestApp({ env: withPasswords })
  bare = await startTestApp()
  const origin = full.listen()
  visits = await startVisits(browser, {
    places: await plantHostileLibrary(hosts, full.as(USERNAME, PASSWORD)),
    member: origin,
    stranger: origin,
    newcomer: bare.listen(),
    credentials: [USERNAME, PASSWORD],
  })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await full[Symbol.asyncDispose]()
  await bare[Symbol.asyncDispose]()
  hosts[Symbol.dispose]()
})

const nameOf = ({ width, height, direction, textSize }: Look) =>
  [`${width}×${height}`, direction, textSize && `text of ${textSize}`].filter(Boolean).join(', ')

/** Gives a page a size, a direction and letters. */
async function dress(page: Page, { width, height, direction, textSize }: Look) {
  await page.setViewportSize({ width, height })
  await page.evaluate(
    ([dir, fontSize]) => {
      document.documentElement.dir = dir
      document.documentElement.style.fontSize = fontSize
    },
    [direction ?? 'ltr', textSize ?? ''] as const,
  )
}

const layersOf = (page: Page) => page.locator('dialog[open], [role=dialog], [role=menu], .bell-popover').count()

/**
 * Visits every screen that exists at these sizes, and returns what was wrong with each. Several looks share a visit, as
 * a window is resized; a layer that closes with that is opened again. Every other screen is first seen as the last look
 * has it.
 */
async function visitAll(looks: readonly Look[]): Promise<Fault[]> {
  const found: Fault[] = []
  const { width, height } = looks[0]!
  let order = looks
  let [shown] = looks as [Look]
  await visits.all(
    [...pages, ...layers].filter(screen => isAt(screen, width)),
    {
      viewport: { width, height },
      hasTouch: width < PHONE || height < 500,
      prepare: page => dress(page, shown),
    },
    found,
    async (page, { quiet, again }) => {
      const faults: string[] = []
      for (const look of order) {
        const before = await layersOf(page)
        shown = look
        await dress(page, look)
        await quiet()
        if ((await layersOf(page)) !== before) await again()
        const seen = [...(await layoutFaultsIn(page)), ...((await look.also?.find(page)) ?? [])]
        faults.push(...seen.map(fault => `${nameOf(look)}: ${fault}`))
      }
      order = order.toReversed()
      return faults
    },
  )
  return found
}

// Each by itself takes ten minutes: `bun run layout`.
const visited: readonly (readonly Look[])[] =
  process.env['LAYOUT'] === 'all'
    ? looks.map(look => [look])
    : ['wide', 'phone'].map(form => looks.filter(({ everyRun }) => everyRun === form))

for (const look of visited) {
  const also = look.flatMap(({ also }) => (also ? `; ${also.name}` : []))
  test(`at ${look.map(nameOf).join(' and ')} nothing lies outside, beneath or too close to something else, and no text is cut off${also.join('')}`, async () => {
    expect(summarise(await visitAll(look))).toEqual([])
  }, 600_000)
}
