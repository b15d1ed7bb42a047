import { afterAll, expect, test } from 'bun:test'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, wav } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

// A name that is not this machine's own, as `http://nas:8000` in somebody's home: no secure context.
const browser = await startBrowser(['--host-resolver-rules=MAP castellan.test 127.0.0.1'])
afterAll(() => browser.close())

test('without https everything works but what needs it, and the page says what that is', async () => {
  using host = startFeedHost()
  await using running = await startExecutable({
    DATA_DIRECTORY: libraryFolder(),
    DISK_RESERVE: '0',
    BASIC_AUTH: 'true',
    USERNAME: 'mara',
    PASSWORD: 'Sup3rSecret',
  })
  const origin = running.origin.replace('127.0.0.1', 'castellan.test')
  const sound = wav([
    [3, 'tone'],
    [6, 'silence'],
    [20, 'tone'],
  ])
  const items = [{ title: 'Fog', enclosure: host.file('/a.wav', sound, { type: 'audio/wav' }), type: 'audio/wav' }]
  const feed = host.feed('/feed.xml', rss({ items }))
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', error => errors.push(String(error)))
  page.on('console', message => message.type() === 'error' && errors.push(message.text()))

  await page.goto(`${origin}/ui/`)
  expect(await page.evaluate('isSecureContext')).toBe(false)
  await page.getByLabel('Username').fill('mara')
  await page.getByLabel('Password').fill('Sup3rSecret')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Add your first podcast' }).waitFor()
  await page.getByRole('main').getByRole('textbox').fill(feed)
  await page.getByRole('button', { name: 'Add podcast' }).click()
  await page.getByRole('heading', { level: 1, name: 'Lighthouse Radio' }).waitFor()

  // Louder than it is, and without its silence: both by a graph that needs no worklet.
  await page.getByRole('button', { name: 'Play Fog' }).click()
  const player = page.getByRole('region', { name: 'Player' })
  await player.getByRole('slider', { name: 'Volume' }).fill('200')
  await player.getByRole('button', { name: 'Full screen' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Trim silence' }).click()
  await sheet
    .locator('.player-time', { hasText: /^00:1\d$/ })
    .first()
    .waitFor()
  await sheet.getByRole('button', { name: 'Share', exact: true }).click()
  await sheet.getByRole('button', { name: 'Copy link' }).click()
  await sheet.getByText('Link copied').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Share' }).waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  // Its entry in the history goes with it; until then, no other page can be opened.
  await page.waitForFunction(() => !history.state?.layers)

  // A key of one's own, by random numbers that need no secure context either.
  await page.goto(`${origin}/ui/profile`)
  await page.getByRole('button', { name: 'Regenerate API key' }).click()
  expect(await page.getByLabel('API key', { exact: true }).inputValue()).toMatch(/^[0-9a-f]{32}$/)

  await page.goto(`${origin}/ui/info/device`)
  await page.getByRole('heading', { level: 3, name: 'What https would add' }).waitFor()
  await page.goto(`${origin}/ui/timeline`)
  await page.getByRole('button', { name: 'More options for Fog' }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Keep on this device' }).count()).toBe(0)
  expect(errors).toEqual([])
  await page.close()
}, 120_000)
