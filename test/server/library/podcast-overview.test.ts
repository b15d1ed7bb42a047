import { expect, test } from 'bun:test'
import { startClock, startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const HOUR = 3_600_000

/** A podcast of three episodes: 0 is the newest. */
async function plant({ extra = '', lastExtra = '' } = {}) {
  const host = startFeedHost()
  const clock = startClock()
  const app = await startTestApp({ now: clock })
  app.prefill(0)
  const items = [{ duration: '60' }, { duration: '60' }, { duration: '60', extra: lastExtra }]
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ extra, items })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const episodes = data.map(row => row.podcastEpisode)
  async function play(index: number, time: number) {
    clock.advance(HOUR)
    await app.playback.save({
      podcastEpisodeId: episodes[index]!.episode_id,
      time,
      total: 60,
      ...(time === 60 && { finished: true }),
    })
  }
  async function next() {
    const { next } = await app.podcasts.overview(podcast.id)
    return next && [next.reason, episodes.findIndex(({ id }) => id === next.episode.podcastEpisode.id)]
  }
  return {
    app,
    podcast,
    episodes,
    play,
    next,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host[Symbol.dispose]()
    },
  }
}

test('the episode that was begun last comes before all others', async () => {
  await using world = await plant()
  await world.play(1, 20)
  await world.play(2, 30)
  expect(await world.next()).toEqual(['begun', 2])
})

test('the newest episode that is not played comes next, and none twice before all were played', async () => {
  await using world = await plant()
  expect(await world.next()).toEqual(['newest', 0])
  await world.play(0, 60)
  expect(await world.next()).toEqual(['newest', 1])
})

test('with everything played, the episode heard longest ago comes again', async () => {
  await using world = await plant()
  for (const index of [1, 0, 2]) await world.play(index, 60)
  expect(await world.next()).toEqual(['again', 1])
})

test('a serial begins with part one, not with its trailer, and goes on in order', async () => {
  await using world = await plant({
    extra: '<itunes:type>serial</itunes:type>',
    lastExtra: '<itunes:episodeType>trailer</itunes:episodeType>',
  })
  expect(await world.next()).toEqual(['first', 1])
  await world.play(1, 60)
  expect(await world.next()).toEqual(['next', 0])
})

test('an audiobook is a serial', async () => {
  await using world = await plant({ extra: '<podcast:medium>audiobook</podcast:medium>' })
  expect(world.podcast.serial).toBe(true)
  expect(await world.next()).toEqual(['first', 2])
})

test('an episode whose address holds another one by now is not played next', async () => {
  await using world = await plant()
  const { store } = world.app.context
  store.episodes.markSuperseded(store.episodes.findByEid(world.episodes[0]!.episode_id)!.id, true)
  expect(await world.next()).toEqual(['newest', 1])
})

test('the counts are those of the filters, and each filter lists as many', async () => {
  await using world = await plant()
  const { app, podcast, episodes } = world
  await world.play(0, 60)
  await app.episodes.like(episodes[2]!.id, true)
  const { counts, newest } = await app.podcasts.overview(podcast.id)
  expect(counts).toEqual({ all: 3, new: 0, unplayed: 2, downloaded: 0, liked: 1 })
  expect(newest?.podcastEpisode.id).toBe(episodes[0]!.id)
  const liked = await app.podcasts.episodes(podcast.id, { liked: true }, null)
  expect(liked.data.map(row => row.podcastEpisode.id)).toEqual([episodes[2]!.id])
})

test('likes and positions of others do not count', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  const alice = await app.signUp('alice')
  const [row] = (await root.podcasts.episodes(podcast.id, {}, null)).data
  await root.episodes.like(row!.podcastEpisode.id, true)
  await root.playback.save({ podcastEpisodeId: row!.podcastEpisode.episode_id, time: 5, total: 60 })
  expect(await alice.podcasts.overview(podcast.id)).toMatchObject({
    counts: { unplayed: 1, liked: 0 },
    next: { reason: 'newest' },
  })
})

test('who agreed to nothing explicit is led to no explicit episode', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  app.prefill(0)
  const items = [{ extra: '<itunes:explicit>true</itunes:explicit>' }, {}]
  const podcast = await app.as('root', 'Sup3rSecret').podcasts.add(host.feed('/feed.xml', rss({ items })))
  const alice = await app.signUp('alice')
  const { counts, next, newest } = await alice.podcasts.overview(podcast.id)
  expect(counts.all).toBe(1)
  expect([next?.episode.podcastEpisode.name, newest?.podcastEpisode.name]).toEqual(['Episode 1', 'Episode 1'])
})
