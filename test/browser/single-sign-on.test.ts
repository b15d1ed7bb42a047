import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startBrowser } from '../support/browser'
import { startExecutable } from '../support/executable'
import { freePort } from '../support/ports'
import { startOpenIdProvider } from '../support/openid-provider'
import { libraryFolder } from '../support/app'

const browser = await startBrowser()
afterAll(() => browser.close())

type Options = Omit<Parameters<typeof startOpenIdProvider>[0], 'redirectUri'>

async function start(options: Options = {}) {
  const port = String(freePort())
  const origin = `http://127.0.0.1:${port}`
  // It reports to the server when somebody signs out there.
  const client = {
    backchannel_logout_uri: `${origin}/api/v1/sys/openid/logout`,
    backchannel_logout_session_required: true,
    ...options.client,
  }
  const provider = await startOpenIdProvider({ redirectUri: `${origin}/ui/`, ...options, client })
  const env = {
    DATA_DIRECTORY: libraryFolder(),
    DISK_RESERVE: '0',
    PORT: port,
    ...provider.env,
    OIDC_ADMIN_CLAIM: 'groups:admins',
    OIDC_PARAMETERS: 'ui_locales=pl',
  }
  return { provider, origin, launch: () => startExecutable(env) }
}

async function signIn(page: Page, name: string) {
  await page.getByRole('button', { name: 'Sign in with single sign-on' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const nameIn = (page: Page, name: string) => page.getByRole('button', { name: 'Account' }).getByText(name).waitFor()

test('sign in, be renewed before it ends, through new keys of the provider, and sign out', async () => {
  const { provider, origin, launch } = await start()
  using _ = provider
  await using __ = await launch()
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.clock.install()
  await page.goto(`${origin}/ui/podcasts?title=fog`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(page.url()).toBe(`${origin}/ui/login`)
  await signIn(page, 'mara')
  await nameIn(page, 'mara')
  // Nothing of the answer stays in the address, and one is where one was going.
  expect(page.url()).toBe(`${origin}/ui/podcasts?title=fog`)

  await provider.rotateKeys()
  const renewal = page.waitForResponse(
    response => response.url().endsWith('/token') && response.request().method() === 'POST',
  )
  await page.clock.fastForward(61_000)
  expect((await renewal).status()).toBe(200)
  // In the very moment in which the new token arrives.
  await page.getByRole('link', { name: 'All subscriptions' }).click()
  await page.getByRole('heading', { name: 'All subscriptions' }).waitFor()

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).not.toContain('token')
  expect((await context.cookies()).find(cookie => cookie.name === 'castellan')).toBeUndefined()

  await signIn(page, 'nils')
  await nameIn(page, 'nils')
  await context.close()
}, 120_000)

test('without refresh tokens it is renewed in a frame of our own', async () => {
  const { provider, origin, launch } = await start({ refreshTokens: false, signsOut: false })
  using _ = provider
  await using __ = await launch()
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.clock.install()
  await page.goto(`${origin}/ui/`)
  await signIn(page, 'mara')
  await nameIn(page, 'mara')
  const before = provider.requests.filter(request => request === 'POST /token').length
  const renewal = page.waitForResponse(
    response => response.url().endsWith('/token') && response.request().method() === 'POST',
  )
  await page.clock.fastForward(61_000)
  expect((await renewal).status()).toBe(200)
  expect(provider.requests.filter(request => request === 'POST /token').length).toBe(before + 1)
  await page.getByRole('link', { name: 'Timeline' }).click()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  // The provider has no page to sign out: one signs out here.
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(page.url()).toBe(`${origin}/ui/login`)
  await context.close()
}, 120_000)

test('a login that the provider refuses is told, and may be tried again', async () => {
  const { provider, origin, launch } = await start()
  using _ = provider
  await using __ = await launch()
  const page = await browser.newPage()
  await page.goto(`${origin}/ui/`)
  await page.getByRole('button', { name: 'Sign in with single sign-on' }).click()
  await page.getByRole('link', { name: 'Refuse' }).click()
  const box = page.getByRole('alert')
  await box.getByText('Error authenticating').waitFor()
  expect(await box.innerText()).toContain('Sign-in failed')
  expect(page.url()).toBe(`${origin}/ui/login`)
  await signIn(page, 'mara')
  await nameIn(page, 'mara')
  await page.close()
}, 120_000)

test('a provider that is away at the start is told, and is used as soon as it is back', async () => {
  const { provider, origin, launch } = await start()
  using _ = provider
  provider.goAway(true)
  await using __ = await launch()
  const page = await browser.newPage()
  await page.goto(`${origin}/ui/`)
  await page.getByRole('button', { name: 'Sign in with single sign-on' }).click()
  await page.getByRole('alert').getByText('Sign-in failed').waitFor()
  provider.goAway(false)
  await signIn(page, 'mara')
  await nameIn(page, 'mara')
  await page.close()
}, 120_000)

test('a confidential client signs in an admin by a group, and is signed out when they sign out at the provider', async () => {
  const secret = { value: 'a secret', method: 'client_secret_basic' as const }
  const { provider, origin, launch } = await start({ secret, people: { mara: { groups: ['admins'] } } })
  using _ = provider
  await using __ = await launch()
  const context = await browser.newContext()
  const page = await context.newPage()
  const calls: string[] = []
  page.on('request', request => {
    if (request.resourceType() === 'fetch') calls.push(new URL(request.url()).origin)
  })
  await page.goto(`${origin}/ui/`)
  const asked = page.waitForRequest(request => request.url().startsWith(`${provider.origin}/auth?`))
  await signIn(page, 'mara')
  await nameIn(page, 'mara')
  const { searchParams } = new URL((await asked).url())
  expect(searchParams.get('ui_locales')).toBe('pl')
  expect(searchParams.get('nonce')).toMatch(/^\w{20,}$/)
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Administration' }).waitFor()
  // The page never calls the provider, which need not allow our origin.
  expect([...new Set(calls)]).toEqual([origin])

  const elsewhere = await context.newPage()
  await elsewhere.goto(`${provider.origin}/session/end`)
  await elsewhere.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await context.close()
}, 120_000)
