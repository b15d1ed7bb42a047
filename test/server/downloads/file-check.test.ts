import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { fileOf, settled, withEpisode } from '../../support/downloads'
import { startFeedHost, type FeedHost } from '../../support/feed-host'
import { toneM4a } from '../../support/tones'
import { openBeside } from '../../support/other-writer'

const mp3 = silentMp3(3)
const sound = (body: Uint8Array, type = 'audio/mpeg') =>
  new Response(body as BodyInit, { headers: { 'Content-Type': type } })

/** A library with one episode, whose file is downloaded. */
async function withFile(app: TestApp, host: FeedHost) {
  const episode = await withEpisode(app, host, () => sound(mp3))
  await download(app, episode.podcast_id)
  return episode
}

async function download(app: TestApp, podcastId: string) {
  const { id } = app.context.store.podcasts.findVisible(app.context.admin, podcastId)!
  const ended = app.event('downloadFinished')
  await app.podcasts.downloadAll(podcastId)
  await ended
  await app.context.downloads.settled()
  return id
}

const isThere = async (app: TestApp, eid: string) => (await app.episodes.find(eid)).podcastEpisode.status
const removed = (app: TestApp) => app.event('fileRemoved')

test('a file that was deleted outside plays from its host, and is offered for download again', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { episode_id, podcast_id, local_url } = await withFile(app, host)
  expect(await isThere(app, episode_id)).toBe(true)
  rmSync(fileOf(app))

  const gone = removed(app)
  const stream = await app.fetch(new URL(local_url).pathname)
  expect((await stream.bytes()).length).toBe(mp3.length)
  await gone
  expect(await isThere(app, episode_id)).toBe(false)
  expect(await app.podcasts.missing(podcast_id)).toMatchObject({ episodes: 1 })
  expect((await app.downloads.page(null)).data.items).toEqual([])
  await download(app, podcast_id)
  expect(existsSync(fileOf(app))).toBe(true)
})

test('a file that was deleted outside is found missing when its episode is opened', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { episode_id } = await withFile(app, host)
  rmSync(fileOf(app))
  const gone = removed(app)
  await app.episodes.find(episode_id)
  await gone
  expect(await isThere(app, episode_id)).toBe(false)
})

test('a folder that was deleted outside is found missing by the hourly look', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { podcast_id, episode_id } = await withFile(app, host)
  await app.context.fileCheck.sweep()
  expect(app.events.filter(({ type }) => type === 'fileRemoved')).toEqual([])
  rmSync(dirname(dirname(fileOf(app))), { recursive: true })
  await app.context.fileCheck.sweep()
  expect(await isThere(app, episode_id)).toBe(false)
  expect(await app.podcasts.find(podcast_id)).toMatchObject({ episode_count: 1 })
})

test('nothing is forgotten while the media folder, or the disk of a linked folder, is away', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { episode_id, local_url } = await withFile(app, host)
  const [root, elsewhere] = [join(app.folder, 'podcasts'), join(app.folder, 'elsewhere')]
  renameSync(root, elsewhere)
  mkdirSync(root)
  await app.context.fileCheck.sweep()
  await (await app.fetch(new URL(local_url).pathname)).bytes()
  expect(await app.context.fileCheck.check(app.context.store.episodes.find(1)!)).toBe(false)
  rmSync(root, { recursive: true })
  renameSync(elsewhere, root)

  const podcast = dirname(dirname(fileOf(app)))
  renameSync(podcast, elsewhere)
  symlinkSync(join(app.folder, 'unplugged'), podcast)
  await app.context.fileCheck.sweep()
  rmSync(podcast)
  renameSync(elsewhere, podcast)
  expect(await isThere(app, episode_id)).toBe(true)
})

test('an MP4 of an earlier version without its index is downloaded again, once; others are left alone', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const whole = toneM4a(1)
  const items = ['whole', 'broken', 'mislabelled'].map(title => ({
    title,
    enclosure: host.on(`/${title}.m4a`, () => sound(whole, 'audio/mp4')),
    type: 'audio/mp4',
  }))
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  await app.podcasts.downloadAll(id)
  for (const number of [1, 2, 3]) await app.event('downloadFinished', ({ episodeId }) => episodeId === number)
  await app.context.downloads.settled()
  const { store, fileCheck } = app.context
  const pathOf = (title: string) =>
    join(app.folder, 'podcasts', store.episodes.withFilesOf(1).find(row => row.title === title)!.file_path!)
  const head = whole.subarray(0, whole.indexOf('moov') - 4)
  writeFileSync(pathOf('broken'), head)
  writeFileSync(pathOf('mislabelled'), mp3)
  const db = openBeside(join(app.folder, 'castellan.db'))
  db.run('UPDATE episode SET index_sought = 0')
  db.close()

  const requests = () => ['whole', 'broken', 'mislabelled'].map(title => host.requestsTo(`/${title}.m4a`).length)
  expect(requests()).toEqual([1, 1, 1])
  await fileCheck.heal()
  const done = settled(app, 'done')
  app.context.downloads.pump()
  await done
  await app.context.downloads.settled()
  expect(requests()).toEqual([1, 2, 1])
  expect(await Bun.file(pathOf('broken')).bytes()).toEqual(new Uint8Array(whole))
  expect(await Bun.file(pathOf('mislabelled')).bytes()).toEqual(new Uint8Array(mp3))
  writeFileSync(pathOf('broken'), head)
  await fileCheck.heal()
  expect(store.episodes.withUnsoughtIndex(0, 9)).toEqual([])
  expect(store.episodes.withFilesOf(1)).toHaveLength(3)
})
