import { afterAll, beforeAll, expect, test } from 'bun:test'
import { languages } from '../../src/shared/languages'
import type { Page } from 'playwright-core'
import { rss, silentMp3 } from '../support/builders'
import { temporaryFolder } from '../support/app'
import { layersGone, startBrowser } from '../support/browser'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

// The frame around all pages: lists, keys, layers, history, theme and languages. One browser, one server and one library
// serve all of these stories; a second file would start them again.

type Running = Awaited<ReturnType<typeof startExecutable>>

const host = startFeedHost()
const browser = await startBrowser()
let running: Running
let podcast: { id: string }
const errors: string[] = []

beforeAll(async () => {
  // All addresses lie below a sub-directory, as behind a proxy.
  running = await startExecutable({ DATA_DIRECTORY: temporaryFolder(), DISK_RESERVE: '0', SUB_DIRECTORY: '/castellan' })
  const audio = host.file('/a.mp3', silentMp3(60))
  const items = Array.from({ length: 300 }, (_, index) => ({
    title: `Number ${index} <img src=x onerror=alert(1)>`,
    enclosure: `${audio}?id=${index}`,
    notes: `<p>Notes of ${index}</p><script>document.title = 'broken'</script><img src=x onerror="document.title = 'broken'">`,
    duration: '60',
  }))
  podcast = await running.api('/podcasts/feed', { rssFeedUrl: host.feed('/feed.xml', rss({ items })) })
})
afterAll(async () => {
  await browser.close()
  await running.stop()
  host.stop()
})

