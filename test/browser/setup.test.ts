import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { temporaryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { freePort } from '../support/ports'
import { startReverseProxy } from '../support/reverse-proxy'

const browser = await startBrowser()
afterAll(() => browser.close())

test('from an empty folder behind a proxy below a path to the first sound', async () => {
  using host = startFeedHost()
  const items = [{ title: 'Fog', enclosure: host.file('/a.mp3', silentMp3(60)), duration: '60' }]
  const feed = host.feed('/feed.xml', rss({ title: 'Lighthouse Radio', items }))
  const [port, target] = [freePort(), freePort()]
  const folder = temporaryFolder()
  const env = { DATA_DIRECTORY: folder, DISK_RESERVE: '0', HOST: '0.0.0.0', PORT: String(target) }
  await using running = await startExecutable(env)
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
  await code.fill(/setup code ([A-Z0-9-]+)/.exec(running.output.join(''))![1]!)
  await page.getByRole('button', { name: 'Continue' }).click()

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
  await page.getByRole('button', { name: 'Finish the setup' }).click()
  await page.getByText('Password too weak').waitFor()
  await page.getByLabel('Password', { exact: true }).fill('Sup3rSecret')
  await page.getByRole('button', { name: 'Finish the setup' }).click()

  await page.getByRole('heading', { name: 'Add your first podcast' }).waitFor()
  // Without a directory that answers, the page asks for an address alone.
  const field = page.getByRole('main').getByRole('combobox').or(page.getByRole('main').getByRole('textbox'))
  await field.fill(feed)

  await page.getByRole('button', { name: 'Add podcast' }).click()
  await page.getByRole('button', { name: 'Play Fog' }).first().click()
  await page.waitForFunction(
    () => Number(document.querySelector('.player input[type=range]')?.getAttribute('value')) > 0,
  )
  expect(page.url()).toStartWith(`${origin}/ui/`)
  expect(mistakes).toEqual([])
  await page.close()
  await proxy.stop()
}, 120_000)
