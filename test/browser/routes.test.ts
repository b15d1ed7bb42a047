import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Route } from 'playwright-core'
import { routes } from '../../src/ui/routes'
import { barriersIn } from '../support/axe'
import { withInter } from '../support/inter'
import { layoutShiftsIn } from '../support/layout-shift'
import {
  addressOf,
  barriers,
  everywhere,
  forAll,
  settle,
  showWhole,
  startPages,
  viewports,
  type PageOf,
} from '../support/pages'

// Opens every page by its address, wide below a sub-directory and on a phone at the root, light and dark: checks its
// title and its accessibility, and that nothing moves while it loads.

type Visit = {
  path: string
  heading: string
  shows: string
  /** The address it redirects to. */
  end?: string
  isStranger?: boolean
}

/** Phones visit a server at the root of its host; wide windows visit one below a sub-directory. */
let atRoot: Awaited<ReturnType<typeof startPages>>
let below: typeof atRoot
beforeAll(async () => {
  ;[atRoot, below] = await Promise.all([startPages(), startPages({ SUB_DIRECTORY: '/pods' })])
}, 120_000)
afterAll(() => Promise.all([atRoot[Symbol.asyncDispose](), below[Symbol.asyncDispose]()]))
const wideAndPhone = (group: 'members' | 'strangers') => [below[group][0]!, atRoot[group][1]!]

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
  { path: routes.statistics, heading: 'Your listening', shows: 'By weekday' },
  { path: routes.people, heading: 'People', shows: 'No feed names anybody yet' },
  { path: routes.person('Nobody'), ...notFound },
  { path: routes.settingsOf('playback'), heading: 'Playback', shows: 'Trim silence' },
  { path: routes.settingsOf('new-episodes'), heading: 'New episodes and queue', shows: 'After the queue' },
  { path: routes.settingsOf('retention'), heading: 'Retention', shows: 'Run cleanup…' },
  { path: routes.settingsOf('move-in'), heading: 'Import', shows: 'Choose a file' },
  { path: routes.settingsOf('opml'), heading: 'OPML', shows: 'Export' },
  { path: routes.settingsOf('naming'), heading: 'Naming', shows: 'Lighthouse Radio/' },
  { path: routes.settingsOf('podcasts'), heading: 'Podcasts', shows: 'Lighthouse Radio' },
  {
    path: routes.settingsOf('notifications'),
    heading: 'Notifications',
    shows: 'Notifications only show here for now.',
  },
  { path: routes.settingsOf('apps'), heading: 'Apps and devices', shows: 'No app has access yet.' },
  { path: routes.settingsOf('gpodder'), heading: 'gPodder', shows: 'Every feed on your devices' },
  { path: routes.settingsOf('backups'), heading: 'Backups', shows: 'Back up now' },
  { path: '/administration', heading: 'Administration', shows: 'Nils', end: routes.users },
  { path: routes.users, heading: 'Administration', shows: 'Nils' },
  { path: routes.invites, heading: 'Administration', shows: 'Uploader' },
  { path: routes.activity, heading: 'Administration', shows: 'Account added' },
  { path: routes.profile, heading: 'Profile', shows: 'Feed key' },
  { path: routes.login, heading: 'Home', shows: 'Continue listening', end: routes.home },
  { path: routes.login, heading: 'Sign in', shows: 'Remember me', isStranger: true },
  { path: routes.tags, heading: 'Sign in', shows: 'Remember me', end: routes.login, isStranger: true },
  { path: routes.invite(invite), heading: 'Create account', shows: 'Uploader', isStranger: true },
  { path: routes.invite('gone'), heading: 'Invitation', shows: 'This invitation does not exist.', isStranger: true },
  { path: routes.grant('0123abcd'), heading: 'Grant access', shows: 'This request for access has expired.' },
  { path: '/nowhere', ...notFound },
  { path: `/elsewhere/${podcast}/episodes`, ...notFound },
  { path: routes.episodes('gone'), heading: 'Podcast not found', shows: 'It may have been removed' },
  { path: routes.episodes(podcast, 'gone'), heading: 'Episode not found', shows: 'It may have been removed' },
  { path: routes.playlist('gone'), ...notFound },
]

const ofRows = new Set([routes.timeline, routes.yours('liked'), routes.yours('history')])

