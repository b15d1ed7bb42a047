import type { Locator, Page } from 'playwright-core'
import { routes } from '../../src/ui/routes'
import { PHONE, type Places, type Screen } from './screens'

const podcast = routes.episodes(':podcast')

/** Whatever lies over a page or opens in it; all of them need something in the player. */
export const layers: readonly Screen[] = [
  { name: 'notes', path: podcast, open: openNotes },
  { name: 'player', path: podcast, open: openPlayer },
  ...['Chapters', 'Transcript', 'Queue', 'Bookmarks'].map((tab): Screen => ({
    name: `player-${tab.toLowerCase()}`,
    path: podcast,
    open: page => openTab(page, tab),
  })),
  { name: 'player-speeds', path: podcast, open: openSpeeds },
  { name: 'player-sleep', path: podcast, open: page => openTool(page, 'Sleep timer') },
  { name: 'player-share', path: podcast, open: openShare },
  { name: 'player-share-passage', path: podcast, open: openPassage },
  { name: 'speeds', path: routes.timeline, from: PHONE, open: page => openMenu(page, inBar(page, 'All speeds')) },
  { name: 'sleep', path: routes.timeline, from: PHONE, open: page => openMenu(page, inBar(page, 'Sleep timer')) },
  { name: 'queue', path: routes.timeline, open: page => openQueue(page) },
  { name: 'queues', path: routes.timeline, open: openQueues },
  { name: 'search-found', path: routes.search, open: search },
  { name: 'search-overlay', path: routes.timeline, open: searchOverPage },
  { name: 'account-menu', path: routes.timeline, from: PHONE, open: page => openMenu(page, button(page, /^Account/)) },
  { name: 'notifications', path: routes.timeline, open: page => openNotifications(page) },
  { name: 'episode-menu', path: podcast, open: page => openMenu(page, rowMenus(page).first()) },
  { name: 'selection', path: podcast, open: page => select(page) },
  { name: 'selection-of-days', path: routes.timeline, open: page => select(page) },
  { name: 'selection-menu', path: podcast, open: openSelectionMenu },
  { name: 'podcast-menu', path: podcast, open: page => openPodcastMenu(page) },
  { name: 'podcast-settings', path: podcast, open: page => choose(page, 'Podcast settings') },
  { name: 'podcast-tags', path: podcast, open: openTags },
  { name: 'podcast-deletion', path: podcast, open: page => choose(page, 'Delete podcast') },
  { name: 'add', path: routes.podcasts, open: page => openDialog(page, button(page, 'Add podcast')) },
  { name: 'add-preview', path: routes.podcasts, open: preview },
  { name: 'apps-steps', path: routes.settingsOf('apps'), open: openSteps },
  { name: 'app-password', path: routes.settingsOf('apps'), needsAccounts: true, open: makePassword },
  {
    name: 'destination-kinds',
    path: routes.settingsOf('notifications'),
    open: page => openDialog(page, button(page, 'Add destination')),
  },
  { name: 'destination-form', path: routes.settingsOf('notifications'), open: openDestination },
  { name: 'assistant-key', path: routes.settingsOf('apps'), needsAccounts: true, open: makeKey },
  { name: 'playlist-wizard', path: routes.playlists, open: openWizard },
  { name: 'playlist-rules', path: routes.playlists, open: openRules },
  { name: 'keys', path: routes.timeline, open: openKeys },
  { name: 'menu', path: routes.home, below: PHONE, open: page => openMore(page) },
]

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).filter({ visible: true }).first()
const rowMenus = (page: Page) =>
  page.locator('.episode').getByRole('button', { name: /^More/ }).filter({ visible: true })
const inBar = (page: Page, name: string) => page.locator('.player').getByRole('button', { name, exact: true })
const topmost = (page: Page) => page.getByRole('dialog').last()

async function openMenu(page: Page, opener: Locator) {
  await opener.click()
  await page.getByRole('menuitem').or(page.getByRole('menuitemradio')).first().waitFor()
}

async function openDialog(page: Page, opener: Locator) {
  await opener.click()
  await topmost(page).waitFor()
}

async function openSteps(page: Page) {
  for (const summary of await page.locator('.guide > summary').all()) await summary.click()
  await page.getByText('Choose “Copy private feed address”').waitFor()
}

async function makePassword(page: Page) {
  await openDialog(page, page.locator('.apps-access > header').getByRole('button'))
  await topmost(page).getByRole('textbox').fill('Car radio')
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'QR code of the password' }).waitFor()
}

async function openDestination(page: Page) {
  await openDialog(page, button(page, 'Add destination'))
  await topmost(page).getByRole('button', { name: 'ntfy' }).click()
  await topmost(page).getByLabel('Hold messages back at night').check()
}

async function makeKey(page: Page) {
  await page.locator('.guide > summary', { hasText: 'Assistants' }).click()
  await openDialog(page, page.getByRole('button', { name: 'New assistant key' }))
  await topmost(page).getByRole('textbox').fill('Claude')
  await page.keyboard.press('Enter')
  await page.getByText('Key for Claude').waitFor()
}

async function openNotes(page: Page) {
  await page.locator('.episode-open').first().click()
  await page.locator('.episode-notes').waitFor()
}

async function openPlayer(page: Page) {
  await page
    .locator('.player')
    .getByRole('button', { name: /^Full screen|^Player: / })
    .filter({ visible: true })
    .first()
    .click()
  await topmost(page).getByRole('button', { name: 'Leave full screen' }).waitFor()
}

