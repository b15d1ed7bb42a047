import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { basic, libraryFolder, withPasswords } from '../support/app'
import { layersGone, startBrowser } from '../support/browser'
import { startExecutable } from '../support/executable'
import { layoutShiftsIn } from '../support/layout-shift'

const { USERNAME, PASSWORD } = withPasswords
const env = { DISK_RESERVE: '0', ...withPasswords }
const browser = await startBrowser()
let running: Awaited<ReturnType<typeof startExecutable>>
let context: BrowserContext

beforeAll(async () => {
  running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), ...env })
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
})
afterAll(async () => {
  await browser.close()
  await running.stop()
})

async function openApps(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${running.origin}/ui/settings/apps`)
  const username = page.getByLabel('Username')
  await username
    .or(page.getByRole('heading', { name: 'Server address' }))
    .first()
    .waitFor()
  if (await username.isVisible()) {
    await username.fill(USERNAME)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await page.getByRole('heading', { name: 'Server address' }).waitFor()
  return page
}

/** Signs in as the apps of Audiobookshelf do. */
async function signInApp(name: string, password: string, origin = running.origin) {
  const response = await fetch(`${origin}/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-return-tokens': 'true', 'User-Agent': name },
    body: JSON.stringify({ username: USERNAME, password }),
  })
  const { user } = (await response.json()) as { user: { accessToken: string } }
  return async () => {
    const answer = await fetch(`${origin}/api/me`, { headers: { Authorization: `Bearer ${user.accessToken}` } })
    return answer.status
  }
}

test('an app that signs in appears in the list, and is refused once its access is revoked', async () => {
  const page = await openApps()
  await page.getByText('No app has access yet.').waitFor()
  const use = await signInApp('ShelfPlayer/3.2', PASSWORD)
  const row = page.getByRole('row', { name: /ShelfPlayer/ })
  await row.waitFor()
  expect(await row.innerText()).toMatch(/Signed in\s+this minute\s+127\.0\.0\.1/)
  expect(await use()).toBe(200)

  await row.getByRole('button', { name: /^Revoke access for ShelfPlayer/ }).click()
  const question = page.getByRole('dialog')
  await question.getByText('is signed out at once').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'hidden' })
  expect(await use()).toBe(200)

  await row.getByRole('button', { name: /^Revoke access for ShelfPlayer/ }).click()
  await question.getByRole('button', { name: 'Revoke access', exact: true }).click()
  await page.getByText(/ShelfPlayer.* no longer has access/).waitFor()
  await page.getByText('No app has access yet.').waitFor()
  expect(await use()).toBe(401)
  await page.close()
}, 120_000)

