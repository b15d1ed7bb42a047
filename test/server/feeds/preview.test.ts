import { afterAll, expect, test } from 'bun:test'
import { rss, silentMp3 } from '../../support/builders'
import { basic, goodPassword, refusal, startClock, startTestApp, withPasswords } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'

const host = startFeedHost()
afterAll(() => host.stop())

const withNetworks = { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }
const link = (href: string) => `<link rel="alternate" type="application/rss+xml" href="${href}">`
const page = (path: string, ...feeds: string[]) =>
  host.on(path, () => new Response(`<html><head>${feeds.map(link).join('')}</head></html>`))

test('a feed is shown with what it says of itself, and nothing of it is stored', async () => {
  await using app = await startTestApp()
  const items = [
    { title: 'Old', date: 'Fri, 01 Mar 2019 08:00:00 GMT', length: 1000 },
    { title: 'New', date: 'Sun, 26 Apr 2026 08:00:00 GMT', length: 3000, duration: '24:00' },
  ]
  const image = 'https://img.example/cover.jpg'
  const url = host.feed('/seen.xml', rss({ image, items, extra: '<itunes:explicit>false</itunes:explicit>' }))

  expect(await app.podcasts.preview(` ${url.replace('http://', 'feed://http://')} `)).toEqual({
    kind: 'feed',
    feedUrl: url,
    title: 'Lighthouse Radio',
    author: 'Mara Field',
    language: 'en',
    explicit: false,
    summary: 'Stories from the coast',
    imageUrl: image,
    episodes: 2,
    hasMorePages: false,
    isUnplayable: false,
    oldestAt: '2019-03-01T08:00:00.000Z',
    newest: {
      name: 'New',
      publishedAt: '2026-04-26T08:00:00.000Z',
      duration: 1440,
      local_url: expect.stringContaining('/media/preview/') as string,
    },
    sizes: { newest5: 4000, newest25: 4000, all: 4000 },
    downloads: { usual: 5, follows: true, freeBytes: expect.any(Number) as number },
  })
  expect(await app.podcasts.list()).toEqual([])
  expect(app.events).toEqual([])
})

test('sizes are estimated where nearly all of them are known, and not guessed otherwise', async () => {
  await using app = await startTestApp()
  const items = Array.from({ length: 30 }, (_, index) => ({ length: index < 25 ? (index === 7 ? 0 : 100) : 0 }))
  const url = host.feed('/sizes.xml', rss({ items }))
  expect(await app.podcasts.preview(url)).toMatchObject({ sizes: { newest5: 500, newest25: 2500, all: null } })
})

test('a web page with one podcast shows it, with several offers the choice', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const one = host.feed('/one.xml', rss({ title: 'One', items: [{}] }))
  const two = host.feed('/two.xml', rss({ title: 'Two', items: [{}, {}] }))
  host.feed('/words.xml', rss({ title: 'Words', items: [{ enclosure: null }] }))

  const single = await app.podcasts.preview(page('/single', '/words.xml', '/gone.xml', '/one.xml'))
  expect(single).toMatchObject({ kind: 'feed', feedUrl: one, title: 'One' })

  const { id } = await app.podcasts.add(one)
  expect(await app.podcasts.preview(page('/several', '/words.xml', '/one.xml', '/two.xml'))).toEqual({
    kind: 'choice',
    feeds: [
      { feedUrl: one, title: 'One', episodes: 1, podcastId: id },
      { feedUrl: two, title: 'Two', episodes: 2, podcastId: null },
    ],
  })
})

test('a podcast of the library is named, whichever of its addresses is typed', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const extra = '<podcast:guid>twice-1</podcast:guid>'
  const url = host.feed('/twice.xml', rss({ title: 'Twice', extra, items: [{}] }))
  const twin = host.feed('/twice-elsewhere.xml', rss({ title: 'Twice', extra, items: [{}] }))
  const moved = host.feed(
    '/twice-before.xml',
    rss({ title: 'Moved', extra: `<itunes:new-feed-url>${url}</itunes:new-feed-url>`, items: [{}] }),
  )
  const { id } = await app.podcasts.add(url)
  for (const address of [url, twin, moved, page('/twice', '/twice.xml')])
    expect(await app.podcasts.preview(address)).toEqual({ kind: 'known', podcastId: id, name: 'Twice' })
})

test('a feed behind a password asks for it, and says when it is the wrong one', async () => {
  await using app = await startTestApp()
  const right = `Basic ${Buffer.from('mara:secret').toString('base64')}`
  const url = host.on('/closed.xml', request =>
    request.headers.get('authorization') === right
      ? new Response(rss({ title: 'Closed', items: [{}] }))
      : new Response('no', { status: 401 }),
  )
  const as = (who: string) => app.podcasts.preview(url.replace('http://', `http://${who}@`))
  expect(await app.podcasts.preview(url)).toEqual({ kind: 'sign-in', feedUrl: url, isRefused: false })
  expect(await as('mara:wrong')).toEqual({ kind: 'sign-in', feedUrl: url, isRefused: true })
  const seen = await as('mara:secret')
  expect(seen).toMatchObject({ kind: 'feed', title: 'Closed', feedUrl: url })
  expect(JSON.stringify(seen)).not.toContain('secret')
  // The password is for the address that it was given for.
  host.feed('/open.xml', rss({ title: 'Open', items: [{}] }))
  await app.podcasts.preview(page('/open', '/open.xml').replace('http://', 'http://mara:secret@'))
  expect(host.requestsTo('/open.xml').map(({ headers }) => headers.get('authorization'))).toEqual([null])
})