for (const visit of visits)
  test(`${visit.isStranger ? 'a stranger' : 'a user'} at “${visit.path}” finds “${visit.heading}”`, async () => {
    const visitors = wideAndPhone(visit.isStranger ? 'strangers' : 'members')
    const found = await everywhere(visitors, async visitor => {
      const { page, size } = visitor
      await page.setViewportSize(viewports[size])
      await arrive(visitor, visit)
      const shifts = await layoutShiftsIn(page)
      await showWhole(page)
      await settle(page)
      // The page that it redirects to has a case of its own.
      const found = visit.end === undefined ? await barriers(page) : []
      // Wider letters move what people press in a row.
      if (ofRows.has(visit.path))
        found.push(...(await withInter(page, () => barriersIn(page))).map(barrier => `with Inter: ${barrier}`))
      return { ...(await findings(visitor)), shifts, barriers: found }
    })
    expect(found).toEqual(forAll(visitors, { ...expected(visit), shifts: [], barriers: [] }))
  }, 120_000)

test('what a podcast’s page on a phone loads after its episodes moves nothing above them', async () => {
  const storageState = await atRoot.members[0]!.page.context().storageState()
  const visitor = await atRoot.startPage('phone', { storageState, serviceWorkers: 'block' })
  const { page } = visitor
  const { promise, resolve } = Promise.withResolvers<void>()
  const hold = async (route: Route) => {
    await promise
    await route.continue()
  }
  await page.route(`**/api/v1/podcasts/${visitor.library.podcast}`, hold)
  await page.route('**/assets/podcast-menu*', hold)
  const parts = ['.podcast-facts', '.podcast-favourite', '.episode']
  const places = () => Promise.all(parts.map(part => page.locator(part).first().boundingBox()))

  const visit = { path: routes.episodes(podcast), heading: 'Lighthouse Radio', shows: 'The keeper who counted ships' }
  await arrive(visitor, visit)
  await page.locator('.podcast-actions .podcast-primary:not(:empty)').waitFor()
  const before = await places()
  resolve()
  await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).waitFor()
  await settle(page)
  expect(await places()).toEqual(before)
}, 120_000)

test('settings begin with retention for admins, and with a list on phones', async () => {
  await everywhere(wideAndPhone('members'), async visitor => {
    const { page, size } = visitor
    await page.setViewportSize(viewports[size])
    await page.goto(addressOf(visitor, routes.settings))
    if (size !== 'phone') return page.getByRole('heading', { level: 1, name: 'Retention' }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Naming' }).click()
    await page.getByRole('heading', { level: 1, name: 'Naming' }).waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 2, name: 'This server' }).waitFor()
  })
}, 120_000)

test('no address of the interface goes unvisited', async () => {
  const visitor = below.members[0]!
  const { page } = visitor
  const withoutQuery = (path: string) => path.split('?')[0]!
  const visited = [...visits.map(({ path }) => withoutQuery(path)), routes.settings]
  const named = Object.values(routes).map(route =>
    withoutQuery(typeof route === 'function' ? route('[^/]+' as never) : route),
  )
  expect(
    named.filter(pattern => !visited.some(path => path === pattern || new RegExp(`^${pattern}$`).test(path))),
  ).toEqual([])

  const links: string[] = []
  for (const path of [routes.home, routes.info, routes.settings, routes.users]) {
    await page.goto(addressOf(visitor, path))
    await page.locator('nav:is(.tabs, .segments, .settings-nav) a').first().waitFor()
    const nav = page.locator('nav a:not(.sidebar-pinned a)')
    const paths = await nav.evaluateAll(all => all.map(link => (link as HTMLAnchorElement).pathname))
    links.push(...paths)
  }
  expect(links.filter(link => !visited.includes(link.replace('/pods/ui', '')))).toEqual([])
})

/** Goes straight to an address, and waits until what it leads to stands there and still. */
async function arrive(visitor: PageOf, { path, end = path, heading, shows }: Visit) {
  const { page } = visitor
  await page.goto(addressOf(visitor, path))
  await page.waitForURL(addressOf(visitor, end))
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  const main = page.getByRole('main')
  await main.getByText(shows).or(main.getByLabel(shows)).filter({ visible: true }).first().waitFor()
  await settle(page)
}

const expected = ({ heading }: Visit) => ({
  title: `${heading} · Castellan`,
  headings: [heading],
  mains: 1,
  errors: [] as string[],
})

async function findings({ page, errors }: PageOf): Promise<ReturnType<typeof expected>> {
  return {
    title: await page.title(),
    headings: await page.getByRole('heading', { level: 1 }).allInnerTexts(),
    mains: await page.getByRole('main').count(),
    errors: errors.splice(0),
  }
}
