import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'bun:test'
import { noise, rss, silentMp3 } from '../../support/builders'
import { refusal, startClock, startTestApp, temporaryFolder, type TestApp } from '../../support/app'
import { serveBytes, startFeedHost, type FeedHost, type Handler } from '../../support/feed-host'

const MINUTE = 60_000
const patient = { headersMs: 60_000, idleMs: 60_000, maxBytes: 64_000_000 }
/** For hosts that never answer only: on a busy machine any other could be too slow for it. */
const impatient = { ...patient, headersMs: 300, idleMs: 300 }

/** A library with one podcast of one episode, whose enclosure the host answers as `handler` says. */
async function withEpisode(app: TestApp, host: FeedHost, handler: Handler, title = 'Fog') {
  app.prefill(0)
  const enclosure = host.on('/media/a.mp3', handler)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{ title, enclosure }] })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  return data[0]!.podcastEpisode
}

const stateOf = async (app: TestApp) => (await app.downloads.page(null)).data.items[0]
const settled = (app: TestApp, ...states: string[]) =>
  app.event('downloadProgress', event => states.includes(event.state))
const sha = (bytes: Uint8Array | ArrayBuffer) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
const fileOf = (app: TestApp) => join(app.folder, 'podcasts/Lighthouse Radio/Fog/Fog.mp3')
const parts = (app: TestApp) => readdirSync(join(app.folder, 'podcasts/.partial'))

/** Sends `bytes` up to `end`, then says no more. */
const stall = (bytes: Uint8Array, end: number): Response =>
  new Response(new ReadableStream({ start: controller => controller.enqueue(bytes.subarray(0, end)) }), {
    headers: { 'Content-Type': 'audio/mpeg', 'Content-Length': String(bytes.byteLength), ETag: '"v1"' },
  })

test('an episode is fetched byte for byte, stored under its title, and announced', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const bytes = noise(3_000_000)
  const episode = await withEpisode(app, host, request => serveBytes(request, bytes, 'audio/mpeg', '"v1"'))

  expect(await app.episodes.download(episode.episode_id)).toMatchObject({ episodeName: 'Fog', automatic: false })
  await app.event('downloadFinished')

  expect(sha(await Bun.file(fileOf(app)).arrayBuffer())).toBe(sha(bytes))
  expect(await app.episodes.find(episode.episode_id)).toMatchObject({
    podcastEpisode: { status: true, file_size: 3_000_000, mime_type: 'audio/mpeg', download_state: null },
  })
  expect(parts(app)).toEqual([])
  const states = app.events.filter(event => event.type === 'downloadProgress').map(event => event.state)
  // While it runs, its progress is published as often as the machine takes time for it.
  expect(states.filter((state, index) => state !== states[index - 1])).toEqual(['queued', 'running', 'done'])
})

test('a request for a downloaded episode answers at once and fetches nothing', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const episode = await withEpisode(app, host, request => serveBytes(request, silentMp3(5), 'audio/mpeg', '"v1"'))
  await app.episodes.download(episode.episode_id)
  await app.event('downloadFinished')
  host.requests.length = 0
  const answer = await app.fetch(`/api/v1/podcasts/${episode.episode_id}/episodes/download`, { method: 'PUT' })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ state: 'done' })
  expect(host.requests).toHaveLength(0)
})

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

