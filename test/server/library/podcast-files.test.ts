import { rename } from 'node:fs/promises'
import { expect, test } from 'bun:test'
import { refusal, startClock, startTestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

async function plant() {
  const host = startFeedHost()
  const app = await startTestApp()
  app.prefill(2)
  const items = [1, 2].map(second => ({ enclosure: host.file(`/${second}.mp3`, silentMp3(second)) }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  await Promise.all([1, 2].map(episodeId => app.event('downloadFinished', event => event.episodeId === episodeId)))
  const episodes = async () => (await app.podcasts.episodes(podcast.id, {}, null)).data.map(row => row.podcastEpisode)
  const call = (method: string, name: string) =>
    app.fetch(`/api/v1/podcasts/${podcast.id}/episodes/${name}`, { method }).then(answer => answer.json())
  return { host, app, podcast, episodes, call }
}

test('deleting the files of a podcast spares those of episodes that somebody likes', async () => {
  const { host, app, episodes, call } = await plant()
  using _ = host
  await using __ = app
  const [first] = await episodes()
  await app.episodes.like(first!.id, true)
  expect(await call('DELETE', 'downloads')).toEqual({ affected: 1 })
  expect((await episodes()).map(({ status }) => status)).toEqual([true, false])
})

test('files are forgotten when they are missing, but not when the whole folder is', async () => {
  const { host, app, episodes, call } = await plant()
  using _ = host
  await using __ = app
  const { files, store, config } = app.context
  const away = `${config.podcastFolder}-away`
  await rename(config.podcastFolder, away)
  expect(await call('POST', 'resync-db')).toMatchObject({ errorCode: 'media-folder-absent' })
  await rename(away, config.podcastFolder)
  expect(await call('POST', 'resync-db')).toEqual({ affected: 0 })

  await Bun.file(files.folder.pathOf(store.episodes.find(1)!.file_path!)).delete()
  expect(await call('POST', 'resync-db')).toEqual({ affected: 1 })
  expect((await episodes()).filter(({ status }) => status)).toHaveLength(1)
})

test('a range of episodes to download has its end after its beginning', async () => {
  const { host, app, podcast } = await plant()
  using _ = host
  await using __ = app
  const range = (from: number, to: number) =>
    app.client.post(`/podcasts/${podcast.id}/episodes/download-range`, { from, to })
  expect(await refusal(range(2, 1))).toMatchObject({ code: 'invalid-field', args: { field: 'to' } })
  expect(await range(1, 1)).toEqual({ queued: 0 })
})

test('before everything is downloaded, its number and size are known, and the room for it', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const items = [{ length: 5000 }, { length: 7000 }, { length: 0 }]
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const missing = await app.podcasts.missing(id)
  expect(missing).toMatchObject({ episodes: 3, bytes: 12_000, unknownSizes: 1 })
  expect(missing.freeBytes).toBeGreaterThan(0)
})

test('downloading everything can be undone, but for what was queued before', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  await app.context.downloads.pauseAll()
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}, {}, {}] })))
  const [first] = (await app.podcasts.episodes(id, {}, null)).data
  await app.episodes.download(first!.podcastEpisode.episode_id)
  clock.advance(1000)

  const { queued, undo } = await app.podcasts.downloadAll(id)
  expect(queued).toBe(3)
  expect(await app.podcasts.undoDownloadAll(id, undo)).toEqual({ affected: 2 })
  const states = (await app.podcasts.episodes(id, {}, null)).data.map(row => row.podcastEpisode.download_state)
  expect(states).toEqual(['queued', null, null])
})
