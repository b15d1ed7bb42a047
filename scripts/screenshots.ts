import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { languages } from '../src/ui/i18n'
import { startBrowser } from '../test/support/browser'
import { noise, rss } from '../test/support/builders'
import { startExecutable } from '../test/support/executable'
import { startFeedHost, type FeedHost } from '../test/support/feed-host'
import { startSlowHost } from '../test/support/slow-host'
import { householdEnvironment, plantHousehold, requestAccess } from './demo/household'
import {
  adminScreens,
  emptyScreens,
  libraryScreens,
  phoneMenu,
  strangerScreens,
  translatedScreens,
  type Screen,
} from './demo/screens'
import { apisOf } from '../test/support/apis'
import { seed } from './seed'

// Photographs every screen of the demo library, wide and on a phone, light and dark, into dist/screenshots as PNG.
// With a word after it: only the screens whose name begins with it. With --readme: only the pictures that the README
// shows, into docs/screenshots as WebP. Needs the executable: `bun run build` first.

const root = join(import.meta.dir, '..')
const { values, positionals } = parseArgs({ allowPositionals: true, options: { readme: { type: 'boolean' } } })
const wanted = values.readme ? picturesOfReadme() : null
const target = join(root, wanted ? 'docs/screenshots' : 'dist/screenshots')
const viewports = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const themes = ['light', 'dark'] as const

type Apis = ReturnType<typeof apisOf>
type Servers = { library: string; empty: string; household: string; invitation: string }

const folders = ['screens', 'empty', 'household'].map(name => mkdtempSync(join(tmpdir(), `castellan-${name}-`)))
mkdirSync(target, { recursive: true })
using host = startFeedHost()
const browser = await startBrowser()
try {
  const [library, empty, household] = folders as [string, string, string]
  await seed(library, host)
  await using running = await startExecutable({ DATA_DIRECTORY: library, DISK_RESERVE: '0' })
  await using fresh = await startExecutable({ DATA_DIRECTORY: empty, DISK_RESERVE: '0' })
  await using guarded = await startExecutable({ DATA_DIRECTORY: household, DISK_RESERVE: '0', ...householdEnvironment })
  const invitation = await plantHousehold(guarded.origin)
  const servers = { library: running.origin, empty: fresh.origin, household: guarded.origin, invitation }

  const apis = apisOf(running.origin)
  using slow = await startSlowHost(noise(60_000_000, 2), () => 60)
  const queued = await queueDownloads(apis, host, slow.address)
  const podcasts = await apis.podcasts.list()
  const podcast = podcasts.find(({ name }) => name === 'Lighthouse Radio')!.id
  const failing = podcasts.find(({ feed_state }) => feed_state === 'failing')!.id
  const playlist = (await apis.playlists.list())[0]!.id

  const screens = libraryScreens({ podcast, failing, playlist })
  for (const size of ['wide', 'phone'] as const)
    for (const theme of themes) await photographAll(browser, servers, screens, podcast, size, theme)
  await apis.podcasts.remove(queued, true)
  if (!wanted) await photographLanguages(browser, servers.library, podcast)
} finally {
  await browser.close()
  for (const path of folders) rmSync(path, { recursive: true, force: true })
}
process.exit(0)

/** The names, without their ending, of the pictures that the README shows. */
function picturesOfReadme(): ReadonlySet<string> {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  return new Set([...readme.matchAll(/docs\/screenshots\/([\w-]+)\.webp/g)].map(([, name]) => name!))
}

async function photographAll(
  browser: Browser,
  { library, empty, household, invitation }: Servers,
  screens: readonly Screen[],
  podcast: string,
  size: keyof typeof viewports,
  theme: (typeof themes)[number],
) {
  const suffix = `${size}-${theme}`
  await using context = await browser.newContext({
    viewport: viewports[size],
    colorScheme: theme,
    deviceScaleFactor: 1,
    hasTouch: size === 'phone',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  for (const screen of emptyScreens) await photograph(page, screen, empty, suffix)

  await startPlaying(page, library, podcast)
  for (const screen of screens) await photograph(page, screen, library, suffix)
  if (size === 'phone') await photograph(page, phoneMenu, library, suffix)

  for (const screen of strangerScreens(invitation)) await photograph(page, screen, household, suffix)
  await signIn(page, household)
  for (const screen of adminScreens(await requestAccess(household))) await photograph(page, screen, household, suffix)
}

async function photographLanguages(browser: Browser, origin: string, podcast: string) {
  for (const language of Object.keys(languages).filter(name => name !== 'en')) {
    await using context = await browser.newContext({ viewport: viewports.wide, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`${origin}/ui/home/view?lng=${language}`)
    await page.goto(`${origin}/ui/podcasts/${podcast}/episodes`)
    await page.locator('.episode-play').first().click()
    await page.locator('.player-toggle[aria-busy=false]').click()
    for (const screen of translatedScreens(podcast)) await photograph(page, screen, origin, language)
  }
}

async function photograph(page: Page, { name, path, prepare }: Screen, origin: string, suffix: string) {
  const file = `${name}-${suffix}`
  if (wanted ? !wanted.has(file) : !name.startsWith(positionals[0] ?? '')) return
  await page.goto(`${origin}/ui${path}`)
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await page.locator('main > *').first().waitFor()
  await prepare?.(page)
  // Covers fade in as they arrive.
  await page.waitForFunction(() => [...document.images].every(image => image.complete || image.loading === 'lazy'))
  await page.waitForTimeout(400)
  const picture = await page.screenshot()
  if (wanted) await Bun.write(join(target, `${file}.webp`), await new Bun.Image(picture).webp({ quality: 80 }).bytes())
  else await Bun.write(join(target, `${file}.png`), picture)
}

async function startPlaying(page: Page, origin: string, podcast: string) {
  await page.goto(`${origin}/ui/podcasts/${podcast}/episodes`)
  await page.locator('.episode-play').first().click()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
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
