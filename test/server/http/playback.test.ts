import { expect, test } from 'bun:test'
import { rss } from '../../support/builders'
import { refusal, startClock, startTestApp, type TestApp, withPasswords } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'

const HOUR = 3_600_000

async function withEpisode(app: TestApp, duration = '0', { podcasts }: Pick<TestApp, 'podcasts'> = app) {
  using host = startFeedHost()
  app.prefill(0)
  const podcast = await podcasts.add(host.feed('/feed.xml', rss({ items: [{ duration }] })))
  const { data } = await podcasts.episodes(podcast.id, {}, null)
  return data[0]!.podcastEpisode.episode_id
}

test('an episode that was never played is at 0 of what is known of its length, which is not the same as no episode', async () => {
  await using app = await startTestApp()
  const eid = await withEpisode(app, '1:05:00')
  expect(await app.playback.find(eid)).toEqual({
    podcast: expect.stringContaining('/feed.xml'),
    episode: 'https://cdn.example/0.mp3',
    timestamp: null,
    guid: 'guid-0',
    action: 'new',
    started: null,
    position: 0,
    total: 3900,
    device: '',
    finished: false,
  })
  expect(await refusal(app.playback.find('nobody'))).toMatchObject({ status: 404, code: 'episode-not-found' })
})

test('an episode of unknown length that was never played is at 0 of nobody knows what', async () => {
  await using app = await startTestApp()
  expect(await app.playback.find(await withEpisode(app))).toMatchObject({ position: 0, total: null, timestamp: null })
})

test('the newest report wins, an older one changes nothing, and one from the future counts as now', async () => {
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  const eid = await withEpisode(app)
  const at = (hours: number) => new Date(clock() + hours * HOUR).toISOString()
  await app.playback.save({ podcastEpisodeId: eid, time: 100, total: 600, timestamp: at(-1) })
  expect(await app.playback.save({ podcastEpisodeId: eid, time: 5, timestamp: at(-2) })).toMatchObject({
    position: 100,
  })
  await app.playback.save({ podcastEpisodeId: eid, time: 200, timestamp: at(99) })
  clock.advance(1000)
  expect(await app.playback.save({ podcastEpisodeId: eid, time: 250 })).toMatchObject({
    position: 250,
    total: 600,
    device: 'webview',
  })
  expect(await app.playback.find(eid)).toMatchObject({ position: 250, action: 'play', finished: false })
})

test('a position at the end or beyond is finished, zero is unplayed', async () => {
  await using app = await startTestApp()
  const eid = await withEpisode(app, '600')
  expect(await app.playback.save({ podcastEpisodeId: eid, time: 601.7 })).toMatchObject({
    position: 600,
    total: 600,
    finished: true,
  })
  expect(await app.playback.lastWatched(10)).toEqual([])
  expect(await app.playback.save({ podcastEpisodeId: eid, time: 42.9 })).toMatchObject({
    position: 42,
    finished: false,
  })
  expect(await app.playback.lastWatched(10)).toMatchObject([
    { episode: { position: 42 }, podcast: { name: 'Lighthouse Radio' } },
  ])
  await app.playback.save({ podcastEpisodeId: eid, time: 0 })
  expect(await app.playback.lastWatched(10)).toEqual([])
})

test('what is removed from the list to continue stays away until its position changes, or it is put back', async () => {
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  const eid = await withEpisode(app, '600')
  const { id } = (await app.episodes.find(eid)).podcastEpisode
  const shown = async () => (await app.playback.lastWatched(10)).length
  const save = (time: number) => app.playback.save({ podcastEpisodeId: eid, time })
  // Never played: nothing to hide.
  await app.playback.hide(id, true)
  await save(42)
  expect(await shown()).toBe(1)
  await app.playback.hide(id, true)
  expect([await shown(), (await app.playback.find(eid)).position]).toEqual([0, 42])
  await app.playback.hide(id, false)
  expect(await shown()).toBe(1)

  await app.playback.hide(id, true)
  await app.playback.hide(id, true)
  clock.advance(1000)
  await save(42)
  expect(await shown()).toBe(0)
  await save(43)
  expect(await shown()).toBe(1)
  expect(app.events.filter(({ type }) => type === 'episodeHidden')).toHaveLength(3)
  expect(await refusal(app.playback.hide('nobody', true))).toMatchObject({ status: 404, code: 'episode-not-found' })
})

test.each([
  [{ time: -1 }, 'time'],
  [{ time: 'five' }, 'time'],
  [{}, 'time'],
  [{ time: 1, total: -5 }, 'total'],
  [{ time: 1, timestamp: 'yesterday' }, 'timestamp'],
])('%p is refused by the name of its field', async (fields, field) => {
  await using app = await startTestApp()
  const eid = await withEpisode(app)
  expect(await refusal(app.client.post('/podcasts/episode', { podcastEpisodeId: eid, ...fields }))).toMatchObject({
    status: 422,
    code: 'invalid-field',
    args: { field },
  })
})

test('positions are told to the listener as they are saved', async () => {
  await using app = await startTestApp()
  const eid = await withEpisode(app)
  await app.playback.save({ podcastEpisodeId: eid, time: 7, total: 70, device: 'phone' })
  expect(await app.event('progress')).toMatchObject({ eid, position: 7, total: 70, finished: false, device: 'phone' })
})

test('the loudness of an episode is what its listener’s browsers measured last, within bounds, and nobody else’s', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const eid = await withEpisode(app, '0', app.as('root', 'Sup3rSecret'))
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  expect(await alice.playback.loudness(eid)).toEqual({ measured: null })
  await alice.playback.saveLoudness(eid, { lufs: -21.5, seconds: 30 })
  await alice.playback.saveLoudness(eid, { lufs: -20.25, seconds: 60 })
  expect(await alice.playback.loudness(eid)).toEqual({ measured: { lufs: -20.25, seconds: 60 } })
  expect(await bob.playback.loudness(eid)).toEqual({ measured: null })
  for (const wrong of [
    { lufs: -71 },
    { lufs: 6 },
    { lufs: null },
    { seconds: 29 },
    { seconds: 30.5 },
    { seconds: 1e9 },
  ])
    expect(
      await refusal(alice.playback.saveLoudness(eid, { lufs: -20, seconds: 60, ...wrong } as never)),
    ).toMatchObject({ code: 'invalid-field' })
  expect(await refusal(alice.playback.saveLoudness('nobody', { lufs: -20, seconds: 60 }))).toMatchObject({
    status: 404,
  })
  expect(await alice.playback.loudness(eid)).toEqual({ measured: { lufs: -20.25, seconds: 60 } })
})
