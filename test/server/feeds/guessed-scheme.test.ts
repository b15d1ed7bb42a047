import { expect, test } from 'bun:test'
import { refusal, startTestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { startLibrary } from '../../support/podcast-app'

test.each(['', 'feed://', 'feed:', 'itpc://', 'podcast://'])(
  'an address that begins with %p falls back to http where https cannot be reached',
  async scheme => {
    using host = startFeedHost()
    await using app = await startTestApp()
    app.prefill(0)
    const url = host.feed('/feed.xml', rss({ title: 'Fog', items: [{}] }))
    const typed = url.replace('http://', scheme)
    expect(await app.podcasts.preview(typed)).toMatchObject({ kind: 'feed', feedUrl: url })
    expect(await app.podcasts.add(typed)).toMatchObject({ name: 'Fog', rssfeed: url })
  },
)

test('the address of a podcast falls back to http as well', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const { id } = await app.podcasts.add(host.feed('/old.xml', rss({ items: [{}] })))
  const url = host.feed('/new.xml', rss({ items: [{}] }))
  await app.podcasts.changeFeed(id, url.replace('http://', ''))
  expect(await app.podcasts.find(id)).toMatchObject({ rssfeed: url })
})

test.each(['feed://', 'feed:', 'itpc://', ''])(
  'a list of feeds that begin with %p falls back to http, and knows the podcasts that are here',
  async scheme => {
    using host = startFeedHost()
    await using app = await startTestApp()
    app.prefill(0)
    const url = host.feed('/feed.xml', rss({ title: 'Fog', items: [{}] }))
    const list = `<opml version="2.0"><body><outline text="a" xmlUrl="${url.replace('http://', scheme)}"/></body></opml>`
    const { jobId } = await app.opml.start({ content: list })
    await app.event('opmlProgress', event => event.finished)
    expect(await app.opml.job(jobId)).toMatchObject({ total: 1, failed: 0 })
    expect(await app.podcasts.list()).toMatchObject([{ rssfeed: url }])
    expect(await app.opml.preview({ content: list })).toMatchObject([{ known: true }])
    const again = await app.opml.start({ content: list })
    await app.event('opmlProgress', event => event.finished && event.jobId === again.jobId)
    expect(await app.opml.job(again.jobId)).toMatchObject({ total: 1, failed: 0 })
  },
)

test('an app may subscribe by the scheme of an app', async () => {
  await using running = await startLibrary()
  const { app, host, phone, root } = running
  const url = host.feed('/feed.xml', rss({ title: 'Fog' }))
  await root.devices.setWishes({ autoAdd: true })
  await phone.subscribe('phone', [url.replace('http://', 'feed://')])
  await app.event('addedPodcast')
  expect(await root.podcasts.list()).toMatchObject([{ rssfeed: url }])
})

test('neither an https address nor one with a password falls back to http', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const url = host.feed('/feed.xml', rss({ items: [{}] }))
  for (const typed of [url.replace('http:', 'https:'), url.replace('http://', 'feed://mara:secret@')])
    expect(await refusal(app.podcasts.add(typed))).toMatchObject({
      code: expect.stringMatching(/^feed-(un|cl)/) as string,
    })
  expect(host.requests).toEqual([])
})

test('a host that answers by https is not asked by http', async () => {
  await using app = await startTestApp()
  const { outbound } = app.context
  const asked: string[] = []
  outbound.get = async address => {
    asked.push(new URL(address).protocol)
    return { response: new Response('', { status: 500 }), url: address, hops: [] }
  }
  expect(await refusal(app.podcasts.add('127.0.0.1/feed.xml'))).toMatchObject({ code: 'feed-unreachable' })
  expect(asked).toEqual(['https:'])
})