test('what is no feed is named: a list of feeds, a page without one, words, a feed without anything to play', async () => {
  await using app = await startTestApp()
  const opml = host.on('/list.opml', () => new Response('<opml version="2.0"><body/></opml>'))
  expect(await app.podcasts.preview(opml)).toEqual({ kind: 'opml', url: opml })
  expect(await refusal(app.podcasts.preview(page('/bare')))).toMatchObject({
    code: 'not-a-feed',
    args: { type: 'html' },
  })
  expect(await refusal(app.podcasts.preview('some words'))).toMatchObject({ status: 422, code: 'invalid-field' })
  expect(await refusal(app.podcasts.preview('file:///etc/passwd'))).toMatchObject({ code: 'address-not-allowed' })
  const blog = host.feed('/blog.xml', rss({ title: 'Blog', items: [{ enclosure: null }] }))
  expect(await app.podcasts.preview(blog)).toMatchObject({ isUnplayable: true, episodes: 0, newest: null })
})

test('a host that sends too much or nothing at all ends the preview with a reason', async () => {
  const limits = { maxBytes: 10_000, headersMs: 60_000, idleMs: 60_000, totalMs: 60_000 }
  await using app = await startTestApp({ feedLimits: limits })
  const huge = host.feed('/huge.xml', rss({ items: Array.from({ length: 200 }, () => ({})) }))
  expect(await refusal(app.podcasts.preview(huge))).toMatchObject({ code: 'too-large-upstream' })

  await using hurried = await startTestApp({ feedLimits: { ...limits, headersMs: 200, idleMs: 200 } })
  const mute = host.on('/mute.xml', () => new Promise<Response>(() => undefined))
  expect(await refusal(hurried.podcasts.preview(mute))).toMatchObject({ code: 'upstream-timeout' })
})

test('people without the right to add see nothing, and only admins look into private networks', async () => {
  const url = host.feed('/private.xml', rss({ items: [{}] }))
  await using app = await startTestApp({ env: { ...withPasswords, USER_PODCAST_LIMIT: '1' } })
  const alice = await app.signUp('alice')
  const uploader = await app.signUp('carol', 'uploader')
  const before = host.requestsTo('/private.xml').length
  for (const user of [alice, uploader])
    expect(await refusal(user.podcasts.preview(url))).toMatchObject({ status: 422, code: 'address-not-allowed' })
  expect(host.requestsTo('/private.xml')).toHaveLength(before)
  expect(await app.as('root', 'Sup3rSecret').podcasts.preview(url)).toMatchObject({ kind: 'feed' })

  await using strict = await startTestApp({ env: { ...withNetworks, USER_PODCAST_LIMIT: '0' } })
  const bob = await strict.signUp('bob')
  expect(await refusal(bob.podcasts.preview(url))).toMatchObject({ status: 403, code: 'podcast-limit-reached' })
})

test('an explicit podcast is hidden from those who do not want such, also one that the library has', async () => {
  await using app = await startTestApp({ env: withNetworks })
  app.prefill(0)
  const explicit = '<itunes:explicit>true</itunes:explicit>'
  const url = host.feed('/explicit.xml', rss({ title: 'Loud', extra: explicit, items: [{}] }))
  const quiet = host.feed(
    '/quiet.xml',
    rss({ title: 'Quiet', items: [{ title: 'Loud one', extra: explicit }, { title: 'Quiet one' }] }),
  )
  const carol = await app.signUp('carol', 'uploader')
  const refused = { status: 403, code: 'explicit-not-allowed' }
  expect(await refusal(carol.podcasts.preview(url))).toMatchObject(refused)
  await app.as('root', 'Sup3rSecret').podcasts.add(url)
  expect(await refusal(carol.podcasts.preview(url))).toMatchObject(refused)
  expect(await refusal(carol.podcasts.preview(page('/loud', '/explicit.xml')))).toMatchObject(refused)
  expect(await carol.podcasts.preview(quiet)).toMatchObject({ newest: { name: 'Quiet one' } })
})

