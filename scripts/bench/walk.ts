import type { Page } from 'playwright-core'

type Step = { name: string; run: (page: Page) => Promise<unknown> }

/** The pause between two keys of a quick typist. */
const BETWEEN_KEYS_MS = 100

const follow = (link: string) => async (page: Page) => {
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: link }).click()
  await page.getByRole('heading', { level: 1, name: link }).waitFor()
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
}
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click()
const type = (field: string, words: string) => async (page: Page) => {
  await page
    .getByRole('searchbox', { name: field, exact: true })
    .or(page.getByRole('textbox', { name: field, exact: true }))
    .first()
    .click()
  await page.keyboard.type(words, { delay: BETWEEN_KEYS_MS })
}
const key = (name: string) => (page: Page) => page.keyboard.press(name)
async function openNotes(page: Page) {
  await page.locator('.episode-open[aria-expanded=false]').nth(1).click()
  await page.locator('.episode-notes').waitFor()
}
const openMenu = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page)
  await page.getByRole('menuitem').or(page.getByRole('menuitemradio')).first().waitFor()
}

/** A few minutes of use by mouse and keyboard, from the home page on; a step ends when its outcome is shown. */
export const walk: readonly Step[] = [
  { name: 'notes on the home page', run: openNotes },
  { name: 'to the podcasts', run: follow('All subscriptions') },
  {
    name: 'a heart on a podcast, and off',
    run: async page => {
      const heart = page.locator('.podcast-heart').nth(2)
      await heart.click()
      await heart.and(page.locator('[aria-pressed=true]')).waitFor()
      await heart.click()
      await heart.and(page.locator('[aria-pressed=false]')).waitFor()
    },
  },
  { name: 'to the favourites', run: follow('Favourites') },
  { name: 'back to the podcasts', run: follow('All subscriptions') },
  { name: 'the sorts', run: openMenu(/^Sort by/) },
  { name: 'sorting by name', run: page => page.getByRole('menuitemradio', { name: 'Name' }).click() },
  { name: 'a name in the filter', run: type('Filter by name', 'long road') },
  {
    name: 'to a podcast',
    run: async page => {
      await page.locator('.podcast-tile > a', { hasText: 'The Long Road' }).click()
      await page.locator('.episode').first().waitFor()
    },
  },
  { name: 'notes of an episode', run: openNotes },
  { name: 'notes of another', run: openNotes },
  { name: 'what was not played', run: press(/^Not played/) },
  { name: 'oldest first', run: press('Order: Newest first') },
  { name: 'a search in the podcast', run: type('Search in this podcast', 'part 12') },
  {
    name: 'play',
    run: async page => {
      await page.locator('.episode-play').first().click()
      await page.locator('.player').getByRole('button', { name: 'Pause', exact: true }).waitFor()
    },
  },
  { name: 'to the timeline', run: follow('Timeline') },
  { name: 'notes on it', run: openNotes },
  { name: 'pause', run: press('Pause') },
  { name: 'play by key', run: key('k') },
  {
    name: 'the full-screen player',
    run: async page => {
      await press('Full screen')(page)
      await page.locator('.player-sheet').getByRole('tabpanel').waitFor()
    },
  },
  { name: 'its bookmarks', run: page => page.getByRole('tab', { name: 'Bookmarks' }).click() },
  { name: 'out of the full screen', run: press('Leave full screen') },
  { name: 'only favourites', run: press('Favourites') },
  {
    name: 'the search',
    run: async page => {
      await page.keyboard.press('Control+f')
      await page.getByRole('combobox', { name: 'Search' }).waitFor()
    },
  },
  {
    name: 'a word in the search',
    run: async page => {
      await page.keyboard.type('road', { delay: BETWEEN_KEYS_MS })
      await page.getByRole('option').first().waitFor()
    },
  },
  { name: 'down the results', run: key('ArrowDown') },
  { name: 'further down', run: key('ArrowDown') },
  { name: 'out of the search', run: key('Escape') },
  { name: 'the user menu', run: openMenu(/^Account/) },
  { name: 'out of the menu', run: key('Escape') },
  { name: 'the user menu again', run: openMenu(/^Account/) },
  { name: 'dark', run: page => page.getByRole('menuitemradio', { name: 'Dark' }).click() },
  { name: 'to the tags', run: follow('Tags') },
  { name: 'home', run: page => page.getByRole('link', { name: 'Castellan' }).click() },
]
