import { afterAll, describe, expect, test } from 'bun:test'
import { rss } from '../../support/builders'
import { refusal, startClock, startTestApp, withPasswords } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'

const host = startFeedHost()
afterAll(() => host.stop())

const patient = { maxBytes: 2_000_000, headersMs: 60_000, idleMs: 60_000, totalMs: 60_000 }
/** For hosts that never answer only: on a busy machine any other could be too slow for it. */
const impatient = { ...patient, headersMs: 300, idleMs: 300 }

test('a podcast is added by its address, with its episodes and its cover', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const image = host.file('/cover.png', await Bun.file('src/ui/cover.png').bytes(), { type: 'image/png' })
  const url = host.feed('/added.xml', rss({ image, items: [{ notes: '<p>One</p>' }, {}] }))

  const podcast = await app.podcasts.add(url)

  expect(podcast).toMatchObject({
    name: 'Lighthouse Radio',
    author: 'Mara Field',
    episode_count: 2,
    rssfeed: url,
    feed_state: 'ok',
  })
  expect(await app.podcasts.list()).toHaveLength(1)
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  expect(data.map(({ podcastEpisode }) => podcastEpisode.name)).toEqual(['Episode 0', 'Episode 1'])
  await app.event('coverStored')
  const cover = await app.fetch(`/covers/podcasts/${podcast.id}?size=128`)
  expect(cover.headers.get('content-type')).toBe('image/webp')
})

test('a plain user subscribes, unless the configuration leaves that to uploaders', async () => {
  const env = { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }
  const url = host.feed('/plain.xml', rss({}))
  for (const limit of [{}, { USER_PODCAST_LIMIT: '0' }]) {
    await using app = await startTestApp({ env: { ...env, ...limit } })
    app.prefill(0)
    const { podcasts } = await app.signUp('alice')
    const refused = await refusal(podcasts.add(url))
    expect(refused && (refused as Error).message).toEqual(
      'USER_PODCAST_LIMIT' in limit ? expect.stringContaining('podcast') : null,
    )
  }
})

test('the same feed is not added twice, not even by another of its addresses', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const url = host.feed('/once.xml', rss({ title: 'Once', extra: '<podcast:guid>once-1</podcast:guid>' }))
  const twin = host.feed('/twin.xml', rss({ title: 'Once', extra: '<podcast:guid>once-1</podcast:guid>' }))
  const moved = host.on('/moved.xml', () => Response.redirect(url, 301))
  await app.podcasts.add(url)

  for (const address of [url, ` ${url} `, url.replace('http://', 'feed://http://'), moved, twin])
    expect(await refusal(app.podcasts.add(address))).toMatchObject({
      status: 409,
      code: 'podcast-already-added',
      args: { name: 'Once' },
    })
})

test('two people who add the same feed at the same moment get one podcast', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const url = host.feed('/race.xml', rss({ title: 'Race' }))
  const results = await Promise.allSettled([app.podcasts.add(url), app.podcasts.add(url), app.podcasts.add(url)])
  expect(results.map(result => result.status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await app.podcasts.list()).toHaveLength(1)
})

test('a web page leads to the feed that it names', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  host.feed('/named.xml', rss({ title: 'Named' }))
  const page = host.on(
    '/page',
    () => new Response('<html><link rel="alternate" type="application/rss+xml" href="/named.xml"></html>'),
  )
  expect(await app.podcasts.add(page)).toMatchObject({ name: 'Named', rssfeed: `${host.origin}/named.xml` })
})

test('a web page that names its comments first leads to its podcast', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  host.feed('/comments/feed/', rss({ title: 'Comments' }))
  host.feed('/feed/', rss({ title: 'Posts' }))
  host.feed('/feed/podcast/', rss({ title: 'Podcast' }))
  const link = (title: string, href: string) =>
    `<link href='${href}' title="${title}" type="application/rss+xml" rel="alternate" />`
  const links = [
    link('Show &raquo; Comments Feed', '/comments/feed/'),
    link('Show &raquo; Feed', '/feed/'),
    link('The podcast', '/feed/podcast/'),
  ]
  const page = (path: string, count: number) =>
    host.on(path, () => new Response(`<html><head>${links.slice(0, count).join('')}</head></html>`))
  expect(await app.podcasts.add(page('/show', 2))).toMatchObject({ name: 'Posts' })
  expect(await app.podcasts.add(page('/show-2', 3))).toMatchObject({ name: 'Podcast' })
})

