import { afterAll, expect, test } from 'bun:test'
import { basic, libraryFolder, withPasswords } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

const { USERNAME, PASSWORD } = withPasswords
const browser = await startBrowser()
afterAll(() => browser.close())

test('the private feeds of a playlist, a tag, the favourites and everything are copied where these are shown', async () => {
  using host = startFeedHost()
  const running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0', ...withPasswords })
  const call = async (method: string, path: string, body: object) => {
    const response = await fetch(`${running.origin}/api/v1${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: basic(USERNAME, PASSWORD) },
      body: JSON.stringify(body),
    })
    return (await response.json().catch(() => ({}))) as { id: string }
  }
  const feed = host.feed('/a.xml', rss({ title: 'Lighthouse Radio', items: [{ title: 'Fog' }] }))
  const podcast = await call('POST', '/podcasts/feed', { rssFeedUrl: feed })
  await call('PUT', '/podcasts/favored', { id: podcast.id, favored: true })
  const playlist = await call('POST', '/playlist', { name: 'Night', items: [] })
  const tag = await call('POST', '/tags', { name: 'Sea', color: 'Blue' })

  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await page.goto(`${running.origin}/ui/tags`)
  await page.getByLabel('Username').fill(USERNAME)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  /** Presses a button that copies, and returns the path below the key and the title of the feed that is there. */
  async function copied(name: string | RegExp, role: 'button' | 'menuitem' = 'button') {
    await page.getByRole(role, { name }).click()
    await page.getByText('Feed address copied').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    const address = await page.evaluate(() => navigator.clipboard.readText())
    const title = (await (await fetch(address)).text()).match(/<title>(.*?)<\/title>/)?.[1]
    return [address.replace(/^.*\/rss\/apiKey\/[^/]+/, ''), title]
  }
  expect(await copied('Copy private feed address of Sea')).toEqual([`/tag/${tag.id}`, 'Castellan: Sea'])
  await page.goto(`${running.origin}/ui/home/playlist/${playlist.id}`)
  await page.getByRole('button', { name: 'More options for Night' }).click()
  expect(await copied('Copy private feed address', 'menuitem')).toEqual([`/playlist/${playlist.id}`, 'Night'])
  await page.goto(`${running.origin}/ui/favorites`)
  expect(await copied('Copy private feed address')).toEqual(['/favorites', 'Castellan: favourites'])
  await page.goto(`${running.origin}/ui/settings/apps`)
  await page.getByText('Any other podcast app').click()
  expect(await copied('Copy feed address of all podcasts')).toEqual(['', 'Castellan'])
  await context.close()
  await running.stop()
}, 120_000)
