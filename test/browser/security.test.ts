import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { basic, libraryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { watchRequests } from '../support/quiet'
import { vectors } from '../support/vectors'

type Running = Awaited<ReturnType<typeof startExecutable>>

const all = vectors('window.ran=1').map(vector => vector.replaceAll(/[\u0000-\u0008]/g, ''))
const evil = '<img src=x onerror=window.ran=1>'
const host = startFeedHost()
const browser = await startBrowser()
const paths: string[] = []
let running: Running
let context: BrowserContext

const headers = { Authorization: basic('root', 'Sup3rSecret'), 'Content-Type': 'application/json' }
async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await fetch(`${running.origin}/api/v1${path}`, init)
  return (await response.json().catch(() => null)) as T
}

beforeAll(async () => {
  const env = { BASIC_AUTH: 'true', USERNAME: 'root', PASSWORD: 'Sup3rSecret' }
  running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0', ...env })
  await call('PUT', '/settings', { podcastPrefill: 0 })
  const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
  host.on('/chapters', () =>
    Response.json({
      chapters: all.map((title, index) => ({ startTime: index, title, url: 'javascript:window.ran=1', img: evil })),
    }),
  )
  const lines = all.map(
    (vector, index) =>
      `00:00:${10 + (index % 50)}.000 --> 00:00:59.000\n<v ${Bun.escapeHTML(evil)}>${vector.replaceAll(/\s+/g, ' ')}`,
  )
  host.on('/lines', () => new Response(`WEBVTT\n\n${lines.join('\n\n')}`))
  const audio = host.file('/a.mp3', silentMp3(60))
  const items = all.map((vector, index) => ({
    title: `${index} ${vector}`,
    guid: `${index}`,
    enclosure: `${audio}?id=${index}`,
    notes: index === 0 ? all.join('\n').replaceAll(']]>', '') : vector.replaceAll(']]>', ''),
    extra: `<podcast:chapters url="${host.origin}/chapters" type="application/json+chapters"/>
      <podcast:transcript url="${host.origin}/lines" type="text/vtt"/><podcast:person>${cdata(vector)}</podcast:person>`,
  }))
  const extra = `<podcast:person href="javascript:window.ran=1">${cdata(evil)}</podcast:person>
    <podcast:funding url="javascript:window.ran=1">${cdata(evil)}</podcast:funding><itunes:summary>${cdata(all.join('\n'))}</itunes:summary>`
  const feed = host.feed('/feed.xml', rss({ title: evil, extra, items }))
  const podcast = await call<{ id: string }>('POST', '/podcasts/feed', { rssFeedUrl: feed })
  const { 0: first } = await call<{ podcastEpisode: { id: string } }[]>('GET', `/podcasts/${podcast.id}/episodes`)
  const episode = first!.podcastEpisode.id
  await call('PUT', '/podcasts/favored', { id: podcast.id, favored: true })
  const tag = await call<{ id: string }>('POST', '/tags', { name: evil, color: 'Red' })
  await call('POST', `/tags/${tag.id}/${podcast.id}`)
  const playlist = await call<{ id: string }>('POST', '/playlist', { name: evil, items: [{ episode }] })
  await call('POST', '/bookmarks', { episode, time: 5, note: evil })
  const invite = await call<{ id: string }>('POST', '/invites', { role: 'user', explicitConsent: false })
  await call('POST', '/users', {
    username: evil.replaceAll(/[/:]/g, ''),
    password: 'Corr3ctHorse',
    inviteId: invite.id,
  })
  // An error message with words of the host in it.
  host.on('/bad.xml', () => new Response(evil, { status: 418, statusText: evil.slice(0, 9) }))
  const outline = `<outline type="rss" text="${Bun.escapeHTML(evil)}" xmlUrl="${host.origin}/bad.xml?${encodeURIComponent(evil)}"/>`
  await call('POST', '/podcasts/opml', { content: `<opml version="2.0"><body>${outline}</body></opml>` })
  paths.push(
    '/home/view',
    '/podcasts',
    `/podcasts/${podcast.id}/episodes`,
    `/podcasts/${podcast.id}/episodes/${episode}`,
    '/timeline',
    '/tags',
    '/home/playlist',
    `/home/playlist/${playlist.id}`,
    '/favorites',
    `/podcasts/search?q=${encodeURIComponent('window')}`,
    `/podcasts/search?q=${encodeURIComponent(evil)}`,
    '/info',
    '/info/downloads',
    '/settings/opml',
    '/settings/naming',
    '/administration/users',
    '/administration/invites',
    '/profile',
    `/${encodeURIComponent(evil)}`,
    `/invite/${encodeURIComponent(evil)}`,
    `/podcasts/${encodeURIComponent(evil)}/episodes`,
  )
  // Without the policy: what is shown has to be harmless by itself.
  context = await browser.newContext({ bypassCSP: true })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await running.stop()
  host.stop()
})

