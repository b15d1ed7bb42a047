import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { basic, libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { unzip } from '../support/unzip'

// People from the invitation to the archive of all they have. One browser serves all of these stories.

type Running = Awaited<ReturnType<typeof startExecutable>>

const host = startFeedHost()
const browser = await startBrowser()
const root = { Authorization: basic('root', 'Sup3rSecret'), 'Content-Type': 'application/json' }
let running: Running

beforeAll(async () => {
  const env = { BASIC_AUTH: 'true', USERNAME: 'root', PASSWORD: 'Sup3rSecret', SUB_DIRECTORY: '/pod' }
  running = await startExecutable({
    DATA_DIRECTORY: libraryFolder(),
    DISK_RESERVE: '0',
    ...env,
    USER_PODCAST_LIMIT: '0',
  })
  const audio = host.file('/a.mp3', silentMp3(60))
  const feed = rss({ title: 'Lighthouse Radio', items: [{ title: 'Fog', enclosure: audio, duration: '60' }] })
  await fetch(`${running.origin}/api/v1/podcasts/feed`, {
    method: 'POST',
    headers: root,
    body: JSON.stringify({ rssFeedUrl: host.feed('/feed.xml', feed) }),
  })
})
afterAll(async () => {
  await browser.close()
  await running.stop()
  host.stop()
})

async function open(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${running.origin}/ui${path}`)
  return page
}

async function signIn(page: Page, name: string, password: string, remember = false) {
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password').fill(password)
  if (remember) await page.getByLabel('Remember me').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const menu = async (page: Page, entry: string) => {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test('an admin invites, a stranger signs up by the link, and is what the invitation said', async () => {
  const admins = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const admin = await open(admins, '/administration/invites')
  await signIn(admin, 'root', 'Sup3rSecret')
  await menu(admin, 'Administration')
  await admin.getByRole('link', { name: 'Users' }).click()
  await admin.getByText('No invitations yet.').waitFor()
  await admin.getByRole('button', { name: 'New invitation' }).click()
  await admin.getByLabel('Role', { exact: true }).selectOption('uploader')
  await admin.getByLabel('Show explicit content').check()
  await admin.getByRole('button', { name: 'Create invitation' }).click()
  await admin.getByText('Invitation created').waitFor()
  await admin.locator('.invite-id').click()
  await admin.locator('.invite-id').getByText('Link copied').waitFor()
  const link = await admin.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/\/pod\/ui\/invite\/[0-9a-f-]{36}$/)
  // The notice goes by itself after two seconds.
  await admin
    .locator('.invite-id')
    .getByText(`Copy link · ${link.slice(-36, -32)}`)
    .waitFor()

  const strangers = await browser.newContext()
  const stranger = await strangers.newPage()
  await stranger.goto(link)
  await stranger.getByRole('heading', { name: 'create account' }).waitFor()
  const summary = await stranger.locator('dl').innerText()
  expect(summary).toMatch(/Role\s+Uploader\s+Explicit content\s+Yes/)
  await stranger.getByPlaceholder('your username').fill('alice')
  await stranger.getByLabel('Password').fill('weak')
  await stranger.getByRole('button', { name: 'Create' }).click()
  await stranger.getByRole('status').getByText('Password too weak').waitFor()
  await stranger.getByRole('alert').getByText('Password too weak').waitFor()
  await stranger.getByLabel('Username').fill('root')
  await stranger.getByLabel('Password').fill('Corr3ctHorse')
  await stranger.getByRole('button', { name: 'Create' }).click()
  await stranger.getByRole('alert').getByText('The name root is taken').waitFor()
  expect(await stranger.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/pod/ui/login')
  await stranger.getByLabel('Username').fill('alice')
  await stranger.getByRole('button', { name: 'Create' }).click()
  await stranger.getByText('account created').waitFor()
  await stranger.getByRole('button', { name: 'Account' }).getByText('alice').waitFor()
  await stranger.getByRole('link', { name: 'All subscriptions' }).click()
  await stranger.getByRole('button', { name: 'Add podcast' }).waitFor()

  await stranger.goto(link)
  await stranger.getByText('This invitation has been used.').waitFor()
  // The page keeps waiting, and shows no form.
  expect(await stranger.locator('[role=status][aria-busy=true]').count()).toBe(1)
  expect(await stranger.locator('form, [role=alert], .toast').count()).toBe(0)
  await stranger.getByRole('link', { name: 'Sign in' }).click()
  await stranger.getByRole('button', { name: 'Account' }).getByText('alice').waitFor()

  // An invitation that was accepted shows the person in place of its id.
  await admin.getByRole('link', { name: 'Users' }).click()
  await admin.getByRole('link', { name: 'Invitations' }).click()
  await admin.getByRole('rowheader', { name: 'alice' }).waitFor()
  await admin.getByRole('link', { name: 'Users' }).click()
  const row = admin.getByRole('row', { name: /alice/ })
  expect(await row.innerText()).toMatch(/alice\s+Uploader\s+Yes/)
  await admin.getByRole('button', { name: 'Change the role of alice' }).click()
  await admin.getByLabel('Role', { exact: true }).selectOption('user')
  await admin.getByRole('button', { name: 'Change role' }).click()
  await admin.getByText('Role changed').waitFor()
  // It ends her session; her page signs in anew with the password that it keeps.
  await stranger.getByRole('link', { name: 'All subscriptions' }).click()
  // It learns of the role at once: there is nothing to press that would be refused.
  await stranger.getByRole('heading', { name: 'All subscriptions' }).waitFor()
  await stranger.getByText('Lighthouse Radio').first().waitFor()
  await stranger
    .getByRole('button', { name: /Refresh all|Add podcast/ })
    .first()
    .waitFor({ state: 'detached' })
  // The menu leads to the administration wherever people sign in, and the page says why not.
  await stranger.getByRole('button', { name: 'Account' }).click()
  await stranger.getByRole('menuitem').first().waitFor()
  expect(await stranger.getByRole('menuitem').allInnerTexts()).toEqual([
    'System info',
    'Profile',
    'Settings',
    'Administration',
    'Language',
    'Keyboard shortcuts',
    'Help',
    'Log out',
  ])
  await stranger.getByRole('menuitem', { name: 'Administration' }).click()
  await stranger.getByText('You are not an admin').waitFor()

  await admin.getByRole('button', { name: 'Delete alice' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete alice' }).click()
  await admin.getByText('User deleted').waitFor()
  await stranger.getByRole('heading', { name: 'Sign in' }).waitFor()
  await admins.close()
  await strangers.close()
}, 120_000)

test('a wrong password is told in its box; remembered, a new tab is signed in; logging out leaves nothing', async () => {
  const context = await browser.newContext()
  const page = await open(context, '/login')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn(page, 'root', 'wrong')
  await page.getByRole('alert').getByText('Error authenticating').waitFor()
  expect(await page.getByRole('alert').innerText()).toContain('The username or the password is wrong.')
  await signIn(page, 'root', 'Sup3rSecret', true)
  await page.getByRole('button', { name: 'Account' }).getByText('root').waitFor()
  expect(page.url()).toEndWith('/pod/ui/home/view')
  const stored = await page.evaluate(() => [localStorage.getItem('auth'), sessionStorage.getItem('auth')])
  expect(stored).toEqual([Buffer.from('root:Sup3rSecret').toString('base64'), null])

  const other = await open(context, '/profile')
  await other.getByRole('heading', { name: 'Profile' }).waitFor()
  await menu(page, 'Log out')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.evaluate(() => [localStorage.getItem('auth'), sessionStorage.length])).toEqual([null, 0])
  expect(await context.cookies()).toEqual([])
  await context.close()
}, 120_000)

test('signing in leads to where one was going, a moment of an episode included; after logging out, home', async () => {
  const podcasts = (await (await fetch(`${running.origin}/api/v1/podcasts`, { headers: root })).json()) as {
    id: string
  }[]
  const [podcast] = podcasts
  const list = (await (
    await fetch(`${running.origin}/api/v1/podcasts/${podcast!.id}/episodes`, { headers: root })
  ).json()) as { podcastEpisode: { episode_id: string } }[]
  const moment = `/podcasts/${podcast!.id}/episodes/${list[0]!.podcastEpisode.episode_id}?t=42`
  for (const [path, remember] of [
    [moment, false],
    ['/timeline', true],
  ] as const) {
    const context = await browser.newContext()
    const page = await open(context, path)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(page.url()).toEndWith('/pod/ui/login')
    await signIn(page, 'root', 'Sup3rSecret', remember)
    await page.getByRole('button', { name: 'Account' }).waitFor()
    await page.waitForURL(`${running.origin}/ui${path}`)
    await menu(page, 'Log out')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, 'root', 'Sup3rSecret')
    await page.waitForURL(`${running.origin}/ui/home/view`)
    await context.close()
  }
}, 120_000)

test('a server that cannot say who one is says that, and nothing about admins', async () => {
  const context = await browser.newContext()
  const page = await open(context, '/login')
  await signIn(page, 'root', 'Sup3rSecret', true)
  await page.getByRole('button', { name: 'Account' }).waitFor()
  await page.route('**/api/v1/users/me', route =>
    route.fulfill({ status: 500, json: { errorCode: 'unexpected', message: 'x', arguments: {} } }),
  )
  await page.reload()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  expect(await page.locator('body').innerText()).not.toContain('You are not an admin')
  await page.unroute('**/api/v1/users/me')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Account' }).waitFor()
  await context.close()
}, 120_000)

test('two tabs: one signs out or in and the other follows, a new password costs neither its sign-in', async () => {
  const context = await browser.newContext()
  const [one, two] = [await open(context, '/'), await open(context, '/')]
  await signIn(one, 'root', 'Sup3rSecret', true)
  await one.getByRole('button', { name: 'Account' }).getByText('root').waitFor()
  await two.reload()
  await two.getByRole('button', { name: 'Account' }).getByText('root').waitFor()
  await menu(one, 'Log out')
  await two.getByRole('heading', { name: 'Sign in' }).waitFor()

  const invited = async (username: string) => {
    const made = await fetch(`${running.origin}/api/v1/invites`, { method: 'POST', headers: root, body: '{}' })
    const { id: inviteId } = (await made.json()) as { id: string }
    const body = JSON.stringify({ username, password: 'Corr3ctHorse', inviteId })
    await fetch(`${running.origin}/api/v1/users/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
  }
  await invited('carol')
  await signIn(one, 'carol', 'Corr3ctHorse')
  await one.getByRole('button', { name: 'Account' }).getByText('carol').waitFor()
  await two.getByRole('button', { name: 'Account' }).getByText('carol').waitFor()
  await two.goto(`${running.origin}/ui/administration`)
  await two.getByText('You are not an admin').waitFor()
  await one.goto(`${running.origin}/ui/timeline`)
  await one.getByRole('button', { name: 'Play Fog' }).click()
  await one.waitForFunction(
    () => Number(document.querySelector('.player input[type=range]')?.getAttribute('value')) > 0,
  )
  await menu(one, 'Log out')
  for (const page of [one, two]) await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  await signIn(one, 'carol', 'Corr3ctHorse', true)
  await one.getByRole('button', { name: 'Account' }).waitFor()
  await two.goto(`${running.origin}/ui/timeline`)
  await two.getByRole('button', { name: 'Play Fog' }).waitFor()
  await menu(one, 'Profile')
  await one.getByLabel('Password').fill('Ano7herOne')
  await one.getByRole('button', { name: 'Save', exact: true }).click()
  await one.getByText('Your settings are saved').waitFor()
  for (const page of [one, two]) {
    await page.getByRole('link', { name: 'All subscriptions' }).click()
    await page.getByRole('heading', { name: 'All subscriptions' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Account' }).getByText('carol').waitFor()
  }
  await context.close()
}, 120_000)

test('without remember-me the password is kept for the tab, every call carries it, and it goes with the last tab', async () => {
  const context = await browser.newContext()
  const page = await open(context, '/')
  await signIn(page, 'root', 'Sup3rSecret')
  await page.getByRole('button', { name: 'Account' }).waitFor()
  const login = Buffer.from('root:Sup3rSecret').toString('base64')
  const stored = () => [localStorage.getItem('auth'), sessionStorage.getItem('auth')]
  expect(await page.evaluate(stored)).toEqual([null, login])
  const headers = new Set<string | undefined>()
  page.on('request', request => {
    if (request.url().includes('/api/v1/') && !request.url().endsWith('/sys/config'))
      headers.add(request.headers()['authorization'])
  })
  await page.reload()
  await page.getByRole('button', { name: 'Account' }).waitFor()
  await page.locator('.sidebar').getByRole('link', { name: 'Timeline' }).click()
  await page.getByRole('button', { name: 'Play Fog' }).waitFor()
  expect([...headers]).toEqual([`Basic ${login}`])
  // Media, covers and the socket carry no header: the cookie is for them alone, and goes with the browser.
  const cookies = await context.cookies()
  expect(cookies.map(({ httpOnly, sameSite, expires }) => [httpOnly, sameSite, expires])).toEqual([
    [true, 'Strict', -1],
  ])
  const byCookie = await fetch(`${running.origin}/api/v1/users/me`, {
    headers: { Cookie: `castellan=${cookies[0]!.value}`, 'Sec-Fetch-Site': 'same-origin' },
  })
  expect(byCookie.status).toBe(401)

  // Another tab is handed the sign-in while one is open.
  const other = await open(context, '/profile')
  await other.getByText('This browser', { exact: true }).waitFor()
  expect(await other.evaluate(stored)).toEqual([null, login])
  await other.close()
  await page.close()
  const late = await open(context, '/profile')
  await late.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await late.evaluate(stored)).toEqual([null, null])
  await context.close()
}, 120_000)

