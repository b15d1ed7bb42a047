import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page, Route } from 'playwright-core'
import { routes } from '../../src/ui/routes'
import { basic, temporaryFolder, withPasswords } from '../support/app'
import { barriersIn } from '../support/axe'
import { layersGone, startBrowser } from '../support/browser'
import { startExecutable } from '../support/executable'
import { layoutShiftsIn } from '../support/layout-shift'
import { plantSmallLibrary, startLibraryHosts, type SmallLibrary } from '../support/small-library'
import { closeLayers } from '../support/visits'

// Opens every page by its address, wide and on a phone, light and dark: checks its title and its accessibility, and that
// nothing moves while it loads.

type Visit = {
  path: string
  heading: string
  shows: string
  /** The address it redirects to. */
  end?: string
  isStranger?: boolean
}
type Visitor = { page: Page; size: 'wide' | 'phone'; errors: string[] }

const { USERNAME, PASSWORD } = withPasswords
const sizes = ['wide', 'phone'] as const
const viewports = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
// Higher than any page: a control half under a fixed bar would count as too small for a finger.
const WHOLE_PAGE = 2400
const answered = /^Failed to load resource: the server responded with a status of (401|404|409|410)/

const hosts = await startLibraryHosts()
const browser = await startBrowser()
let running: Awaited<ReturnType<typeof startExecutable>>
let library: SmallLibrary
let members: Visitor[]
let strangers: Visitor[]

beforeAll(async () => {
  running = await startExecutable({ DATA_DIRECTORY: temporaryFolder(), DISK_RESERVE: '0', ...withPasswords })
  library = await plantSmallLibrary(hosts, running.origin, basic(USERNAME, PASSWORD))
  const storageState = await signInAndPlay(running.origin)
  members = await Promise.all(sizes.map(size => startVisitor(size, { storageState })))
  strangers = await Promise.all(sizes.map(size => startVisitor(size)))
}, 60_000)
afterAll(async () => {
  await browser.close()
  await running.stop()
  hosts[Symbol.dispose]()
})

