import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { basic, goodPassword, libraryFolder } from '../support/app'
import { addAuthenticator, codeOf } from '../support/authenticator'
import { layersGone, startBrowser } from '../support/browser'
import { pixel } from '../support/cookie-browser'
import { startExecutable } from '../support/executable'

const browser = await startBrowser()
const root = { Authorization: basic('root', 'Sup3rSecret'), 'Content-Type': 'application/json' }
const wide = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }
let running: Awaited<ReturnType<typeof startExecutable>>
let origin: string

beforeAll(async () => {
  const env = { BASIC_AUTH: 'true', USERNAME: 'root', PASSWORD: 'Sup3rSecret' }
  running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0', ...env })
  // Browsers keep passkeys for names alone.
  origin = running.origin.replace('127.0.0.1', 'localhost')
})
afterAll(async () => {
  await browser.close()
  await running.stop()
})

async function open(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${origin}/ui${path}`)
  return page
}

/** A new account. */
async function invite(username: string) {
  const call = async (path: string, body: object) => {
    const answer = await fetch(`${running.origin}/api/v1${path}`, {
      method: 'POST',
      headers: root,
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { id: string }
  }
  const { id: inviteId } = await call('/invites', {})
  await call('/users/', { username, password: goodPassword, inviteId })
}

async function signIn(page: Page, name: string, { remember = false } = {}) {
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password').fill(goodPassword)
  if (remember) await page.getByLabel('Remember me').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
}
const signedIn = (page: Page, name: string) => page.getByRole('button', { name: 'Account' }).filter({ hasText: name })
const account = (page: Page) => page.getByRole('button', { name: 'Account' }).waitFor()

/** Signs out without the menu, which a phone has elsewhere: the page leaves by itself. */
async function signOut(page: Page) {
  await layersGone(page)
  await page.evaluate(async () => {
    const login = sessionStorage.getItem('auth') ?? localStorage.getItem('auth')
    localStorage.clear()
    sessionStorage.clear()
    await fetch('/api/v1/session', { method: 'DELETE', ...(login && { headers: { Authorization: `Basic ${login}` } }) })
  })
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

const section = (page: Page, name: string) => page.getByRole('region', { name })
const stored = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])

test.each([
  ['wide', wide],
  ['on a phone', phone],
])(
  'a passkey is made, signs in without a name, is renamed and deleted (%s)',
  async (_kind, viewport) => {
    const name = `passkey-${viewport.width}`
    await invite(name)
    const context = await browser.newContext({ viewport })
    // A device would answer what the browser suggests before anybody can press the button.
    await context.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
    const page = await open(context, '/profile')
    const device = await addAuthenticator(page)
    await device.answer(true)
    await signIn(page, name)
    const passkeys = section(page, 'Passkeys')
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name of the passkey').fill('Laptop')
    await dialog.getByLabel('Password').fill('Wr0ngOne')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The password or the code is wrong.').waitFor()
    await dialog.getByLabel('Password').fill(goodPassword)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Passkey added').waitFor()
    await passkeys.getByText('Laptop').waitFor()
    expect(await device.credentials()).toMatchObject([
      { isResidentCredential: true, rpId: 'localhost', userName: name },
    ])

    await device.answer(false)
    await signOut(page)
    await device.answer(true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await account(page)
    expect(await page.evaluate(stored)).not.toMatch(/Corr3ctHorse|"auth"/)
    await page.goto(`${origin}/ui/profile`)
    await section(page, 'Where you are signed in').getByText('By passkey').waitFor()

    await passkeys.getByRole('button', { name: 'Rename Laptop' }).click()
    await dialog.getByLabel('Name of the passkey').fill('Work')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await passkeys.locator('.session-list').getByText('Work').waitFor()
    await passkeys.getByRole('button', { name: 'Delete Work' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await passkeys.locator('.session-list').getByText('Work').waitFor({ state: 'detached' })
    await device.answer(false)
    await signOut(page)
    await device.answer(true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('The passkey was not accepted.').waitFor()
    await context.close()
  },
  120_000,
)

test('a passkey is refused to whoever holds the device but is not recognised, and suggested in the field of the name', async () => {
  await invite('owner')
  const context = await browser.newContext({ viewport: wide })
  const page = await open(context, '/profile')
  const device = await addAuthenticator(page)
  await device.answer(true)
  await signIn(page, 'owner')
  await section(page, 'Passkeys').getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByLabel('Password').fill(goodPassword)
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await section(page, 'Passkeys').getByText('Chrome, Linux').first().waitFor()
  await device.answer(false)
  await device.recogniseOwner(false)
  await signOut(page)
  await device.answer(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  const busy = page.getByRole('button', { name: 'Use a passkey' })
  await busy.and(page.locator('[aria-busy=false]')).waitFor()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  // The device answers what the browser suggests.
  await device.recogniseOwner(true)
  await page.reload()
  await signedIn(page, 'owner').waitFor()
  await context.close()
}, 120_000)

test.each([
  ['wide', wide],
  ['on a phone', phone],
])(
  'a second factor is turned on by a code, asked for after the password, and turned off (%s)',
  async (_kind, viewport) => {
    const name = `factor-${viewport.width}`
    await invite(name)
    const context = await browser.newContext({ viewport })
    const page = await open(context, '/profile')
    await signIn(page, name, { remember: true })
    await section(page, 'Second factor').getByRole('button', { name: 'Turn on' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill(goodPassword)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    const secret = (await dialog.locator('.copy-line code').innerText()).replace(/\s/g, '')
    const code = (steps: number) => codeOf(secret, Date.now(), steps)
    await dialog.getByLabel('Code', { exact: true }).fill('000000')
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const refusal = dialog.getByRole('alert').getByText('The code is wrong, or was used before.')
    await refusal.waitFor()
    await dialog.getByLabel('Code', { exact: true }).fill(code(0))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText('They are shown only now.').waitFor()
    expect([await refusal.count(), await page.locator('.toast').count()]).toEqual([0, 0])
    const recoveryCodes = await dialog.locator('.recovery-codes code').allInnerTexts()
    expect(recoveryCodes).toHaveLength(10)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await section(page, 'Second factor').getByText('10 recovery codes are left.').waitFor()
    // The password that this browser kept opens nothing any more; the cookie carries on.
    expect(await page.evaluate(stored)).not.toContain('"auth"')
    await layersGone(page)
    await page.reload()
    await section(page, 'Second factor').getByText('The second factor is on.').waitFor()

    await signOut(page)
    await signIn(page, name, { remember: true })
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The code is wrong, or was used before.').waitFor()
    // That of now was used: the app's clock may be a little ahead.
    await page.getByLabel('Code', { exact: true }).fill(code(1))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await account(page)
    expect(await page.evaluate(stored)).not.toContain('"auth"')
    expect((await context.cookies())[0]!.expires).toBeGreaterThan(0)

    await page.goto(`${origin}/ui/profile`)
    await section(page, 'Second factor').getByRole('button', { name: 'Turn the second factor off' }).click()
    await dialog.getByLabel('Password').fill(goodPassword)
    await dialog.getByLabel('Code', { exact: true }).fill(recoveryCodes[0]!)
    await dialog.getByRole('button', { name: 'Turn the second factor off' }).click()
    await page.getByText('The second factor is off').waitFor()
    await context.close()
  },
  120_000,
)

test('a sign-in from a new device is announced, and signed out at once from there', async () => {
  await invite('mara')
  const [own, other] = [
    await browser.newContext({ viewport: wide }),
    await browser.newContext({ viewport: phone, userAgent: pixel }),
  ]
  const page = await open(own, '/home/view')
  await signIn(page, 'mara')
  await account(page)
  const stranger = await open(other, '/home/view')
  await signIn(stranger, 'mara')
  await account(stranger)
  await page.getByRole('button', { name: '1 notification' }).click()
  await page.getByRole('link', { name: /Chrome, Android.*This was not you\?/ }).click()
  const sessions = section(page, 'Where you are signed in')
  await sessions.getByText('This browser', { exact: true }).waitFor()
  await sessions.getByRole('button', { name: 'Sign out Chrome, Android' }).click()
  await page.getByText('Chrome, Android is signed out').waitFor()
  await stranger.getByRole('heading', { name: 'Sign in' }).waitFor()
  await stranger.getByText('You were signed out on another device').waitFor()
  await stranger.reload()
  await stranger.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await stranger.getByText('You were signed out').count()).toBe(0)
  expect(await sessions.getByRole('button', { name: 'Sign out everywhere else' }).count()).toBe(0)
  await own.close()
  await other.close()
}, 120_000)

test('an admin sees who has a second factor, and takes it away', async () => {
  const context = await browser.newContext({ viewport: wide })
  await invite('forgetful')
  const page = await open(context, '/profile')
  await signIn(page, 'forgetful')
  await section(page, 'Second factor').getByRole('button', { name: 'Turn on' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password').fill(goodPassword)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const secret = await dialog.locator('.copy-line code').innerText()
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret, Date.now()))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await signOut(page)
  await page.getByLabel('Username').fill('root')
  await page.getByLabel('Password').fill('Sup3rSecret')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await account(page)
  await page.goto(`${origin}/ui/administration/users`)
  await page.getByRole('button', { name: 'Turn off the second factor of forgetful' }).click()
  await dialog.getByRole('button', { name: 'Turn the second factor off' }).click()
  await page.getByText('The second factor is off').waitFor()
  expect(await page.getByRole('button', { name: 'Turn off the second factor of forgetful' }).count()).toBe(0)
  await signOut(page)
  await signIn(page, 'forgetful')
  await account(page)
  await context.close()
}, 120_000)
