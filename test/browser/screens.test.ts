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
import { isAt, PHONE, pages, type Screen } from '../support/screens'
import { startVisits, type Visits } from '../support/visits'

// Measures every screen and every layer, filled with whatever breaks a layout, at every size: nothing that can be
// pressed lies outside, beneath something else or too close to its neighbour, and no text is cut off.

type FindFaults = (page: Page) => Promise<readonly string[]>
type Look = {
  width: number
  height: number
  direction?: 'rtl'
  textSize?: string
  isInEveryRun?: true
  /** Looked for in the same visit of each screen: to lead there takes longer than to look. */
  also?: { name: string; find: FindFaults }
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
  { width: 390, height: 844, isInEveryRun: true, also: lessMotion },
  { width: 844, height: 390 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768, isInEveryRun: true },
  { width: 1440, height: 900, isInEveryRun: true, also: forcedColours },
  { width: 2560, height: 1440 },
  { width: 390, height: 844, direction: 'rtl' },
  { width: 1440, height: 900, direction: 'rtl' },
  { width: 1024, height: 768, textSize: '200%' },
  { width: 320, height: 640, textSize: '200%', isInEveryRun: true },
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

/** Visits every screen that exists at this size, and returns what was wrong with each. */
async function visitAll(
  look: Look,
  findFaults: FindFaults,
  screens: readonly Screen[] = [...pages, ...layers],
): Promise<Fault[]> {
  const { width, height, direction, textSize } = look
  const found: Fault[] = []
  const prepare = (page: Page) =>
    page.evaluate(
      ([dir, fontSize]) => {
        if (dir) document.documentElement.dir = dir
        if (fontSize) document.documentElement.style.fontSize = fontSize
      },
      [direction, textSize],
    )
  await visits.all(
    screens.filter(screen => isAt(screen, width)),
    { viewport: { width, height }, hasTouch: width < PHONE || height < 500, prepare },
    found,
    findFaults,
  )
  return found
}

// All of them take ten minutes: `bun run layout`.
const measured = process.env['LAYOUT'] === 'all' ? looks : looks.filter(({ isInEveryRun }) => isInEveryRun)

for (const look of measured) {
  const { name, find } = look.also ?? {}
  test(`at ${nameOf(look)} nothing lies outside, beneath or too close to something else, and no text is cut off${name ? `; ${name}` : ''}`, async () => {
    const found = await visitAll(look, async page => [...(await layoutFaultsIn(page)), ...((await find?.(page)) ?? [])])
    expect(summarise(found)).toEqual([])
  }, 600_000)
}
