import { expect, test } from 'bun:test'
import { noise, rss } from '../../support/builders'
import { startTestApp, type TestApp } from '../../support/app'
import { startFeedHost, type FeedHost } from '../../support/feed-host'

const bytes = noise(300_000) as Uint8Array<ArrayBuffer>

async function withEpisode(app: TestApp, host: FeedHost, enclosure: string, prefill = 0) {
  app.prefill(prefill)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{ title: 'Fög: "1"\r\n', enclosure }] })))
  if (prefill > 0) await app.event('downloadFinished')
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  return data[0]!.podcastEpisode
}
const path = (address: string) => new URL(address).pathname
const body = async (response: Response) => new Uint8Array(await response.arrayBuffer())

test.each([
  ['downloaded', 1],
  ['relayed', 0],
])('an episode that is %s streams whole, in ranges, and refuses what lies beyond', async (_, prefill) => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { local_url } = await withEpisode(app, host, host.file('/a.mp3', bytes), prefill)
  const get = (range?: string) => app.fetch(path(local_url), { headers: range ? { Range: range } : {} })

  const whole = await get()
  expect(whole.status).toBe(200)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'content-type': 'audio/mpeg',
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline',
  })
  expect(await body(whole)).toEqual(bytes)

  const part = await get('bytes=1000-1999')
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/300000'])
  expect(await body(part)).toEqual(bytes.slice(1000, 2000))
  expect((await body(await get('bytes=299990-'))).byteLength).toBe(10)

  const beyond = await get('bytes=300000-')
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */300000'])
  expect(await beyond.json()).toMatchObject({ errorCode: 'range-not-satisfiable' })
})

test('a file from the disk answers HEAD, If-None-Match, If-Range, the last bytes, and as an attachment', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { local_url } = await withEpisode(app, host, host.file('/a.mp3', bytes), 1)
  const get = (headers: Record<string, string>, query = '', method = 'GET') =>
    app.fetch(path(local_url) + query, { headers, method })
  const head = await get({}, '', 'HEAD')
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000'])
  const etag = head.headers.get('etag')!
  expect((await get({ 'If-None-Match': etag })).status).toBe(304)
  expect((await get({ Range: 'bytes=0-9', 'If-Range': etag })).status).toBe(206)
  expect((await get({ Range: 'bytes=0-9', 'If-Range': '"old"' })).status).toBe(200)
  expect(await body(await get({ Range: 'bytes=-5' }))).toEqual(bytes.slice(-5))
  expect((await get({ Range: 'bytes=0-1,5-6' })).status).toBe(200)
  const attachment = await get({}, '?download=1')
  expect(attachment.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''F%C3%B6g%3A%20%201%20.mp3")
})

test.each([
  [
    'a page',
    () => new Response('<script>alert(1)</script>', { headers: { 'Content-Type': 'text/html' } }),
    502,
    'media-unreachable',
  ],
  [
    'a page in disguise',
    () => new Response('<script>alert(1)</script>'.repeat(99), { headers: { 'Content-Type': 'audio/mpeg' } }),
    502,
    'media-unreachable',
  ],
  [
    'an SVG',
    () => new Response('<svg onload="x()"/>', { headers: { 'Content-Type': 'image/svg+xml' } }),
    502,
    'media-unreachable',
  ],
  ['404', () => new Response('', { status: 404 }), 502, 'media-unreachable'],
  [
    'a redirect into the metadata service',
    () => Response.redirect('http://169.254.169.254/'),
    502,
    'media-unreachable',
  ],
])('%s from the host of an episode is never passed on', async (_, handler, status, code) => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { local_url } = await withEpisode(app, host, host.on('/a.mp3', handler))
  const response = await app.fetch(path(local_url))
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ errorCode: code })
})

test.each([
  ['from elsewhere', { 'Content-Range': 'bytes 0-99/300000' }],
  ['from nobody knows where', {}],
])('a part %s is not passed on: a client would append it to what it has', async (_, headers) => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const part = () =>
    new Response(bytes.slice(0, 100), { status: 206, headers: { 'Content-Type': 'audio/mpeg', ...headers } })
  const { local_url } = await withEpisode(app, host, host.on('/a.mp3', part))
  const response = await app.fetch(path(local_url), { headers: { Range: 'bytes=1000-' } })
  expect(response.status).toBe(502)
  expect(await response.json()).toMatchObject({ errorCode: 'media-unreachable' })
})

test('a file that is gone from the disk is relayed instead', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { local_url } = await withEpisode(app, host, host.file('/a.mp3', bytes), 1)
  const { store, files } = app.context
  await Bun.file(files.folder.pathOf(store.episodes.find(1)!.file_path!)).delete()
  expect((await app.fetch(path(local_url))).status).toBe(200)
  expect(host.requestsTo('/a.mp3')).toHaveLength(2)
})