test('two tabs without remember-me: a new password costs neither its sign-in, and signing out ends both', async () => {
  const made = await fetch(`${running.origin}/api/v1/invites`, { method: 'POST', headers: root, body: '{}' })
  const { id: inviteId } = (await made.json()) as { id: string }
  await fetch(`${running.origin}/api/v1/users/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'dora', password: 'Corr3ctHorse', inviteId }),
  })
  const context = await browser.newContext()
  const one = await open(context, '/profile')
  await signIn(one, 'dora', 'Corr3ctHorse')
  await one.getByText('This browser', { exact: true }).waitFor()
  const two = await open(context, '/timeline')
  await two.getByRole('button', { name: 'Play Fog' }).waitFor()
  await one.getByLabel('Password').fill('Ano7herOne')
  await one.getByRole('button', { name: 'Save', exact: true }).click()
  await one.getByText('Your settings are saved').waitFor()
  for (const page of [one, two]) {
    await page.getByRole('link', { name: 'All subscriptions' }).click()
    await page.getByRole('heading', { name: 'All subscriptions' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Account' }).getByText('dora').waitFor()
  }
  await menu(two, 'Log out')
  for (const page of [one, two]) await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await one.evaluate(() => sessionStorage.getItem('auth'))).toBe(null)
  await context.close()
}, 120_000)

test('media play by the cookie, and no address in the document holds a secret', async () => {
  const context = await browser.newContext()
  const page = await open(context, '/timeline')
  await signIn(page, 'root', 'Sup3rSecret')
  await page.getByRole('link', { name: 'Timeline' }).click()
  await page.getByRole('button', { name: 'Play Fog' }).click()
  await page.waitForFunction(
    () => Number(document.querySelector('.player input[type=range]')?.getAttribute('value')) > 0,
  )
  await page.getByRole('button', { name: 'Fog', exact: true }).first().click()
  const addresses = await page.evaluate(() =>
    [...document.querySelectorAll('[src], [href]')].map(
      element => element.getAttribute('src') ?? element.getAttribute('href'),
    ),
  )
  const audio = await page.evaluate(() => performance.getEntriesByType('resource').map(entry => entry.name))
  expect(addresses.length).toBeGreaterThan(5)
  expect([...addresses, ...audio].filter(address => /apiKey|Sup3r|auth=/i.test(address ?? ''))).toEqual([])
  await context.close()
}, 120_000)

test('whoever changes name and password stays signed in, and finds an API key to copy', async () => {
  const invite = (await (
    await fetch(`${running.origin}/api/v1/invites`, { method: 'POST', headers: root, body: '{}' })
  ).json()) as { id: string }
  await fetch(`${running.origin}/api/v1/users/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'bob', password: 'Corr3ctHorse', inviteId: invite.id }),
  })
  const context = await browser.newContext()
  const page = await open(context, '/')
  await signIn(page, 'bob', 'Corr3ctHorse')
  await menu(page, 'Profile')
  await page.getByLabel('Password').fill('weak')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Password too weak').waitFor()
  await page.getByLabel('Username').fill('Robert')
  await page.getByLabel('Password').fill('Ano7herOne')
  await page.getByRole('button', { name: 'Regenerate API key' }).click()
  const key = await page.getByLabel('API key', { exact: true }).inputValue()
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Your settings are saved').waitFor()
  await page.getByRole('button', { name: 'Account' }).getByText('Robert').waitFor()
  const answer = await fetch(`${running.origin}/api/v1/users/me`, { headers: { Authorization: `Bearer ${key}` } })
  expect(await answer.json()).toMatchObject({ username: 'Robert' })

  await page.reload()
  await page.getByRole('button', { name: 'Account' }).getByText('Robert').waitFor()
  expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('')
  await page.getByText('A key is active.').waitFor()
  await context.close()
}, 120_000)

