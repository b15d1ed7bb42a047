import { expect, test } from 'bun:test'
import { refusal, startClock, startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

test('listening time counts forward playback only, never more than went by, by day and weekday of a time zone', async () => {
  using host = startFeedHost()
  const now = startClock(Date.UTC(2026, 4, 3, 23, 30))
  await using app = await startTestApp({ env: withPasswords, now })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items: [{ duration: '7200' }] })))
  const alice = await app.signUp('alice')
  const { episode_id } = (await alice.podcasts.episodes(podcast.id, {}, null)).data[0]!.podcastEpisode
  const at = (time: number) => alice.playback.save({ podcastEpisodeId: episode_id, time })
  await at(10)
  now.advance(60_000)
  await at(70)
  // A leap ahead is a skip, not something that was heard; a step back is nothing.
  now.advance(10_000)
  await at(3000)
  now.advance(60_000)
  await at(100)
  const stats = await alice.info.stats({ tz: 'Europe/Copenhagen' })
  expect(stats).toMatchObject({ listenedPodcasts: 1, listenedEpisodes: 1, totalListenedSeconds: 10 + 60 + 25 })
  expect(stats.topPodcasts).toMatchObject([{ podcastId: podcast.id, listenedSeconds: 95, listenedEpisodes: 1 }])
  // 23:30 in UTC on Sunday is Monday in Copenhagen.
  expect(stats.days).toEqual([{ date: '2026-05-04', listenedSeconds: 95 }])
  expect(stats.activeWeekdays.filter(day => day.listenedSeconds > 0)).toEqual([
    { dayIndex: 1, weekday: 'monday', listenedSeconds: 95 },
  ])
  expect(stats.activeWeekdays).toHaveLength(7)
  expect((await alice.info.stats({})).days).toEqual([{ date: '2026-05-03', listenedSeconds: 95 }])
  expect((await alice.info.stats({ from: '2026-05-05' })).totalListenedSeconds).toBe(0)
  expect((await alice.info.stats({ to: '2026-05-03' })).totalListenedSeconds).toBe(95)
  expect((await root.info.stats({})).totalListenedSeconds).toBe(0)
  expect(await refusal(alice.info.stats({ tz: 'Mars/Base' }))).toMatchObject({ status: 422, args: { field: 'tz' } })
  expect(await refusal(alice.info.stats({ topLimit: 501 }))).toMatchObject({ status: 422 })
})

test('the system tells of machine, disks and library', async () => {
  await using app = await startTestApp()
  const info = await app.info.system()
  expect(info.system.mem_total).toBeGreaterThan(info.system.mem_available)
  expect(info.disks.length).toBeGreaterThan(0)
  expect(info).toMatchObject({
    podcast_directory: 0,
    database_size: expect.any(Number),
    library: { podcasts: 0, files: 0, byPodcast: [] },
  })
  expect(await app.info.build()).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
})

test('time that a speed saved and silence that was trimmed do not count as listening, and are summed up', async () => {
  using host = startFeedHost()
  const now = startClock(Date.UTC(2026, 4, 3, 12))
  await using app = await startTestApp({ env: withPasswords, now })
  app.prefill(0)
  const podcast = await app
    .as('root', 'Sup3rSecret')
    .podcasts.add(host.feed('/feed.xml', rss({ items: [{ duration: '7200' }] })))
  const alice = await app.signUp('alice')
  const { episode_id } = (await alice.podcasts.episodes(podcast.id, {}, null)).data[0]!.podcastEpisode
  const at = (time: number, skipped = {}) => alice.playback.save({ podcastEpisodeId: episode_id, time, ...skipped })
  await at(10)
  expect(await alice.info.stats({})).toMatchObject({ totalListenedSeconds: 10, savedSeconds: 0, measuredSince: null })
  // A minute at three times the speed, of which ten seconds were silence.
  now.advance(24 * 60 * 60_000)
  await at(10)
  now.advance(60_000)
  await at(200, { saved: 120, trimmed: 10 })
  expect(await alice.info.stats({})).toMatchObject({
    totalListenedSeconds: 10 + 60,
    savedSeconds: 120,
    trimmedSeconds: 10,
    measuredSince: '2026-05-04',
  })
  // Nobody saves more than was played.
  now.advance(60_000)
  await at(230, { saved: 1000, trimmed: 1000 })
  expect(await alice.info.stats({})).toMatchObject({ totalListenedSeconds: 70, savedSeconds: 150, trimmedSeconds: 10 })
})