test('a password for one app is shown once, syncs, and is withdrawn', async () => {
  const page = await openApps()
  await page.getByText('Apps with gPodder sync').click()
  await page.locator('details[open]').getByRole('button', { name: 'New app password' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
  await page.keyboard.type('Car radio')
  await page.keyboard.press('Enter')
  await dialog.getByText('Password for Car radio').waitFor()
  await dialog.getByRole('img', { name: 'QR code of the password' }).waitFor()
  await dialog.getByRole('button', { name: 'Copy' }).click()
  const password = await page.evaluate(() => navigator.clipboard.readText())
  expect(password).toMatch(/^[0-9a-f]{32}$/)
  expect((await dialog.locator('code').textContent())!).toBe(password)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.content()).not.toContain(password)

  const sync = async () => {
    const headers = { Authorization: basic(USERNAME, password), 'Content-Type': 'application/json' }
    const body = JSON.stringify({ caption: 'Kasts on the desk', type: 'desktop' })
    return (await fetch(`${running.origin}/api/2/devices/${USERNAME}/desk.json`, { method: 'POST', headers, body }))
      .status
  }
  expect(await sync()).toBe(200)
  await layersGone(page)
  await page.reload()
  const device = page.getByRole('row', { name: /Kasts on the desk/ })
  expect(await device.innerText()).toMatch(/Sync · Desktop/)
  expect(await page.getByRole('row', { name: /Car radio/ }).innerText()).toMatch(/App password\s+this minute/)

  const use = await signInApp('Plappa/1.5', password)
  const app = page.getByRole('row', { name: /Plappa/ })
  await app.waitFor()
  expect(await use()).toBe(200)

  await page.getByRole('button', { name: 'Revoke access for Car radio' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke access', exact: true }).click()
  await page.getByText('Car radio no longer has access').waitFor()
  expect([await sync(), await use()]).toEqual([401, 401])
  await app.waitFor({ state: 'hidden' })
  await device.getByRole('button', { name: 'Remove Kasts on the desk' }).click()
  await page.getByText('No app has access yet.').waitFor()
  await page.close()
}, 120_000)

test('a key for an assistant is shown once with the entry for its settings, and is withdrawn', async () => {
  const page = await openApps()
  await page.locator('.guide > summary', { hasText: 'Assistants' }).click()
  await page.locator('details[open]').getByRole('button', { name: 'New assistant key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Claude')
  await dialog.getByText('changes nothing').waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByText('Key for Claude').waitFor()
  await dialog.getByRole('button', { name: 'Copy entry' }).click()
  const entry = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as {
    mcpServers: { castellan: { url: string; headers: Record<string, string> } }
  }
  await dialog.getByRole('button', { name: 'Done' }).click()

  const { url, headers } = entry.mcpServers.castellan
  const toolsOf = async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body,
    })
    return answer.ok ? await answer.text() : answer.status
  }
  expect(await toolsOf()).toContain('"search"')
  expect(await toolsOf()).not.toContain('change_queue')
  const row = page.getByRole('row', { name: /Claude/ })
  expect(await row.innerText()).toContain('Assistant, reads only')
  await row.getByRole('button', { name: 'Revoke access for Claude' }).click()
  await dialog.getByText('Its key stops working at once.').waitFor()
  await dialog.getByRole('button', { name: 'Revoke access', exact: true }).click()
  await page.getByText('Claude no longer has access').waitFor()
  expect(await toolsOf()).toBe(401)
  await page.close()
}, 120_000)

test('the address of the server is copied as it stands, and nothing moves while the page loads', async () => {
  const page = await openApps()
  await page.getByRole('img', { name: `QR code of ${running.origin}` }).waitFor()
  expect(await page.locator('.qr-code path').getAttribute('d')).toMatch(/^M/)
  await page.getByText('No app has access yet.').waitFor()
  expect(await layoutShiftsIn(page)).toEqual([])
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(running.origin)
  await page.getByText('Phones cannot reach this address').waitFor()
  await page.close()
}, 120_000)

test('where a proxy signs people in, an app gets a password of its own', async () => {
  const behind = { DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0', REVERSE_PROXY: 'true', USERNAME }
  await using proxied = await startExecutable(behind)
  const { origin } = proxied
  const visitor = await browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-User': USERNAME } })
  const page = await visitor.newPage()
  await page.goto(`${origin}/ui/settings/apps`)
  const guide = page.locator('.guide').first()
  await guide.getByText('Audiobookshelf apps').click()
  await guide.getByText('A proxy signs people in here').waitFor()
  await guide.getByText('One for this app alone').waitFor()
  await guide.getByRole('button', { name: 'New app password' }).click()
  await page.keyboard.type('Plappa')
  await page.keyboard.press('Enter')
  const password = await page.getByRole('dialog').locator('code').textContent()
  await page.keyboard.press('Escape')
  const use = await signInApp('Plappa/1.5', password!, origin)
  expect(await use()).toBe(200)
  await page
    .getByRole('row', { name: /Plappa/ })
    .getByText('Signed in')
    .waitFor()
  await visitor.close()
}, 120_000)

test('without sign-in the page says what is off, and what would turn it on', async () => {
  await using open = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  const page = await browser.newPage()
  await page.goto(`${open.origin}/ui/settings/apps`)
  await page.getByText('Audiobookshelf apps').click()
  await page.getByText('Start the server with AUDIOBOOKSHELF_API=true').waitFor()
  await page.getByText('Apps with gPodder sync').click()
  await page.locator('details[open]').getByText('Sync is off while nobody signs in').waitFor()
  expect(await page.getByRole('button', { name: 'New app password' }).count()).toBe(0)
  await page.close()
}, 120_000)

test('in open mode apps take any name and password, and the page says so', async () => {
  const on = { DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0', AUDIOBOOKSHELF_API: 'true' }
  await using open = await startExecutable(on)
  const page = await browser.newPage()
  await page.goto(`${open.origin}/ui/settings/apps`)
  await page.getByText('Audiobookshelf apps').click()
  await page.getByText('Any name and any password will do').waitFor()
  await page.getByText('anyone who reaches it can use the whole library').waitFor()
  await page.close()
}, 120_000)
