import { expect, test } from 'bun:test'
import { refusal, startTestApp, withPasswords } from '../../support/app'
import { noise, rss } from '../../support/builders'
import { settled } from '../../support/downloads'
import { startFeedHost, type Handler } from '../../support/feed-host'

const forBrowsers =
  (answer: () => Response): Handler =>
  ({ headers }) =>
    headers.get('user-agent')?.startsWith('Mozilla/') ? answer() : new Response('no', { status: 403 })

test("a host that admits only browsers gives everything under the name in the podcast's settings", async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const body = new Blob([noise(30_000) as BlobPart])
  const audio = { headers: { 'Content-Type': 'audio/mpeg' } }
  const enclosure = host.on(
    '/a.mp3',
    forBrowsers(() => new Response(body, audio)),
  )
  const feed = host.feed('/feed.xml', rss({ items: [{ enclosure }] }))
  const { id } = await app.podcasts.add(feed)
  host.on(
    '/feed.xml',
    forBrowsers(() => new Response(rss({ items: [{ enclosure }] }))),
  )
  expect(await app.context.refresh.refresh(1)).toMatchObject({
    code: 'feed-refused',
    message: expect.stringContaining('Mozilla/5.0') as string,
  })

  app.context.store.podcastSettings.keep(1, { ...app.context.store.podcastSettings.of(1), user_agent: 'Mozilla/5.0' })
  expect(await app.context.refresh.refresh(1)).not.toMatchObject({ result: 'failed' })
  const { data } = await app.podcasts.episodes(id, {}, null)
  const stream = await app.fetch(new URL(data[0]!.podcastEpisode.local_url).pathname)
  expect(stream.status).toBe(200)
  await stream.bytes()
  const ended = settled(app, 'done', 'failed')
  await app.podcasts.downloadAll(id)
  expect((await ended).state).toBe('done')
})

test("a podcast's new address is looked at under the name in its settings", async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const { id } = await app.podcasts.add(host.feed('/old.xml', rss({ items: [{}] })))
  const there = host.on(
    '/new.xml',
    forBrowsers(() => new Response(rss({ items: [{}] }))),
  )
  await app.podcasts.editSettings(id, { userAgent: 'Mozilla/5.0' })
  await app.podcasts.changeFeed(id, there)
  expect(await app.podcasts.find(id)).toMatchObject({ rssfeed: there })
})

test('a feed that refuses our name is previewed and added under a name that is given, which its settings then hold', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const feed = host.on(
    '/feed.xml',
    forBrowsers(() => new Response(rss({ items: [{}] }))),
  )
  const refused = { status: 422, code: 'feed-refused' }
  expect(await refusal(app.podcasts.preview(feed))).toMatchObject(refused)
  expect(await refusal(app.podcasts.add(feed))).toMatchObject(refused)

  const userAgent = ' Mozilla/5.0 '
  expect(await app.podcasts.preview(feed, undefined, userAgent)).toMatchObject({ kind: 'feed', episodes: 1 })
  const { id } = await app.podcasts.add(feed, { userAgent })
  expect(await app.podcasts.settings(id)).toMatchObject({ userAgent: 'Mozilla/5.0' })
  expect(await app.context.refresh.refresh(1)).not.toMatchObject({ result: 'failed' })
})

test('the feed behind a web page that refuses our name is found under the name that is given', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const alternate = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
  const page = host.on(
    '/page',
    forBrowsers(() => new Response(`<html><head>${alternate}</head></html>`)),
  )
  const feed = host.on(
    '/feed.xml',
    forBrowsers(() => new Response(rss({ items: [{}] }))),
  )
  const userAgent = 'Mozilla/5.0'
  expect(await app.podcasts.preview(page, undefined, userAgent)).toMatchObject({ kind: 'feed', feedUrl: feed })
  expect(await app.podcasts.add(page, { userAgent })).toMatchObject({ rssfeed: feed })
})

test('somebody who may not change the settings of a podcast chooses no name either, and its host is not asked', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' } })
  const feed = host.feed('/feed.xml', rss({ items: [{}] }))
  const { podcasts } = await app.signUp('zoe')
  const refused = { status: 403, code: 'not-uploader' }
  const userAgent = '${jndi:ldap://example.org/a}'
  expect(await refusal(podcasts.preview(feed, undefined, userAgent))).toMatchObject(refused)
  expect(await refusal(podcasts.add(feed, { userAgent }))).toMatchObject(refused)
  expect(host.requests).toEqual([])
  const { podcasts: ofUploader } = await app.signUp('mara', 'uploader')
  expect(await ofUploader.preview(feed, undefined, userAgent)).toMatchObject({ kind: 'feed' })
})

test('a name that does not fit into a header is refused, and an empty one is ours', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const feed = host.feed('/feed.xml', rss({ items: [{}] }))
  for (const userAgent of ['a\r\nCookie: b', 'ä', 'a'.repeat(301)]) {
    const invalid = { status: 422, code: 'invalid-field', args: { field: 'userAgent' } }
    expect(await refusal(app.podcasts.preview(feed, undefined, userAgent))).toMatchObject(invalid)
    expect(await refusal(app.podcasts.add(feed, { userAgent }))).toMatchObject(invalid)
  }
  const { id } = await app.podcasts.add(feed, { userAgent: ' ' })
  expect(await app.podcasts.settings(id)).toMatchObject({ userAgent: null })
})
