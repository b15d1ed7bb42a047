import { expect, test } from 'bun:test'
import { signedInApp } from '../../../../support/audiobookshelf-app'
import { HOUR, MINUTE, startPlaying } from '../../../../support/playing'

const pair = ({ status, text }: { status: number; text: string }) => [status, text]
const OK = [200, 'OK']

test('a session played without a network counts from when it was played, once, however often it is sent', async () => {
  await using world = await startPlaying()
  const played = world.offline({ updatedAt: world.now() - HOUR, startedAt: world.now() - 2 * HOUR })
  for (let times = 0; times < 3; times++) expect(pair(await world.app.post('/api/session/local', played))).toEqual(OK)
  expect((await world.progress()).json).toMatchObject({ currentTime: 130, lastUpdate: world.now() - HOUR })
  expect(world.listened()).toBe(120)

  // The same session goes on: only the difference counts.
  const further = { ...played, updatedAt: world.now() - 30 * MINUTE, currentTime: 300, timeListening: 200 }
  await world.app.post('/api/session/local', further)
  await world.app.post('/api/session/local', played)
  expect((await world.progress()).json.currentTime).toBe(300)
  expect(world.listened()).toBe(200)
})

test('another device that stopped at the same second is not taken for the session itself', async () => {
  await using world = await startPlaying()
  const played = world.offline({ updatedAt: world.now() - 2 * HOUR, startedAt: world.now() - 3 * HOUR })
  await world.app.post('/api/session/local', played)
  const { currentTime } = (await world.progress()).json
  await world.browser.playback.save({ podcastEpisodeId: world.episodes[0]!.episode_id, time: 400, total: 600 })
  await world.browser.playback.save({ podcastEpisodeId: world.episodes[0]!.episode_id, time: currentTime, total: 600 })
  const earlier = { ...played, updatedAt: world.now() - HOUR, currentTime: 170, timeListening: 160 }
  const { results } = (await world.app.post('/api/session/local-all', { sessions: [earlier] })).json
  expect(results).toMatchObject([{ success: true, progressSynced: false }])
  expect((await world.progress()).json.currentTime).toBe(currentTime)
})

test('of many, each has its result in order; sent twice they count once', async () => {
  await using world = await startPlaying()
  const { app, now, podcast, episodes } = world
  await world.browser.playback.save({ podcastEpisodeId: episodes[1]!.episode_id, time: 400, total: 600 })
  const ids = Array.from({ length: 5 }, () => crypto.randomUUID())
  const sessions = [
    world.offline({ id: ids[0] }),
    world.offline({ id: ids[1], episodeId: episodes[1]!.id, updatedAt: now() - HOUR, startedAt: now() - 2 * HOUR }),
    world.offline({ id: ids[2], episodeId: crypto.randomUUID() }),
    world.offline({ id: ids[3], libraryItemId: crypto.randomUUID() }),
    world.offline({ id: ids[4], currentTime: null }),
    world.offline({ id: 'x'.repeat(101) }),
    'nonsense',
  ]
  const send = () => app.post('/api/session/local-all', { sessions, deviceInfo: {} })
  const first = await send()
  expect(first.status).toBe(200)
  const error = 'Media item not found'
  expect(first.json.results).toEqual([
    { id: ids[0], success: true, progressSynced: true },
    { id: ids[1], success: true, progressSynced: false },
    { id: ids[2], success: false, error },
    { id: ids[3], success: false, error },
    { id: ids[4], success: false, error: 'Invalid session' },
    { id: 'x'.repeat(101), success: false, error: 'Invalid session' },
    { id: '', success: false, error },
  ])
  const again = (await send()).json.results
  expect(again.map(({ success }: any) => success)).toEqual([true, true, false, false, false, false, false])
  expect((await world.progress()).json.currentTime).toBe(130)
  // What is known is newer, but it was heard all the same.
  expect((await app.get(`/api/me/progress/${podcast}/${episodes[1]!.id}`)).json.currentTime).toBe(400)
  expect(world.listened()).toBe(15 + 240)
})

test('nothing, and what is no list, is answered with an empty list', async () => {
  await using world = await startPlaying()
  for (const body of [undefined, {}, { sessions: 'all' }, []])
    expect((await world.app.post('/api/session/local-all', body)).json).toEqual({ results: [] })
})