test('without room on the disk nothing starts; requested downloads wait, and say why', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { DISK_RESERVE: '100000000' } })
  app.prefill(1)
  await app.podcasts.add(
    host.feed('/feed.xml', rss({ items: [{ title: 'Fog', enclosure: host.file('/a.mp3', silentMp3(5)) }] })),
  )
  await settled(app, 'waiting')
  expect(await stateOf(app)).toMatchObject({ state: 'waiting', errorCode: 'disk-full', attempts: 0 })
  const { data } = await app.timeline.page({}, null)
  const { episode_id } = data.data[0]!.podcast_episode
  await app.downloads.cancel((await stateOf(app))!.id)
  const answer = await app.episodes.download(episode_id)
  expect(answer).toMatchObject({ state: 'waiting', errorCode: 'disk-full', attempts: 0, automatic: false })
  expect(answer.nextAttemptAt).not.toBeNull()
  expect(await stateOf(app)).toMatchObject({ id: answer.id, state: 'waiting', errorCode: 'disk-full' })
  // All of a podcast likewise.
  expect(await app.podcasts.downloadAll(data.data[0]!.podcast_episode.podcast_id)).toEqual({ queued: 1 })
  await app.context.downloads.settled()
  expect(await stateOf(app)).toMatchObject({ state: 'waiting', errorCode: 'disk-full' })
  expect(host.requestsTo('/a.mp3')).toHaveLength(0)
})

test('downloads that waited for room on the disk start by themselves', async () => {
  using host = startFeedHost()
  const clock = startClock()
  const folder = temporaryFolder()
  {
    await using app = await startTestApp({ now: clock, folder, env: { DISK_RESERVE: '100000000' } })
    const episode = await withEpisode(app, host, request => serveBytes(request, silentMp3(5), 'audio/mpeg', null))
    expect(await app.episodes.download(episode.episode_id)).toMatchObject({ state: 'waiting' })
  }
  // Somebody has made room.
  await using app = await startTestApp({ now: clock, folder })
  app.context.downloads.pump()
  expect(await stateOf(app)).toMatchObject({ state: 'waiting', errorCode: 'disk-full' })
  clock.advance(10 * MINUTE)
  app.context.downloads.pump()
  await app.event('downloadFinished')
})

test('a download is paused, resumed where it was, and cancelled without a trace', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const bytes = noise(12_000_000, 3)
  let isHeld = true
  const episode = await withEpisode(app, host, request =>
    isHeld ? stall(bytes, 9_000_000) : serveBytes(request, bytes, 'audio/mpeg', '"v1"'),
  )
  const { id } = await app.episodes.download(episode.episode_id)
  await app.event('downloadProgress', event => event.receivedBytes > 8_500_000 || event.state === 'done')

  expect(await app.downloads.pause(id)).toMatchObject({ state: 'paused' })
  expect(parts(app)).toEqual([`${episode.episode_id}.part`])
  isHeld = false
  await app.downloads.resume(id)
  await app.event('downloadFinished')
  expect(host.requestsTo('/media/a.mp3').at(-1)!.headers.get('range')).toBe('bytes=9000000-')
  expect(sha(await Bun.file(fileOf(app)).arrayBuffer())).toBe(sha(bytes))
  expect(await refusal(app.downloads.pause(id))).toMatchObject({ status: 409, code: 'download-state' })

  isHeld = true
  app.events.length = 0
  await app.episodes.removeDownload(episode.episode_id)
  await app.episodes.download(episode.episode_id)
  const next = (await stateOf(app))!
  await app.event('downloadProgress', event => event.receivedBytes > 1_000_000)
  await app.downloads.cancel(next.id)
  expect(parts(app)).toEqual([])
  expect((await app.downloads.page(null)).data.items).toEqual([])
  expect(await refusal(app.downloads.cancel(next.id))).toMatchObject({ status: 404, code: 'download-not-found' })
})

test('each host gets one connection, and no more than the limit run at once', async () => {
  using one = startFeedHost()
  using two = startFeedHost()
  await using app = await startTestApp({ env: { MAX_PARALLEL_DOWNLOADS: '3' } })
  app.prefill(10)
  const gate = Promise.withResolvers<void>()
  const twoRun = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const held: Handler = async request => {
    most = Math.max(most, ++running)
    if (running === 2) twoRun.resolve()
    await gate.promise
    running--
    return serveBytes(request, silentMp3(2), 'audio/mpeg', null)
  }
  const items = [one, two].flatMap(host =>
    [1, 2, 3].map(number => ({
      guid: `${host.origin}${number}`,
      title: `${host.origin} ${number}`,
      enclosure: host.on(`/${number}.mp3`, held),
    })),
  )
  await app.podcasts.add(one.feed('/feed.xml', rss({ items })))
  await twoRun.promise
  expect((await app.downloads.page(null)).data.counts).toMatchObject({ running: 2, queued: 4 })
  gate.resolve()
  while ((await app.downloads.page(null)).data.items.length > 0) await Bun.sleep(5)
  expect(most).toBe(2)
})

