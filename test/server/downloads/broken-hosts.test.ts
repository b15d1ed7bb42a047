import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'bun:test'
import { noise, rss, silentMp3 } from '../../support/builders'
import { startClock, startTestApp } from '../../support/app'
import { fileOf, MINUTE, parts, settled, sha, stall, stateOf, withEpisode } from '../../support/downloads'
import { serveBytes, startFeedHost, type Handler } from '../../support/feed-host'

const patient = { headersMs: 60_000, idleMs: 60_000, maxBytes: 64_000_000 }

/** For hosts that never answer only: on a busy machine any other could be too slow for it. */
const impatient = { ...patient, headersMs: 300, idleMs: 300 }

describe('after an interruption only the rest is sent again', () => {
  const bytes = noise(12_000_000, 7)
  const sentAtFirst = 10_000_000
  /** The requests that follow when the first one was interrupted after ten of twelve megabytes. */
  async function resumeAgainst(handler: Handler, validator: string | null) {
    using host = startFeedHost()
    const clock = startClock()
    await using app = await startTestApp({ now: clock, downloadLimits: patient })
    let attempt = 0
    const episode = await withEpisode(app, host, (request, url) => {
      if (attempt++ > 0) return handler(request, url)
      const first = stall(bytes, sentAtFirst)
      if (validator === null) first.headers.delete('etag')
      return first
    })
    const { id } = await app.episodes.download(episode.episode_id)
    await app.event('downloadProgress', event => event.receivedBytes === sentAtFirst)
    await app.downloads.pause(id)
    await app.downloads.resume(id)
    await Promise.race([
      app.event('downloadFinished'),
      app.event('downloadProgress', event => event.state === 'waiting' && event.receivedBytes === 0),
    ])
    if (!existsSync(fileOf(app))) {
      clock.advance(60 * MINUTE)
      app.context.downloads.pump()
      await app.event('downloadFinished')
    }
    expect(sha(await Bun.file(fileOf(app)).arrayBuffer())).toBe(sha(current))
    return host.requestsTo('/media/a.mp3').slice(1)
  }
  let current = bytes

  test('by its ETag', async () => {
    current = bytes
    const [again] = await resumeAgainst(request => serveBytes(request, bytes, 'audio/mpeg', '"v1"'), '"v1"')
    expect(again!.headers.get('if-range')).toBe('"v1"')
    expect(again!.status).toBe(206)
    expect(again!.sentBytes).toBe(bytes.byteLength - sentAtFirst)
  })
  test('without a validator by comparing some bytes that are here already', async () => {
    current = bytes
    const [again] = await resumeAgainst(request => serveBytes(request, bytes, 'audio/mpeg', null), null)
    expect(again!.headers.get('if-range')).toBeNull()
    expect(again!.status).toBe(206)
  })
  test('not when the host has another file now: it starts again', async () => {
    current = noise(12_000_000, 8)
    const [again] = await resumeAgainst(request => serveBytes(request, current, 'audio/mpeg', '"v2"'), '"v1"')
    expect(again!.status).toBe(200)
  })
  test('not when the host ignores If-Range and sends a part of another file', async () => {
    current = noise(12_000_000, 9)
    const careless: Handler = request => {
      const headers = new Headers(request.headers)
      headers.delete('if-range')
      return serveBytes(new Request(request.url, { headers }), current, 'audio/mpeg', '"v2"')
    }
    const [part, whole] = await resumeAgainst(careless, '"v1"')
    expect([part!.status, whole!.status]).toEqual([206, 200])
  })
  test('not when the bytes differ though nothing else tells', async () => {
    current = noise(12_000_000, 10)
    const requests = await resumeAgainst(request => serveBytes(request, current, 'audio/mpeg', null), null)
    expect(requests.map(request => request.status)).toEqual([206, 200])
  })
  test('not when the host refuses ranges', async () => {
    current = bytes
    const [again] = await resumeAgainst(
      () => new Response(bytes as BodyInit, { headers: { 'Content-Type': 'audio/mpeg' } }),
      '"v1"',
    )
    expect(again!.status).toBe(200)
  })
})

test('a host that falls silent is given up, and what it had sent is not asked for again', async () => {
  using host = startFeedHost()
  const clock = startClock()
  const limits = { ...impatient }
  await using app = await startTestApp({ now: clock, downloadLimits: limits })
  const bytes = noise(3_000_000, 4)
  let attempt = 0
  const episode = await withEpisode(app, host, request =>
    attempt++ === 0 ? stall(bytes, 2_000_000) : serveBytes(request, bytes, 'audio/mpeg', '"v1"'),
  )
  await app.episodes.download(episode.episode_id)
  await settled(app, 'waiting')
  expect(await stateOf(app)).toMatchObject({ state: 'waiting', errorCode: 'upstream-timeout', attempts: 1 })
  // The share that came in time depends on the machine.
  const { size } = Bun.file(join(app.folder, 'podcasts/.partial', parts(app)[0]!))

  Object.assign(limits, patient)
  clock.advance(2 * MINUTE)
  app.context.downloads.pump()
  await app.event('downloadFinished')
  const range = host.requestsTo('/media/a.mp3').at(-1)!.headers.get('range')
  expect(range).toBe(size === 0 ? null : `bytes=${size}-`)
  expect(sha(await Bun.file(fileOf(app)).arrayBuffer())).toBe(sha(bytes))
})