test('a feed without items is added, and says that it has none yet', async () => {
  await using app = await startTestApp()
  expect(await app.podcasts.add(host.feed('/empty.xml', rss({ title: 'Soon' })))).toMatchObject({
    name: 'Soon',
    episode_count: 0,
    feed_state: 'ok',
  })
})

test('a truncated feed keeps its whole items, with a warning', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const body = rss({ items: [{}, {}, {}] })
  const url = host.feed('/cut.xml', body.slice(0, body.lastIndexOf('<item>') + 30))
  expect(await app.podcasts.add(url)).toMatchObject({ episode_count: 2, has_warnings: true })
})

test('all pages of a paged feed are read when it is added', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const next = (path: string) => `<atom:link rel="next" href="${host.origin}${path}"/>`
  const pages = [0, 1, 2].map(page => [{ guid: `p${page}a` }, { guid: `p${page}b` }])
  host.feed('/paged-2.xml', rss({ items: pages[2]!, extra: next('/paged.xml') }))
  host.feed('/paged-1.xml', rss({ items: pages[1]!, extra: next('/paged-2.xml') }))
  const url = host.feed('/paged.xml', rss({ items: pages[0]!, extra: next('/paged-1.xml') }))
  expect(await app.podcasts.add(url)).toMatchObject({ episode_count: 6 })
})

test('a password in the address is kept, used, and never shown', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const expected = `Basic ${Buffer.from('mara:pä:ss').toString('base64')}`
  const url = host.on('/private.xml', request =>
    request.headers.get('authorization') === expected
      ? new Response(rss({ title: 'Private' }))
      : new Response('no', { status: 401 }),
  )
  const podcast = await app.podcasts.add(url.replace('http://', 'http://mara:p%C3%A4%3Ass@'))
  expect(podcast).toMatchObject({ has_credentials: true, rssfeed: url })
  await app.context.refresh.refresh(app.context.store.podcasts.findVisible(app.context.admin, podcast.id)!.id, {
    isAsked: true,
  })
  expect(await app.podcasts.find(podcast.id)).toMatchObject({ feed_state: 'ok' })
  expect(JSON.stringify(await app.podcasts.list()) + app.lines.join()).not.toContain('p%C3%A4')
  expect(await Bun.file(`${app.folder}/castellan.db`).text()).not.toContain('pä:ss')
})

