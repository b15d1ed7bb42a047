import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { temporaryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { startOpenIdProvider } from '../support/openid-provider'
import { freePort } from '../support/ports'
import { startReverseProxy } from '../support/reverse-proxy'
import { startS3Server } from '../support/s3-server'

const browser = await startBrowser()
afterAll(() => browser.close())

/** A server in an empty folder that others can reach, so that it waits for its setup. */
const startEmpty = (folder: string, port: number) =>
  startExecutable({ DATA_DIRECTORY: folder, DISK_RESERVE: '0', HOST: '0.0.0.0', PORT: String(port) })

async function enterCode(page: Page, { output }: Awaited<ReturnType<typeof startEmpty>>) {
  await page.getByLabel('Setup code').fill(/setup code ([A-Z0-9-]+)/.exec(output.join(''))![1]!)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const finish = (page: Page) => page.getByRole('button', { name: 'Finish the setup' }).click()

async function seeAdmin(page: Page, name: string) {
  await page.getByRole('button', { name: 'Account' }).getByText(name).waitFor()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Administration' }).waitFor()
}

test('from an empty folder behind a proxy below a path to the first sound', async () => {
  using host = startFeedHost()
  const items = [{ title: 'Fog', enclosure: host.file('/a.mp3', silentMp3(60)), duration: '60' }]
  const feed = host.feed('/feed.xml', rss({ title: 'Lighthouse Radio', items }))
  const [port, target] = [freePort(), freePort()]
  const folder = temporaryFolder()
  await using running = await startEmpty(folder, target)
  const proxy = await startReverseProxy({ port, target, prefix: '/podcasts' })
  const origin = `http://127.0.0.1:${port}/podcasts`

  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } })
  const mistakes: string[] = []
  page.on('pageerror', error => mistakes.push(error.message))
  await page.goto(`${origin}/`)
  expect(page.url()).toBe(`${origin}/ui/`)
  const code = page.getByLabel('Setup code')
  await code.fill('AAAA-AAAA-AAAA')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText("This isn't the setup code.").waitFor()
  await enterCode(page, running)

  const connection = page.getByRole('region', { name: 'Connection' })
  await connection.getByText('Pages stay up to date.').waitFor()
  expect(await connection.getByRole('listitem').allInnerTexts()).toEqual([
    `The server knows its address, ${origin}/.`,
    'Episodes can be played from any position.',
    'Large files can be uploaded.',
    'Pages stay up to date.',
  ])
  await page.getByLabel('Name of the administrator').fill('mara')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByLabel('Folder for episodes').fill(join(folder, 'media'))
  await finish(page)
  await page.getByText('Password too weak').waitFor()
  await page.getByLabel('Password', { exact: true }).fill('Sup3rSecret')
  await finish(page)

  await page.getByRole('heading', { name: 'Add your first podcast' }).waitFor()
  // Without a directory that answers, the page asks for an address alone.
  const field = page.getByRole('main').getByRole('combobox').or(page.getByRole('main').getByRole('textbox'))
  await field.fill(feed)

  await page.getByRole('button', { name: 'Add podcast' }).click()
  // Until then the button plays the preview, which ends with the page that shows it.
  await page.waitForURL(/\/podcasts\/[^/]+\/episodes$/)
  await page.getByRole('button', { name: 'Play Fog' }).first().click()
  await page.waitForFunction(
    () => Number(document.querySelector('.player input[type=range]')?.getAttribute('value')) > 0,
  )
  expect(page.url()).toStartWith(`${origin}/ui/`)
  expect(mistakes).toEqual([])
  await page.close()
  await proxy.stop()
}, 120_000)

test('single sign-on and a bucket: the page says what is wrong with the bucket, and then the admin signs in', async () => {
  using s3 = await startS3Server()
  const [port, folder] = [freePort(), temporaryFolder()]
  const origin = `http://127.0.0.1:${port}`
  using provider = await startOpenIdProvider({
    redirectUri: `${origin}/ui/`,
    secret: { value: 'a "secret" of the client', method: 'client_secret_basic' },
    people: { mara: { groups: ['admins'] } },
  })
  await using running = await startEmpty(folder, port)
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } })
  await page.goto(origin)
  await enterCode(page, running)
  await page.getByLabel('How people sign in').selectOption('Single sign-on (OpenID Connect)')
  await page.getByLabel('Address of the provider').fill(provider.origin)
  await page.getByLabel('Client ID').fill('castellan')
  await page.getByLabel('Client secret').fill('a "secret" of the client')
  await page.getByLabel('Scopes').fill('openid profile groups')
  await page.getByLabel('Claim and value of administrators').fill('groups:admins')
  await page.getByLabel('Where episodes are stored').selectOption('In an S3 bucket')
  await page.getByLabel('Address of the S3 service').fill(s3.endpoint)
  await page.getByLabel('Bucket', { exact: true }).fill(s3.settings.bucket)
  await page.getByLabel('Region').fill(s3.settings.region)
  await page.getByLabel('Access key').fill(s3.settings.accessKey)
  await page.getByLabel('Secret key').fill('another')
  await finish(page)
  await page.getByText('SignatureDoesNotMatch').waitFor()
  await page.getByLabel('Secret key').fill(s3.settings.secretKey)
  await finish(page)

  await page.getByRole('button', { name: 'Sign in with single sign-on' }).click()
  await page.getByLabel('Name').fill('mara')
  await page.getByRole('button', { name: 'Continue' }).click()
  await seeAdmin(page, 'mara')
  expect(await Bun.file(join(folder, 'settings.env')).text()).toContain('MEDIA_STORAGE="s3"')
  expect(await page.evaluate(async () => (await fetch('../api/v1/sys/config')).text())).not.toContain('of the client')
  await page.close()
}, 120_000)

test('a proxy that signs people in: whom the setup names is an administrator, without another sign-in', async () => {
  const [port, target] = [freePort(), freePort()]
  await using running = await startEmpty(temporaryFolder(), target)
  const proxy = await startReverseProxy({ port, target, prefix: '/pod', user: 'mara' })
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } })
  await page.goto(`http://127.0.0.1:${port}/pod/`)
  await enterCode(page, running)
  await page.getByLabel('How people sign in').selectOption('A proxy signs people in')
  await page.getByLabel('Name of the administrator').fill('mara')
  await finish(page)
  await seeAdmin(page, 'mara')
  expect(page.url()).toBe(`http://127.0.0.1:${port}/pod/ui/home/view`)
  await page.close()
  await proxy.stop()
}, 120_000)
