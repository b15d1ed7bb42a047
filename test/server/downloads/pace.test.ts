import { expect, test } from 'bun:test'
import { noise, rss } from '../../support/builders'
import { startClock, startTestApp, type TestApp } from '../../support/app'
import { serveBytes, startFeedHost, type FeedHost, type Handler } from '../../support/feed-host'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** A file whose host sends a piece whenever it is told to, and never ends. */
function dripping(bytes: Uint8Array, first: number) {
  const requests: Request[] = []
  let sender: ReadableStreamDefaultController<Uint8Array> | null = null
  let at = 0
  const handler: Handler = request => {
    requests.push(request)
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.get('range') ?? '')?.[1] ?? 0)
    at = from
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        sender = controller
        send(first)
      },
    })
    const headers = { 'Content-Type': 'audio/mpeg', ETag: '"slow"' }
    return from === 0
      ? new Response(body, { headers })
      : new Response(body, {
          status: 206,
          headers: { ...headers, 'Content-Range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` },
        })
  }
  function send(length: number) {
    try {
      sender?.enqueue(bytes.subarray(at, at + length))
      at += length
    } catch {
      // Nobody listens any more.
    }
  }
  return { handler, send, requests }
}

async function plant(app: TestApp, host: FeedHost, handler: Handler, title: string) {
  const enclosure = host.on('/a.mp3', handler)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ title, items: [{ title, enclosure }] })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  return data[0]!.podcastEpisode.episode_id
}

const rowOf = async (app: TestApp, eid: string) =>
  (await app.downloads.page(null)).data.items.find(item => item.episode_id === eid)
const progress = (app: TestApp, eid: string, state: string, least = 0) =>
  app.event('downloadProgress', event => event.eid === eid && event.state === state && event.receivedBytes >= least)

test('hosts that send a byte every five seconds give up their places, and others have their turn', async () => {
  const bytes = noise(1_000_000)
  const hosts = [1, 2, 3].map(() => startFeedHost())
  using quick = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock, elapsed: clock, env: { MAX_PARALLEL_DOWNLOADS: '3' } })
  app.prefill(0)
  const drips = hosts.map(() => dripping(bytes, 20_000))
  const slow: string[] = []
  for (const [index, host] of hosts.entries()) {
    slow.push(await plant(app, host, drips[index]!.handler, `Slow ${index}`))
    await app.episodes.download(slow[index]!)
    await progress(app, slow[index]!, 'running', 20_000)
  }
  const good = await plant(app, quick, request => serveBytes(request, bytes, 'audio/mpeg', null), 'Good')
  await app.episodes.download(good)
  expect(await rowOf(app, good)).toMatchObject({ state: 'queued' })

  let isWaiting = false
  void progress(app, slow[0]!, 'waiting').then(() => (isWaiting = true))
  while (!isWaiting) {
    clock.advance(5 * SECOND)
    drips[0]!.send(1)
    await Bun.sleep(0)
  }
  const row = await rowOf(app, slow[0]!)
  expect(row).toMatchObject({ state: 'waiting', errorCode: 'upstream-too-slow', attempts: 1 })
  expect(row!.message).toMatch(/^Received \d+ bytes in \d+ minutes\. /)
  await app.event('downloadFinished')
  expect((await app.episodes.find(good)).podcastEpisode.status).toBe(true)

  // The received bytes stay, and only the rest is requested.
  clock.advance(10 * MINUTE)
  app.context.downloads.pump()
  while (drips[0]!.requests.length === 1) await Bun.sleep(0)
  expect(drips[0]!.requests[1]!.headers.get('range')).toMatch(/^bytes=2\d\d\d\d-$/)
  for (const host of hosts) void host.stop()
})

