import { expect, test } from 'bun:test'
import { broadcast, type Peer, type Peers } from '../../../src/server/http/api/socket'
import { startTestApp, type TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const MIB = 1024 * 1024

/** A socket of the admin in open mode whose client has not read `bufferedBytes` yet. */
function peer(app: TestApp, bufferedBytes: number) {
  const sent: string[] = []
  const closed: number[] = []
  const open: Peer = {
    user: app.context.store.users.find(app.context.admin.id)!,
    links: { base: 'http://localhost/', key: null, feedKey: null },
    sessionId: null,
    send: text => sent.push(text),
    ping: () => {},
    close: code => closed.push(code),
    bufferedBytes: () => bufferedBytes,
  }
  return { open, sent, closed }
}

test('a client that does not read is disconnected, and others receive the frame', async () => {
  await using app = await startTestApp()
  const slow = peer(app, MIB + 1)
  const quick = peer(app, MIB)
  const peers: Peers = new Map([
    ['slow', slow.open],
    ['quick', quick.open],
  ])
  broadcast(peers, app.context.store, { type: 'queueChanged', userId: app.context.admin.id, version: 3 })
  expect([slow.sent, slow.closed]).toEqual([[], [1013]])
  expect([quick.sent, quick.closed]).toEqual([['{"type":"queueChanged","version":3}'], []])
})

test('clients with the same addresses share a frame only if they may see the same', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const explicit = '<itunes:explicit>true</itunes:explicit>'
  const podcast = await app.podcasts.add(host.feed('/rude.xml', rss({ extra: explicit, items: [] })))
  const { store, admin } = app.context
  const willing = peer(app, 0)
  const guest = peer(app, 0)
  guest.open.user = { ...guest.open.user, explicit_consent: 0 }
  const peers: Peers = new Map([
    ['willing', willing.open],
    ['guest', guest.open],
  ])
  broadcast(peers, store, {
    type: 'addedPodcast',
    source: 'library',
    podcastId: store.podcasts.require(admin, podcast.id).id,
  })
  expect([willing.sent.length, guest.sent.length]).toEqual([1, 0])
})

test('the server sees what a real client has not read, and disconnects it', async () => {
  await using app = await startTestApp()
  const { hostname, port, host } = new URL(app.listen())
  const opened = Promise.withResolvers<string>()
  const ended = Promise.withResolvers<'disconnected' | 'everything arrived'>()
  let last = new Uint8Array(0)
  const client = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(connection, bytes) {
        if (last.length === 0) {
          connection.pause()
          opened.resolve(bytes.toString())
        }
        if (Buffer.concat([last, bytes]).includes('"queueChanged"')) ended.resolve('everything arrived')
        last = new Uint8Array(bytes)
      },
      close: () => ended.resolve('disconnected'),
    },
  })
  const headers = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'
  client.write(`GET /ws HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`)
  expect(await opened.promise).toStartWith('HTTP/1.1 101')

  // More than the buffers of the system hold, and less than Bun keeps for a socket.
  const title = 'x'.repeat(MIB)
  const about = {
    userId: app.context.admin.id,
    jobId: 'job',
    feedUrl: '',
    errorCode: 'feed-gone',
    message: '',
  } as const
  for (let done = 1; done <= 14; done++) app.context.publish({ type: 'opmlError', ...about, title, done, total: 14 })
  app.context.publish({ type: 'queueChanged', userId: app.context.admin.id, version: 9 })
  client.resume()
  expect(await ended.promise).toBe('disconnected')
  client.end()
})
