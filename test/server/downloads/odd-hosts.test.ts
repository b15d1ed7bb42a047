import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'bun:test'
import { withoutEncoding } from '../../../src/server/outbound/body'
import { refusal, startClock, startTestApp, temporaryFolder } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { fileOf, MINUTE, settled, stateOf, withEpisode } from '../../support/downloads'
import { serveBytes, startFeedHost, type Handler } from '../../support/feed-host'

const mp3 = silentMp3(60)
const fixture = (name: string) => Bun.file(join(import.meta.dir, '../../fixtures/media', name)).bytes()
const gzipped =
  (bytes: Uint8Array): Handler =>
  request => {
    const answer = serveBytes(request, gzipSync(bytes), 'audio/mpeg', '"zipped"')
    answer.headers.set('Content-Encoding', 'gzip')
    return answer
  }

describe('a file that a host compresses although nobody asked for it', () => {
  test('a file that comes as Zstandard is decoded', async () => {
    const headers = { 'Content-Encoding': 'zstd', ETag: '"v1"' }
    const decoded = await withoutEncoding(new Response(zstdCompressSync('sound'), { headers }), 'a.example')
    expect([await decoded.text(), decoded.headers.get('etag')]).toEqual(['sound', null])
    const bomb = await withoutEncoding(
      new Response(zstdCompressSync(Buffer.alloc(400_000_000)), { headers }),
      'a.example',
    )
    expect(await refusal(bomb.arrayBuffer())).toMatchObject({ code: 'too-large' })
  })

  test('is kept as it is', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const episode = await withEpisode(app, host, gzipped(mp3))
    await app.episodes.download(episode.episode_id)
    await app.event('downloadFinished')
    expect(Buffer.from(await Bun.file(fileOf(app)).bytes()).equals(mp3)).toBe(true)
  })

  test('is not continued by a part of its compressed bytes', async () => {
    using host = startFeedHost()
    await using app = await startTestApp()
    const episode = await withEpisode(app, host, gzipped(mp3))
    await app.downloads.pauseAll()
    const { id } = await app.episodes.download(episode.episode_id)
    const { store, files } = app.context
    const row = store.downloads.findByUuid(id)!
    files.folder.open()
    await Bun.write(files.folder.partOf(row.eid), mp3.slice(0, 1000))
    store.downloads.checkpoint(row.id, 1000)
    store.downloads.describeSource(row.id, { etag: '"zipped"', lastModified: null, total: null })
    await app.downloads.resumeAll()
    await app.event('downloadFinished')
    expect(Buffer.from(await Bun.file(fileOf(app)).bytes()).equals(mp3)).toBe(true)
    expect(host.requestsTo('/media/a.mp3').map(({ status }) => status)).toEqual([206, 200])
  })

  test('has no length and no validators of its own, and is plain where it is only called compressed', async () => {
    const headers = { 'Content-Encoding': 'gzip', ETag: '"v1"', 'Content-Type': 'audio/mpeg' }
    const plain = await withoutEncoding(new Response(Buffer.from(mp3), { headers }), 'a.example')
    expect(Object.fromEntries(plain.headers)).toEqual({ 'content-type': 'audio/mpeg' })
    expect(Buffer.from(await plain.bytes()).equals(mp3)).toBe(true)
    const asItIs = new Response(Buffer.from(mp3))
    expect((await withoutEncoding(asItIs, 'a.example')) === asItIs).toBe(true)
  })

  test('ends where it grows more than anything that plays', async () => {
    const headers = { 'Content-Encoding': 'gzip' }
    const bomb = await withoutEncoding(new Response(gzipSync(Buffer.alloc(400_000_000)), { headers }), 'a.example')
    let made = 0
    const swallow = async () => {
      for await (const chunk of bomb.body!) made += chunk.byteLength
    }
    expect(await refusal(swallow())).toMatchObject({ code: 'too-large' })
    expect(made).toBeLessThan(200_000_000)
  })
})

test('an MP4 that was cut off before its index is no download, and one that has it is', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  const cut = await fixture('half-without-index.m4a')
  let served = cut
  const episode = await withEpisode(app, host, request => serveBytes(request, served, 'audio/mp4', null))
  await app.episodes.download(episode.episode_id)
  await settled(app, 'waiting')
  expect(await stateOf(app)).toMatchObject({ errorCode: 'media-incomplete', attempts: 1, receivedBytes: 0 })
  expect((await stateOf(app))!.message).toContain('it lacks its index')
  for (let attempt = 2; attempt <= 3; attempt++) {
    clock.advance(60 * MINUTE)
    app.context.downloads.pump()
    await app.context.downloads.settled()
    expect((await stateOf(app))!.state).toBe(attempt === 3 ? 'failed' : 'waiting')
  }
  expect((await app.episodes.find(episode.episode_id)).podcastEpisode).toMatchObject({ status: false })

  served = await fixture('half-index-in-front.m4b')
  await app.downloads.resume((await stateOf(app))!.id)
  await app.event('downloadFinished')
  const { podcastEpisode } = await app.episodes.find(episode.episode_id)
  expect(podcastEpisode).toMatchObject({ status: true, total_time: 6, has_chapters: true })
})

