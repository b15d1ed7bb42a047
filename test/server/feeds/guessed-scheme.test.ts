import { expect, test } from 'bun:test'
import { refusal, startTestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

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
