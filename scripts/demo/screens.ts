import type { Page } from 'playwright-core'
import { routes } from '../../src/ui/routes'
import type { Screen } from '../../test/support/screens'

const podcast = routes.episodes(':podcast')

/** The three screens that people see most; they are found without a word of any language. */
export const translatedScreens: readonly Screen[] = [
  { name: 'home', path: routes.home },
  { name: 'episodes', path: podcast, open: page => page.locator('.episode-open').first().click() },
  { name: 'player', path: podcast, open: (page: Page) => page.locator('.player-expand').click() },
]