test.each([
  '/media/nobody.mp3',
  '/media/..%2f..%2fcastellan.db',
  '/media/%2e%2e/secret.key',
  '/covers/podcasts/..%2f..%2fsecret.key',
])('%s leads nowhere', async address => {
  await using app = await startTestApp()
  expect((await app.fetch(address)).status).toBe(404)
})

test('a cover comes in sizes as WebP, is cached for ever by its version, and falls back to the built-in one', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const image = host.file('/c.png', await Bun.file('src/ui/cover.png').bytes(), { type: 'image/png' })
  const podcast = await app.podcasts.add(
    host.feed(
      '/feed.xml',
      rss({ image, items: [{ image: host.on('/none.png', () => new Response('', { status: 404 })) }] }),
    ),
  )
  await app.event('coverStored')
  const { image_url } = await app.podcasts.find(podcast.id)
  const address = image_url.replace('http://localhost', '')

  const original = await app.fetch(address)
  expect([original.headers.get('content-type'), original.headers.get('cache-control')]).toEqual([
    'image/png',
    'private, max-age=31536000, immutable',
  ])
  for (const size of [64, 256, 1024]) {
    const scaled = await app.fetch(`${address}&size=${size}`)
    expect(scaled.headers.get('content-type')).toBe('image/webp')
    const { width } = await new Bun.Image(await body(scaled)).metadata()
    expect(width).toBe(Math.min(size, 512))
  }
  expect((await app.fetch(`${address}&size=100`)).status).toBe(422)
  expect((await app.fetch(address, { headers: { 'If-None-Match': original.headers.get('etag')! } })).status).toBe(304)

  // An episode whose own picture is missing gets that of its podcast.
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const own = await app.fetch(path(data[0]!.podcastEpisode.local_image_url))
  expect(own.headers.get('etag')).toBe(original.headers.get('etag'))
})

test.each([
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'],
  ['a page', '<html></html>', 'image/png'],
  ['nothing', '', 'image/png'],
])('%s is no cover', async (_, content, type) => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const image = host.on('/c', () => new Response(content, { headers: { 'Content-Type': type } }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ image })))
  const response = await app.fetch(`/covers/podcasts/${podcast.id}`)
  expect([response.status, response.headers.get('content-type'), response.headers.get('etag')]).toEqual([
    200,
    'image/png',
    '"built-in"',
  ])
})

test('HEAD tells the length of a file and of a range, from the disk and from its host, and reads neither', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { local_url } = await withEpisode(app, host, host.file('/a.mp3', bytes), 1)
  const origin = app.listen()
  const head = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${origin}${path(url)}`, { method: 'HEAD', headers })
    return [response.status, response.headers.get('content-length'), response.headers.get('x-castellan-length')]
  }
  expect(await head(local_url)).toEqual([200, '300000', null])
  expect(await head(local_url, { Range: 'bytes=10-19' })).toEqual([206, '10', null])
  await app.context.downloads.remove(app.context.store.episodes.find(1)!)
  expect(await head(local_url)).toEqual([200, '300000', null])
})

test.each([
  ['nothing', '', "The episode's host sent an empty file"],
  ['a message', '{"error":"expired token"}', "Expected audio or video, the episode's host sent something else"],
  ['a page', '<!doctype html><p>Please sign in', "Expected audio or video, the episode's host sent something else"],
])('a host that sends %s as audio is an error, and no sound without a length', async (_, sent, message) => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const enclosure = host.on('/a.mp3', () => new Response(sent, { headers: { 'Content-Type': 'audio/mpeg' } }))
  const { local_url } = await withEpisode(app, host, enclosure)
  for (const headers of [{}, { Range: 'bytes=0-' }] as Record<string, string>[]) {
    const answer = await app.fetch(path(local_url), { headers })
    expect([answer.status, await answer.json()]).toMatchObject([502, { errorCode: 'media-unreachable', message }])
  }
})

test('sound that its host compresses is relayed as it was, whole where a part was asked for', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const packed = Bun.gzipSync(bytes)
  const enclosure = host.on('/a.mp3', request => {
    const headers = { 'Content-Type': 'audio/mpeg', 'Content-Encoding': 'gzip' }
    if (!request.headers.has('range')) return new Response(packed, { headers })
    const range = { 'Content-Range': `bytes 0-99/${packed.length}` }
    return new Response(packed.slice(0, 100), { status: 206, headers: { ...headers, ...range } })
  })
  const { local_url } = await withEpisode(app, host, enclosure)
  for (const headers of [{}, { Range: 'bytes=0-' }] as Record<string, string>[]) {
    const answer = await app.fetch(path(local_url), { headers })
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, null])
    expect(await body(answer)).toEqual(bytes)
  }
})