/** A host that announces more bytes than it has. `size` is asked at each request: how many it then sends. */
async function startBoaster(announced: number, size: () => number) {
  const ranges: (string | null)[] = []
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', data => {
      const range = /range: bytes=(\d+)-/i.exec(data.toString('latin1'))?.[1] ?? null
      ranges.push(range)
      const from = Number(range ?? 0)
      const part = range === null ? '' : `Content-Range: bytes ${from}-${announced - 1}/${announced}\r\n`
      const head = `HTTP/1.1 ${range === null ? 200 : 206} X\r\nContent-Type: audio/mpeg\r\nETag: "e"\r\n${part}`
      socket.end(
        Buffer.concat([Buffer.from(`${head}Content-Length: ${announced - from}\r\n\r\n`), mp3.subarray(from, size())]),
      )
    })
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.mp3`
  return { address, ranges, [Symbol.dispose]: () => void server.close() }
}

describe('a length that is never reached', () => {
  async function plant(announced: number, size: () => number) {
    const boaster = await startBoaster(announced, size)
    const host = startFeedHost()
    const clock = startClock()
    const app = await startTestApp({ now: clock })
    app.prefill(0)
    const items = [{ title: 'Fog', enclosure: boaster.address }]
    const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
    const { data } = await app.podcasts.episodes(podcast.id, {}, null)
    await app.episodes.download(data[0]!.podcastEpisode.episode_id)
    return {
      app,
      ranges: boaster.ranges,
      async again() {
        clock.advance(60 * MINUTE)
        app.context.downloads.pump()
      },
      async [Symbol.asyncDispose]() {
        await app[Symbol.asyncDispose]()
        host.stop()
        boaster[Symbol.dispose]()
      },
    }
  }

  test('is not believed any more when the file has ended at the same byte three times', async () => {
    await using world = await plant(mp3.length + 1000, () => mp3.length)
    const { app } = world
    await settled(app, 'waiting')
    expect(await stateOf(app)).toMatchObject({ errorCode: 'length-mismatch', attempts: 1 })
    let isHere = false
    void app.event('downloadFinished').then(() => (isHere = true))
    let attempts = 1
    for (; !isHere && attempts < 8; attempts++) {
      await world.again()
      await app.context.downloads.settled()
    }
    expect(Buffer.from(await Bun.file(fileOf(app)).bytes()).equals(mp3)).toBe(true)
    expect(attempts).toBeGreaterThan(2)
    expect(app.lines.join('\n')).toContain('accepted as complete')
  })

  test('is counted on after a restart', async () => {
    using boaster = await startBoaster(mp3.length + 1000, () => mp3.length)
    using host = startFeedHost()
    const [folder, clock] = [temporaryFolder(), startClock()]
    const items = [{ title: 'Fog', enclosure: boaster.address }]
    const address = host.feed('/feed.xml', rss({ items }))
    const file = join(folder, 'podcasts/Lighthouse Radio/Fog/Fog.mp3')
    let starts = 0
    // The end of the connection may overtake the last bytes: more than three attempts can be needed.
    for (; !existsSync(file) && starts < 10; starts++) {
      await using app = await startTestApp({ folder, now: clock })
      app.prefill(0)
      if (starts === 0) {
        const { id } = await app.podcasts.add(address)
        await app.podcasts.downloadAll(id)
      }
      clock.advance(60 * MINUTE)
      app.context.downloads.pump()
      await settled(app, 'done', 'waiting')
      await app.context.downloads.settled()
    }
    expect(existsSync(file)).toBe(true)
    expect(starts).toBeGreaterThan(2)
  })

  test('is waited for while the file still grows', async () => {
    let size = mp3.length - 100_000
    await using world = await plant(mp3.length, () => (size += 10_000))
    const { app } = world
    await settled(app, 'waiting')
    for (let attempt = 0; attempt < 4; attempt++) {
      await world.again()
      await app.context.downloads.settled()
    }
    expect((await stateOf(app))!.state).toBe('waiting')
    expect(existsSync(fileOf(app))).toBe(false)
  })
})