const [podcast, episode, playlist, invite] = [':podcast', ':episode', ':playlist', ':invite']
const notFound = { heading: 'Page not found', shows: 'There is no page at this address.' }
const visits: readonly Visit[] = [
  { path: '', heading: 'Home', shows: 'Continue listening', end: routes.home },
  { path: '/home', heading: 'Home', shows: 'Continue listening', end: routes.home },
  { path: routes.home, heading: 'Home', shows: 'Continue listening' },
  { path: routes.playlists, heading: 'Playlists', shows: 'On the train' },
  { path: routes.playlist(playlist), heading: 'On the train', shows: 'A lamp of a thousand candles' },
  { path: routes.podcasts, heading: 'All subscriptions', shows: 'Orbital' },
  { path: routes.search, heading: 'Search', shows: 'Everything' },
  { path: routes.favorites, heading: 'Favourites', shows: 'Lighthouse Radio' },
  { path: routes.episodes(podcast), heading: 'Lighthouse Radio', shows: 'The keeper who counted ships' },
  { path: routes.episodes(podcast, episode), heading: 'Lighthouse Radio', shows: 'where it comes from' },
  { path: `/favorites/${podcast}/episodes`, heading: 'Lighthouse Radio', shows: 'The keeper who counted ships' },
  { path: `/favorites/${podcast}/episodes/${episode}`, heading: 'Lighthouse Radio', shows: 'where it comes from' },
  { path: routes.timeline, heading: 'Timeline', shows: 'The keeper who counted ships' },
  { path: routes.tags, heading: 'Tags', shows: 'Name of the tag Bedtime' },
  { path: routes.info, heading: 'System info', shows: 'Failing feeds' },
  { path: routes.downloads, heading: 'Downloads', shows: 'A long night, part 2' },
  { path: routes.device, heading: 'Your episodes', shows: 'No episodes on this device yet.' },
  { path: '/info/device', heading: 'Your episodes', shows: 'On this device', end: routes.device },
  { path: routes.yours('liked'), heading: 'Your episodes', shows: 'Fog signals' },
  { path: routes.yours('bookmarked'), heading: 'Your episodes', shows: 'No bookmarks yet.' },
  { path: routes.yours('in-progress'), heading: 'Your episodes', shows: 'Fog signals' },
  { path: routes.yours('downloaded'), heading: 'Your episodes', shows: 'The keeper who counted ships' },
  { path: routes.yours('history'), heading: 'Your episodes', shows: 'A lamp of a thousand candles' },
  { path: routes.statistics, heading: 'Statistics', shows: 'By weekday' },
  { path: routes.settings, heading: 'Settings', shows: 'Run cleanup…', end: routes.settingsOf('retention') },
  { path: routes.settingsOf('retention'), heading: 'Settings', shows: 'Run cleanup…' },
  { path: routes.settingsOf('move-in'), heading: 'Settings', shows: 'Choose a file' },
  { path: routes.settingsOf('opml'), heading: 'Settings', shows: 'Export' },
  { path: routes.settingsOf('naming'), heading: 'Settings', shows: 'Lighthouse Radio/' },
  { path: routes.settingsOf('podcasts'), heading: 'Settings', shows: 'Lighthouse Radio' },
  { path: routes.settingsOf('notifications'), heading: 'Settings', shows: 'News stays in the bell for now.' },
  { path: routes.settingsOf('apps'), heading: 'Settings', shows: 'No app has access yet.' },
  { path: routes.settingsOf('gpodder'), heading: 'Settings', shows: 'Every feed on your devices' },
  { path: routes.settingsOf('backups'), heading: 'Settings', shows: 'Back up now' },
  { path: '/administration', heading: 'Administration', shows: 'Nils', end: routes.users },
  { path: routes.users, heading: 'Administration', shows: 'Nils' },
  { path: routes.invites, heading: 'Administration', shows: 'Uploader' },
  { path: routes.profile, heading: 'Profile', shows: 'Feed key' },
  { path: routes.login, heading: 'Home', shows: 'Continue listening', end: routes.home },
  { path: routes.login, heading: 'Sign in', shows: 'Remember me', isStranger: true },
  { path: routes.tags, heading: 'Sign in', shows: 'Remember me', end: routes.login, isStranger: true },
  { path: routes.invite(invite), heading: 'create account', shows: 'Uploader', isStranger: true },
  { path: routes.invite('gone'), heading: 'Invitation', shows: 'This invitation does not exist.', isStranger: true },
  { path: routes.grant('0123abcd'), heading: 'Grant access', shows: 'This request for access has expired.' },
  { path: '/nowhere', ...notFound },
  { path: `/elsewhere/${podcast}/episodes`, ...notFound },
  { path: routes.episodes('gone'), heading: 'Podcast not found', shows: 'It may have been removed' },
  { path: routes.episodes(podcast, 'gone'), heading: 'Episode not found', shows: 'It may have been removed' },
  { path: routes.playlist('gone'), ...notFound },
]

for (const visit of visits)
  test(`${visit.isStranger ? 'a stranger' : 'a user'} at “${visit.path}” finds “${visit.heading}”`, async () => {
    const visitors = visit.isStranger ? strangers : members
    const found = await everywhere(visitors, async visitor => {
      const { page, size } = visitor
      await page.setViewportSize(viewports[size])
      await arrive(page, running.origin, visit)
      const shifts = await layoutShiftsIn(page)
      await showWhole(page)
      await settle(page)
      // The page that it redirects to has a case of its own.
      const found = visit.end === undefined ? await barriers(page) : []
      return { ...(await findings(visitor)), shifts, barriers: found }
    })
    expect(found).toEqual(forAll(visitors, { ...expected(visit), shifts: [], barriers: [] }))
  }, 60_000)

test('what a podcast’s page on a phone loads after its episodes moves nothing above them', async () => {
  const storageState = await members[0]!.page.context().storageState()
  const { page } = await startVisitor('phone', { storageState, serviceWorkers: 'block' })
  const { promise, resolve } = Promise.withResolvers<void>()
  const hold = async (route: Route) => {
    await promise
    await route.continue()
  }
  await page.route(`**/api/v1/podcasts/${library.podcast}`, hold)
  await page.route('**/assets/podcast-menu*', hold)
  const parts = ['.podcast-facts', '.podcast-favourite', '.episode']
  const places = () => Promise.all(parts.map(part => page.locator(part).first().boundingBox()))

  const visit = { path: routes.episodes(podcast), heading: 'Lighthouse Radio', shows: 'The keeper who counted ships' }
  await arrive(page, running.origin, visit)
  await page.locator('.podcast-actions .podcast-primary:not(:empty)').waitFor()
  const before = await places()
  resolve()
  await page
    .getByText(/^checked /i)
    .filter({ visible: true })
    .waitFor()
  await page.getByRole('button', { name: 'More about Lighthouse Radio' }).waitFor()
  await settle(page)
  expect(await places()).toEqual(before)
}, 60_000)

