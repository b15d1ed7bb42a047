import { layersGone } from './browser'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Fault } from './faults'
import { watchRequests } from './quiet'
import { pathIn, type Places, type Screen, type Visitor } from './screens'

export type Visits = Awaited<ReturnType<typeof startVisits>>

type Needs = Record<Visitor, string> & { places: Partial<Places>; credentials: readonly [string, string] }
type Looking = {
  viewport: { width: number; height: number }
  hasTouch?: boolean
  /** Shows a language whose texts are these. */
  language?: { code: string; texts: Record<string, string> }
  /** Prepares a document that has just been loaded. */
  prepare?: (page: Page) => Promise<unknown>
}
/** `quiet`: waits until nothing is on its way. `again`: shows the screen once more, from another one. */
export type Visit = { quiet: () => Promise<void>; again: () => Promise<void> }
type FindFaults = (page: Page, visit: Visit) => Promise<readonly string[]>
type Guest = { page: Page; errors: string[]; go(path: string): Promise<void>; quiet(): Promise<void> }

const answered = /^Failed to load resource: the server responded with a status of (401|404|409|410|502)/

/**
 * Leads through screens in real pages: signed in once, and one page from screen to screen, which saves most of the
 * time.
 */
export async function startVisits(browser: Browser, { places, credentials, ...origins }: Needs) {
  const storageState = await signInAndPlay(
    browser,
    origins.member,
    credentials,
    pathIn(places, { path: '/podcasts/:podcast/episodes' } as Screen)!,
  )

  const contexts = new Map<string, Promise<BrowserContext>>()
  /** Keeps a cache, so that one page finds what another has loaded. */
  function contextOf(visitor: Visitor, hasTouch: boolean): Promise<BrowserContext> {
    const key = `${visitor} ${hasTouch}`
    const context =
      contexts.get(key) ??
      browser.newContext({
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
        hasTouch,
        ...(visitor === 'member' && { storageState }),
      })
    contexts.set(key, context)
    return context
  }

  async function welcome(visitor: Visitor, { viewport, hasTouch = false, language, prepare }: Looking): Promise<Guest> {
    const page = await (await contextOf(visitor, hasTouch)).newPage()
    await page.setViewportSize(viewport)
    page.setDefaultTimeout(60_000)
    // Every visit begins without the queue that another left beside the page.
    await page.addInitScript(() => localStorage.removeItem('queue'))
    if (language) {
      await page.addInitScript(code => localStorage.setItem('i18nextLng', code), language.code)
      const file = new RegExp(`/assets/${language.code}-[^/]*\\.json$`)
      await page.route(file, route => route.fulfill({ json: language.texts }))
    }
    const errors: string[] = []
    page.on('pageerror', error => errors.push(String(error)))
    page.on('console', message => {
      if (message.type() === 'error' && !answered.test(message.text())) errors.push(message.text())
    })
    // No test asks a real directory.
    const nothing = { resultCount: 0, results: [] }
    await page.route('**/api/v1/podcasts/0/*/search', route => route.fulfill({ json: nothing }))
    const quiet = watchRequests(page)
    const load = async (path: string) => {
      await page.goto(`${origins[visitor]}/ui${path}`)
      await page.locator('h1').first().waitFor({ state: 'attached' })
      await prepare?.(page)
      await quiet()
    }
    await load('/nowhere')
    const nowhere = await page.title()
    return {
      page,
      errors,
      quiet,
      /** From page to page as links lead; a layer that does not close costs a new document. */
      async go(path) {
        // A stranger ends at the sign-in from everywhere.
        if (visitor === 'stranger') return load(path)
        if (!(await closeLayers(page))) await load('/nowhere')
        // A layer that closes leaves the history first.
        await layersGone(page)
        await push(page, '/nowhere')
        await page.waitForFunction(title => document.title === title, nowhere)
        if (path === '/nowhere') return
        await push(page, path)
        await page.waitForFunction(title => ![title, 'Castellan'].includes(document.title), nowhere)
        await quiet()
      },
    }
  }

  return {
    /** Visits the screens one after the other; whatever goes wrong at one of them is told, and the next one follows. */
    async all(screens: readonly Screen[], looking: Looking, found: Fault[], findFaults: FindFaults) {
      const guests = new Map<Visitor, Guest>()
      for (const { visitor = 'member', ...screen } of screens) {
        const path = pathIn(visitor === 'newcomer' ? {} : places, screen)
        if (path === null) continue
        const guest = guests.get(visitor) ?? (await welcome(visitor, looking))
        guests.set(visitor, guest)
        const faults = await visit(guest, path, page => screen.open?.(page, places), findFaults)
        found.push(...[...faults, ...guest.errors.splice(0)].map(fault => ({ screen: screen.name, fault })))
      }
      for (const { page } of guests.values()) await page.close()
    },
  }
}

/** Returns the faults of a screen, or why it could not be shown. */
async function visit(
  { page, go, quiet }: Guest,
  path: string,
  open: (page: Page) => Promise<unknown> | undefined,
  findFaults: FindFaults,
): Promise<readonly string[]> {
  async function again() {
    await go(path)
    await open(page)
    await quiet()
  }
  try {
    await again()
    return await findFaults(page, { quiet, again })
  } catch (error) {
    return [String(error).split('\n').slice(0, 3).join(' ')]
  }
}

const push = (page: Page, path: string) => page.evaluate(to => history.pushState(null, '', `/ui${to}`), path)

/** Closes what lies over the page; false when something stays open. */
export async function closeLayers(page: Page): Promise<boolean> {
  const open = page.locator('dialog[open], [role=dialog], [role=menu], .bell-popover').filter({ visible: true })
  for (let presses = 0; presses < 4; presses++) {
    if ((await open.count()) === 0) return true
    await page.keyboard.press('Escape')
  }
  return (await open.count()) === 0
}

/** The storage of a browser after a sign-in and some listening: the player shows that episode from then on. */
async function signInAndPlay(
  browser: Browser,
  origin: string,
  [username, password]: readonly [string, string],
  path: string,
): Promise<BrowserContextOptions['storageState']> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${origin}/ui${path}`)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Remember me').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page
    .getByRole('button', { name: /^Account/ })
    .first()
    .waitFor()
  await page.goto(`${origin}/ui${path}`)
  // The newest may have been left near its end, which comes before anything else can be pressed.
  const rows = page.getByRole('main').getByRole('button', { name: /^Play / })
  await rows.last().click()
  const player = page.getByRole('region', { name: 'Player' })
  await player.getByRole('button', { name: 'Pause', exact: true }).click()
  const state = await page.context().storageState()
  await page.context().close()
  return state
}
