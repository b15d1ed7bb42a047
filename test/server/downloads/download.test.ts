import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { noise, rss, silentMp3 } from '../../support/builders'
import { refusal, startClock, startTestApp } from '../../support/app'
import { fileOf, MINUTE, parts, sha, stall, stateOf, withEpisode } from '../../support/downloads'
import { serveBytes, startFeedHost } from '../../support/feed-host'

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
  await Promise.all([1, 2, 3].map(id => app.event('downloadFinished', event => event.episodeId === id)))
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