/** Overlays, and parts of pages that open. */
const layers: readonly {
  name: string
  path?: string
  on?: Visitor['size']
  open: (page: Page) => Promise<unknown>
}[] = [
  {
    name: 'the player over the whole page',
    open: async page => {
      await page.getByRole('button', { name: 'Full screen', exact: true }).click()
      await page.getByRole('tab', { name: 'Notes' }).click()
      await page.getByRole('dialog').getByText('where it comes from').waitFor()
    },
  },
  ...['Chapters', 'Transcript', 'Queue', 'Bookmarks'].map(name => ({
    name: `the player's ${name}`,
    open: async (page: Page) => {
      await page.getByRole('button', { name: 'Full screen', exact: true }).click()
      await page.getByRole('tab', { name }).click()
      await page.getByRole('tabpanel', { name }).waitFor()
      await page.locator('[role=tabpanel]:not(:has([aria-busy=true]))').waitFor()
    },
  })),
  {
    name: 'the queue',
    on: 'wide',
    open: async page => {
      await page.getByRole('button', { name: /^Queue/ }).click()
      await page.locator('.queue-panel').getByText('A lamp of a thousand candles').waitFor()
    },
  },
  {
    name: 'search over the page',
    open: async page => {
      await page.keyboard.press('Control+f')
      await page.getByRole('combobox', { name: 'Search' }).fill('lamp')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
    },
  },
  {
    name: 'search as a page of its own, with what it found',
    path: routes.search,
    open: async page => {
      await page.getByRole('combobox', { name: 'Search' }).fill('lamp')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
    },
  },
  {
    name: 'the menu of the account',
    open: async page => {
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
    },
  },
  {
    name: 'the choice of a theme',
    open: async page => {
      await page.getByRole('button', { name: /^Account/ }).click()
      await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor()
    },
  },
  {
    name: 'the menu of an episode',
    open: async page => {
      await page.getByRole('button', { name: 'More about Fog signals' }).click()
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  {
    name: 'the bar over selected episodes',
    open: async page => {
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      await page.getByRole('checkbox', { name: 'Select Fog signals' }).check()
      await page.getByRole('toolbar', { name: 'Selected episodes' }).getByText('1 selected').waitFor()
    },
  },
  ...['All speeds', 'Sleep timer'].map(name => ({
    name: `the menu “${name}”`,
    open: async (page: Page) => {
      await page.getByRole('button', { name: 'Full screen', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
      await page.getByRole('menuitemradio').first().waitFor()
    },
  })),
  {
    name: 'the notifications',
    // A page that is short: what lies beneath is not what this is about.
    path: routes.profile,
    open: async page => {
      await page.getByRole('button', { name: '1 notification' }).click()
      await page.getByText('Episode now available').waitFor()
    },
  },
  {
    name: 'an episode with chapters and transcript',
    path: routes.episodes(podcast, episode),
    open: async page => {
      await showWhole(page)
      await page.getByRole('button', { name: 'Play from 00:20: The storm' }).waitFor()
      await page.getByText('Transcript', { exact: true }).click()
      await page.getByText('Sentence 49 about lamps').waitFor()
    },
  },
  {
    name: 'the first step of a playlist',
    path: routes.playlists,
    open: async page => {
      await page.getByRole('button', { name: 'Add new' }).click()
      await page.getByRole('dialog').getByText('1 of 3').waitFor()
    },
  },
  {
    name: 'the episodes of a playlist, being put in order',
    path: routes.playlists,
    open: async page => {
      await page.getByRole('button', { name: 'Edit On the train' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Forward' }).click()
      await page.getByLabel('Search episodes').fill('keeper')
      await page.getByRole('button', { name: /^Add The keeper/ }).waitFor()
    },
  },
  {
    name: 'adding a podcast',
    path: routes.podcasts,
    open: async page => {
      await page.getByRole('button', { name: 'Add podcast' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  // One after the other: whoever looks at an address ends their other look.
  ...sizes.map(size => ({
    name: `a podcast that has been found, before it is added (${size})`,
    path: routes.podcasts,
    on: size,
    open: async (page: Page) => {
      await page.getByRole('button', { name: 'Add podcast' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name, topic or address').fill(library.feed)
      await dialog.getByRole('heading', { name: 'The Quiet Orchard' }).waitFor()
    },
  })),
  {
    name: 'the tags of a podcast',
    path: routes.episodes(podcast),
    open: async page => {
      await page.getByRole('button', { name: 'More about Lighthouse Radio' }).click()
      await page.getByRole('menuitem', { name: 'Tags…' }).click()
      await page.getByRole('dialog').getByRole('checkbox', { name: 'Bedtime' }).waitFor()
    },
  },
  {
    name: 'deleting a podcast',
    path: routes.episodes(podcast),
    open: async page => {
      await page.getByRole('button', { name: 'More about Lighthouse Radio' }).click()
      await page.getByRole('menuitem', { name: 'Delete podcast' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'all about a podcast',
    path: routes.episodes(podcast),
    open: async page => {
      await page.getByRole('button', { name: 'More about Lighthouse Radio' }).click()
      await page.getByRole('menuitem', { name: 'About this podcast' }).click()
      await page.getByRole('dialog').getByText('Author').waitFor()
    },
  },
  {
    name: 'downloading all of a podcast',
    path: routes.episodes(podcast),
    open: async page => {
      await page.getByRole('button', { name: 'More about Lighthouse Radio' }).click()
      await page.getByRole('menuitem', { name: 'Download all' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
    },
  },
  {
    name: 'the settings of a podcast',
    path: routes.episodes(podcast),
    open: async page => {
      await page.getByRole('button', { name: 'More about Lighthouse Radio' }).click()
      await page.getByRole('menuitem', { name: 'Podcast settings' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).waitFor()
    },
  },
  {
    name: 'the steps of every kind of app',
    path: routes.settingsOf('apps'),
    open: async page => {
      await page.getByText('Any other podcast app').waitFor()
      for (const summary of await page.locator('.guide > summary').all()) await summary.click()
      await page.getByText('Open a podcast here').waitFor()
    },
  },
  {
    name: 'a new app password',
    path: routes.settingsOf('apps'),
    open: async page => {
      await page.locator('.apps-access').getByRole('button', { name: 'New app password' }).click()
      await page.getByLabel('App or device').fill('Car radio')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('img', { name: 'QR code of the password' }).waitFor()
    },
  },
  ...['Browser', 'ntfy', 'Gotify', 'Webhook'].map(kind => ({
    name: `a new destination: ${kind}`,
    path: routes.settingsOf('notifications'),
    open: async (page: Page) => {
      await page.getByRole('button', { name: 'Add destination' }).click()
      await page.getByRole('dialog').getByRole('button', { name: kind }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Back' }).waitFor()
    },
  })),
  {
    name: 'the menu on a phone',
    on: 'phone',
    open: async page => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('dialog', { name: 'More' }).getByRole('link', { name: 'All subscriptions' }).waitFor()
    },
  },
]

for (const { name, path = routes.timeline, on, open } of layers)
  test(`${name}: everybody can use it`, async () => {
    const visitors = members.filter(({ size }) => !on || size === on)
    const found = await everywhere(visitors, async ({ page, size, errors }) => {
      // From one layer to the next the page stays, which saves most of the time.
      // A layer that closes leaves the history first.
      await layersGone(page)
      if (page.url() !== addressOf(running.origin, path)) await page.goto(addressOf(running.origin, path))
      await page.setViewportSize(viewports[size])
      await page.getByRole('region', { name: 'Player' }).waitFor()
      await open(page)
      await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor({ state: 'attached' })
      const found = { barriers: await barriers(page), errors: errors.splice(0) }
      await page.keyboard.press('Escape')
      await closeLayers(page)
      return found
    })
    expect(found).toEqual(forAll(visitors, { barriers: [], errors: [] }))
  }, 60_000)

test('no address of the interface goes unvisited', async () => {
  const { page } = members[0]!
  const visited = visits.map(({ path }) => path)
  const named = Object.values(routes).map(route => (typeof route === 'function' ? route('[^/]+' as never) : route))
  expect(
    named.filter(pattern => !visited.some(path => path === pattern || new RegExp(`^${pattern}$`).test(path))),
  ).toEqual([])

  const links: string[] = []
  for (const path of [routes.home, routes.info, routes.settings, routes.users]) {
    await page.goto(addressOf(running.origin, path))
    await page.locator('nav:is(.tabs, .segments, .settings-nav) a').first().waitFor()
    const nav = page.locator('nav a:not(.sidebar-pinned a)')
    const paths = await nav.evaluateAll(all => all.map(link => (link as HTMLAnchorElement).pathname))
    links.push(...paths)
  }
  expect(links.filter(link => !visited.includes(link.replace('/ui', '')))).toEqual([])
})

test('below a sub-directory every address leads to the same page', async () => {
  const env = { DATA_DIRECTORY: temporaryFolder(), DISK_RESERVE: '0', SUB_DIRECTORY: '/pods', ...withPasswords }
  await using below = await startExecutable(env)
  const there = await plantSmallLibrary(hosts, below.origin, basic(USERNAME, PASSWORD))
  const member = await startVisitor('wide', { storageState: await signInAndPlay(below.origin) })
  const stranger = await startVisitor('wide')
  for (const visit of visits) {
    const visitor = visit.isStranger ? stranger : member
    await arrive(visitor.page, below.origin, visit, there)
    expect(await findings(visitor)).toEqual(expected(visit))
  }
}, 240_000)

const addressOf = (origin: string, path: string, names = library) =>
  `${origin}/ui${path.replace(/:(\w+)/g, (_, name: keyof SmallLibrary) => names[name])}`

/** Goes straight to an address, and waits until what it leads to stands there and still. */
async function arrive(page: Page, origin: string, { path, end = path, heading, shows }: Visit, names = library) {
  await page.goto(addressOf(origin, path, names))
  await page.waitForURL(addressOf(origin, end, names))
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  const main = page.getByRole('main')
  await main.getByText(shows).or(main.getByLabel(shows)).filter({ visible: true }).first().waitFor()
  await settle(page)
}

const showWhole = (page: Page) => page.setViewportSize({ ...page.viewportSize()!, height: WHOLE_PAGE })

/** Nothing is on its way any more: no list, no picture, no fading in. */
const settle = (page: Page) =>
  page.waitForFunction(
    () =>
      !document.querySelector('.skeleton') &&
      [...document.images].every(image => image.complete || image.loading === 'lazy') &&
      document.getAnimations().every(animation => animation.playState !== 'running'),
  )

const expected = ({ heading }: Visit) => ({
  title: `${heading} · Castellan`,
  headings: [heading],
  mains: 1,
  errors: [] as string[],
})

async function findings({ page, errors }: Visitor): Promise<ReturnType<typeof expected>> {
  return {
    title: await page.title(),
    headings: await page.getByRole('heading', { level: 1 }).allInnerTexts(),
    mains: await page.getByRole('main').count(),
    errors: errors.splice(0),
  }
}

/** In the light and in the dark. */
async function barriers(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-theme=${theme}]`).waitFor()
    await settle(page)
    found.push(...(await barriersIn(page)).map(barrier => `${theme}: ${barrier}`))
  }
  return found
}

/** Sends all visitors at once, and returns what each saw, by its size. */
async function everywhere<T>(visitors: readonly Visitor[], look: (visitor: Visitor) => Promise<T>) {
  const seen = await Promise.allSettled(visitors.map(look))
  return Object.fromEntries(
    seen.map((outcome, index) => {
      if (outcome.status === 'rejected') throw outcome.reason
      return [visitors[index]!.size, outcome.value]
    }),
  )
}
const forAll = <T>(visitors: readonly Visitor[], value: T) =>
  Object.fromEntries(visitors.map(({ size }) => [size, value]))

async function startVisitor(size: Visitor['size'], options: BrowserContextOptions = {}): Promise<Visitor> {
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
  return { page, size, errors }
}

/** The storage of a browser after a sign-in and some listening: the player shows that episode from then on. */
async function signInAndPlay(origin: string): Promise<BrowserContextOptions['storageState']> {
  const { page } = await startVisitor('wide')
  await page.goto(`${origin}/ui/timeline`)
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