test('a file that a person deleted is not fetched again by itself, only by hand', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  const episode = await withEpisode(app, host, request => serveBytes(request, silentMp3(5), 'audio/mpeg', null))
  await app.episodes.download(episode.episode_id)
  await app.event('downloadFinished')

  await app.episodes.removeDownload(episode.episode_id)
  expect(existsSync(join(app.folder, 'podcasts/Lighthouse Radio'))).toBe(false)
  expect(await app.event('fileRemoved')).toMatchObject({ episodeId: 1 })
  expect(await app.episodes.find(episode.episode_id)).toMatchObject({
    podcastEpisode: { status: false, deleted: true },
  })

  clock.advance(3 * 24 * 60 * MINUTE)
  await app.refreshDue()
  expect((await app.downloads.page(null)).data.items).toEqual([])
  app.events.length = 0
  await app.episodes.download(episode.episode_id)
  await app.event('downloadFinished')
  expect(await app.episodes.find(episode.episode_id)).toMatchObject({
    podcastEpisode: { status: true, deleted: false },
  })
})

test('a download that was stopped in the middle resumes at the next start', async () => {
  using host = startFeedHost()
  const folder = temporaryFolder()
  const bytes = noise(12_000_000, 5)
  let isHeld = true
  {
    await using app = await startTestApp({ folder })
    const episode = await withEpisode(app, host, request =>
      isHeld ? stall(bytes, 9_000_000) : serveBytes(request, bytes, 'audio/mpeg', '"v1"'),
    )
    await app.episodes.download(episode.episode_id)
    await app.event('downloadProgress', event => event.receivedBytes > 8_500_000)
  }
  isHeld = false
  await using app = await startTestApp({ folder })
  await app.context.downloads.recover()
  app.context.downloads.pump()
  await app.event('downloadFinished')
  expect(host.requestsTo('/media/a.mp3').at(-1)!.status).toBe(206)
  expect(sha(await Bun.file(fileOf(app)).arrayBuffer())).toBe(sha(bytes))
})

test('a crash between the move and its record is repaired without fetching anything', async () => {
  using host = startFeedHost()
  const folder = temporaryFolder()
  {
    await using app = await startTestApp({ folder })
    const episode = await withEpisode(app, host, request => serveBytes(request, silentMp3(5), 'audio/mpeg', null))
    await app.episodes.download(episode.episode_id)
    await app.event('downloadFinished')
    // The state of the database at that instant: the move announced, not yet recorded.
    const { store } = app.context
    const size = store.episodes.find(1)!.file_size!
    store.episodes.dropFile(1)
    store.downloads.remove(1)
    store.downloads.enqueue(1, { automatic: false, userId: null, now: 0 })
    store.downloads.start(2, 0, null)
    store.downloads.checkpoint(2, size)
    store.downloads.setTarget(2, 'Lighthouse Radio/Fog/Fog.mp3')
  }
  host.requests.length = 0
  await using app = await startTestApp({ folder })
  await app.context.downloads.recover()
  app.context.downloads.pump()
  await app.event('downloadFinished')
  expect(host.requests).toHaveLength(0)
  expect(app.context.store.episodes.find(1)!.file_path).toBe('Lighthouse Radio/Fog/Fog.mp3')
})

