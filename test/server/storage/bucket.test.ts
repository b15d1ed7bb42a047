import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'bun:test'
import { startTestApp, temporaryFolder, type TestApp } from '../../support/app'
import { bucketFound, hasty, inBucket } from '../../support/bucket'
import { noise, rss, silentMp3, withChapters } from '../../support/builders'
import { parts } from '../../support/downloads'
import { serveBytes, startFeedHost, type FeedHost } from '../../support/feed-host'
import { startS3Server, type S3Server } from '../../support/s3-server'

const mp3 = silentMp3(30)
const large = Buffer.concat([silentMp3(5), noise(12_000_000, 3)])

type World = {
  app: TestApp
  host: FeedHost
  s3: S3Server
  folder: string
  ids: string[]
  stop: () => Promise<void>
}

/** A library whose two episodes have been downloaded into a bucket. */
async function withFiles(work: (world: World) => Promise<void>, { env = {}, bytes = mp3 as Uint8Array } = {}) {
  using s3 = await startS3Server()
  using host = startFeedHost()
  const folder = temporaryFolder()
  const app = await startTestApp({ folder, env: inBucket(s3, env), bucketLimits: hasty })
  let isStopped = false
  const stop = async () => {
    if (!isStopped) await app[Symbol.asyncDispose]()
    isStopped = true
  }
  await using _ = { [Symbol.asyncDispose]: stop }
  await bucketFound(app)
  app.prefill(0)
  const file = (name: string) =>
    host.on(`/media/${name}.mp3`, request => serveBytes(request, bytes, 'audio/mpeg', `"${name}"`))
  const items = ['Fog', 'Rain'].map(title => ({ title, enclosure: file(title) }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'Weather', items })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const ids = data.map(({ podcastEpisode }) => podcastEpisode.episode_id)
  for (const id of ids) {
    await app.episodes.download(id)
    const { id: episodeId } = app.context.store.episodes.findByEid(id)!
    await app.event('downloadFinished', event => event.episodeId === episodeId)
  }
  host.requests.length = 0
  await work({ app, host, s3, folder, ids, stop })
}

const keys = ['castellan/Weather/Fog/Fog.mp3', 'castellan/Weather/Rain/Rain.mp3']
const mediaOf = (app: TestApp, id: string, headers: Record<string, string> = {}, query = '') =>
  app.fetch(`/media/${id}${query}`, { headers })