describe('an answer that is no episode is never kept, and the reason is shown', () => {
  const html = '<!doctype html><html><body>Please sign in</body></html>'
  test.each([
    ['404', () => new Response('', { status: 404 }), 'media-unreachable'],
    ['503', () => new Response('', { status: 503 }), 'media-unreachable'],
    ['a web page', () => new Response(html, { headers: { 'Content-Type': 'text/html' } }), 'not-media'],
    [
      'a web page in disguise',
      () => new Response(html.repeat(2000), { headers: { 'Content-Type': 'audio/mpeg' } }),
      'not-media',
    ],
    [
      'a picture',
      () => new Response(Bun.file('src/ui/cover.png'), { headers: { 'Content-Type': 'audio/mpeg' } }),
      'not-media',
    ],
    [
      'an SVG',
      () =>
        new Response('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', {
          headers: { 'Content-Type': 'image/svg+xml' },
        }),
      'not-media',
    ],
    ['nothing', () => new Response('', { headers: { 'Content-Type': 'audio/mpeg' } }), 'not-media'],
    [
      'a redirect into the metadata service',
      () => Response.redirect('http://169.254.169.254/x.mp3'),
      'address-not-allowed',
    ],
    ['silence', () => Promise.withResolvers<Response>().promise, 'upstream-timeout'],
    ['half of what was announced', () => stall(noise(400_000), 200_000), 'upstream-timeout'],
  ] as [string, Handler, string][])('%s', async (_, handler, code) => {
    using host = startFeedHost()
    await using app = await startTestApp({ downloadLimits: code === 'upstream-timeout' ? impatient : patient })
    const episode = await withEpisode(app, host, handler)
    await app.episodes.download(episode.episode_id)
    await settled(app, 'waiting')
    expect(await stateOf(app)).toMatchObject({ state: 'waiting', errorCode: code, attempts: 1 })
    expect(existsSync(fileOf(app))).toBe(false)
    expect(await app.episodes.find(episode.episode_id)).toMatchObject({
      podcastEpisode: { status: false, download_state: 'waiting' },
    })
  })
})

test('a body shorter than its announced length is no episode', async () => {
  using server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 500000\r\nConnection: close\r\n\r\n',
        )
        socket.write(silentMp3(5))
        socket.end()
      },
    },
  })
  using host = startFeedHost()
  await using app = await startTestApp({ downloadLimits: patient })
  app.prefill(0)
  const items = [{ title: 'Fog', enclosure: `http://127.0.0.1:${server.port}/a.mp3` }]
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  await app.episodes.download(data[0]!.podcastEpisode.episode_id)
  await settled(app, 'waiting')
  expect((await stateOf(app))!.errorCode).toBeOneOf(['length-mismatch', 'media-unreachable'])
  expect(existsSync(fileOf(app))).toBe(false)
})

test("the feed's own length and duration are hints and refuse nothing", async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(1)
  const enclosure = host.file('/a.mp3', silentMp3(20))
  await app.podcasts.add(
    host.feed('/feed.xml', rss({ items: [{ title: 'Fog', enclosure, length: 7, duration: '3:00:00' }] })),
  )
  await app.event('downloadFinished')
  const { data } = await app.timeline.page({}, null)
  expect(data.data[0]!.podcast_episode).toMatchObject({ status: true, file_size: silentMp3(20).byteLength })
  expect(data.data[0]!.podcast_episode.total_time).toBeWithin(19, 22)
})

test('a download is given up after several tries, waits longer each time, and a person can try again', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  let works = false
  const episode = await withEpisode(app, host, request =>
    works ? serveBytes(request, silentMp3(5), 'audio/mpeg', null) : new Response('', { status: 404 }),
  )
  await app.episodes.download(episode.episode_id)
  const waits: number[] = []
  for (;;) {
    await settled(app, 'waiting', 'failed')
    const download = await stateOf(app)
    if (download!.state === 'failed') break
    waits.push(Date.parse(download!.nextAttemptAt!) - clock())
    app.events.length = 0
    clock.advance(waits.at(-1)!)
    app.context.downloads.pump()
  }
  expect(waits).toEqual([MINUTE, 2 * MINUTE])
  expect(await stateOf(app)).toMatchObject({ state: 'failed', attempts: 3, errorCode: 'media-unreachable' })
  // An address that is refused may have expired: the feed was asked for a fresh one.
  expect(host.requestsTo('/feed.xml').length).toBeGreaterThan(1)

  works = true
  await app.downloads.resume((await stateOf(app))!.id)
  await app.event('downloadFinished')
})
