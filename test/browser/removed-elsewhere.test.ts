import { afterAll, expect, test } from 'bun:test'
import { libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss } from '../support/builders'
import { runExecutable, startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

const browser = await startBrowser()
afterAll(() => browser.close())

test('a podcast that another browser or the command line removes goes from open pages and from the rules of playlists', async () => {
  using host = startFeedHost()
  const env = { DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' }
  await using running = await startExecutable(env)
  const add = (title: string) =>
    running.api<{ id: string }>('/podcasts/feed', {
      rssFeedUrl: host.feed(`/${title}.xml`, rss({ title, items: [{ title: 'Fog' }] })),
    })
  const [first, second] = [await add('Anchor'), await add('Beacon'), await add('Compass'), await add('Dinghy')]
  const send = (method: string, path: string, body: object) =>
    fetch(`${running.origin}/api/v1${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  // The main menu names the favourites.
  await send('PUT', '/podcasts/favored', { id: second.id, favored: true })
  const context = await browser.newContext()
  const page = await context.newPage()
  const tile = (name: string) => page.locator('main').getByRole('link', { name }).first()
  const removeByCommand = async (name: string) => {
    const { code, stderr } = await runExecutable(['podcasts', 'remove', name, '--yes'], env)
    expect([code, stderr]).toEqual([0, ''])
  }
  await page.goto(`${running.origin}/ui/podcasts`)
  await tile('Anchor').waitFor()
  await send('DELETE', `/podcasts/${first.id}`, { delete_files: true })
  await tile('Anchor').waitFor({ state: 'detached' })

  await page.getByRole('navigation').getByRole('link', { name: 'Beacon' }).waitFor()
  // Once connected, the page loads all anew.
  await page.waitForLoadState('networkidle')
  await removeByCommand('Beacon')
  await tile('Beacon').click()
  await page.getByRole('heading', { name: 'Podcast not found' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Beacon' }).waitFor({ state: 'detached' })

  await removeByCommand('Compass')
  await page.locator('a[href$="/ui/home/playlist"]:visible').first().click()
  await page.getByRole('button', { name: 'Add new' }).first().click()
  await page.getByLabel('Name').fill('Night')
  await page.getByLabel('By rules').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('What the rule is about').first().selectOption('podcast')
  const others = page.getByLabel('Add a podcast')
  await others.locator('option', { hasText: 'Dinghy' }).waitFor({ state: 'attached' })
  await others.locator('option', { hasText: 'Compass' }).waitFor({ state: 'detached' })
  await context.close()
}, 120_000)