test('a preview ends when its client goes, and when the same user looks elsewhere', async () => {
  await using app = await startTestApp()
  const url = host.feed('/next.xml', rss({ items: [{}] }))
  const left = Promise.withResolvers<void>()
  const came = Promise.withResolvers<void>()
  let asked = 0
  const slow = host.on('/slow.xml', request => {
    asked++
    request.signal.addEventListener('abort', () => left.resolve())
    came.resolve()
    return new Promise<Response>(() => undefined)
  })
  const first = refusal(app.podcasts.preview(slow))
  await came.promise
  expect(await app.podcasts.preview(url)).toMatchObject({ kind: 'feed' })
  expect(await first).toMatchObject({ code: 'cancelled' })
  await left.promise

  const gone = new AbortController()
  gone.abort()
  await refusal(app.podcasts.preview(slow, gone.signal))
  expect(asked).toBe(1)
  expect(app.lines.filter(line => line.includes('unexpected'))).toEqual([])
})

test('sixty addresses a minute are enough for one person', async () => {
  const now = startClock()
  await using app = await startTestApp({ now })
  const url = host.feed('/often.xml', rss({ title: 'Often', items: [{}] }))
  app.prefill(0)
  await app.podcasts.add(url)
  for (let turn = 0; turn < 60; turn++) await app.podcasts.preview(url)
  expect(await refusal(app.podcasts.preview(url))).toMatchObject({
    status: 429,
    code: 'too-many-requests',
    args: { seconds: '60' },
  })
  now.advance(60_000)
  expect(await app.podcasts.preview(url)).toMatchObject({ kind: 'known' })
})

test('the first downloads are those that were chosen, whatever the settings say', async () => {
  await using app = await startTestApp({ env: withNetworks })
  const root = app.as('root', 'Sup3rSecret')
  app.context.store.settings.edit({ autoDownload: false })
  const queued = async (path: string, firstDownloads: number | null | undefined) => {
    const items = [1, 2, 3].map(number => ({ enclosure: host.on(`${path}-${number}.mp3`, never) }))
    const { id } = await root.podcasts.add(host.feed(path, rss({ items })), { firstDownloads })
    return (await root.downloads.page(null)).data.items.filter(({ podcastId }) => podcastId === id).length
  }
  expect([await queued('/none.xml', undefined), await queued('/some.xml', 2), await queued('/all.xml', null)]).toEqual([
    0, 2, 3,
  ])
  const { row: _, ...alice } = await app.signUp('alice')
  expect(await refusal(alice.podcasts.add(host.origin, { firstDownloads: 1 }))).toMatchObject({ code: 'not-uploader' })
})

const never = () => new Promise<Response>(() => undefined)

test('the newest episode of a previewed feed is relayed for an hour, and by an address that only this server makes', async () => {
  const now = startClock()
  await using app = await startTestApp({ now, env: withNetworks })
  const alice = await app.signUp('alice')
  const audio = silentMp3(3)
  const url = host.feed('/heard.xml', rss({ items: [{ title: 'Fog', enclosure: host.file('/heard.mp3', audio) }] }))
  const seen = await alice.podcasts.preview(url)
  const address = seen.kind === 'feed' ? new URL(seen.newest!.local_url).pathname : ''
  const ask = (path: string, headers: Record<string, string> = { authorization: basic('alice', goodPassword) }) =>
    app.fetch(path, { headers })
  const heard = await ask(address)
  expect([heard.status, heard.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
  expect((await heard.bytes()).length).toBe(audio.length)
  expect(await alice.podcasts.list()).toEqual([])

  expect((await ask(address, {})).status).toBe(401)
  expect((await ask(`${address.slice(0, -4)}AAAA`)).status).toBe(404)
  now.advance(3_600_001)
  expect((await ask(address)).status).toBe(404)
})

test('what an admin heard of a private network is kept from a user whose feed names the same file', async () => {
  using hidden = startFeedHost('127.0.1.1')
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/24' } })
  const { row: _, ...alice } = await app.signUp('alice')
  const whole = () => new Response(silentMp3(3) as BlobPart, { headers: { 'Content-Type': 'audio/mpeg' } })
  const items = [{ enclosure: hidden.on('/secret.mp3', whole) }]
  const hear = async (account: Pick<typeof alice, 'podcasts'>, login: [string, string], feed: string) => {
    const seen = await account.podcasts.preview(feed)
    const path = seen.kind === 'feed' ? new URL(seen.newest!.local_url).pathname : ''
    const response = await app.fetch(path, { headers: { authorization: basic(...login), range: 'bytes=0-' } })
    await response.bytes()
    return { status: response.status, path }
  }
  const root: [string, string] = ['root', 'Sup3rSecret']
  // The host answers no range, so what it sends is spooled, and the range is answered from there.
  const { status, path } = await hear(app.as(...root), root, hidden.feed('/feed.xml', rss({ items })))
  expect(status).toBe(206)
  const feed = host.feed('/names.xml', rss({ items }))
  expect(await hear(alice, ['alice', goodPassword], feed)).toMatchObject({ status: 502 })
  const passedOn = await app.fetch(path, { headers: { authorization: basic('alice', goodPassword) } })
  expect(await passedOn.json()).toMatchObject({ errorCode: 'address-not-allowed' })
  expect(hidden.requestsTo('/secret.mp3')).toHaveLength(1)
})
