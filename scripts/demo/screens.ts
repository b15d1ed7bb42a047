import type { Page } from 'playwright-core'

/** A screen to photograph: its path below `/ui`, and what to do there before the picture is taken. */
export type Screen = { name: string; path: string; prepare?: (page: Page) => Promise<unknown> }

/** The screens of the demo library. */
export function libraryScreens(ids: { podcast: string; failing: string; playlist: string }): Screen[] {
  const podcast = `/podcasts/${ids.podcast}/episodes`
  return [
    { name: 'home', path: '/home/view' },
    { name: 'podcasts', path: '/podcasts' },
    { name: 'favorites', path: '/favorites' },
    { name: 'episodes', path: podcast, prepare: openNotes },
    { name: 'transcript', path: podcast, prepare: openTranscript },
    { name: 'player', path: podcast, prepare: openPlayer },
    { name: 'podcast-settings', path: podcast, prepare: openPodcastSettings },
    { name: 'failing', path: `/podcasts/${ids.failing}/episodes` },
    { name: 'timeline', path: '/timeline' },
    { name: 'downloads', path: '/info/downloads' },
    { name: 'add', path: '/podcasts', prepare: page => page.getByRole('button', { name: 'Add podcast' }).click() },
    { name: 'search', path: '/podcasts/search', prepare: searchForLamp },
    { name: 'tags', path: '/tags' },
    { name: 'playlists', path: '/home/playlist' },
    { name: 'playlist', path: `/home/playlist/${ids.playlist}` },
    { name: 'playlist-wizard', path: '/home/playlist', prepare: openPlaylistWizard },
    { name: 'opml', path: '/settings/opml' },
    { name: 'naming', path: '/settings/naming', prepare: page => page.locator('.naming-preview').waitFor() },
    { name: 'settings-podcasts', path: '/settings/podcasts' },
    { name: 'info', path: '/info' },
    { name: 'device', path: '/info/device' },
    { name: 'keys', path: '/timeline', prepare: openKeys },
    { name: 'statistics', path: '/info/statistics' },
    { name: 'notifications', path: '/timeline', prepare: openNotifications },
    { name: 'not-found', path: '/nowhere' },
  ]
}

/** The menu that a phone shows over the page. */
export const phoneMenu: Screen = {
  name: 'menu',
  path: '/home/view',
  prepare: page => page.getByRole('button', { name: 'Show or hide the menu' }).click(),
}

/** The screens of a server without podcasts. */
export const emptyScreens: readonly Screen[] = [{ name: 'empty', path: '/home/view' }]

/** The screens that strangers see on a server with accounts. */
export const strangerScreens = (invitation: string): Screen[] => [
  { name: 'login', path: '/login' },
  { name: 'invite', path: `/invite/${invitation}` },
]

/** The screens that an admin sees on a server with accounts. */
export const adminScreens = (accessRequest: string): Screen[] => [
  { name: 'users', path: '/administration/users' },
  { name: 'invites', path: '/administration/invites' },
  { name: 'profile', path: '/profile' },
  { name: 'settings', path: '/settings' },
  { name: 'gpodder', path: '/settings/gpodder' },
  { name: 'backups', path: '/settings/backups' },
  { name: 'grant', path: `/grant/${accessRequest}` },
]

/** The three screens that people see most; they are found without a word of any language. */
export const translatedScreens = (podcastId: string): Screen[] => [
  { name: 'home', path: '/home/view' },
  {
    name: 'episodes',
    path: `/podcasts/${podcastId}/episodes`,
    prepare: page => page.locator('.episode-open').first().click(),
  },
  {
    name: 'player',
    path: `/podcasts/${podcastId}/episodes`,
    prepare: page => page.locator('.player-expand').click(),
  },
]

const openNotes = (page: Page) =>
  page.getByRole('button', { name: 'Letters in a bottle: what the sea sends back', exact: true }).click()

async function openTranscript(page: Page) {
  await page.locator('.episode-open').first().click()
  await page.getByText('Transcript', { exact: true }).click()
  await page.getByText('forty-one notebooks').first().scrollIntoViewIfNeeded()
}

async function openPlayer(page: Page) {
  await page.getByRole('button', { name: 'Full screen', exact: true }).click()
  await page.getByRole('tab', { name: 'Transcript' }).click()
  await page.locator('.transcript .is-sought').waitFor()
}

async function openPodcastSettings(page: Page) {
  await page.getByRole('button', { name: 'More about Lighthouse Radio' }).click()
  await page.getByRole('menuitem', { name: 'Podcast settings' }).click()
  await page.getByRole('dialog').waitFor()
}

async function searchForLamp(page: Page) {
  await page.getByRole('combobox', { name: 'Search' }).fill('lamp')
  await page.getByRole('listbox').getByRole('option').first().waitFor()
}

async function openPlaylistWizard(page: Page) {
  await page
    .getByRole('button', { name: /^Edit / })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Forward' }).click()
}

async function openKeys(page: Page) {
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
}

const openNotifications = (page: Page) => page.getByRole('button', { name: /notification/i }).click()
