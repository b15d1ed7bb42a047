import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { noise, rss } from '../test/support/builders'
import { startBrowser } from '../test/support/browser'
import { languages } from '../src/ui/i18n'
import { startExecutable } from '../test/support/executable'
import { startFeedHost } from '../test/support/feed-host'
import { startSlowHost } from '../test/support/slow-host'
import { apisOf } from '../test/support/apis'
import { seed } from './seed'

// Every screen, wide and on a phone, light and dark, from the demo library, into docs/screenshots. `bun run build` first.

const target = join(import.meta.dir, '../docs/screenshots')
const viewports = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const themes = ['light', 'dark'] as const
const only = process.argv[2]

/** The same three screens without a word of any language. */
const inAnyLanguage: Record<string, Screen['prepare']> = {
  episodes: page => page.locator('.episode-open').first().click(),
  player: page => page.locator('.player-expand').click(),
}

type Screen = { name: string; path: string; prepare?: (page: Page) => Promise<unknown> }

const folder = mkdtempSync(join(tmpdir(), 'castellan-screens-'))
const empty = mkdtempSync(join(tmpdir(), 'castellan-empty-'))
const guarded = mkdtempSync(join(tmpdir(), 'castellan-guarded-'))
const signIn = { BASIC_AUTH: 'true', USERNAME: 'mara', PASSWORD: 'Sup3rSecret' }
mkdirSync(target, { recursive: true })
using host = startFeedHost()
const browser = await startBrowser()
try {
  await seed(folder, host)
  await using running = await startExecutable({ DATA_DIRECTORY: folder, DISK_RESERVE: '0' })
  await using fresh = await startExecutable({ DATA_DIRECTORY: empty, DISK_RESERVE: '0' })
  await using household = await startExecutable({ DATA_DIRECTORY: guarded, DISK_RESERVE: '0', ...signIn })
  const invitation = await inviteSomebody(household.origin)
  const apis = apisOf(running.origin)
  using slow = await startSlowHost(noise(60_000_000, 2), () => 60)
  const stories = await queueSomething(slow.address)
  const podcasts = await apis.podcasts.list()
  const lighthouse = podcasts.find(podcast => podcast.name === 'Lighthouse Radio')!
  const playlist = (await apis.playlists.list())[0]!
  const failing = podcasts.find(podcast => podcast.feed_state === 'failing')!

  const screens: Screen[] = [
    { name: 'home', path: '/home/view' },
    { name: 'podcasts', path: '/podcasts' },
    { name: 'favorites', path: '/favorites' },
    {
      name: 'episodes',
      path: `/podcasts/${lighthouse.id}/episodes`,
      prepare: page =>
        page.getByRole('button', { name: 'Letters in a bottle: what the sea sends back', exact: true }).click(),
    },
    {
      name: 'transcript',
      path: `/podcasts/${lighthouse.id}/episodes`,
      prepare: async page => {
        await page.locator('.episode-open').first().click()
        await page.getByText('Transcript', { exact: true }).click()
        await page.getByText('forty-one notebooks').first().scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'player',
      path: `/podcasts/${lighthouse.id}/episodes`,
      prepare: async page => {
        await page.getByRole('button', { name: 'Full screen', exact: true }).click()
        await page.getByRole('tab', { name: 'Transcript' }).click()
        await page.locator('.transcript .is-sought').waitFor()
      },
    },
    {
      name: 'podcast-settings',
      path: `/podcasts/${lighthouse.id}/episodes`,
      prepare: async page => {
        await page.getByRole('button', { name: 'More about Lighthouse Radio' }).click()
        await page.getByRole('menuitem', { name: 'Settings of this podcast' }).click()
        await page.getByRole('dialog').waitFor()
      },
    },
    { name: 'failing', path: `/podcasts/${failing.id}/episodes` },
    { name: 'timeline', path: '/timeline' },
    { name: 'downloads', path: '/info/downloads' },
    { name: 'add', path: '/podcasts', prepare: page => page.getByRole('button', { name: 'Add podcast' }).click() },
    {
      name: 'search',
      path: '/podcasts/search',
      prepare: async page => {
        await page.getByRole('combobox', { name: 'Search' }).fill('lamp')
        await page.getByRole('listbox').getByRole('option').first().waitFor()
      },
    },
    { name: 'tags', path: '/tags' },
    { name: 'playlists', path: '/home/playlist' },
    { name: 'playlist', path: `/home/playlist/${playlist.id}` },
    {
      name: 'playlist-wizard',
      path: '/home/playlist',
      prepare: async page => {
        await page
          .getByRole('button', { name: /^Edit / })
          .first()
          .click()
        await page.getByRole('dialog').getByRole('button', { name: 'Forward' }).click()
      },
    },
    { name: 'opml', path: '/settings/opml' },
    { name: 'naming', path: '/settings/naming', prepare: page => page.locator('.naming-preview').waitFor() },
    { name: 'settings-podcasts', path: '/settings/podcasts' },
    { name: 'info', path: '/info' },
    { name: 'device', path: '/info/device' },
    {
      name: 'keys',
      path: '/timeline',
      prepare: async page => {
        await page.keyboard.press('?')
        await page.getByRole('dialog').waitFor()
      },
    },
    { name: 'statistics', path: '/info/statistics' },
    {
      name: 'notifications',
      path: '/timeline',
      prepare: page => page.getByRole('button', { name: /notification/i }).click(),
    },
    { name: 'not-found', path: '/nowhere' },
  ]
  for (const [size, viewport] of Object.entries(viewports))
    for (const theme of themes) {
      const context = await browser.newContext({
        viewport,
        colorScheme: theme,
        deviceScaleFactor: 1,
        hasTouch: size === 'phone',
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      await shoot(page, { name: 'empty', path: '/home/view' }, `${fresh.origin}/ui`, `${size}-${theme}`)
      await startPlaying(page, running.origin, lighthouse.id)
      for (const screen of screens) await shoot(page, screen, `${running.origin}/ui`, `${size}-${theme}`)
      await shootAccounts(page, `${size}-${theme}`)
      if (size === 'phone')
        await shoot(
          page,
          {
            name: 'menu',
            path: '/home/view',
            prepare: () => page.getByRole('button', { name: 'Show or hide the menu' }).click(),
          },
          `${running.origin}/ui`,
          `${size}-${theme}`,
        )
      await context.close()
    }
  await apis.podcasts.remove(stories, true)

  // What people see most, in every language.
  const told = ['home', 'episodes', 'player']
  for (const language of Object.keys(languages).filter(name => name !== 'en')) {
    const context = await browser.newContext({ viewport: viewports.wide, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`${running.origin}/ui/home/view?lng=${language}`)
    await page.goto(`${running.origin}/ui/podcasts/${lighthouse.id}/episodes`)
    await page.locator('.episode-play').first().click()
    await page.locator('.player-toggle[aria-busy=false]').click()
    for (const name of told)
      await shoot(
        page,
        { name, path: screens.find(screen => screen.name === name)!.path, prepare: inAnyLanguage[name] },
        `${running.origin}/ui`,
        language,
      )
    await context.close()
  }

  /** Accounts and invitations in every state; answers an invitation that is still good. */
  async function inviteSomebody(origin: string): Promise<string> {
    const root = apisOf(origin, `Basic ${btoa('mara:Sup3rSecret')}`)
    for (const [username, role] of [
      ['Nils', 'user'],
      ['Theodora', 'uploader'],
      ['Okko', 'user'],
    ] as const) {
      const { id: inviteId } = await root.invites.create({ role, explicitConsent: role === 'uploader' })
      await root.users.signUp({ username, password: 'Corr3ctHorse', inviteId })
    }
    await syncSomething(origin)
    return (await root.invites.create({ role: 'uploader', explicitConsent: false })).id
  }

  /** Two podcast apps with a feed that the library has not, and a backup. */
  async function syncSomething(origin: string) {
    const post = (path: string, body?: object) =>
      fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { Authorization: `Basic ${btoa('mara:Sup3rSecret')}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    await post('/api/2/devices/mara/antennapod_on_pixel.json', { caption: 'AntennaPod on Pixel', type: 'mobile' })
    await post('/api/2/devices/mara/desk.json', { caption: 'gPodder on the desk', type: 'desktop' })
    const add = ['https://feeds.example/harbour-lights.xml', 'https://feeds.example/the-slow-train.xml']
    await post('/api/2/subscriptions/mara/antennapod_on_pixel.json', { add })
    await fetch(`${origin}/api/2/subscriptions/mara/antennapod_on_pixel.json?since=0`, {
      headers: { Authorization: `Basic ${btoa('mara:Sup3rSecret')}` },
    })
    await post('/api/v1/backups')
  }

  /** What is before the sign-in, and what admins see behind it. */
  async function shootAccounts(page: Page, suffix: string) {
    const at = `${household.origin}/ui`
    await shoot(page, { name: 'login', path: '/login' }, at, suffix)
    await shoot(page, { name: 'invite', path: `/invite/${invitation}` }, at, suffix)
    await page.goto(`${at}/login`)
    await page.getByLabel('Username').fill('mara')
    await page.getByLabel('Password').fill('Sup3rSecret')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Account' }).waitFor()
    await shoot(page, { name: 'users', path: '/administration/users' }, at, suffix)
    await shoot(page, { name: 'invites', path: '/administration/invites' }, at, suffix)
    await shoot(page, { name: 'profile', path: '/profile' }, at, suffix)
    await shoot(page, { name: 'settings', path: '/settings' }, at, suffix)
    await shoot(page, { name: 'gpodder', path: '/settings/gpodder' }, at, suffix)
    await shoot(page, { name: 'backups', path: '/settings/backups' }, at, suffix)
    const asked = await fetch(`${household.origin}/index.php/login/v2`, {
      method: 'POST',
      headers: { 'User-Agent': 'AntennaPod/3.9.0' },
    })
    const { login } = (await asked.json()) as { login: string }
    await shoot(page, { name: 'grant', path: `/grant/${login.split('/').at(-1)}` }, at, suffix)
  }

  /** Downloads in every state: one that runs, some that wait, one that failed. */
  async function queueSomething(address: string): Promise<string> {
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
} finally {
  await browser.close()
  for (const path of [folder, empty, guarded]) rmSync(path, { recursive: true, force: true })
}
process.exit(0)

async function startPlaying(page: Page, origin: string, podcastId: string) {
  await page.goto(`${origin}/ui/podcasts/${podcastId}/episodes`)
  await page.locator('.episode-play').first().click()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
}

async function shoot(page: Page, { name, path, prepare }: Screen, base: string, suffix: string) {
  if (only && !name.startsWith(only)) return
  await page.goto(`${base}${path}`)
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await page.locator('main > *').first().waitFor()
  await prepare?.(page)
  // Covers fade in as they arrive.
  await page.waitForFunction(() => [...document.images].every(image => image.complete || image.loading === 'lazy'))
  await page.waitForTimeout(400)
  await page.screenshot({ path: join(target, `${name}-${suffix}.png`) })
}