test('a single one that names nothing known is not found, with a word', async () => {
  await using world = await startPlaying()
  const answer = await world.app.post('/api/session/local', world.offline({ episodeId: 'nobody' }))
  expect(pair(answer)).toEqual([404, 'Media item not found'])
})

test('one from the future counts as now, and sent again takes back nothing that was played since', async () => {
  await using world = await startPlaying()
  const played = world.offline({ updatedAt: world.now() + HOUR })
  await world.app.post('/api/session/local', played)
  expect((await world.progress()).json.lastUpdate).toBe(world.now())
  world.now.advance(MINUTE)
  await world.browser.playback.save({ podcastEpisodeId: world.episodes[0]!.episode_id, time: 500, total: 600 })
  world.now.advance(MINUTE)
  await world.app.post('/api/session/local', played)
  expect((await world.progress()).json.currentTime).toBe(500)
})

test('a session that began online goes on without a network, also with a clock that is behind', async () => {
  await using world = await startPlaying()
  const { id } = (await world.play()).json
  world.now.advance(15_000)
  await world.app.post(`/api/session/${id}/sync`, { currentTime: 15, timeListened: 15 })
  // A player that pauses says so.
  world.now.advance(5_000)
  await world.app.post(`/api/session/${id}/sync`, { currentTime: 15, timeListened: 0 })
  world.now.advance(10 * MINUTE)
  const played = world.offline({ id, updatedAt: world.now() - 30 * MINUTE, startedAt: world.now() - 2 * HOUR })
  expect((await world.app.post('/api/session/local-all', { sessions: [played] })).json.results).toEqual([
    { id, success: true, progressSynced: true },
  ])
  expect((await world.progress()).json.currentTime).toBe(130)
  expect(world.listened()).toBe(120)
})

test('an id that belongs to another person is refused, and one that the app chose opens no media', async () => {
  await using world = await startPlaying()
  await world.server.signUp('bob')
  const bob = await signedInApp(world.server, 'bob')
  const { id } = (await world.play()).json
  const stolen = world.offline({ id })
  expect((await bob.post('/api/session/local-all', { sessions: [stolen] })).json.results).toMatchObject([
    { id, success: false },
  ])
  expect((await world.app.get(`/api/session/${id}`)).json.currentTime).toBe(0)
  await world.app.post('/api/session/local', world.offline({ id: '1' }))
  expect((await world.server.fetch('/public/session/1/track/1')).status).toBe(404)
})

test('within ten seconds of the end an offline session is finished', async () => {
  await using world = await startPlaying()
  await world.app.post('/api/session/local', world.offline({ currentTime: 595 }))
  expect((await world.progress()).json).toMatchObject({ isFinished: true, currentTime: 600 })
})

test('sessions of a user are bounded in number', async () => {
  await using world = await startPlaying()
  const sessions = Array.from({ length: 600 }, (_, index) => world.offline({ id: `offline ${index}` }))
  await world.app.post('/api/session/local-all', { sessions })
  const { playSessions } = world.server.context.store
  expect(playSessions.find('offline 599')).not.toBeNull()
  expect(sessions.filter(({ id }) => playSessions.find(id) !== null)).toHaveLength(500)
})

test('more than 2,000 in one call are refused with a word, and none is dropped in silence', async () => {
  await using world = await startPlaying()
  const { playSessions } = world.server.context.store
  const sessions = Array.from({ length: 2001 }, (_, index) => world.offline({ id: `offline ${index}` }))
  const refused = await world.app.post('/api/session/local-all', { sessions })
  expect(pair(refused)).toEqual([413, 'Too many entries, the limit is 2000'])
  expect(playSessions.find('offline 0')).toBeNull()
  const taken = await world.app.post('/api/session/local-all', { sessions: sessions.slice(1) })
  expect(taken.json.results).toHaveLength(2000)
  expect(taken.json.results.every(({ success }: any) => success)).toBeTrue()
})

test('a moment that is none counts as none', async () => {
  await using world = await startPlaying()
  for (const moment of [1e300, -1, 0, 'yesterday', null, {}]) {
    const played = world.offline({ id: String(moment), updatedAt: moment, startedAt: moment, currentTime: 200 })
    expect(pair(await world.app.post('/api/session/local', played))).toEqual(OK)
  }
  expect((await world.progress()).json).toMatchObject({ currentTime: 200, lastUpdate: world.now() })
})