test('three hosts that drip keep nobody waiting for a minute, and go on once nobody waits', async () => {
  const bytes = noise(1_000_000)
  const hosts = [1, 2, 3].map(() => startFeedHost())
  using quick = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock, elapsed: clock, env: { MAX_PARALLEL_DOWNLOADS: '3' } })
  app.prefill(0)
  const { downloads, store } = app.context
  const drips = hosts.map(() => dripping(bytes, 20_000))
  const slow: string[] = []
  for (const [index, host] of hosts.entries()) {
    slow.push(await plant(app, host, drips[index]!.handler, `Slow ${index}`))
    await app.episodes.download(slow[index]!)
    await progress(app, slow[index]!, 'running', 20_000)
  }
  const held = Promise.withResolvers<Response>()
  const isAsked = Promise.withResolvers<void>()
  const good = await plant(
    app,
    quick,
    () => {
      isAsked.resolve()
      return held.promise
    },
    'Good',
  )
  await app.episodes.download(good)
  const counts = () => store.downloads.counts({ id: 0, explicit_consent: 1 })
  expect(counts()).toEqual({ running: 3, queued: 1 })

  const since = clock()
  while (clock() - since < 20 * SECOND) {
    clock.advance(5 * SECOND)
    drips.forEach(drip => drip.send(1))
    downloads.pump()
  }
  let isHere = false
  void isAsked.promise.then(() => (isHere = true))
  while (!isHere) {
    downloads.pump()
    await Bun.sleep(0)
  }
  expect(counts()).toEqual({ running: 3, waiting: 1 })
  const aside = slow.map(eid => store.downloads.findOfEpisode(store.episodes.findByEid(eid)!.id)!)
  const left = aside.find(({ state }) => state === 'waiting')
  expect(left).toMatchObject({ error_code: 'upstream-too-slow', attempts: 1, next_attempt_at: clock() })
  expect(left!.message).toMatch(/^Receiving \d+\.\d KB a second\. Other downloads go first, then this one resumes\.$/)

  // For the one that stepped aside, no other does; it has its turn once there is a place. All of this stays below the
  // two minutes after which a host is too slow by itself.
  for (let step = 0; step < 8; step++) {
    clock.advance(5 * SECOND)
    drips.forEach(drip => drip.send(4096 * 5))
    await Bun.sleep(0)
    downloads.pump()
  }
  expect(counts()).toEqual({ running: 3, waiting: 1 })
  held.resolve(new Response(Buffer.from(bytes), { headers: { 'Content-Type': 'audio/mpeg' } }))
  await app.event('downloadFinished')
  // As the job does every five seconds.
  while (counts().waiting) {
    downloads.pump()
    await Bun.sleep(0)
  }
  expect(counts()).toEqual({ running: 3 })
  for (const host of hosts) void host.stop()
})

test('a download that was slow is the last in the queue', async () => {
  const bytes = noise(1_000_000)
  using one = startFeedHost()
  using other = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock, elapsed: clock, env: { MAX_PARALLEL_DOWNLOADS: '1' } })
  app.prefill(0)
  const drip = dripping(bytes, 20_000)
  const slow = await plant(app, one, drip.handler, 'Slow')
  const held = Promise.withResolvers<Response>()
  const next = await plant(app, other, () => held.promise, 'Next')
  await app.episodes.download(slow)
  await progress(app, slow, 'running', 20_000)
  await app.episodes.download(next)
  expect((await app.downloads.page(null)).data.items.map(item => item.episode_id)).toEqual([slow, next])
  let isWaiting = false
  void progress(app, slow, 'waiting').then(() => (isWaiting = true))
  while (!isWaiting) {
    clock.advance(5 * SECOND)
    drip.send(1)
    await Bun.sleep(0)
  }
  await app.downloads.pause((await rowOf(app, next))!.id)
  clock.advance(60 * MINUTE)
  await app.downloads.pauseAll()
  await app.downloads.resume((await rowOf(app, next))!.id)
  const ready = [...app.context.store.downloads.ready(clock())].map(
    ({ id }) => app.context.store.downloads.find(id)!.episode_title,
  )
  expect(ready).toEqual(['Next', 'Slow'])
})

test('a download that takes longer than its size explains lets others go first, and that is no failed attempt', async () => {
  const bytes = noise(14_000_000)
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock, elapsed: clock })
  app.prefill(0)
  const drip = dripping(bytes, 1_000_000)
  const eid = await plant(app, host, drip.handler, 'Long')
  await app.episodes.download(eid)
  // It begins again at once, as nobody else waits.
  const ends: unknown[] = []
  app.context.events.listenToAll(event => {
    if (event.type === 'downloadProgress' && event.state === 'waiting') ends.push(app.context.store.downloads.find(1))
  })
  // Fast enough for any two minutes of it, and yet hours for a file whose length is not known.
  for (let sent = 1_000_000; ends.length === 0; sent += 1_000_000) {
    const received = () => app.context.downloads.live(1)?.received ?? 0
    while (ends.length === 0 && received() < sent) await Bun.sleep(0)
    clock.advance(30 * MINUTE)
    drip.send(1_000_000)
  }
  expect(ends[0]).toMatchObject({ error_code: 'upstream-too-slow', attempts: 1 })
  expect(app.lines.join('\n')).not.toContain('given up')
})

test('a download is not slow because the machine is', async () => {
  const bytes = noise(3_000_000)
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock, elapsed: clock })
  app.prefill(0)
  const eid = await plant(
    app,
    host,
    request => {
      clock.advance(10 * MINUTE)
      return serveBytes(request, bytes, 'audio/mpeg', null)
    },
    'Fog',
  )
  await app.episodes.download(eid)
  await app.event('downloadFinished')
})
