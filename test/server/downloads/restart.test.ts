import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { noise, silentMp3 } from '../../support/builders'
import { startTestApp, temporaryFolder } from '../../support/app'
import { fileOf, parts, sha, stall, withEpisode } from '../../support/downloads'
import { serveBytes, startFeedHost, type FeedHost } from '../../support/feed-host'

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

/** Downloads an episode, and leaves the database as it is once the file is moved and before that is recorded. */
async function leaveUnrecorded(host: FeedHost, folder: string) {
  await using app = await startTestApp({ folder })
  const episode = await withEpisode(app, host, request => serveBytes(request, silentMp3(5), 'audio/mpeg', null))
  await app.episodes.download(episode.episode_id)
  await app.event('downloadFinished')
  const { store } = app.context
  const size = store.episodes.find(1)!.file_size!
  store.episodes.dropFile(1)
  store.downloads.remove(1)
  store.downloads.enqueue(1, { automatic: false, userId: null, now: 0 })
  store.downloads.start(2, 0, null)
  store.downloads.checkpoint(2, size)
  store.downloads.setTarget(2, { storage: 'folder', path: 'Lighthouse Radio/Fog/Fog.mp3' }, size)
}

test('a crash between the move and its record is repaired without fetching anything', async () => {
  using host = startFeedHost()
  const folder = temporaryFolder()
  await leaveUnrecorded(host, folder)
  host.requests.length = 0
  await using app = await startTestApp({ folder })
  await app.context.downloads.recover()
  app.context.downloads.pump()
  await app.event('downloadFinished')
  expect(host.requests).toHaveLength(0)
  expect(app.context.store.episodes.find(1)!.file_path).toBe('Lighthouse Radio/Fog/Fog.mp3')
})

test('a file that was moved but not recorded is deleted with its podcast, before the download is tried again', async () => {
  using host = startFeedHost()
  const folder = temporaryFolder()
  await leaveUnrecorded(host, folder)
  await using app = await startTestApp({ folder })
  const { store, downloads, removePodcast } = app.context
  await downloads.recover()
  store.downloads.setState(2, 'queued')
  expect(existsSync(fileOf(app))).toBe(true)
  await removePodcast(store.podcasts.find(1)!, true)
  expect(existsSync(fileOf(app))).toBe(false)
  expect(store.forgottenFiles.list()).toEqual([])
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
    store.forgottenFiles.add({ storage: 'folder', path: store.episodes.find(1)!.file_path! })
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
  store.forgottenFiles.add({ storage: 'folder', path: store.episodes.find(1)!.file_path! })
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
