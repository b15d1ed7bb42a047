import { expect, test } from 'bun:test'
import { rss } from '../../support/builders'
import { refusal, startTestApp } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { refresh } from '../../support/refreshing'

test('a feed moves by permanent redirects, not by temporary ones', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/old.xml', rss({ items: [{}] })))
  const home = host.feed('/new.xml', rss({ items: [{}], extra: '<!-- moved -->' }))
  host.on('/hop.xml', () => Response.redirect(home, 302))
  host.on('/old.xml', () => Response.redirect(`${host.origin}/hop.xml`, 301))
  await refresh(app, podcast.id)
  expect((await app.podcasts.find(podcast.id)).rssfeed).toBe(`${host.origin}/old.xml`)

  host.feed('/new.xml', rss({ items: [{}], extra: '<!-- moved again -->' }))
  host.on('/hop.xml', () => new Response(null, { status: 308, headers: { Location: home } }))
  await refresh(app, podcast.id)
  expect((await app.podcasts.find(podcast.id)).rssfeed).toBe(home)
  expect(await refusal(app.podcasts.add(`${host.origin}/old.xml`))).toMatchObject({ code: 'podcast-already-added' })
})

test('a feed moves by its own word once the new address proves to be the same; its own address costs no request', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const here = (address: string) => `<itunes:new-feed-url>${address}</itunes:new-feed-url>`
  const old = `${host.origin}/old.xml`
  host.feed('/old.xml', rss({ items: [{}], extra: here(old) }))
  const podcast = await app.podcasts.add(old)
  expect(host.requestsTo('/old.xml')).toHaveLength(1)

  host.feed(
    '/other.xml',
    rss({ title: 'Another podcast', items: [{ guid: 'x', title: 'X', enclosure: 'https://x.example/x.mp3' }] }),
  )
  host.feed('/old.xml', rss({ items: [{}], extra: here(`${host.origin}/other.xml`) }))
  await refresh(app, podcast.id)
  expect((await app.podcasts.find(podcast.id)).rssfeed).toBe(old)

  const home = host.feed('/new.xml', rss({ items: [{}, { guid: 'more' }], extra: here(`${host.origin}/new.xml`) }))
  host.feed('/old.xml', rss({ items: [{}], extra: here(home) }))
  await refresh(app, podcast.id)
  expect(await app.podcasts.find(podcast.id)).toMatchObject({ rssfeed: home, episode_count: 2 })
})

test('a password stays behind when a feed moves to another origin', async () => {
  using host = startFeedHost()
  using other = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const url = host.feed('/feed.xml', rss({ items: [{}] }))
  await app.podcasts.add(url.replace('http://', 'http://u:p@'))
  const home = other.feed('/feed.xml', rss({ items: [{}, { guid: 'more' }] }))
  host.on('/feed.xml', () => Response.redirect(home, 301))
  await app.context.refresh.refresh(1)
  await app.context.refresh.refresh(1)
  expect(app.context.store.podcasts.find(1)).toMatchObject({ feed_url: home, has_credentials: 0 })
  expect(other.requests.map(request => request.headers.get('authorization'))).toEqual([null, null])
})

test('a feed may move back to where it was', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const [a, b] = ['/a.xml', '/b.xml'].map(path => `${host.origin}${path}`)
  host.feed('/a.xml', rss({ items: [{}] }))
  await app.podcasts.add(a!)
  host.on('/a.xml', () => Response.redirect(b!, 301))
  host.feed('/b.xml', rss({ items: [{}], extra: '<!-- b -->' }))
  await app.context.refresh.refresh(1)
  expect(app.context.store.podcasts.find(1)!.feed_url).toBe(b!)
  host.feed('/a.xml', rss({ items: [{}], extra: '<!-- a again -->' }))
  host.on('/b.xml', () => Response.redirect(a!, 301))
  await app.context.refresh.refresh(1)
  expect(app.context.store.podcasts.find(1)!.feed_url).toBe(a!)
})
