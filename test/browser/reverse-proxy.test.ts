import { afterAll, expect, test } from 'bun:test'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { freePort } from '../support/ports'
import { proxyAddress, startReverseProxy } from '../support/reverse-proxy'
import { handshake } from '../support/socket'

const browser = await startBrowser()
afterAll(() => browser.close())

test('a proxy signs people in below its path, with media and live events; nobody else may', async () => {
  using host = startFeedHost()
  const [port, target] = [freePort(), freePort()]
  const origin = `http://127.0.0.1:${port}/pod`
  const env = {
    DATA_DIRECTORY: libraryFolder(),
    DISK_RESERVE: '0',
    HOST: '127.0.0.1',
    PORT: String(target),
    REVERSE_PROXY: 'true',
    REVERSE_PROXY_AUTO_SIGN_UP: 'true',
    TRUSTED_PROXIES: proxyAddress,
    ADMINS: 'mara',
  }
  await using running = await startExecutable(env)
  const proxy = await startReverseProxy({ port, target, prefix: '/pod', user: 'mara' })

  const page = await browser.newPage()
  await page.goto(`${origin}/`)
  await page.getByRole('button', { name: 'Account' }).getByText('mara').waitFor()
  expect(page.url()).toBe(`${origin}/ui/home/view`)
  // The proxy signs people in, so nobody can sign out; an admin still manages accounts.
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem').first().waitFor()
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
    'System info',
    'Profile',
    'Settings',
    'Administration',
    'Language',
    'Keyboard shortcuts',
    'Help',
  ])
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'All subscriptions' }).click()
  const items = [{ title: 'Fog', enclosure: host.file('/a.mp3', silentMp3(60)), duration: '60' }]
  const feed = host.feed('/feed.xml', rss({ title: 'Lighthouse Radio', items }))
  // Added elsewhere: the page learns of it by its socket.
  const added = await fetch(`${origin}/api/v1/podcasts/feed`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ rssFeedUrl: feed }),
  })
  expect(added.status).toBe(200)
  await page.getByRole('link', { name: 'Lighthouse Radio' }).first().click()
  await page.getByRole('button', { name: 'Play Fog' }).click()
  await page.waitForFunction(
    () => Number(document.querySelector('.player input[type=range]')?.getAttribute('value')) > 0,
  )

  const direct = `http://127.0.0.1:${target}`
  const forged = { 'X-Forwarded-User': 'mara', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Prefix': '/pod' }
  expect((await fetch(`${direct}/api/v1/users/me`, { headers: forged })).status).toBe(401)
  expect(await (await fetch(`${direct}/api/v1/sys/config`, { headers: forged })).json()).toMatchObject({
    serverUrl: `${direct}/`,
  })
  expect(await handshake(direct, forged)).toBe(401)
  expect(await handshake(origin, { Origin: `http://127.0.0.1:${port}` })).toBe(101)
  expect(await handshake(origin, { Origin: 'https://evil.example' })).toBe(403)
  // The proxy removes a user name that the browser sends itself.
  const claimed = await fetch(`${origin}/api/v1/users/me`, { headers: { 'X-Forwarded-User': 'root' } })
  expect(await claimed.json()).toMatchObject({ username: 'mara', role: 'admin' })
  await page.close()
  await proxy.stop()
  expect(running.output.join('')).not.toMatch(/unexpected error/i)
}, 120_000)