describe('an answer that is no feed is refused with the reason, and nothing is left behind', () => {
  const slow = () => Promise.withResolvers<Response>().promise
  const endless = () =>
    new Response(new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(65536).fill(32)) }), {
      headers: { 'Content-Type': 'text/xml' },
    })
  const trickle = () =>
    new Response(new ReadableStream({ start: controller => controller.enqueue(new TextEncoder().encode('<rss>')) }))
  const answers: [string, () => Response | Promise<Response>, object][] = [
    ['a host that never answers', slow, { status: 504, code: 'upstream-timeout' }],
    ['a body that never ends', trickle, { status: 504, code: 'upstream-timeout' }],
    ['a body without bounds', endless, { status: 422, code: 'too-large-upstream' }],
    ['401', () => new Response('', { status: 401 }), { status: 422, code: 'feed-needs-credentials' }],
    ['403', () => new Response('', { status: 403 }), { status: 422, code: 'feed-refused' }],
    ['404', () => new Response('', { status: 404 }), { status: 422, code: 'feed-gone', args: { status: '404' } }],
    ['410', () => new Response('', { status: 410 }), { status: 422, code: 'feed-gone', args: { status: '410' } }],
    [
      '429',
      () => new Response('', { status: 429 }),
      { status: 502, code: 'feed-unreachable', args: { status: '429' } },
    ],
    [
      '500',
      () => new Response('', { status: 500 }),
      { status: 502, code: 'feed-unreachable', args: { status: '500' } },
    ],
    ['a web page', () => new Response('<html></html>'), { status: 422, code: 'not-a-feed', args: { type: 'html' } }],
    ['a PDF', () => new Response('%PDF-1.7'), { status: 422, code: 'not-a-feed', args: { type: 'pdf' } }],
    [
      'a film',
      () => new Response('x', { headers: { 'Content-Type': 'video/mp4' } }),
      { code: 'not-a-feed', args: { type: 'media' } },
    ],
    ['nothing at all', () => new Response(''), { code: 'not-a-feed', args: { type: 'empty' } }],
    ['a redirect without end', () => Response.redirect(`${host.origin}/bad`, 302), { code: 'feed-redirects' }],
    [
      'a redirect to a file',
      () => new Response(null, { status: 302, headers: { Location: 'file:///etc/passwd' } }),
      { code: 'address-not-allowed' },
    ],
  ]
  test.each(answers)('%s', async (_, answer, expected) => {
    const isTimeout = 'code' in expected && expected.code === 'upstream-timeout'
    await using app = await startTestApp({ feedLimits: isTimeout ? impatient : patient })
    expect(await refusal(app.podcasts.add(host.on('/bad', answer)))).toMatchObject(expected)
    expect(await app.podcasts.list()).toEqual([])
  })

  test.each([
    ['', 422, 'invalid-field'],
    ['not a url', 422, 'invalid-field'],
    ['hello', 422, 'invalid-field'],
    ['http://', 422, 'invalid-field'],
    ['ftp://pod.example/feed', 422, 'address-not-allowed'],
    ['file:///etc/passwd', 422, 'address-not-allowed'],
    ['javascript:alert(1)', 422, 'address-not-allowed'],
    ['http://169.254.169.254/latest/meta-data', 422, 'address-not-allowed'],
    ['http://[fe80::1]/feed', 422, 'address-not-allowed'],
    ['http://0.0.0.0/feed', 422, 'address-not-allowed'],
    ['http://nobody.invalid/feed', 502, 'feed-unreachable'],
    ['http://127.0.0.1:1/feed', 502, 'feed-unreachable'],
  ])('%p', async (address, status, code) => {
    await using app = await startTestApp()
    expect(await refusal(app.podcasts.add(address))).toMatchObject({ status, code })
  })
})

test('a podcast is deleted with its rows at once, its files only on demand', async () => {
  await using app = await startTestApp()
  app.prefill(1)
  const enclosure = host.file('/keep.mp3', (await import('../../support/builders')).silentMp3(5))
  const podcast = await app.podcasts.add(host.feed('/delete.xml', rss({ title: 'Delete me', items: [{ enclosure }] })))
  await app.event('downloadFinished')
  const file = `${app.folder}/podcasts/Delete me/Episode 0/Episode 0.mp3`
  expect(await Bun.file(file).exists()).toBe(true)

  await app.podcasts.remove(podcast.id, false)
  expect(await app.podcasts.list()).toEqual([])
  expect(await Bun.file(file).exists()).toBe(true)

  const again = await app.podcasts.add(`${host.origin}/delete.xml`)
  await app.event('downloadFinished', event => event.episodeId > 1)
  await app.podcasts.remove(again.id, true)
  expect(await Bun.file(file.replaceAll('Episode 0.mp3', 'Episode 0 (2).mp3')).exists()).toBe(false)
  expect(await refusal(app.podcasts.find(again.id))).toMatchObject({ status: 404, code: 'podcast-not-found' })
})

const page = (title: string, enclosure: string | null = 'https://cdn.example/1.mp3') =>
  rss({ title, items: [{ guid: 'a', title: 'One', enclosure }] })

test('a feed in which nothing can be played says so before it is added, and may be added all the same', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const items = Array.from({ length: 12 }, () => ({ enclosure: null }))
  const address = host.feed('/blog.xml', rss({ title: 'A blog', items }))

  expect(await refusal(app.podcasts.add(address))).toMatchObject({
    status: 422,
    code: 'nothing-playable',
    message: 'The feed has 12 items, and none of them can be played',
    args: { items: '12' },
  })
  expect(await app.podcasts.list()).toEqual([])

  const added = await app.podcasts.add(address, { evenUnplayable: true })
  expect(added).toMatchObject({ name: 'A blog', episode_count: 0, feed_items: 12, feed_unplayable: 12 })
})

