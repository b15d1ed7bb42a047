import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { temporaryFolder } from '../support/app'
import { rss, silentMp3 } from '../support/builders'
import { startBrowser } from '../support/browser'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

const host = startFeedHost()
const browser = await startBrowser()
let running: Awaited<ReturnType<typeof startExecutable>>
beforeAll(async () => {
  running = await startExecutable({ DATA_DIRECTORY: temporaryFolder() })
})
afterAll(async () => {
  await browser.close()
  host.stop()
  await running.stop()
})

const enclosure = host.file('/a.mp3', silentMp3(60))
const feedOf = (path: string, title: string) =>
  host.feed(path, rss({ title, items: [{ title: `${title}, part 1`, enclosure }] }))

/** A page for which the directory knows one podcast, whatever is searched for. */
async function openPage(path: string, feedUrl: string, phone = false): Promise<Page> {
  const page = await browser.newPage({
    viewport: phone ? { width: 390, height: 844 } : { width: 1280, height: 800 },
    hasTouch: phone,
  })
  const hit = {
    collectionId: 1,
    trackId: 1,
    collectionName: 'Fog',
    trackName: 'Fog',
    artistName: 'Mara Field',
    feedUrl,
  }
  const results = [{ ...hit, genres: [], genreIds: [], subscribed: false, podcastId: null }]
  await page.route('**/api/v1/podcasts/0/*/search', route => route.fulfill({ json: { resultCount: 1, results } }))
  await page.route('**/api/v1/discover/popular*', route => route.fulfill({ json: { isReachable: true, podcasts: [] } }))
  await page.goto(`${running.origin}/ui${path}`)
  return page
}

/** Pastes a text; its code is loaded after the page, and accepts the event once it is there. */
const paste = (page: Page, text: string) =>
  page.waitForFunction(given => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', given)
    return !document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

test('a menu that is open stays open when the page of an empty library comes late', async () => {
  const page = await browser.newPage({ serviceWorkers: 'block' })
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/first-run*.js', async route => {
    await promise
    await route.continue()
  })
  await page.goto(`${running.origin}/ui/podcasts`)
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'System info' }).waitFor()
  resolve()
  await page.getByRole('heading', { name: /^Add (?:your first|another) podcast/ }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'System info' }).isVisible()).toBe(true)
  await page.close()
})

test('two taps and a word lead from an empty library to the first podcast, and the page stays for the next', async () => {
  const page = await openPage('/home/view', feedOf('/fog.xml', 'Fog'), true)
  const field = page.getByLabel('Name, topic or address')
  await field.tap()
  await field.fill('fog')
  await page.getByRole('button', { name: 'Add Fog' }).tap()
  await page.getByRole('link', { name: 'Added: Fog' }).waitFor()
  await page.getByRole('heading', { name: 'Add another podcast' }).waitFor()
  await page.getByRole('button', { name: 'Show my podcast' }).tap()
  await page.getByText('Fog, part 1').first().waitFor()
  await page.close()
}, 120_000)

test('a starter is heard in one tap, and one that cannot be reached says so in its place', async () => {
  const file = `${temporaryFolder()}/starters.opml`
  const outline = (title: string, url: string) => `<outline text="${title}" xmlUrl="${url}"/>`
  const outlines = outline('Ebb', feedOf('/ebb.xml', 'Ebb')) + outline('Gone', `${host.origin}/gone.xml`)
  await Bun.write(file, `<opml version="2.0"><body>${outlines}</body></opml>`)
  await using empty = await startExecutable({ DATA_DIRECTORY: temporaryFolder(), STARTER_OPML: file })
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await page.goto(`${empty.origin}/ui/podcasts`)
  await page.getByRole('button', { name: 'Play Ebb' }).tap()
  await page.getByRole('button', { name: 'Pause Ebb' }).waitFor()
  await page.getByRole('button', { name: 'Play Gone' }).tap()
  await page.getByText('Can’t be reached').waitFor()
  expect(await empty.api('/podcasts')).toEqual([])
  await page.close()
})