test('a file that was to be deleted when the process was killed is deleted at the next start', async () => {
  using host = startFeedHost()
  const folder = temporaryFolder()
  {
    await using app = await startTestApp({ folder })
    const episode = await withEpisode(app, host, request => serveBytes(request, silentMp3(5), 'audio/mpeg', null))
    await app.episodes.download(episode.episode_id)
    await app.event('downloadFinished')
    // The state of the database at that instant: forgotten, and not yet deleted.
    const { store } = app.context
    store.forgottenFiles.add(store.episodes.find(1)!.file_path!)
    store.episodes.dropFile(1)
    store.downloads.remove(1)
  }
  await using app = await startTestApp({ folder })
  expect(existsSync(fileOf(app))).toBe(true)
  await app.context.downloads.recover()
  expect(existsSync(fileOf(app))).toBe(false)
  expect(app.context.store.forgottenFiles.list()).toEqual([])
})

test('a forgotten file whose name is in use again is not deleted', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const episode = await withEpisode(app, host, request => serveBytes(request, silentMp3(5), 'audio/mpeg', null))
  await app.episodes.download(episode.episode_id)
  await app.event('downloadFinished')
  const { store } = app.context
  store.forgottenFiles.add(store.episodes.find(1)!.file_path!)
  await app.context.downloads.recover()
  expect(existsSync(fileOf(app))).toBe(true)
  expect(store.forgottenFiles.list()).toEqual([])
})

test('stray parts of dropped downloads are removed at the start', async () => {
  await using app = await startTestApp()
  await Bun.write(join(app.folder, 'podcasts/.partial/gone.part'), 'x')
  await app.context.downloads.recover()
  expect(parts(app)).toEqual([])
})

test('equal titles get files of their own', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(3)
  const items = ['a', 'b', 'c'].map((guid, index) => ({
    guid,
    title: index === 2 ? 'SAME' : 'Same',
    enclosure: host.file(`/${guid}.mp3`, silentMp3(index + 2)),
  }))
  await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  for (const id of [1, 2, 3]) await app.event('downloadFinished', event => event.episodeId === id)
  const paths = [1, 2, 3].map(id => app.context.store.episodes.find(id)!.file_path!.toLowerCase())
  expect(new Set(paths).size).toBe(3)
})

test('missing files are noticed and fetched again', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const episode = await withEpisode(app, host, request => serveBytes(request, silentMp3(5), 'audio/mpeg', null))
  await app.episodes.download(episode.episode_id)
  await app.event('downloadFinished')
  await Bun.file(fileOf(app)).delete()
  const answer = await app.fetch(`/api/v1/podcasts/${episode.podcast_id}/episodes/resync-files`, { method: 'POST' })
  expect([answer.status, await answer.json()]).toEqual([202, { queued: 1 }])
  while (!existsSync(fileOf(app))) await Bun.sleep(1)
})

test('a long queue for one busy host does not keep another host waiting', async () => {
  using busy = startFeedHost()
  using idle = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const items = Array.from({ length: 230 }, (_, index) => ({
    guid: `b${index}`,
    title: `Busy ${index}`,
    enclosure: busy.on(`/${index}.mp3`, () => Promise.withResolvers<Response>().promise),
  }))
  const podcast = await app.podcasts.add(busy.feed('/feed.xml', rss({ items })))
  const other = await app.podcasts.add(
    idle.feed('/feed.xml', rss({ title: 'Idle', items: [{ enclosure: idle.file('/a.mp3', silentMp3(3)) }] })),
  )
  expect(await app.podcasts.downloadAll(podcast.id)).toEqual({ queued: 230 })
  const { data } = await app.podcasts.episodes(other.id, {}, null)
  await app.episodes.download(data[0]!.podcastEpisode.episode_id)
  await app.event('downloadFinished')
})

test('a podcast deleted with its files during a download leaves nothing behind', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const episode = await withEpisode(app, host, () => stall(noise(4_000_000), 3_000_000))
  await app.episodes.download(episode.episode_id)
  await app.event('downloadProgress', event => event.receivedBytes > 1_000_000)
  await app.podcasts.remove(episode.podcast_id, true)
  expect(parts(app)).toEqual([])
  expect(existsSync(join(app.folder, 'podcasts/Lighthouse Radio'))).toBe(false)
})