test('an OPML list imports feeds without playable items as well', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const address = host.feed('/blog.xml', page('A blog', null))
  await app.opml.start({ content: `<opml><body><outline xmlUrl="${address}"/></body></opml>` })
  await app.event('opmlProgress', event => event.finished)
  expect(await app.podcasts.list()).toMatchObject([{ name: 'A blog', feed_unplayable: 1 }])
})

test('a web page that names the feed of its comments first leads to the feed with the episodes', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  host.feed('/comments.xml', page('Comments on the coast', null))
  host.feed('/feed.xml', page('The coast'))
  const link = (href: string) => `<link rel="alternate" type="application/rss+xml" href="${href}">`
  const html = `<html><head>${link('/comments.xml')}${link('/gone.xml')}${link('/feed.xml')}</head></html>`
  const address = host.on('/', () => new Response(html, { headers: { 'Content-Type': 'text/html' } }))
  expect(await app.podcasts.add(address)).toMatchObject({ name: 'The coast', rssfeed: `${host.origin}/feed.xml` })
})

describe('a feed that names its new home when it is added', () => {
  const moved = (title: string, to: string) =>
    rss({ title, items: [{}], extra: `<itunes:new-feed-url>${to}</itunes:new-feed-url>` })

  test('is added there, over several moves', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    host.feed('/newest.xml', moved('The coast', `${host.origin}/newest.xml`))
    host.feed('/newer.xml', moved('The coast, moved', `${host.origin}/newest.xml`))
    const old = host.feed('/old.xml', moved('This podcast has moved', `${host.origin}/newer.xml`))

    expect(await app.podcasts.add(old)).toMatchObject({ name: 'The coast', rssfeed: `${host.origin}/newest.xml` })
    expect(await refusal(app.podcasts.add(old))).toMatchObject({ code: 'podcast-already-added' })
  })

  test('is followed once, where two feeds name each other', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    host.feed('/b.xml', moved('B', `${host.origin}/a.xml`))
    const address = host.feed('/a.xml', moved('A', `${host.origin}/b.xml`))
    expect(await app.podcasts.add(address)).toMatchObject({ rssfeed: `${host.origin}/b.xml` })
  })

  test('stays where it is as long as nothing is found there, and is tried again though it answers 304', async () => {
    using host = startFeedHost()
    const clock = startClock()
    await using app = await startTestApp({ now: clock })
    app.prefill(0)
    const old = host.feed('/old.xml', moved('The coast', `${host.origin}/new.xml`))
    const podcast = await app.podcasts.add(old)
    expect(podcast).toMatchObject({ rssfeed: old })

    host.feed('/new.xml', rss({ title: 'The coast', items: [{}] }))
    clock.advance(3 * 24 * 60 * 60 * 1000)
    await app.refreshDue()

    expect(host.requestsTo('/old.xml').at(-1)).toMatchObject({ status: 304 })
    expect(await app.podcasts.find(podcast.id)).toMatchObject({ rssfeed: `${host.origin}/new.xml`, episode_count: 1 })
  })
})

test('each failure of a host has a code of its own', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const mute = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: socket => void socket.end() } })
  try {
    const challenge = host.on(
      '/challenge',
      () => new Response('<html>Just a moment…</html>', { status: 403, headers: { 'cf-mitigated': 'challenge' } }),
    )
    expect(await refusal(app.podcasts.add(challenge))).toMatchObject({ code: 'feed-challenge' })
    const circle: string = host.on('/circle', () => Response.redirect(`${host.origin}/circle`, 302))
    expect(await refusal(app.podcasts.add(circle))).toMatchObject({ code: 'feed-redirects' })
    expect(await refusal(app.podcasts.add(`http://127.0.0.1:${mute.port}/feed`))).toMatchObject({ code: 'feed-closed' })
  } finally {
    mute.stop(true)
  }
})
