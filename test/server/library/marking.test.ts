import { expect, test } from 'bun:test'
import { refusal, startClock, startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const HOUR = 3_600_000

async function plant() {
  const host = startFeedHost()
  const clock = startClock()
  const app = await startTestApp({ now: clock })
  app.prefill(0)
  const items = [{ duration: '60' }, { duration: '60' }, { duration: '60' }]
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const episodes = data.map(row => row.podcastEpisode)
  const finished = async () =>
    (await app.podcasts.episodes(podcast.id, {}, null)).data.map(row => row.podcastHistoryItem?.finished ?? false)
  return { host, clock, app, podcast, episodes, finished }
}

test('a marking holds against an older report, although the clock went back in between', async () => {
  const { host, clock, app, podcast, episodes, finished } = await plant()
  using _ = host
  await using __ = app
  const { episode_id } = episodes[0]!
  await app.playback.save({ podcastEpisodeId: episode_id, time: 10, total: 60 })
  const before = new Date(clock() - HOUR / 2).toISOString()
  clock.advance(-HOUR)
  await app.podcasts.markListened(podcast.id, { finished: true })
  clock.advance(HOUR)
  await app.playback.save({ podcastEpisodeId: episode_id, time: 20, total: 60, timestamp: before })
  expect(await finished()).toEqual([true, true, true])
})

test('marked as not played, an episode that was begun starts from its beginning, and undo returns to its place', async () => {
  const { host, clock, app, podcast, episodes } = await plant()
  using _ = host
  await using __ = app
  const { id, episode_id } = episodes[1]!
  const place = async () => {
    const { data } = await app.podcasts.episodes(podcast.id, {}, null)
    return data[1]!.podcastHistoryItem!.position
  }
  await app.playback.save({ podcastEpisodeId: episode_id, time: 25, total: 60 })
  for (const mark of [
    () => app.episodes.batch.mark([id], false),
    () => app.podcasts.markListened(podcast.id, { finished: false }),
  ]) {
    clock.advance(HOUR)
    const { affected, undo } = await mark()
    expect([affected, await place()]).toEqual([1, 0])
    await app.podcasts.undoListened(podcast.id, undo)
    expect(await place()).toBe(25)
  }
})

test('a marking goes up to an episode of the same podcast, and of no other', async () => {
  const { host, app, podcast, episodes, finished } = await plant()
  using _ = host
  await using __ = app
  const other = await app.podcasts.add(host.feed('/other.xml', rss({ title: 'Other', items: [{ guid: 'other' }] })))
  const { data } = await app.podcasts.episodes(other.id, {}, null)
  const foreign = data[0]!.podcastEpisode.id
  expect(await refusal(app.podcasts.markListened(podcast.id, { until: foreign, finished: true }))).toMatchObject({
    code: 'episode-not-found',
  })
  expect(await finished()).toEqual([false, false, false])
  const { affected } = await app.podcasts.markListened(podcast.id, { until: episodes[1]!.id, finished: true })
  expect([affected, await finished()]).toEqual([2, [false, true, true]])
})

test('undoing a marking leaves an episode alone that was played since', async () => {
  const { host, clock, app, podcast, episodes, finished } = await plant()
  using _ = host
  await using __ = app
  const { undo } = await app.podcasts.markListened(podcast.id, { finished: true })
  clock.advance(HOUR)
  await app.playback.save({ podcastEpisodeId: episodes[2]!.episode_id, time: 60, total: 60 })
  expect(await app.podcasts.undoListened(podcast.id, undo)).toEqual({ affected: 2 })
  expect(await finished()).toEqual([false, false, true])
  expect(await app.podcasts.undoListened(podcast.id, undo)).toEqual({ affected: 0 })
})

test('marking and undoing each publish what changed, once', async () => {
  const { host, app, podcast } = await plant()
  using _ = host
  await using __ = app
  const { undo } = await app.podcasts.markListened(podcast.id, { finished: true })
  await app.podcasts.undoListened(podcast.id, undo)
  const published = app.events.filter(({ type }) => type === 'episodesMarked' || type === 'episodesFinished')
  const all = { episodeIds: expect.arrayContaining([1, 2, 3]), source: 'library' }
  expect(published).toEqual([
    expect.objectContaining({ type: 'episodesMarked', ...all }),
    expect.objectContaining({ type: 'episodesFinished', ...all }),
    expect.objectContaining({ type: 'episodesMarked', ...all }),
  ])
})

test('a podcast of many episodes is marked in pieces, which are undone as one, and the last of two markings counts', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const items = Array.from({ length: 450 }, (_, number) => ({ guid: `${number}`, duration: '60' }))
  const { id } = await app.podcasts.add(host.feed('/long.xml', rss({ items })))
  const [first, second] = await Promise.all([
    app.podcasts.markListened(id, { finished: true }),
    app.podcasts.markListened(id, { finished: false }),
  ])
  expect([first.affected, second.affected]).toEqual([450, 450])
  expect(await app.podcasts.undoListened(id, first.undo)).toEqual({ affected: 0 })
  expect(await app.podcasts.undoListened(id, second.undo)).toEqual({ affected: 450 })
  expect((await app.podcasts.overview(id)).counts).toMatchObject({ unplayed: 0 })
})

test('an account that is removed while it marks much is told so, and nothing is logged as an error', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const alice = await app.signUp('alice')
  const podcast = await root.podcasts.add(
    host.feed('/feed.xml', rss({ items: Array.from({ length: 2000 }, () => ({})) })),
  )
  const marked = refusal(alice.podcasts.markListened(podcast.id, { finished: true }))
  await app.event('episodesMarked')
  // Marking goes on in pieces, and the removal comes between two of them.
  await root.users.remove('alice')
  expect(await marked).toMatchObject({ status: 404, code: 'not-found' })
  expect(app.lines.filter(line => / error /.test(line))).toEqual([])
})