async function signIn(page: Page, name: string, password: string) {
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Tells whether a script ran, and lists elements that could run one. */
const activeIn = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = 'ran' in window ? ['a script ran'] : []
    for (const element of document.querySelectorAll('*')) {
      const name = element.localName
      if (/^(iframe|frame|object|embed|applet|base|portal|marquee|foreignobject|animate)$/.test(name))
        found.push(`<${name}>`)
      if (name === 'script' && !element.getAttribute('src')?.startsWith('/ui/assets/') && element.closest('body'))
        found.push('a script')
      if (name === 'meta' && element.hasAttribute('http-equiv')) found.push('a meta of its own')
      if (/^(link|style)$/.test(name) && element.closest('main')) found.push(`<${name}> in the page`)
      for (const { name: attribute, value } of element.attributes) {
        if (/^on|^srcdoc$|^formaction$/.test(attribute)) found.push(`${name} ${attribute}`)
        if (/^(href|src|action|xlink:href)$/.test(attribute) && /^\s*(javascript|vbscript|data:text)/i.test(value))
          found.push(`${name} ${value}`)
        if (attribute === 'target' && value === '_blank' && !/noopener/.test(element.getAttribute('rel') ?? ''))
          found.push(`a link with an opener to ${element.getAttribute('href')}`)
      }
    }
    return found
  })

test('X1: whatever a feed, a tag, a playlist or a name says, no page acts on it, even without the policy', async () => {
  const page = await context.newPage()
  const quiet = watchRequests(page)
  await page.goto(`${running.origin}/ui/`)
  await signIn(page, 'root', 'Sup3rSecret')
  await page.getByRole('button', { name: 'Account' }).waitFor()
  const found: string[] = []
  let shown = 0
  for (const path of paths) {
    await page.goto(`${running.origin}/ui${path}`)
    await page.locator('main > *').first().waitFor()
    await quiet()
    shown += (await page.evaluate(() => document.body.innerText)).includes('onerror=') ? 1 : 0
    found.push(...(await activeIn(page)).map(what => `${path}: ${what}`))
  }
  expect(found).toEqual([])
  // The vectors were there to be seen, as text.
  expect(shown).toBeGreaterThan(6)

  // In the open player, with chapters and the transcript.
  await page.goto(`${running.origin}/ui/timeline`)
  await page
    .getByRole('button', { name: /^Play / })
    .first()
    .click()
  await page.locator('.player-title').waitFor()
  await page.locator('.player').getByRole('button').first().waitFor()
  expect(await activeIn(page)).toEqual([])
  await page.close()
}, 120_000)

test('X2: what went wrong is text: at the sign-in, for a feed, and for a list of them', async () => {
  const page = await context.newPage()
  await page.goto(`${running.origin}/ui/settings/opml`)
  await page.evaluate(() => sessionStorage.clear())
  const stranger = await (await browser.newContext({ bypassCSP: true })).newPage()
  await stranger.goto(
    `${running.origin}/ui/login?error=${encodeURIComponent(evil)}&next=${encodeURIComponent('javascript:window.ran=1')}`,
  )
  await signIn(stranger, evil, evil)
  await stranger.getByRole('alert').first().waitFor()
  expect(await activeIn(stranger)).toEqual([])
  await signIn(stranger, 'root', 'Sup3rSecret')
  await stranger.getByRole('button', { name: 'Account' }).waitFor()
  expect(new URL(stranger.url()).origin).toBe(running.origin)
  expect(await activeIn(stranger)).toEqual([])
  await page.close()
  await stranger.context().close()
}, 120_000)

test('B1: a password that nobody wants remembered is kept for the tab alone, and no script of another place reads it', async () => {
  const own = await browser.newContext()
  const page = await own.newPage()
  await page.goto(`${running.origin}/ui/`)
  await signIn(page, 'root', 'Sup3rSecret')
  await page.getByRole('button', { name: 'Account' }).waitFor()
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(/Sup3rSecret|cm9vdDp/)
  expect(await page.evaluate(() => sessionStorage.getItem('auth'))).toBe(btoa('root:Sup3rSecret'))
  const cookies = await own.cookies()
  expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toEqual([[true, 'Strict']])
  // The policy keeps a script that got in from running, and from telling anybody.
  const refused = await page.evaluate(async () => {
    const script = document.createElement('script')
    script.textContent = 'window.ran = 1'
    document.body.append(script)
    const image = document.createElement('div')
    image.innerHTML = '<img src="x" onerror="window.ran = 2">'
    document.body.append(image)
    const isCalled = await fetch('https://evil.example/').then(
      () => true,
      () => false,
    )
    await new Promise(resolve => setTimeout(resolve, 100))
    return { ran: 'ran' in window, isCalled }
  })
  expect(refused).toEqual({ ran: false, isCalled: false })
  await own.close()
}, 120_000)