test('words are answered where no directory can be reached, and searched again once it can', async () => {
  await using empty = await startExecutable({ DATA_DIRECTORY: temporaryFolder() })
  const page = await browser.newPage()
  let isReachable = false
  const hit = {
    collectionName: 'Fog',
    trackName: 'Fog',
    artistName: 'Mara Field',
    feedUrl: feedOf('/later.xml', 'Fog'),
  }
  await page.route('**/api/v1/discover/popular*', route =>
    route.fulfill({ json: { isReachable: false, podcasts: [] } }),
  )
  await page.route('**/api/v1/podcasts/0/*/search', route =>
    isReachable
      ? route.fulfill({ json: { resultCount: 1, results: [{ ...hit, genres: [], genreIds: [] }] } })
      : route.fulfill({
          status: 502,
          json: { errorCode: 'directory-unreachable', message: '', args: { directory: 'iTunes' } },
        }),
  )
  await page.goto(`${empty.origin}/ui/podcasts`)
  const field = page.getByLabel('Paste a link')
  await field.fill('lighthouse')
  await page.getByText('Search by name is off').waitFor()
  isReachable = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Mara Field').waitFor()
  isReachable = false
  await field.fill('storm')
  await page.getByText('Search by name is off').waitFor()
  isReachable = true
  await field.fill('fog')
  await page.getByText('Mara Field').waitFor()
  await page.close()
})

test("a host that refuses Castellan's name is asked again under the browser's in one click, and stays so", async () => {
  const feed = host.on('/refusing.xml', ({ headers }) =>
    /castellan/i.test(headers.get('user-agent') ?? '')
      ? new Response('', { status: 403 })
      : new Response(rss({ title: 'Walls', items: [{ title: 'Walls, part 1', enclosure }] })),
  )
  const page = await openPage('/podcasts', host.origin)
  await page.getByText('Fog').first().waitFor()
  await paste(page, feed)
  const dialog = page.getByRole('dialog', { name: 'Add podcast' })
  await dialog.getByText('refuses Castellan (403)').waitFor()
  await dialog.getByRole('button', { name: 'Try with a browser’s name' }).click()
  await dialog.getByRole('region', { name: 'Walls' }).getByText('Walls, part 1').waitFor()
  await dialog.getByText('the name of this browser').waitFor()
  await dialog.getByRole('button', { name: 'Add podcast' }).click()
  await page.getByText('Walls, part 1').first().waitFor()
  await page.close()
})

test("a host that refuses the name when a search result is added offers the browser's in the dialog", async () => {
  const feed = host.on('/refused-hit.xml', ({ headers }) =>
    /castellan/i.test(headers.get('user-agent') ?? '')
      ? new Response('', { status: 403 })
      : new Response(rss({ title: 'Gates', items: [{ title: 'Gates, part 1', enclosure }] })),
  )
  const page = await openPage('/podcasts', feed)
  await page.getByText('Fog').first().waitFor()
  await page.getByRole('button', { name: 'Add podcast' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add podcast' })
  await dialog.getByLabel('Name, topic or address').fill('fog')
  await dialog.getByRole('button', { name: 'Add Fog' }).click()
  await dialog.getByRole('button', { name: 'Try with a browser’s name' }).click()
  await dialog.getByRole('region', { name: 'Gates' }).getByText('Gates, part 1').waitFor()
  await page.close()
})

test('an address that is pasted on the page is shown in the dialog, and Back closes that alone', async () => {
  const page = await openPage('/podcasts', host.origin)
  await page.getByText('Fog').first().waitFor()
  await paste(page, feedOf('/rain.xml', 'Rain'))
  const dialog = page.getByRole('dialog', { name: 'Add podcast' })
  await dialog.getByRole('region', { name: 'Rain' }).getByText('Rain, part 1').waitFor()
  await dialog.getByText('Podcast found').waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'hidden' })
  expect(new URL(page.url()).pathname).toBe('/ui/podcasts')
  await paste(page, `${host.origin}/fog.xml`)
  await dialog.getByText('Already in your library: Fog').waitFor()
  await dialog.getByRole('link', { name: 'Open' }).click()
  await page.getByRole('heading', { level: 1, name: 'Fog' }).waitFor({ state: 'attached' })
  await page.close()
}, 120_000)

test('an address pasted while Back closes the dialog opens it again', async () => {
  const page = await openPage('/podcasts', host.origin)
  await page.getByText('Fog').first().waitFor()
  await paste(page, feedOf('/hail.xml', 'Hail'))
  const dialog = page.getByRole('dialog', { name: 'Add podcast' })
  await dialog.getByRole('region', { name: 'Hail' }).waitFor()
  // The browser reports the closing of a dialog in a task of its own, after this one.
  await page.evaluate(
    address => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', address)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      addEventListener('popstate', () => document.body.dispatchEvent(event), { once: true })
      history.back()
    },
    feedOf('/snow.xml', 'Snow'),
  )
  await dialog.getByRole('region', { name: 'Snow' }).waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'hidden' })
  expect(new URL(page.url()).pathname).toBe('/ui/podcasts')
  await page.close()
}, 120_000)