async function open(path: string, viewport = { width: 1280, height: 800 }): Promise<Page> {
  const page = await browser.newPage({ viewport })
  page.on('pageerror', error => errors.push(String(error)))
  page.on('dialog', dialog => {
    errors.push(`a script ran: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(`${running.origin}/ui${path}`)
  return page
}

test('a page is fetched while the server is still asked who wants it, and appears together with its frame', async () => {
  const page = await browser.newPage()
  const code = /timeline-page-/
  const isAsked = page.waitForRequest(code)
  const isAnswered = page.waitForResponse('**/sys/config')
  await page.route('**/sys/config', async route => {
    await isAsked
    await route.continue()
  })
  await page.route(code, async route => {
    await isAnswered
    await route.continue()
  })
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const main = document.querySelector('main')
      if (!main) return
      observer.disconnect()
      document.documentElement.dataset.first = main.querySelector('.page-list') ? 'page' : 'frame'
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(`${running.origin}/ui/timeline`)
  await page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor()
  expect(await page.locator('html').getAttribute('data-first')).toBe('page')
  await page.close()
}, 120_000)

test('a link to an episode far down opens it, and what a feed says never runs', async () => {
  const { data } = await running.api<{ data: { podcast_episode: { id: string; name: string } }[] }>(
    '/podcasts/timeline?limit=100',
  )
  const target = data[90]!.podcast_episode
  const page = await open(`/podcasts/${podcast.id}/episodes/${target.id}`)
  const notes = page.locator('.episode-notes', { hasText: 'Notes of 90' })
  await notes.waitFor()
  expect(await notes.isVisible()).toBe(true)
  expect(await page.title()).toBe('Lighthouse Radio · Castellan')
  expect(errors).toEqual([])
  await page.close()
})

test('a row that stays in sight is the same element after others have come and gone', async () => {
  const page = await open('/timeline')
  await page.locator('.episode').nth(8).waitFor()
  const kept = await page.evaluate(async () => {
    const before = [...document.querySelectorAll('.episode')]
    const first = before[0]!
    // So far that rows above leave the document, and not those that are in the middle of the screen now.
    while (first.isConnected) {
      scrollBy(0, 60)
      await new Promise(requestAnimationFrame)
    }
    return before.filter(row => row.isConnected).length
  })
  expect(kept).toBeGreaterThan(3)
  await page.close()
})

test('thousands of rows are a few in the document, and the next page begins at its top', async () => {
  const page = await open(`/podcasts/${podcast.id}/episodes`)
  await page.locator('.episode').first().waitFor()
  await page.waitForFunction(() => {
    scrollTo(0, document.body.scrollHeight)
    return /Number (1[2-9]|2)\d+/.test(document.body.innerText)
  })
  expect(await page.locator('.episode').count()).toBeLessThan(60)
  await page.getByRole('link', { name: 'Timeline' }).click()
  await page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor()
  expect(await page.evaluate('scrollY')).toBe(0)
  await page.close()
})

test('the keys play, pause and skip; in a slider and in a field they mean something else', async () => {
  const page = await open(`/podcasts/${podcast.id}/episodes`)
  await page.locator('.episode-play').first().click()
  const player = page.getByRole('region', { name: 'Player' })
  await player.getByRole('button', { name: 'Pause' }).waitFor()
  await page.keyboard.press('k')
  await player.getByRole('button', { name: 'Play' }).waitFor()
  await page.keyboard.press('l')
  await player.locator('.player-time', { hasText: /00:3\d/ }).waitFor()
  await page.keyboard.press('J')
  await player
    .locator('.player-time', { hasText: /00:0\d/ })
    .first()
    .waitFor()
  await page.goto(`${running.origin}/ui/podcasts`)
  await page.getByRole('searchbox').pressSequentially('klj')
  expect(await page.getByRole('searchbox').inputValue()).toBe('klj')
  await page.close()
})

test('the player opens over the page: keys, tabs, bookmarks and a link to the moment', async () => {
  const page = await open(`/podcasts/${podcast.id}/episodes`, { width: 390, height: 844 })
  await page.locator('.episode-play').first().click()
  await page.locator('.player-toggle[aria-label=Pause]').waitFor()
  await page.getByRole('button', { name: 'Full screen', exact: true }).click()
  const sheet = page.getByRole('dialog')
  expect(await page.title()).not.toBe('broken')
  // The keys are the player's here, too; in the tabs arrows go from one to the next.
  await page.keyboard.press('k')
  await sheet.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await page.keyboard.press('l')
  await sheet
    .locator('.player-time')
    .getByText(/^00:3\d$/)
    .waitFor()
  await sheet.getByRole('tab', { name: 'Notes' }).click()
  await sheet.getByText('Notes of 0').waitFor()
  await page.keyboard.press('ArrowLeft')
  expect(await sheet.getByRole('tab', { name: 'Bookmarks' }).getAttribute('aria-selected')).toBe('true')
  expect(await sheet.locator('.player-time').first().innerText()).toMatch(/^00:3\d$/)

  await sheet.getByLabel('Note (optional)').fill('The lamp')
  await page.keyboard.press('Enter')
  const kept = sheet.locator('.moments').getByText('The lamp')
  await kept.waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Full screen', exact: true }).click()
  await sheet.getByRole('tab', { name: 'Bookmarks' }).click()
  await sheet.getByRole('button', { name: /^More options for the bookmark at 00:3/ }).click()
  await sheet.getByRole('menuitem', { name: 'Delete bookmark' }).click()
  await sheet.getByText('No bookmarks in this episode yet.').waitFor()
  await sheet.getByRole('button', { name: 'Undo' }).click()
  await kept.waitFor()
  expect(errors).toEqual([])
  await page.close()
})

test('the cover moves from the bar to the open player and back, except for those who want less motion', async () => {
  const page = await open(`/podcasts/${podcast.id}/episodes`)
  await page.locator('.episode-play').first().click()
  await page.locator('.player-toggle[aria-label=Pause]').waitFor()
  await page.evaluate(() => {
    const moved: string[][] = []
    const begin = document.startViewTransition.bind(document)
    document.startViewTransition = change => {
      const transition = begin(change)
      void transition.ready.then(() => {
        const parts = document.getAnimations().map(({ effect }) => (effect as KeyframeEffect).pseudoElement)
        moved.push(parts.filter(part => part?.includes('group(playing-cover)')).map(String))
      })
      return transition
    }
    Object.assign(globalThis, { moved })
  })
  const moved = (times: number) =>
    page.waitForFunction(times => (globalThis as unknown as { moved: string[][] }).moved.length === times, times)
  const sheet = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Full screen', exact: true }).click()
  await sheet.waitFor()
  await moved(1)
  await page.getByRole('button', { name: 'Leave full screen' }).click()
  await sheet.waitFor({ state: 'hidden' })
  await moved(2)
  expect(await page.evaluate(() => (globalThis as unknown as { moved: string[][] }).moved)).toEqual([
    ['::view-transition-group(playing-cover)'],
    ['::view-transition-group(playing-cover)'],
  ])

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Full screen', exact: true }).click()
  await sheet.waitFor()
  expect(await page.evaluate(() => (globalThis as unknown as { moved: string[][] }).moved.length)).toBe(2)
  await page.close()
})

test("the system is told what plays, and its buttons are the player's", async () => {
  const page = await browser.newPage()
  // Headphones have no keys here: the handlers they would call are kept instead.
  await page.addInitScript(() => {
    const handlers: Record<string, (details: object) => void> = {}
    Object.assign(window, { handlers })
    navigator.mediaSession.setActionHandler = (action, handler) => {
      if (handler) handlers[action] = handler as (details: object) => void
    }
  })
  await page.goto(`${running.origin}/ui/podcasts/${podcast.id}/episodes`)
  await page.locator('.episode-play').first().click()
  await page.locator('.player').getByRole('button', { name: 'Pause', exact: true }).waitFor()
  const told = (wanted: string) =>
    page.waitForFunction(
      state => navigator.mediaSession.playbackState === state && navigator.mediaSession.metadata?.artist,
      wanted,
    )
  const press = (action: string, details = {}) =>
    page.evaluate(
      ([name, more]) =>
        (window as unknown as { handlers: Record<string, (details: object) => void> }).handlers[name]!(more),
      [action, details] as const,
    )
  expect(await (await told('playing')).jsonValue()).toBe('Lighthouse Radio')
  await press('seekto', { seekTime: 20 })
  await press('pause')
  await page.locator('.player').getByRole('button', { name: 'Play', exact: true }).waitFor()
  await told('paused')
  await press('seekforward', { seekOffset: 10 })
  await page
    .locator('.player-time')
    .getByText(/^00:3[01]$/)
    .waitFor()
  await press('play')
  await page.locator('.player').getByRole('button', { name: 'Pause', exact: true }).waitFor()
  await press('pause')
  await press('seekto', { seekTime: 5 })

  // The "next" key has nothing to do while the queue is empty, until it means "forward".
  await press('nexttrack')
  await page.getByRole('button', { name: 'Full screen', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^More options for Number/ })
    .click()
  await page.getByRole('menuitem', { name: 'Skip lengths…' }).click()
  const answer = page.waitForResponse(response => response.request().method() === 'PUT')
  await page.getByLabel('The “next” key').selectOption('Forward 30 seconds')
  await answer
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await press('nexttrack')
  await page
    .locator('.player-time')
    .getByText(/^00:3[56]$/)
    .waitFor()
  expect(await running.api('/users/me/skipLengths')).toMatchObject({ nextKey: 'forward' })
  await page.close()
})

test('no screen is wider than a small phone', async () => {
  for (const width of [320, 390]) {
    const page = await open('/', { width, height: 700 })
    for (const path of [
      '/home/view',
      '/podcasts',
      `/podcasts/${podcast.id}/episodes`,
      '/timeline',
      '/info/downloads',
      '/nowhere',
    ]) {
      await page.goto(`${running.origin}/ui${path}`)
      await page.locator('main > *').first().waitFor()
      expect([path, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([path, 0])
    }
    await page.close()
  }
})

test('the theme is kept, and follows the system again when told to', async () => {
  const page = await open('/home/view')
  const isDark = () => page.evaluate("document.documentElement.classList.contains('dark')")
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  expect(await isDark()).toBe(true)
  await layersGone(page)
  await page.reload()
  await page.getByRole('button', { name: 'Account' }).waitFor()
  expect(await isDark()).toBe(true)
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitemradio', { name: 'System' }).click()
  expect(await page.evaluate("localStorage.getItem('theme')")).toBeNull()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html.dark').waitFor()
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html:not(.dark)').waitFor()
  await page.close()
})

test('going back finds a long list where it was left, and a filter is part of the address', async () => {
  const page = await open('/timeline')
  const row = page.locator('.episode-open', { hasText: /^Number 1[2-9]\d/ }).first()
  await page.waitForFunction(() => {
    // Less than the window: no row may be passed by between two looks.
    scrollBy(0, 400)
    return /Number 12\d/.test(document.body.innerText)
  })
  await row.waitFor()
  const name = await row.innerText()
  const place = await page.evaluate('scrollY')
  await page.getByRole('link', { name: 'All subscriptions' }).click()
  await page.getByRole('heading', { level: 1, name: 'All subscriptions' }).waitFor()
  await page.goBack()
  await page.waitForFunction(y => Math.abs(scrollY - Number(y)) < 200, place)
  await page.locator('.episode-open').getByText(name, { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Favourites', exact: true }).click()
  await page.getByText('No episode matches these filters.').waitFor()
  await page.reload()
  await page.getByText('No episode matches these filters.').waitFor()
  expect(await page.getByRole('button', { name: 'Favourites', exact: true }).getAttribute('aria-pressed')).toBe('true')
  await page.close()
})

test('a number is saved once its field is left; one that is not possible stays, with the reason', async () => {
  const page = await open('/settings/retention')
  const days = page.getByRole('textbox', { name: 'Days to keep days' })
  const before = await days.inputValue()
  await days.fill('77')
  await page.getByRole('link', { name: 'Naming' }).click()
  await page.getByText('Settings saved').waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Retention' }).click()
  expect(await days.inputValue()).toBe('77')

  await days.fill('0')
  await days.press('Tab')
  await page.getByText('Enter a whole number from 1 to 36,500.').waitFor()
  await page.getByRole('link', { name: 'Naming' }).click()
  await page.getByRole('link', { name: 'Retention' }).click()
  expect(await days.inputValue()).toBe('0')
  await page.getByText('Enter a whole number from 1 to 36,500.').waitFor()
  await days.fill(before)
  await days.press('Enter')
  await page.getByText('Settings saved').waitFor()

  const all = page.getByRole('button', { name: /^Newest files of each podcast: *All$/ })
  expect(await all.getAttribute('aria-pressed')).toBe('true')
  await all.click()
  expect(await page.getByRole('textbox', { name: 'Newest files of each podcast files' }).inputValue()).toBe('10')
  await all.click()
  expect(await page.getByRole('textbox', { name: 'Newest files of each podcast files' }).inputValue()).toBe('')
  await page.close()
})

test('on a phone the menu takes the focus, and gives it back', async () => {
  const page = await open('/timeline', { width: 390, height: 844 })
  const more = page.getByRole('button', { name: 'More', exact: true })
  await more.click()
  const sheet = page.getByRole('dialog', { name: 'More' })
  await sheet.getByRole('link', { name: 'Home' }).and(page.locator(':focus')).waitFor()
  // The page beneath cannot be reached.
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate("document.activeElement.closest('main, .top-bar')")).toBeNull()
  }
  await sheet.getByRole('button', { name: /Language/ }).click()
  await page.getByRole('dialog', { name: 'Language' }).getByRole('button', { name: 'Deutsch' }).click()
  await page.locator('html[lang=de-DE]').waitFor()
  await page.locator('.language-list').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.locator('.phone-navigation :focus').waitFor()
  await page.close()
})

test('on a phone the search takes the typing at once, although the way back stands before it', async () => {
  const page = await open('/timeline', { width: 390, height: 844 })
  await page.getByText('Number 0', { exact: false }).first().waitFor()
  const field = page.getByRole('dialog', { name: 'Search' }).getByRole('combobox', { name: 'Search' })
  // A busy machine may show the rows before the page listens to keys.
  while (!(await field.isVisible())) {
    await page.keyboard.press('/')
    await field.waitFor({ timeout: 5000 }).catch(() => undefined)
  }
  await page.keyboard.type('Number 29')
  expect(await field.inputValue()).toBe('Number 29')
  await page.close()
})

test('below 768 px the menu has every entry in its order, and an entry, a tap beside it and its button close it', async () => {
  for (const size of [
    { width: 390, height: 844 },
    { width: 767, height: 900 },
  ]) {
    const page = await open('/timeline', size)
    const sheet = page.getByRole('dialog', { name: 'More' })
    const openMenu = async () => {
      await layersGone(page)
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await sheet.waitFor()
    }
    await openMenu()
    const names = await sheet.getByRole('navigation', { name: 'Main menu' }).getByRole('link').allInnerTexts()
    expect(names).toEqual(['Home', 'All subscriptions', 'Favourites', 'Timeline', 'Tags', 'Episode search'])
    await sheet.getByRole('link', { name: 'Tags' }).click()
    await sheet.waitFor({ state: 'detached' })
    expect(page.url()).toEndWith('/tags')
    await openMenu()
    await page.mouse.click(size.width / 2, 20)
    await sheet.waitFor({ state: 'detached' })
    await openMenu()
    await sheet.getByRole('button', { name: 'Show or hide the menu' }).click()
    await sheet.waitFor({ state: 'detached' })
    await page.close()
  }
})

test('the home pages have their tabs at every width', async () => {
  for (const width of [320, 390, 767, 768, 1440]) {
    const page = await open('/home/view', { width, height: 844 })
    const tabs = page.getByRole('navigation').filter({ hasText: /^Homepage\s*Playlists$/ })
    await tabs.getByRole('link', { name: 'Homepage' }).waitFor()
    expect(await tabs.getByRole('link').allInnerTexts()).toEqual(['Homepage', 'Playlists'])
    await tabs.getByRole('link', { name: 'Playlists' }).click()
    await page.getByRole('heading', { level: 1, name: 'Playlists' }).waitFor()
    expect(await tabs.locator('[aria-current=page]').innerText()).toBe('Playlists')
    await page.close()
  }
})

test('on a phone Back closes the menu, and the page beneath stays', async () => {
  const page = await open('/timeline', { width: 390, height: 844 })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'More' })
  await sheet.waitFor()
  await page.goBack()
  await sheet.waitFor({ state: 'detached' })
  expect(page.url()).toEndWith('/timeline')
  await page.close()
})

test('languages: found out as agreed, chosen by their own names, kept in this browser, and no script among them', async () => {
  const speaks = async (locale: string, path: string, prepare?: (page: Page) => Promise<unknown>) => {
    const context = await browser.newContext({ locale })
    const page = await context.newPage()
    await page.goto(`${running.origin}/ui${path}`)
    await prepare?.(page)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const found = [await page.evaluate('document.documentElement.lang'), await page.locator('h1').innerText()]
    await context.close()
    return found
  }
  expect(await speaks('de-AT', '/tags')).toEqual(['de-DE', 'Schlagwörter'])
  expect(await speaks('fi-FI', '/tags')).toEqual(['en', 'Tags'])
  expect(await speaks('da', '/settings/retention')).toEqual(['da', 'Opbevaring'])
  expect(await speaks('fr-CA', '/settings/retention?lng=pl')).toEqual(['pl', 'Przechowywanie'])
  expect(await speaks('fr-CA', '/settings/retention')).toEqual(['fr', 'Conservation'])
  expect(await speaks('es', '/tags?lng=%3Cscript%3Ealert(1)%3C/script%3E')).toEqual(['es', 'Etiquetas'])
  const kept = async (page: Page) => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Language' }).click()
    const choices = page.getByRole('dialog', { name: 'Language' }).locator('li')
    await choices.first().waitFor()
    expect(await choices.allInnerTexts()).toEqual(Object.values(languages))
    await choices.filter({ hasText: 'Polski' }).getByRole('button').click()
    await page.locator('html[lang=pl]').waitFor()
    await page.reload()
  }
  expect(await speaks('en', '/settings/retention', kept)).toEqual(['pl', 'Przechowywanie'])
  expect(errors).toEqual([])
}, 120_000)

test('a dialog takes the focus, gives it back, and a podcast is deleted through one', async () => {
  const page = await open(`/podcasts/${podcast.id}/episodes`)
  const more = page.locator('.podcast-actions').getByRole('button', { name: /More options for/ })
  await more.click()
  await page.getByRole('menuitem', { name: 'Delete podcast' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Delete podcast' }).click()
  await dialog.getByText('Delete the downloaded files as well').click()
  await dialog.getByRole('button', { name: 'Delete podcast and files' }).click()
  await page.getByRole('heading', { name: 'Add your first podcast' }).waitFor()
  expect(errors).toEqual([])
  await page.close()
})
