import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { languages } from '../src/shared/languages'
import { routes } from '../src/ui/routes'
import { startBrowser } from '../test/support/browser'
import { noise, rss } from '../test/support/builders'
import { startExecutable } from '../test/support/executable'
import { startFeedHost, type FeedHost } from '../test/support/feed-host'
import { startSlowHost } from '../test/support/slow-host'
import { householdEnvironment, plantHousehold, requestAccess } from './demo/household'
import { translatedScreens } from './demo/screens'
import { beginWithInter } from '../test/support/inter'
import { layers } from '../test/support/layers'
import { isAt, pages, pathIn, PHONE, type Places, type Screen } from '../test/support/screens'
import { apisOf } from '../test/support/apis'
import { seed } from './seed'

// Photographs every screen of the demo library, at four sizes, light and dark, into dist/screenshots as PNG.
// With a word after it: only the screens whose name begins with it; with --size phone,1024x768: only these sizes. With
// --readme: only the pictures that the README shows, into docs/screenshots as WebP. Needs the executable.

const root = join(import.meta.dir, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { readme: { type: 'boolean' }, size: { type: 'string' } },
})
const wanted = values.readme ? picturesOfReadme() : null
const target = join(root, wanted ? 'docs/screenshots' : 'dist/screenshots')
const named: Readonly<Record<string, string>> = {
  phone: '390x844',
  tablet: '1024x768',
  wide: '1440x900',
  huge: '2560x1440',
}
const sizes = values.size?.split(',') ?? Object.keys(named)
const themes = ['light', 'dark'] as const

type Apis = ReturnType<typeof apisOf>
type Library = { origin: string; places: Partial<Places> }
type Libraries = { demo: Library; empty: Library; household: Library }

const folders = ['screens', 'empty', 'household'].map(name => mkdtempSync(join(tmpdir(), `castellan-${name}-`)))
mkdirSync(target, { recursive: true })
using host = startFeedHost()
const browser = await startBrowser()
try {
  const [library, empty, household] = folders as [string, string, string]
  await seed(library, host)
  await using running = await startExecutable({ DATA_DIRECTORY: library, DISK_RESERVE: '0' })
  await using fresh = await startExecutable({ DATA_DIRECTORY: join(empty, 'data'), DISK_RESERVE: '0' })
  await using guarded = await startExecutable({ DATA_DIRECTORY: household, DISK_RESERVE: '0', ...householdEnvironment })
  const apis = apisOf(running.origin)
  using slow = await startSlowHost(noise(60_000_000, 2), () => 60)
  const queued = await queueDownloads(apis, host, slow.address)
  const libraries: Libraries = {
    demo: { origin: running.origin, places: await placesOf(apis, host) },
    empty: { origin: fresh.origin, places: {} },
    household: { origin: guarded.origin, places: { invite: await plantHousehold(guarded.origin) } },
  }
  for (const size of sizes) for (const theme of themes) await photographAll(browser, libraries, size, theme)
  await apis.podcasts.remove(queued, true)
  if (!wanted && !values.size) await photographLanguages(browser, libraries.demo)
} finally {
  await browser.close()
  for (const path of folders) rmSync(path, { recursive: true, force: true })
}
process.exit(0)

/** The names that the pictures need; the queue is filled on the way. */
async function placesOf({ podcasts, playlists, queue }: Apis, host: FeedHost): Promise<Partial<Places>> {
  const all = await podcasts.list()
  const podcast = all.find(({ name }) => name === 'Lighthouse Radio')!.id
  const failing = all.find(({ feed_state }) => feed_state === 'failing')!.id
  const { data } = await podcasts.episodes(podcast, { limit: 8 }, null)
  const ids = data.map(({ podcastEpisode }) => podcastEpisode.id)
  for (const episode of ids.slice(1)) await queue.add({ episode })
  const feed = host.feed(
    '/orchard.xml',
    rss({ title: 'The Quiet Orchard', items: [{ title: 'Grafting in the rain' }] }),
  )
  return { podcast, failing, feed, episode: ids[4]!, playlist: (await playlists.list())[0]!.id }
}

