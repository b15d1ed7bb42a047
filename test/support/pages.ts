import type { BrowserContextOptions, Page } from 'playwright-core'
import { basic, libraryFolder, withPasswords } from './app'
import { barriersIn, colourRules } from './axe'
import { startBrowser } from './browser'
import { startExecutable } from './executable'
import { plantSmallLibrary, startLibraryHosts, type SmallLibrary } from './small-library'

// Pages of the executable with a small library in it, wide and on a phone, in the light and in the dark.

export type Size = 'wide' | 'phone'
/** `origin` and `library`: of the server whose pages it shows. */
export type PageOf = { page: Page; size: Size; errors: string[]; origin: string; library: SmallLibrary }

const { USERNAME, PASSWORD } = withPasswords
export const sizes = ['wide', 'phone'] as const
export const viewports = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
// Higher than any page: a control half under a fixed bar would count as too small for a finger.
const WHOLE_PAGE = 2400
const answered = /^Failed to load resource: the server responded with a status of (401|404|409|410)/

/** Starts the executable and a browser; `members` have played an episode, `strangers` are signed out. */
export async function startPages(env: Record<string, string> = {}) {
  const hosts = await startLibraryHosts()
  const browser = await startBrowser([], [], 'allow')
  const running = await startExecutable({
    DATA_DIRECTORY: libraryFolder(),
    DISK_RESERVE: '0',
    ...withPasswords,
    ...env,
  })
  const library = await plantSmallLibrary(hosts, running.origin, basic(USERNAME, PASSWORD))
  const storageState = await signInAndPlay()
  const members = await Promise.all(sizes.map(size => startPage(size, { storageState })))
  const strangers = await Promise.all(sizes.map(size => startPage(size)))

  async function startPage(size: Size, options: BrowserContextOptions = {}): Promise<PageOf> {
    const context = await browser.newContext({
      viewport: viewports[size],
      hasTouch: size === 'phone',
      reducedMotion: 'reduce',
      ...options,
    })
    // No test asks a real directory.
    await context.route('**/api/v1/podcasts/0/*/search', route =>
      route.fulfill({ json: { resultCount: 0, results: [] } }),
    )
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', error => errors.push(String(error)))
    page.on('console', message => {
      if (message.type() === 'error' && !answered.test(message.text())) errors.push(message.text())
    })
    return { page, size, errors, origin: running.origin, library }
  }

  /** The storage of a browser after a sign-in and some listening: the player shows that episode from then on. */
  async function signInAndPlay(): Promise<BrowserContextOptions['storageState']> {
    const { page } = await startPage('wide')
    await page.goto(`${running.origin}/ui/timeline`)
    await page.getByLabel('Username').fill(USERNAME)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Remember me').check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Timeline' }).click()
    await page.getByRole('button', { name: 'Play Fog signals' }).click()
    await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Pause', exact: true }).click()
    // Background work has finished by then.
    await page.getByRole('button', { name: '1 notification' }).waitFor()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'System info' }).click()
    await page.getByRole('heading', { name: 'Failing feeds' }).waitFor()
    const state = await page.context().storageState()
    await page.context().close()
    return state
  }

  return {
    hosts,
    running,
    library,
    members,
    strangers,
    startPage,
    async [Symbol.asyncDispose]() {
      await browser.close()
      await running.stop()
      hosts[Symbol.dispose]()
    },
  }
}

export const addressOf = ({ origin, library }: PageOf, path: string) =>
  `${origin}/ui${path.replace(/:(\w+)/g, (_, name: keyof SmallLibrary) => library[name])}`

export const showWhole = (page: Page) => page.setViewportSize({ ...page.viewportSize()!, height: WHOLE_PAGE })

/** Nothing is on its way any more: no list, no picture, no fading in. */
export const settle = (page: Page) =>
  page.waitForFunction(
    () =>
      !document.querySelector('.skeleton') &&
      [...document.images].every(image => image.complete || image.loading === 'lazy') &&
      document.getAnimations().every(animation => animation.playState !== 'running'),
  )

/** In the light and in the dark. */
export async function barriers(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-theme=${theme}]`).waitFor()
    await settle(page)
    const only = theme === 'light' ? colourRules : null
    found.push(...(await barriersIn(page, only)).map(barrier => `${theme}: ${barrier}`))
  }
  return found
}

/** Sends all visitors at once, and returns what each saw, by its size. */
export async function everywhere<T>(visitors: readonly PageOf[], look: (visitor: PageOf) => Promise<T>) {
  const seen = await Promise.allSettled(visitors.map(look))
  return Object.fromEntries(
    seen.map((outcome, index) => {
      if (outcome.status === 'rejected') throw outcome.reason
      return [visitors[index]!.size, outcome.value]
    }),
  )
}
export const forAll = <T>(visitors: readonly PageOf[], value: T) =>
  Object.fromEntries(visitors.map(({ size }) => [size, value]))