test('a list of feeds that is dropped on the page is opened, to choose from', async () => {
  const page = await openPage('/podcasts', host.origin)
  await page.getByText('Fog').first().waitFor()
  const opml = `<opml version="2.0"><body><outline text="Hail" xmlUrl="${feedOf('/hail.xml', 'Hail')}"/></body></opml>`
  const drag = (type: string) =>
    page.waitForFunction(
      ([kind, text]) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([text!], 'list.opml'))
        const event = new DragEvent(kind!, { dataTransfer, bubbles: true, cancelable: true })
        return !document.body.dispatchEvent(event) || kind === 'dragenter'
      },
      [type, opml],
    )
  await drag('dragover')
  await drag('dragenter')
  await page.getByText('Drop to look inside').waitFor()
  await drag('drop')
  await page.getByRole('checkbox', { name: 'Hail' }).waitFor()
  await page.close()
}, 120_000)

test('the search opens, plays and queues what it finds from the keyboard alone', async () => {
  const page = await openPage('/timeline', host.origin)
  await page.getByText('Fog, part 1').first().waitFor()
  const field = page.getByRole('combobox', { name: 'Search' })
  const search = async (words: string) => {
    await page.keyboard.press('Control+k')
    await field.fill(words)
  }
  await search('fog part')
  await page.getByRole('option', { name: /Fog, part 1/ }).waitFor()
  await page.keyboard.press('Alt+Enter')
  await page.getByText('Added to the queue').waitFor()
  await page.keyboard.press('Shift+Enter')
  await field.waitFor({ state: 'hidden' })
  await page.getByRole('region', { name: 'Player' }).getByText('Fog, part 1').first().waitFor()

  await search('dark th')
  await page.getByRole('option', { name: /Dark theme/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('html[data-theme=dark]').waitFor()

  await page.keyboard.press('/')
  await page.getByRole('option', { name: 'fog part' }).click()
  await page.getByRole('option', { name: /Fog, part 1/ }).click()
  await page.waitForURL(/\/podcasts\/[^/]+\/episodes\/[^/]+$/)
  await page.close()
}, 120_000)

test('a link to a service without feeds says so, and one press searches for the show by its name', async () => {
  const page = await openPage('/podcasts', feedOf('/linked.xml', 'Fog'))
  await page.getByText('Fog').first().waitFor()
  await page.route('**/api/v1/podcasts/preview', route =>
    route.fulfill({ json: { kind: 'elsewhere', service: 'Spotify', why: 'no-feed', words: 'Fog' } }),
  )
  await paste(page, 'https://open.spotify.com/show/4rOo')
  const dialog = page.getByRole('dialog', { name: 'Add podcast' })
  await dialog.getByText('Spotify shows have no public feed.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Add podcast' }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Search for “Fog”' }).click()
  await dialog.getByText('Mara Field').waitFor()
  expect(await dialog.getByRole('textbox').inputValue()).toBe('Fog')
  await page.close()
})

/** Hears the newest episode of a podcast in the dialog that would add it. */
async function hear(title: string) {
  const address = feedOf(`/${title}.xml`, title)
  const page = await openPage('/podcasts', address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await paste(page, address)
  const dialog = page.getByRole('dialog', { name: 'Add podcast' })
  await dialog.getByRole('button', { name: `Play ${title}, part 1` }).click()
  await dialog.getByRole('button', { name: `Pause ${title}, part 1` }).waitFor()
  const audio = (await page.$('dialog audio'))!
  await page.waitForFunction(element => (element as HTMLAudioElement).currentTime > 0, audio)
  return { page, dialog, audio }
}

test('the newest episode is heard before its podcast is added, and closing the dialog ends it', async () => {
  const { page, audio } = await hear('Heard')
  await page.keyboard.press('Escape')
  await page.waitForFunction(element => (element as HTMLAudioElement).paused, audio)
  await page.close()
})

test('a preview that is heard while its podcast is added goes on in the player, at the second that was reached', async () => {
  const { page, dialog, audio } = await hear('Onward')
  await audio.evaluate(element => void ((element as HTMLAudioElement).currentTime = 20))
  await dialog.getByRole('button', { name: 'Add podcast' }).click()
  await page.waitForURL(/\/podcasts\/[^/]+\/episodes$/)
  const player = page.getByRole('region', { name: 'Player' })
  await player.getByRole('button', { name: 'Pause', exact: true }).waitFor()
  await player.getByText('Onward, part 1').first().waitFor()
  await page.waitForFunction(
    () => Number(document.querySelector('.player input[type=range]')?.getAttribute('value')) >= 20,
  )
  await page.close()
})
