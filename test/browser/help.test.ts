import { afterAll, expect, test } from 'bun:test'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { startExecutable } from '../support/executable'

const browser = await startBrowser()
afterAll(() => browser.close())

test('the server explains itself: its documents open from the menu, every page of them, and the search finds', async () => {
  await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), SUB_DIRECTORY: '/pod' })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const mistakes: string[] = []
  page.on('pageerror', error => mistakes.push(error.message))
  page.on('console', message => message.type() === 'error' && mistakes.push(message.text()))
  await page.goto(`${running.origin}/ui/`)
  await page.getByRole('button', { name: 'Account' }).click()
  const entry = page.getByRole('menuitem', { name: 'Help' })
  await entry.waitFor()
  await page.goto(`${running.origin}/help/`)
  await page.getByRole('heading', { name: 'First evening', level: 1 }).waitFor()

  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
  const count = await links.count()
  expect(count).toBeGreaterThan(17)
  for (let place = 0; place < count; place++) {
    const link = links.nth(place)
    const [name, href] = [await link.innerText(), await link.getAttribute('href')]
    if (href!.startsWith('..')) continue
    await link.click()
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
    for (const picked of await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').all()) {
      await picked.click()
      await page.waitForFunction(() => document.getElementById(decodeURIComponent(location.hash.slice(1))) !== null)
    }
  }
  await page.getByRole('searchbox').fill('forgot admin password')
  await page.getByRole('link', { name: 'Questions' }).last().click()
  await page.getByText('castellan users set-password').first().waitFor()
  expect(mistakes).toEqual([])
  await page.close()
}, 120_000)