const mp3sBelow = (folder: string) =>
  readdirSync(join(folder, 'podcasts'), { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.mp3'))

describe('a downloaded file', () => {
  test.each([
    ['small', mp3],
    ['in several parts', large],
  ])('%s goes into the bucket byte for byte, and nothing of it stays on the disk', (_, bytes) =>
    withFiles(
      async ({ app, s3, folder, ids }) => {
        expect(s3.keys()).toEqual(keys)
        expect(s3.uploads()).toEqual([])
        expect(Buffer.from(s3.objects().get(keys[0]!)!.bytes()).equals(bytes)).toBe(true)
        expect(s3.objects().get(keys[0]!)!.type).toBe('audio/mpeg')
        expect([mp3sBelow(folder), parts(app)]).toEqual([[], []])
        const { podcastEpisode } = await app.episodes.find(ids[0]!)
        expect(podcastEpisode).toMatchObject({ status: true, file_size: bytes.byteLength })
      },
      { bytes },
    ),
  )

  test('is read before it is uploaded: its length and chapters are known', () =>
    withFiles(
      async ({ app, ids }) => {
        const { podcastEpisode } = await app.episodes.find(ids[0]!)
        expect(podcastEpisode).toMatchObject({ total_time: 30, has_chapters: true })
      },
      {
        bytes: withChapters(mp3, [
          { start: 0, end: 5000, title: 'One' },
          { start: 5000, end: 30_000, title: 'Two' },
        ]),
      },
    ))

  test('plays whole and in ranges without its host, by the same headers as from a folder', () =>
    withFiles(
      async ({ app, host, ids }) => {
        const whole = await mediaOf(app, ids[0]!)
        expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
        expect(whole.headers.get('accept-ranges')).toBe('bytes')
        expect(Buffer.from(await whole.arrayBuffer()).equals(large)).toBe(true)
        const etag = whole.headers.get('etag')!

        const part = await mediaOf(app, ids[0]!, { Range: 'bytes=6000000-6000099', 'If-Range': etag })
        expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 6000000-6000099/${large.length}`])
        expect(Buffer.from(await part.arrayBuffer()).equals(large.subarray(6_000_000, 6_000_100))).toBe(true)

        const others = [
          await mediaOf(app, ids[0]!, { Range: 'bytes=-10' }),
          await mediaOf(app, ids[0]!, { Range: `bytes=${large.length}-` }),
          await mediaOf(app, ids[0]!, { 'If-None-Match': etag }),
          await mediaOf(app, ids[0]!, { Range: 'bytes=0-9', 'If-Range': '"another"' }),
        ]
        expect(others.map(({ status }) => status)).toEqual([206, 416, 304, 200])
        for (const other of others) await other.body?.cancel()
        const head = await fetch(`${app.listen()}/media/${ids[0]}`, { method: 'HEAD' })
        expect([head.status, head.headers.get('content-length')]).toEqual([200, String(large.length)])
        const saved = await mediaOf(app, ids[0]!, {}, '?download=1')
        expect(saved.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Fog.mp3")
        await saved.body?.cancel()
        expect(host.requests).toEqual([])
      },
      { bytes: large },
    ))

  test('is played from the bucket itself where players are sent there, on our own page only if it asks for that', () =>
    withFiles(
      async ({ app, s3, ids }) => {
        s3.forgetRequests()
        const sent = await mediaOf(app, ids[0]!, {}, '?download=1')
        expect([sent.status, sent.headers.get('cache-control')]).toEqual([302, 'private, no-store'])
        expect(s3.requests).toEqual([])
        const address = sent.headers.get('location')!
        const there = await fetch(address, { headers: { Range: 'bytes=10-19' } })
        expect([there.status, there.headers.get('content-type')]).toEqual([206, 'audio/mpeg'])
        expect(there.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Fog.mp3")
        expect(Buffer.from(await there.arrayBuffer()).equals(mp3.subarray(10, 20))).toBe(true)
        expect((await fetch(address.replace('Fog.mp3', 'Rain.mp3'))).status).toBe(403)
        const ofOwnPage: Record<string, string>[] = [
          { 'Sec-Fetch-Site': 'same-origin' },
          { Host: 'localhost:8000', Referer: 'http://localhost:8000/ui/' },
        ]
        for (const headers of ofOwnPage) {
          const relayed = await mediaOf(app, ids[0]!, headers)
          expect([headers, relayed.status]).toEqual([headers, 200])
          expect(Buffer.from(await relayed.arrayBuffer()).equals(mp3)).toBe(true)
        }
        const direct = await mediaOf(app, ids[0]!, ofOwnPage[0], '?direct=1')
        expect([direct.status, direct.headers.get('location')!.startsWith(s3.endpoint)]).toEqual([302, true])
        const policyOf = async (shown: TestApp) =>
          (await shown.fetch('/ui/')).headers.get('content-security-policy')!.split('; ')
        expect(await policyOf(app)).toContain(`media-src 'self' blob: ${s3.endpoint}`)
        await using other = await startTestApp({ env: inBucket(s3) })
        expect(await policyOf(other)).toContain("media-src 'self' blob:")
        const elsewhere = { Host: 'localhost:8000', Referer: 'http://other.example/', 'Sec-Fetch-Site': 'cross-site' }
        expect((await mediaOf(app, ids[0]!, elsewhere)).status).toBe(302)
      },
      { env: { S3_REDIRECT: 'true' } },
    ))

  test('is deleted with its object, and so are those of a podcast that is removed with its files', () =>
    withFiles(async ({ app, s3, ids }) => {
      await app.episodes.removeDownload(ids[0]!)
      expect(s3.keys()).toEqual([keys[1]!])
      const [podcast] = await app.podcasts.list()
      await app.podcasts.remove(podcast!.id, true)
      expect(s3.keys()).toEqual([])
      expect(app.context.store.forgottenFiles.list()).toEqual([])
    }))

  test('that another program deleted is found missing, but nothing is forgotten if the bucket is another one', () =>
    withFiles(async ({ app, s3, ids }) => {
      const { fileCheck } = app.context
      const areThere = () => Promise.all(ids.map(async id => (await app.episodes.find(id)).podcastEpisode.status))
      await fileCheck.sweep()
      expect(await areThere()).toEqual([true, true])
      s3.remove(keys[0]!)
      await fileCheck.sweep()
      expect(await areThere()).toEqual([false, true])
      await app.episodes.download(ids[0]!)
      await app.event('downloadFinished', event => event.episodeId === 1)
      s3.remove(keys[0]!)
      const gone = app.event('fileRemoved')
      expect((await (await mediaOf(app, ids[0]!)).arrayBuffer()).byteLength).toBe(mp3.byteLength)
      await gone
      s3.remove(keys[1]!)
      await fileCheck.sweep()
      expect(await areThere()).toEqual([false, true])
    }))

  test('that the bucket lists but denies is not forgotten', () =>
    withFiles(async ({ app, s3, ids }) => {
      s3.fail({ kind: 'refuse', status: 404, code: 'NoSuchKey' }, { when: ({ key }) => key !== null })
      await app.context.fileCheck.sweep()
      for (const id of ids) expect((await app.episodes.find(id)).podcastEpisode.status).toBe(true)
    }))

  test('that stayed when its podcast was deleted is found again when that is added', () =>
    withFiles(async ({ app, host, s3 }) => {
      const [podcast] = await app.podcasts.list()
      await app.podcasts.remove(podcast!.id, false)
      expect(s3.keys()).toEqual(keys)
      await app.podcasts.add(`${host.origin}/feed.xml`)
      const { store } = app.context
      await app.context.keptFiles.resume()
      expect(
        store.episodes
          .allWithFiles()
          .map(({ file_path }) => `castellan/${file_path}`)
          .toSorted(),
      ).toEqual(keys)
      expect(host.requests.filter(({ path }) => path.startsWith('/media/'))).toEqual([])
    }))

  test('gets the name that the settings ask for, and plays on under it', () =>
    withFiles(async ({ app, s3, ids }) => {
      const { store, rename, admin } = app.context
      store.settings.edit({ directPaths: true, episodeFormat: 'é {title} #?' })
      rename.start(admin.id, { applyFilenames: true, applyMetadata: true })
      await rename.settled()
      expect(s3.keys()).toEqual(['castellan/Weather/é Fog #-.mp3', 'castellan/Weather/é Rain #-.mp3'])
      const again = await mediaOf(app, ids[1]!)
      expect(Buffer.from(await again.arrayBuffer()).equals(mp3)).toBe(true)
    }))

  test('has the number of its episode in its title before it is uploaded', () =>
    withFiles(async ({ app, s3 }) => {
      const { store } = app.context
      const [one] = store.episodes.allWithFiles()
      await app.context.downloads.remove(store.episodes.find(one!.id)!)
      store.settings.edit({ episodeNumbering: true })
      await app.episodes.download(store.episodes.find(one!.id)!.eid)
      const puts = () => s3.requests.filter(({ method }) => method === 'PUT').length
      const before = puts()
      app.events.length = 0
      await app.event('downloadFinished')
      expect(puts() - before).toBeLessThanOrEqual(1)
      const tag = Buffer.from(s3.objects().get(`castellan/${one!.file_path}`)!.bytes()).subarray(0, 200)
      expect(tag.toString('latin1')).toMatch(/\d\0 \0[FR]\0/)
      expect(store.episodes.find(one!.id)!.numbered).toBe(1)
    }))
})

test('a file that was uploaded by a process that was killed before its record is not fetched again', async () => {
  await withFiles(async ({ app, host, s3 }) => {
    const { store, downloads } = app.context
    const [one] = store.episodes.allWithFiles()
    const { file_size } = store.episodes.find(one!.id)!
    store.episodes.dropFile(one!.id)
    const row = store.downloads.findOfEpisode(one!.id)!
    store.downloads.setTarget(row.id, { storage: 's3', path: one!.file_path }, file_size!)
    store.downloads.setState(row.id, 'queued')
    app.events.length = 0
    downloads.pump()
    await app.event('downloadFinished')
    expect(host.requests.filter(({ path }) => path.startsWith('/media/'))).toEqual([])
    expect([s3.keys(), store.episodes.find(one!.id)!.file_storage]).toEqual([keys, 's3'])
  })
})

test('files of both storages play, whichever is the one of new files', async () => {
  await withFiles(async ({ s3, folder, ids, stop }) => {
    await stop()
    await using again = await startTestApp({ folder, env: inBucket(s3, { MEDIA_STORAGE: 'folder' }) })
    await again.episodes.removeDownload(ids[0]!).catch(() => bucketFound(again))
    await bucketFound(again)
    await again.episodes.removeDownload(ids[0]!)
    await again.episodes.download(ids[0]!)
    await again.event('downloadFinished')
    expect(mp3sBelow(folder)).toEqual(['Weather/Fog/Fog.mp3'])
    expect(s3.keys()).toEqual([keys[1]!])
    for (const id of ids) expect((await (await mediaOf(again, id)).arrayBuffer()).byteLength).toBe(mp3.byteLength)
  })
})

test('a bucket is reached by the proxy of everything that is fetched', async () => {
  const asked: string[] = []
  using proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      asked.push(new URL(request.url).host)
      return new Response('<ListBucketResult></ListBucketResult>', { headers: { 'Content-Type': 'application/xml' } })
    },
  })
  using s3 = await startS3Server()
  const env = inBucket(s3, {
    S3_ENDPOINT: 'http://s3.example',
    HTTP_PROXY: proxy.url.href,
    PROXY: 'http://127.0.0.1:9',
  })
  await using app = await startTestApp({ env, bucketLimits: hasty })
  expect(await bucketFound(app)).toBe(null)
  expect(asked[0]).toBe('s3.example')
})
