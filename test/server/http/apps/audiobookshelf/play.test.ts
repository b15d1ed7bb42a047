import { expect, test } from 'bun:test'
import { appAt, signedInApp } from '../../../../support/audiobookshelf-app'
import { rss } from '../../../../support/builders'
import { HOUR, phone, startPlaying } from '../../../../support/playing'

const OK = [200, 'OK']
const pair = ({ status, text }: { status: number; text: string }) => [status, text]

test('a session begins where the person is, and has everything that a strict reader asks for', async () => {
  await using world = await startPlaying([{ title: 'Fog', duration: '600', notes: 'Ships in the dark' }])
  const { browser, podcast, episodes, episode } = world
  await browser.playback.save({ podcastEpisodeId: episodes[0]!.episode_id, time: 457, total: 600 })
  const { status, json } = await world.play()
  expect(status).toBe(200)
  expect(json).toMatchObject({
    libraryItemId: podcast,
    episodeId: episode,
    mediaType: 'podcast',
    displayTitle: 'Fog',
    displayAuthor: 'Mara Field',
    duration: 600,
    playMethod: 0,
    mediaPlayer: 'exo-player',
    timeListening: 0,
    startTime: 457,
    currentTime: 457,
    startedAt: world.now(),
    date: '2026-05-01',
    dayOfWeek: 'Friday',
    deviceInfo: { deviceId: 'd1', manufacturer: 'Acme', model: 'P1', sdkVersion: '34', clientVersion: '0.14.0' },
    chapters: [],
  })
  expect(json.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  for (const name of ['coverPath', 'serverVersion', 'userId', 'libraryId']) expect(json[name]).toBeString()
  const [track] = json.audioTracks
  expect(track.contentUrl).toBe(`/api/items/${podcast}/file/${episode}`)
  const own = json.libraryItem.media.episodes.find(({ id }: { id: string }) => id === episode)
  // Files are found by comparing these.
  expect(track.metadata.path).toBe(own.audioFile.metadata.path)
  expect([own.subtitle, own.description]).toEqual(['Ships in the dark', ''])

  const keys = Object.keys(json.mediaMetadata)
  expect(keys.indexOf('author')).toBeLessThan(keys.indexOf('description'))
  expect((await world.app.get(`/api/session/${json.id}`)).json).toEqual(json)
})

test('an app that says nothing of itself, or nonsense, plays all the same', async () => {
  await using world = await startPlaying()
  for (const body of [null, {}, 'no JSON', [], { deviceInfo: 'phone', mediaPlayer: 7, forceDirectPlay: '1' }]) {
    const { status, json } = await world.play(body)
    expect(status).toBe(200)
    // Audiobookshelf has no keys for what is not known; strict programs fail on an empty text for a number.
    expect(Object.keys(json.deviceInfo)).toEqual(['id', 'userId', 'deviceName'])
  }
  const { json } = await world.play({ deviceInfo: { model: 'x'.repeat(10_000) } })
  expect(json.deviceInfo.model).toHaveLength(100)
})

test('of a podcast with many episodes, a session has the newest and the one that plays', async () => {
  const items = Array.from({ length: 120 }, (_, index) => ({ title: `Part ${index}`, duration: '600' }))
  await using world = await startPlaying(items)
  const { data } = await world.browser.podcasts.episodes(world.podcast, { limit: 200 }, null)
  const oldest = data.at(-1)!.podcastEpisode.id
  const { json } = await world.app.post(`/api/items/${world.podcast}/play/${oldest}`, phone)
  const { episodes } = json.libraryItem.media
  expect(episodes).toHaveLength(51)
  expect(episodes.some(({ id }: { id: string }) => id === oldest)).toBe(true)
})

test('a sync moves the position, counts what was heard, and is answered with a word', async () => {
  await using world = await startPlaying()
  const { id } = (await world.play()).json
  world.now.advance(15_000)
  const answer = await world.app.post(`/api/session/${id}/sync`, { currentTime: 15.7, timeListened: 15, duration: 600 })
  expect([...pair(answer), answer.headers.get('content-type')]).toEqual([...OK, 'text/plain;charset=utf-8'])
  expect((await world.progress()).json).toMatchObject({
    currentTime: 15,
    progress: 0.025,
    isFinished: false,
    hideFromContinueListening: false,
    lastUpdate: world.now(),
    episodeId: world.episode,
    libraryItemId: world.podcast,
  })
  expect(world.listened()).toBe(15)
  expect((await world.app.get(`/api/session/${id}`)).json).toMatchObject({ currentTime: 15.7, timeListening: 15 })
  expect(await world.browser.playback.find(world.episodes[0]!.episode_id)).toMatchObject({
    position: 15,
    device: 'P1',
  })
})

test('an app cannot have listened for longer than the time that went by', async () => {
  await using world = await startPlaying()
  const { id } = (await world.play()).json
  world.now.advance(10_000)
  await world.app.post(`/api/session/${id}/sync`, { currentTime: 500, timeListened: 5000 })
  expect(world.listened()).toBe(25)
})

test('a position that skips ahead counts for what was heard, not for the skip', async () => {
  await using world = await startPlaying()
  const { id } = (await world.play()).json
  world.now.advance(60_000)
  await world.app.post(`/api/session/${id}/sync`, { currentTime: 400, timeListened: 2 })
  expect(world.listened()).toBe(2)
})

test('a sync without a position changes nothing, and one that is not a number neither', async () => {
  await using world = await startPlaying()
  const { id } = (await world.play()).json
  for (const body of [{}, undefined, 'nonsense', { currentTime: 'soon' }, { currentTime: 1e300 }])
    expect(pair(await world.app.post(`/api/session/${id}/sync`, body))).toEqual(OK)
  expect((await world.progress()).status).toBe(404)
  await world.app.post(`/api/session/${id}/sync`, { currentTime: 20, timeListened: 1, duration: 1e300 })
  expect((await world.progress()).json).toMatchObject({ currentTime: 20, duration: 600 })
})

test('less than ten seconds before the end it is finished, an earlier position takes that back', async () => {
  await using world = await startPlaying()
  const { id } = (await world.play()).json
  const sync = (currentTime: number) => world.app.post(`/api/session/${id}/sync`, { currentTime, timeListened: 1 })
  await sync(590)
  expect((await world.progress()).json).toMatchObject({ isFinished: false, currentTime: 590 })
  await sync(590.5)
  expect((await world.progress()).json).toMatchObject({ isFinished: true, progress: 1, finishedAt: world.now() })
  expect((await world.play({ deviceInfo: { deviceId: 'd2' } })).json).toMatchObject({ startTime: 0, currentTime: 0 })
  await sync(300)
  expect((await world.progress()).json).toMatchObject({ isFinished: false, currentTime: 300, finishedAt: null })
})

test('an episode of unknown length does not end where its length was guessed to be', async () => {
  await using world = await startPlaying([{ title: 'Fog' }])
  const { id, duration } = (await world.play()).json
  expect(duration).toBe(3600)
  world.now.advance(2 * HOUR)
  await world.app.post(`/api/session/${id}/sync`, { currentTime: 3599, timeListened: 1, duration })
  await world.app.post(`/api/session/${id}/sync`, { currentTime: 4000, timeListened: 1, duration })
  expect((await world.progress()).json).toMatchObject({ isFinished: false, currentTime: 4000 })
  await world.app.post(`/api/session/${id}/sync`, { currentTime: 4000, timeListened: 1, duration: 4005 })
  expect((await world.progress()).json).toMatchObject({ isFinished: true, duration: 4005 })
})

test('a length that an app repeats takes nothing from the one that a player measured', async () => {
  await using world = await startPlaying([{ title: 'Fog', duration: '600' }])
  const { episode_id } = world.episodes[0]!
  await world.browser.playback.save({ podcastEpisodeId: episode_id, time: 500, total: 900 })
  const { id } = (await world.play()).json
  world.now.advance(15_000)
  await world.app.post(`/api/session/${id}/sync`, { currentTime: 595, timeListened: 15, duration: 600 })
  expect((await world.progress()).json).toMatchObject({ isFinished: false, currentTime: 595, duration: 900 })
})

test('a player that neither moved nor played takes back nothing that was played elsewhere', async () => {
  await using world = await startPlaying()
  const { id } = (await world.play()).json
  world.now.advance(100_000)
  await world.app.post(`/api/session/${id}/sync`, { currentTime: 100, timeListened: 100 })
  world.now.advance(HOUR)
  await world.browser.playback.save({ podcastEpisodeId: world.episodes[0]!.episode_id, time: 500, total: 600 })
  world.now.advance(HOUR)
  await world.app.post(`/api/session/${id}/close`, { currentTime: 100, timeListened: 0 })
  expect((await world.progress()).json).toMatchObject({ currentTime: 500 })
})

test('close takes a last position, or none, and ends the session', async () => {
  await using world = await startPlaying()
  const first = (await world.play()).json.id
  expect(pair(await world.app.post(`/api/session/${first}/close`, { currentTime: 33, timeListened: 5 }))).toEqual(OK)
  expect((await world.progress()).json.currentTime).toBe(33)
  const second = (await world.play()).json.id
  expect(pair(await world.app.post(`/api/session/${second}/close`))).toEqual(OK)
  for (const id of [first, second, crypto.randomUUID(), '..%2f', '%00'])
    for (const answer of [
      await world.app.post(`/api/session/${id}/sync`, { currentTime: 1 }),
      await world.app.post(`/api/session/${id}/close`),
      await world.app.get(`/api/session/${id}`),
      await world.app.delete(`/api/session/${id}`),
      await appAt(world.server).get(`/public/session/${id}/track/1`),
    ])
      expect(pair(answer)).toEqual([404, 'Not Found'])
  expect((await world.progress()).json.currentTime).toBe(33)
})

test('an old app may delete its session', async () => {
  await using world = await startPlaying()
  const { id } = (await world.play()).json
  expect(pair(await world.app.delete(`/api/session/${id}`))).toEqual(OK)
  expect((await world.app.get(`/api/session/${id}`)).status).toBe(404)
})

test("another user's session is refused", async () => {
  await using world = await startPlaying()
  await world.server.signUp('bob')
  const bob = await signedInApp(world.server, 'bob')
  const { id } = (await world.play()).json
  for (const answer of [
    await bob.post(`/api/session/${id}/sync`, { currentTime: 1 }),
    await bob.post(`/api/session/${id}/close`),
    await bob.get(`/api/session/${id}`),
    await bob.delete(`/api/session/${id}`),
  ])
    expect(pair(answer)).toEqual([403, 'Forbidden'])
  expect((await world.app.get(`/api/session/${id}`)).status).toBe(200)
})

test('playing anew on a device ends its older session, those of other devices go on', async () => {
  await using world = await startPlaying()
  const on = async (deviceId: string) => (await world.play({ deviceInfo: { deviceId } })).json.id
  const [other, old, fresh] = [await on('d2'), await on('d1'), await on('d1')]
  const status = async (id: string) => (await world.app.get(`/api/session/${id}`)).status
  expect([await status(other), await status(old), await status(fresh)]).toEqual([200, 404, 200])
})

test('a session lives for 36 hours after its last sync, through a restart as well', async () => {
  await using world = await startPlaying()
  const { id } = (await world.play()).json
  world.now.advance(30 * HOUR)
  const again = await world.restart()
  expect(pair(await again.post('/auth/refresh'))[0]).toBe(401)
  const app = await world.signIn()
  expect(pair(await app.post(`/api/session/${id}/sync`, { currentTime: 70, timeListened: 3 }))).toEqual(OK)
  world.now.advance(35 * HOUR)
  world.server.context.playSessions.removeOld()
  expect(pair(await (await world.signIn()).post(`/api/session/${id}/sync`, {}))).toEqual(OK)
  // To say that it is there is enough.
  world.now.advance(35 * HOUR)
  expect((await (await world.signIn()).get(`/api/session/${id}`)).status).toBe(200)
  world.now.advance(2 * HOUR)
  expect((await (await world.signIn()).get(`/api/session/${id}`)).status).toBe(404)
})

test('a clock that goes back neither ends a session nor loses a position', async () => {
  await using world = await startPlaying()
  const { id } = (await world.play()).json
  world.now.advance(60_000)
  await world.app.post(`/api/session/${id}/sync`, { currentTime: 60, timeListened: 60 })
  world.now.advance(-3 * HOUR)
  expect(pair(await world.app.post(`/api/session/${id}/sync`, { currentTime: 90, timeListened: 10 }))).toEqual(OK)
  expect((await world.progress()).json.currentTime).toBe(90)
})

test('what does not exist, or is hidden, cannot be played', async () => {
  await using world = await startPlaying([
    { title: 'Fog', duration: '600', extra: '<itunes:explicit>true</itunes:explicit>' },
  ])
  const { podcast, episode, app } = world
  const nobody = crypto.randomUUID()
  expect(pair(await app.post(`/api/items/${podcast}/play`, phone))).toEqual([404, 'Not Found'])
  expect(pair(await app.post(`/api/items/${podcast}/play/${nobody}`, phone))).toEqual([404, 'Not Found'])
  expect(pair(await app.post(`/api/items/${nobody}/play/${episode}`, phone))).toEqual([404, 'Not Found'])
  await world.server.signUp('bob')
  const bob = await signedInApp(world.server, 'bob')
  expect(pair(await world.play(phone, bob))).toEqual([403, 'Forbidden'])
  expect((await world.progress(bob)).status).toBe(404)
  expect((await bob.patch(`/api/me/progress/${podcast}/${episode}`, { isFinished: true })).status).toBe(403)
})

test('an episode that turns explicit cannot be played on by those who do not want to see such', async () => {
  await using world = await startPlaying()
  await world.server.signUp('bob')
  const bob = await signedInApp(world.server, 'bob')
  const { id } = (await world.play(phone, bob)).json
  const item = { title: 'Fog', duration: '600', enclosure: `${world.host.origin}/0.mp3` }
  world.host.feed('/feed.xml', rss({ items: [{ ...item, extra: '<itunes:explicit>true</itunes:explicit>' }] }))
  await world.browser.podcasts.refresh(world.podcast)
  await world.server.event('refreshedPodcast', ({ updated }) => updated > 0)
  for (const answer of [
    await bob.post(`/api/session/${id}/sync`, { currentTime: 5, timeListened: 5 }),
    await bob.get(`/api/session/${id}`),
  ])
    expect(pair(answer)).toEqual([403, 'Forbidden'])
  expect((await appAt(world.server).get(`/public/session/${id}/track/1`)).status).toBe(404)
})

test('a session and its media end with the sign-in that began it', async () => {
  await using world = await startPlaying()
  const { row } = await world.server.signUp('anna')
  const { id } = (await world.play(phone, await signedInApp(world.server, 'anna'))).json
  const track = () => appAt(world.server).get(`/public/session/${id}/track/1`)
  expect((await track()).status).toBe(200)
  await world.server.context.users.setPassword(row, 'An0therSecret')
  expect((await track()).status).toBe(404)
})