async function openSpeeds(page: Page) {
  await openPlayer(page)
  await openMenu(
    page,
    topmost(page)
      .getByRole('button', { name: /^More options for/ })
      .first(),
  )
  await page.getByRole('menuitem', { name: 'Speeds between…' }).click()
  await page.getByRole('dialog', { name: 'Speed' }).waitFor()
}

async function openShare(page: Page) {
  await openPlayer(page)
  await topmost(page).getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('dialog', { name: 'Share' }).waitFor()
}

async function openPassage(page: Page) {
  await openShare(page)
  await topmost(page).getByRole('button', { name: 'Passage' }).click()
  await topmost(page).getByRole('group', { name: 'Start' }).waitFor()
  const publicPage = topmost(page).locator('.share-public > summary')
  if (await publicPage.isVisible()) await publicPage.click()
}

async function openTab(page: Page, name: string) {
  await openPlayer(page)
  // The other tabs may come later.
  const first = topmost(page).getByRole('tab', { name: 'Queue', includeHidden: true })
  await first.waitFor({ state: 'attached' })
  // On a phone held sideways, the panels lie behind the button for the queue.
  if (!(await first.isVisible())) await topmost(page).getByRole('button', { name: 'Queue', exact: true }).click()
  await page.getByRole('tab', { name }).click()
  await page.getByRole('tabpanel', { name }).waitFor()
}

async function openTool(page: Page, name: string) {
  await openPlayer(page)
  await openMenu(page, topmost(page).getByRole('button', { name, exact: true }))
}

/** Over the page, or beside it on a wide screen, where it stays. */
async function openQueue(page: Page) {
  const opener = page
    .getByRole('button', { name: /^Queue|^Up next/ })
    .filter({ visible: true })
    .last()
  // Beside a wide page it is still open from last time.
  if ((await opener.getAttribute('aria-expanded')) !== 'true') await opener.click()
  await topmost(page).or(page.locator('.queue-dock .queue-panel')).first().waitFor()
}

async function openQueues(page: Page) {
  await openQueue(page)
  await openMenu(page, button(page, 'More options for the queue'))
  await page.getByRole('menuitem', { name: 'All queues…' }).click()
  await page.getByRole('dialog', { name: 'Queues' }).waitFor()
}

async function search(page: Page) {
  await page.getByRole('combobox', { name: 'Search' }).fill('lamp')
  await page.getByRole('option').first().waitFor()
}

async function searchOverPage(page: Page) {
  await page.keyboard.press('Control+f')
  await search(page)
}

async function openNotifications(page: Page) {
  await button(page, /notification/i).click()
  await page.getByRole('region', { name: 'Notifications' }).waitFor()
}

async function select(page: Page) {
  // On a phone, a podcast's rows alone begin a selection.
  if (await button(page, 'Select').isVisible()) await button(page, 'Select').click()
  else {
    await openMenu(page, rowMenus(page).first())
    await page.getByRole('menuitem', { name: 'Select', exact: true }).click()
  }
  const rows = page.getByRole('checkbox', { name: /^Select / })
  for (const index of [0, 1]) await rows.nth(index).check()
  await page.getByRole('toolbar', { name: 'Selected episodes' }).getByText('2 selected').waitFor()
}

async function openSelectionMenu(page: Page) {
  await select(page)
  await openMenu(page, button(page, 'More options for 2 episodes'))
}

const openPodcastMenu = (page: Page) =>
  openMenu(page, page.locator('.podcast-actions').getByRole('button', { name: /^More/ }))

async function choose(page: Page, entry: string) {
  await openPodcastMenu(page)
  await openDialog(page, page.getByRole('menuitem', { name: entry }))
}

async function openTags(page: Page) {
  await choose(page, 'Tags…')
  await topmost(page).getByRole('checkbox').first().waitFor()
}

async function preview(page: Page, { feed }: Partial<Places>) {
  await openDialog(page, button(page, 'Add podcast'))
  await topmost(page).getByLabel('Name, topic or address').fill(feed!)
  await topmost(page).locator('.feed-preview').waitFor()
}

async function openRules(page: Page) {
  await openDialog(page, button(page, 'Add new'))
  await topmost(page).getByRole('textbox', { name: 'Name' }).fill('For the evening')
  await topmost(page)
    .getByRole('radio', { name: /By rules/ })
    .check()
  await page.keyboard.press('Enter')
  await topmost(page).getByRole('button', { name: 'From the archive' }).click()
  await topmost(page)
    .getByText(/^(Matching episodes: |Nothing matches)/)
    .waitFor()
}

async function openWizard(page: Page) {
  const inTable = button(page, /^Edit /)
  const menuOfTile = page.locator('.playlist-tile').getByRole('button', { name: /^More/ }).first()
  await inTable.or(menuOfTile).first().waitFor()
  const isTable = await inTable.isVisible()
  if (!isTable) await openMenu(page, menuOfTile)
  await openDialog(page, isTable ? inTable : page.getByRole('menuitem', { name: 'Edit', exact: true }))
  await topmost(page).getByRole('button', { name: 'Continue' }).click()
}

async function openKeys(page: Page) {
  await page.keyboard.press('?')
  await topmost(page).waitFor()
}

const openMore = (page: Page) => openDialog(page, button(page, 'More'))
