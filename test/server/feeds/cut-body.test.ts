import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { rss } from '../../support/builders'
import { refusal, startTestApp, type TestApp } from '../../support/app'

type Sending = 'whole' | 'shorter than announced' | 'chunked without an end' | 'nothing'

/** A host that closes the connection in the middle, which no web server can be made to do. */
async function startRudeHost() {
  const answer = { sending: 'whole' as Sending, body: Buffer.alloc(0), headers: '', requests: [] as string[] }
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', data => {
      answer.requests.push(data.toString('latin1'))
      const { sending, body } = answer
      const head = `HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nETag: "e"\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n${answer.headers}`
      if (sending === 'whole')
        socket.end(Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]))
      else if (sending === 'nothing') socket.end(`${head}Content-Length: 100\r\n\r\n`)
      else if (sending === 'shorter than announced')
        socket.end(Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length + 1000}\r\n\r\n`), body]))
      else
        socket.end(
          Buffer.concat([
            Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`),
            body,
            Buffer.from('\r\n'),
          ]),
        )
    })
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  return {
    answer,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.xml`,
    stop: () => server.close(),
  }
}

const host = await startRudeHost()
afterAll(() => host.stop())

const items = [{ guid: 'c' }, { guid: 'b' }, { guid: 'a' }]
const whole = rss({ items })
const cut = whole.slice(0, whole.indexOf('a</guid>'))
const send = (sending: Sending, body: string | Uint8Array, headers = '') =>
  Object.assign(host.answer, { sending, body: Buffer.from(body), headers })
const rowOf = (app: TestApp, id: string) => app.context.store.podcasts.findVisible(app.context.admin, id)!
const refresh = (app: TestApp, id: string) => app.context.refresh.refresh(rowOf(app, id).id, { isAsked: true })

test.each(['shorter than announced', 'chunked without an end'] as const)(
  'a body %s keeps its whole items, with a warning',
  async sending => {
    await using app = await startTestApp()
    app.prefill(0)
    send(sending, cut)
    const podcast = await app.podcasts.add(host.address)
    expect(podcast).toMatchObject({ episode_count: 2, has_warnings: true })
    expect(app.lines.join('\n')).toContain('the connection ended before the end of the feed')

    // It is asked for anew, without the validators of a body that nobody has.
    send('whole', whole)
    host.answer.requests.length = 0
    expect(await refresh(app, podcast.id)).toMatchObject({ result: 'updated', added: 1 })
    expect(host.answer.requests[0]).not.toMatch(/if-none-match|if-modified-since/i)
    expect(await app.podcasts.find(podcast.id)).toMatchObject({ episode_count: 3, has_warnings: false })
  },
)

test('no episode vanishes because a connection broke, not even where the document seems to end', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  send('whole', whole)
  const podcast = await app.podcasts.add(host.address)
  const { store } = app.context
  const inFeed = () => store.episodes.knownOf(rowOf(app, podcast.id).id).filter(({ in_feed }) => in_feed).length

  for (const body of [cut, rss({ items: [{ guid: 'c' }] })]) {
    send('shorter than announced', body)
    await refresh(app, podcast.id)
    expect(inFeed()).toBe(3)
    expect(rowOf(app, podcast.id)).toMatchObject({ etag: null, last_modified: null, body_digest: null, warnings: 1 })
  }
})

test('a compressed body that is cut is read as far as it came', async () => {
  await using app = await startTestApp()
  app.prefill(0)
  const long = rss({
    items: Array.from({ length: 500 }, (_, n) => ({ notes: Bun.hash(String(n)).toString(36).repeat(9) })),
  })
  const packed = gzipSync(long)
  send('shorter than announced', packed.subarray(0, packed.length / 2), 'Content-Encoding: gzip\r\n')
  const { episode_count, has_warnings } = await app.podcasts.add(host.address)
  expect(has_warnings).toBe(true)
  expect(episode_count).toBeGreaterThan(50)
  expect(episode_count).toBeLessThan(500)
})

test('an empty body is a failure', async () => {
  await using app = await startTestApp()
  send('nothing', '')
  expect(await refusal(app.podcasts.add(host.address))).toMatchObject({ code: 'feed-unreachable' })
})