test('a podcast app opens the browser: whoever signs in there first comes back to it, says yes, and may take it back', async () => {
  const ask = (path: string, body = '') =>
    fetch(`${running.origin}/index.php/login/v2${path}`, {
      method: 'POST',
      body,
      headers: { 'User-Agent': 'Kasts', 'Content-Type': 'application/x-www-form-urlencoded' },
    })
  const { login, poll } = (await (await ask('')).json()) as { login: string; poll: { token: string; endpoint: string } }
  expect(poll.endpoint).toBe(`${running.origin}/index.php/login/v2/poll`)
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(login)
  await signIn(page, 'root', 'Sup3rSecret')
  await page.getByText('Kasts wants to sync podcasts and positions as root.').waitFor()
  expect((await ask('/poll', `token=${poll.token}`)).status).toBe(404)
  await page.getByRole('button', { name: 'Grant access' }).click()
  await page.getByText('Done. Go back to the app').waitFor()
  const { appPassword } = (await (await ask('/poll', `token=${poll.token}`)).json()) as { appPassword: string }
  const sync = () =>
    fetch(`${running.origin}/index.php/apps/gpoddersync/subscriptions`, {
      headers: { Authorization: basic('root', appPassword) },
    })
  expect((await sync()).status).toBe(200)
  await menu(page, 'Profile')
  await page.getByRole('link', { name: 'Apps with access' }).click()
  await page.getByRole('button', { name: 'Revoke access for Kasts' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke access', exact: true }).click()
  await page.getByText('Kasts no longer has access').waitFor()
  expect((await sync()).status).toBe(401)
  await context.close()
})

test('the browser saves everything of a person by its cookie, the downloaded files too', async () => {
  const size = () =>
    fetch(`${running.origin}/api/v1/users/me/everything`, { headers: root }).then(answer => answer.json())
  while (((await size()) as { files: number }).files === 0) await new Promise(setImmediate)
  const context = await browser.newContext({ acceptDownloads: true, viewport: { width: 390, height: 844 } })
  const page = await open(context, '/profile')
  await signIn(page, 'root', 'Sup3rSecret')
  const card = page.getByRole('region', { name: 'Take everything with you' })
  await card.getByLabel(/^With the downloaded files \(\d+ kB\)$/).check()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: 'Save archive' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^castellan-\d{4}-\d\d-\d\d\.zip$/)
  const files = await unzip(await download.path())
  const audio = [...files].find(([name]) => name.startsWith('files/'))
  expect([audio?.[0], audio?.[1].equals(silentMp3(60))]).toEqual([expect.stringMatching(/Fog.*\.mp3$/), true])
  expect(page.url()).toEndWith('/pod/ui/profile')
  await context.close()
}, 120_000)
