import { expect, test } from 'bun:test'
import { readConfig } from '../../../src/server/config'
import { fetchFeed } from '../../../src/server/feeds/fetch'
import { createOutbound } from '../../../src/server/outbound/request'
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
