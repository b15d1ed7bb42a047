import { expect, test } from 'bun:test'
import { readConfig } from '../../../src/server/config'
import { fetchFeed } from '../../../src/server/feeds/fetch/fetch'
import { createOutbound } from '../../../src/server/outbound/request'
import { startTestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const ask = (address: string) =>
  fetchFeed(
    { outbound: createOutbound(readConfig({})), now: () => 0 },
    { address, reach: { home: '127.0.0.1' }, validators: null },
  )

test('the validators of a host that calls its answers stale at once are not used', async () => {
  using host = startFeedHost()
  const fresh = host.feed('/a.xml', '<rss/>')
  const stale = host.feed('/b.xml', '<rss/>', { Expires: '0' })
  expect(await ask(fresh)).toMatchObject({ kind: 'body', fetched: { etag: expect.any(String) } })
  expect(await ask(stale)).toMatchObject({ kind: 'body', fetched: { etag: null, lastModified: null } })
})

test.each([
  ['video/mp4', 'Expected a feed, got a media file'],
  ['application/pdf', 'Expected a feed, got a PDF file'],
])('an answer of the type %s is refused before its body is read', async (type, message) => {
  using host = startFeedHost()
  const address = host.on('/x', () => new Response('x', { headers: { 'Content-Type': type } }))
  expect(await ask(address)).toMatchObject({ kind: 'failed', failure: { code: 'not-a-feed', message } })
})

test.each([
  ['Sat, 16 Nov 2041 18:11:00 GMT', null, null],
  ['Sat, 16 Nov 2041 18:11:00 GMT', 'Sat, 16 Nov 2041 18:12:00 GMT', 'Sat, 16 Nov 2041 18:11:00 GMT'],
  ['Thu, 01 Jan 2026 00:00:01 GMT', 'Thu, 01 Jan 2026 00:00:00 GMT', null],
  ['Thu, 01 Jan 2026 00:00:00 GMT', 'Thu, 01 Jan 2026 00:00:00 GMT', 'Thu, 01 Jan 2026 00:00:00 GMT'],
])('Last-Modified %p of an answer dated %p is kept as %p', async (lastModified, date, kept) => {
  using host = startFeedHost()
  const headers = { 'Last-Modified': lastModified, ...(date && { Date: date }) }
  const address = host.on('/x', () => new Response('<rss/>', { headers }))
  expect(await ask(address)).toMatchObject({ kind: 'body', fetched: { lastModified: kept } })
})

test('a stored date in the future is not sent, and 304 to a request without conditions is a failure', async () => {
  using host = startFeedHost()
  const address = host.on('/x', () => new Response(null, { status: 304 }))
  const asking = (lastModified: string) =>
    fetchFeed(
      { outbound: createOutbound(readConfig({})), now: () => Date.parse('2026-01-01T00:00:00Z') },
      { address, reach: { home: '127.0.0.1' }, validators: { etag: null, lastModified, digest: 'x' } },
    )
  expect(await asking('Wed, 31 Dec 2025 00:00:00 GMT')).toMatchObject({ kind: 'unchanged' })
  expect(await asking('Sat, 16 Nov 2041 18:11:00 GMT')).toMatchObject({
    kind: 'failed',
    failure: { code: 'feed-unreachable', status: 304 },
  })
  expect(host.requests.map(({ headers }) => headers.get('if-modified-since'))).toEqual([
    'Wed, 31 Dec 2025 00:00:00 GMT',
    null,
  ])
})

test('a feed whose host dates it in 2041 goes on bringing episodes', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  let items: { guid: string }[] = [{ guid: 'a' }]
  const address = host.on('/feed.xml', ({ headers }) =>
    Date.parse(headers.get('if-modified-since') ?? '') > Date.now()
      ? new Response(null, { status: 304 })
      : new Response(rss({ items }), {
          headers: { 'Content-Type': 'application/rss+xml', 'Last-Modified': 'Sat, 16 Nov 2041 18:11:00 GMT' },
        }),
  )
  await app.podcasts.add(address)
  items = [{ guid: 'b' }, { guid: 'a' }]
  expect(await app.context.refresh.refresh(1)).toMatchObject({ result: 'updated', added: 1 })
})