/** The names, without their ending, of the pictures that the README shows. */
function picturesOfReadme(): ReadonlySet<string> {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  return new Set([...readme.matchAll(/docs\/screenshots\/([\w-]+)\.webp/g)].map(([, name]) => name!))
}

async function photographAll(
  browser: Browser,
  { demo, empty, household }: Libraries,
  size: string,
  theme: (typeof themes)[number],
) {
  const [width, height] = (named[size] ?? size).split('x').map(Number) as [number, number]
  await using context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    deviceScaleFactor: 1,
    hasTouch: width < PHONE,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await beginWithInter(page)
  const screens = [...pages, ...layers].filter(screen => isAt(screen, width))
  const photographThose = async (library: Library, fits: (screen: Screen) => boolean | undefined) => {
    for (const screen of screens.filter(fits)) await photograph(page, screen, library, `${size}-${theme}`)
  }
  await photographThose(empty, ({ visitor }) => visitor === 'newcomer')
  await startPlaying(page, demo)
  await photographThose(demo, ({ visitor, needsAccounts }) => !visitor && !needsAccounts)
  await photographThose(household, ({ visitor }) => visitor === 'stranger')
  await signIn(page, household.origin)
  household.places.grant = await requestAccess(household.origin)
  await photographThose(household, ({ visitor, needsAccounts }) => !visitor && needsAccounts)
}

async function photographLanguages(browser: Browser, demo: Library) {
  for (const language of Object.keys(languages).filter(name => name !== 'en')) {
    await using context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`${demo.origin}/ui/home/view?lng=${language}`)
    await startPlaying(page, demo)
    for (const screen of translatedScreens) await photograph(page, screen, demo, language)
  }
}

async function photograph(page: Page, screen: Screen, { origin, places }: Library, suffix: string) {
  const file = `${screen.name}-${suffix}`
  const path = pathIn(places, screen)
  if (path === null || (wanted ? !wanted.has(file) : !screen.name.startsWith(positionals[0] ?? ''))) return
  await page.goto(`${origin}/ui${path}`)
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await page.locator('main > *').first().waitFor()
  await screen.open?.(page, places)
  // Covers fade in as they arrive.
  await page.waitForFunction(() => [...document.images].every(image => image.complete || image.loading === 'lazy'))
  await page.waitForTimeout(400)
  const picture = await page.screenshot()
  if (wanted) await Bun.write(join(target, `${file}.webp`), await new Bun.Image(picture).webp({ quality: 80 }).bytes())
  else await Bun.write(join(target, `${file}.png`), picture)
}

async function startPlaying(page: Page, { origin, places }: Library) {
  await page.goto(`${origin}/ui${routes.episodes(places.podcast!)}`)
  await page.locator('main .play-button').filter({ visible: true }).first().click()
  await page.locator('.player-toggle[aria-busy=false]').click()
}

async function signIn(page: Page, origin: string) {
  await page.goto(`${origin}/ui/login`)
  await page.getByLabel('Username').fill('mara')
  await page.getByLabel('Password').fill('Sup3rSecret')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Account' }).waitFor()
}

/** Queues downloads in every state: one runs, some wait, one failed, one is paused; returns the id of their podcast. */
async function queueDownloads(apis: Apis, host: FeedHost, address: string): Promise<string> {
  await apis.system.editSettings({ podcastPrefill: 0 })
  const items = Array.from({ length: 5 }, (_, index) => ({
    title: `The long night, chapter ${index + 1}`,
    enclosure: `${index === 4 ? `${host.origin}/gone.mp3` : `${address}?chapter=${index}`}`,
  }))
  const podcast = await apis.podcasts.add(host.feed('/stories.xml', rss({ title: 'Stories after Dark', items })))
  const { data } = await apis.podcasts.episodes(podcast.id, {}, null)
  for (const { podcastEpisode } of data) await apis.episodes.download(podcastEpisode.episode_id)
  const queue = (await apis.downloads.page(null)).data.items
  await apis.downloads.pause(queue[3]!.id)
  return podcast.id
}
