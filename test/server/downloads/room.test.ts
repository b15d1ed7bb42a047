import { expect, test } from 'bun:test'
import { rss, silentMp3 } from '../../support/builders'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { MINUTE, settled, stateOf, withEpisode } from '../../support/downloads'
import { serveBytes, startFeedHost, type Handler } from '../../support/feed-host'

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
  expect(await app.podcasts.downloadAll(data.data[0]!.podcast_episode.podcast_id)).toMatchObject({ queued: 1 })
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

test('hosts share the places, and no more than the limit run at once', async () => {
  using one = startFeedHost()
  using two = startFeedHost()
  await using app = await startTestApp({ env: { MAX_PARALLEL_DOWNLOADS: '3' } })
  app.prefill(10)
  const gate = Promise.withResolvers<void>()
  const threeRun = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const held: Handler = async request => {
    most = Math.max(most, ++running)
    if (running === 3) threeRun.resolve()
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
  await threeRun.promise
  expect((await app.downloads.page(null)).data.counts).toMatchObject({ running: 3, queued: 3 })
  gate.resolve()
  while ((await app.downloads.page(null)).data.items.length > 0) await Bun.sleep(5)
  expect(most).toBe(3)
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
  expect(await app.podcasts.downloadAll(podcast.id)).toMatchObject({ queued: 230 })
  const { data } = await app.podcasts.episodes(other.id, {}, null)
  await app.episodes.download(data[0]!.podcastEpisode.episode_id)
  await app.event('downloadFinished')
})
