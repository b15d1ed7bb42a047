import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, spyOn, test } from 'bun:test'
import { startTestApp, type TestApp } from '../../support/app'
import { noise, rss, silentMp3 } from '../../support/builders'
import { serveBytes, startFeedHost, type FeedHost, type Handler } from '../../support/feed-host'

async function withEpisode(app: TestApp, host: FeedHost, handler: Handler) {
  app.prefill(0)
  const enclosure = host.on('/a.mp3', handler)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{ title: 'Fog', enclosure }] })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  return data[0]!.podcastEpisode
}

/** Every file of the library, finished or not. */
const filesOf = (app: TestApp) => {
  const folder = join(app.folder, 'podcasts')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== '.castellan')
    .map(({ name }) => name)
}

function expectNothingKept(app: TestApp) {
  expect(filesOf(app)).toEqual([])
  expect(app.context.store.episodes.find(1)).toMatchObject({ file_path: null, file_size: null })
  expect(app.events.some(({ type }) => type === 'downloadFinished')).toBe(false)
  expect(app.context.store.forgottenFiles.list()).toEqual([])
}

test('a download whose row goes just as its last byte comes leaves no file and no record', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { store, downloads, media } = app.context
  const factsOf = spyOn(media, 'factsOf')
  const bytes = silentMp3(5)
  const episode = await withEpisode(app, host, request => {
    store.downloads.remove(store.downloads.findOfEpisode(1)!.id)
    return serveBytes(request, bytes, 'audio/mpeg', null)
  })
  await app.episodes.download(episode.episode_id)
  await downloads.settled()
  expect(host.requestsTo('/a.mp3')).toHaveLength(1)
  expect(factsOf).not.toHaveBeenCalled()
  expectNothingKept(app)
})

test('a download whose row goes while its file is looked into leaves no file and no record', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { store, downloads, media } = app.context
  const { factsOf } = media
  let wasInPlace = false
  media.factsOf = async (path, type) => {
    const facts = await factsOf(path, type)
    wasInPlace = existsSync(path)
    store.downloads.remove(store.downloads.findOfEpisode(1)!.id)
    return facts
  }
  const bytes = silentMp3(5)
  const episode = await withEpisode(app, host, request => serveBytes(request, bytes, 'audio/mpeg', null))
  await app.episodes.download(episode.episode_id)
  await downloads.settled()
  expect(wasInPlace).toBe(true)
  expectNothingKept(app)
})

test('a download that fills the disk stops before it is full, and waits for room', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { DISK_RESERVE: '1' } })
  const { files } = app.context
  // A host that does not say how much is to come.
  const chunk = noise(1024 * 1024)
  let chunks = 0
  const endless = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          if (chunks++ < 300) controller.enqueue(chunk)
          else controller.close()
        },
      }),
      { headers: { 'Content-Type': 'audio/mpeg' } },
    )
  const episode = await withEpisode(app, host, endless)
  // There is room until something has been written.
  const part = files.folder.partOf(episode.episode_id)
  files.folder.freeBytes = async () => ((await files.folder.sizeOf(part)) ? 500_000 : 1e12)
  await app.episodes.download(episode.episode_id)
  await app.event('downloadProgress', ({ state }) => state === 'waiting' || state === 'done')
  const { data } = await app.downloads.page(null)
  expect(data.items[0]).toMatchObject({ state: 'waiting', errorCode: 'disk-full', attempts: 0 })
  expect(data.items[0]!.receivedBytes).toBeWithin(chunk.byteLength, 100 * chunk.byteLength)
})
