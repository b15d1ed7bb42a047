import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { routes } from '../../src/ui/routes'
import { layersGone } from '../support/browser'
import {
  addressOf,
  barriers,
  everywhere,
  forAll,
  showWhole,
  sizes,
  startPages,
  viewports,
  type Size,
} from '../support/pages'
import { closeLayers } from '../support/visits'

// Opens every overlay, wide and on a phone, light and dark: checks its accessibility.

let pages: Awaited<ReturnType<typeof startPages>>
beforeAll(async () => {
  pages = await startPages()
}, 120_000)
afterAll(() => pages[Symbol.asyncDispose]())

const [podcast, episode, playlist] = [':podcast', ':episode', ':playlist']

/** Overlays, and parts of pages that open. */
const layers: readonly {
  name: string
  path?: string
  on?: Size
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
      await page.getByRole('button', { name: 'More options for Fog signals' }).click()
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
  {
    name: 'the menu of the sleep timer',
    open: async page => {
      await page.getByRole('button', { name: 'Full screen', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Sleep timer', exact: true }).click()
      await page.getByRole('menuitemradio').first().waitFor()
    },
  },
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
    path: routes.playlist(playlist),
    open: async page => {
      await page.getByRole('button', { name: 'Edit On the train' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
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
      await dialog.getByLabel('Name, topic or address').fill(pages.library.feed)
      await dialog.getByRole('heading', { name: 'The Quiet Orchard' }).waitFor()
    },
  })),
  {
    name: 'the tags of a podcast',
    path: routes.episodes(podcast),
    open: async page => {
      await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
      await page.getByRole('menuitem', { name: 'Tags…' }).click()
      await page.getByRole('dialog').getByRole('checkbox', { name: 'Bedtime' }).waitFor()
    },
  },
  {
    name: 'deleting a podcast',
    path: routes.episodes(podcast),
    open: async page => {
      await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
      await page.getByRole('menuitem', { name: 'Delete podcast' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'all about a podcast',
    path: routes.episodes(podcast),
    open: async page => {
      await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
      await page.getByRole('menuitem', { name: 'About this podcast' }).click()
      await page.getByRole('dialog').getByText('Author').waitFor()
    },
  },
  {
    name: 'downloading all of a podcast',
    path: routes.episodes(podcast),
    open: async page => {
      await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
      await page.getByRole('menuitem', { name: 'Download all' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
    },
  },
  {
    name: 'the settings of a podcast',
    path: routes.episodes(podcast),
    open: async page => {
      await page.getByRole('button', { name: 'More options for Lighthouse Radio' }).click()
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
      await page.getByText('Choose “Copy private feed address”').waitFor()
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
    const visitors = pages.members.filter(({ size }) => !on || size === on)
    const found = await everywhere(visitors, async visitor => {
      const { page, size, errors } = visitor
      // From one layer to the next the page stays, which saves most of the time.
      // A layer that closes leaves the history first.
      await layersGone(page)
      if (page.url() !== addressOf(visitor, path)) await page.goto(addressOf(visitor, path))
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
  }, 120_000)
