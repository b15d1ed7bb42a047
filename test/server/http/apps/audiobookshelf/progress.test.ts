import { expect, test } from 'bun:test'
import { HOUR, MINUTE, startPlaying, type Playing } from '../../../../support/playing'

const pair = ({ status, text }: { status: number; text: string }) => [status, text]
const OK = [200, 'OK']
const pathOf = ({ podcast, episodes }: Playing, index = 0) => `/api/me/progress/${podcast}/${episodes[index]!.id}`
const lists = async ({ app }: Playing) => [
  (await app.get('/api/me')).json.mediaProgress,
  (await app.get('/api/me/progress')).json.mediaProgress,
  (await app.post('/api/authorize')).json.user.mediaProgress,
]

test('all lists of progress name what was begun or finished, the latest first, and nothing else', async () => {
  await using world = await startPlaying()
  expect(await lists(world)).toEqual([[], [], []])
  await world.browser.playback.save({ podcastEpisodeId: world.episodes[0]!.episode_id, time: 60, total: 600 })
  world.now.advance(MINUTE)
  await world.app.patch(pathOf(world, 1), { isFinished: true })
  const [first, ...others] = await lists(world)
  expect(others).toEqual([first, first])
  expect(first).toMatchObject([
    { episodeId: world.episodes[1]!.id, isFinished: true, progress: 1, currentTime: 600 },
    { episodeId: world.episode, isFinished: false, progress: 0.1, duration: 600 },
  ])
  for (const { lastUpdate, startedAt, userId } of first)
    expect([Number.isInteger(lastUpdate), Number.isInteger(startedAt), typeof userId]).toEqual([true, true, 'string'])
  // Of a podcast: what was played last.
  expect((await world.app.get(`/api/me/progress/${world.podcast}`)).json.episodeId).toBe(world.episodes[1]!.id)
})

test('progress that does not exist is not found, whatever is named', async () => {
  await using world = await startPlaying()
  const nobody = crypto.randomUUID()
  for (const path of [
    pathOf(world),
    `/api/me/progress/${world.podcast}`,
    `/api/me/progress/${nobody}`,
    `/api/me/progress/${nobody}/${world.episode}`,
    `/api/me/progress/${world.podcast}/${nobody}`,
    `/api/me/progress/${nobody}/remove-from-continue-listening`,
  ])
    expect(pair(await world.app.get(path))).toEqual([404, 'Not Found'])
  expect(pair(await world.app.delete(`/api/me/progress/${world.episode}`))).toEqual([404, 'Not Found'])
  expect(pair(await world.app.patch(`/api/me/progress/${world.podcast}/${nobody}`, { isFinished: true }))).toEqual([
    404,
    'Episode not found',
  ])
  expect(pair(await world.app.patch(`/api/me/progress/${world.podcast}`, { isFinished: true }))).toEqual([
    400,
    'Library item is not a book',
  ])
})

test('a position, a share of the whole, and the mark of the end are set, alone and together', async () => {
  await using world = await startPlaying()
  const patch = async (body: object) => {
    expect(pair(await world.app.patch(pathOf(world), body))).toEqual(OK)
    const { status, json } = await world.progress().then(answer => ({
      status: answer.status,
      json: answer.status === 200 ? answer.json : null,
    }))
    return status === 200 ? [json.currentTime, json.isFinished] : null
  }
  expect(await patch({ isFinished: false })).toBeNull()
  expect(await patch({ currentTime: 100.9, duration: 600 })).toEqual([100, false])
  expect(await patch({ progress: 0.5 })).toEqual([300, false])
  expect(await patch({ currentTime: 200, progress: 0.9 })).toEqual([200, false])
  // Not finished before: nothing is taken back.
  expect(await patch({ isFinished: false })).toEqual([200, false])
  expect(await patch({ currentTime: 595 })).toEqual([600, true])
  expect(await patch({ isFinished: false })).toBeNull()
  expect(await patch({ isFinished: true })).toEqual([600, true])
  expect(await patch({ currentTime: 10, isFinished: false })).toEqual([10, false])
  expect(await patch({ currentTime: 599, isFinished: false })).toEqual([599, false])
  expect(await patch({ currentTime: -5, isFinished: 'no', duration: [], lastUpdate: 'now' })).toBeNull()
  expect(world.listened()).toBe(0)
})

test('what is older than what is known changes nothing, and what is to come counts as now', async () => {
  await using world = await startPlaying()
  const patch = (body: object) => world.app.patch(pathOf(world), body)
  await patch({ currentTime: 100 })
  expect(pair(await patch({ currentTime: 5, lastUpdate: world.now() - 1 }))).toEqual(OK)
  expect(pair(await patch({ isFinished: true, lastUpdate: world.now() - HOUR }))).toEqual(OK)
  expect((await world.progress()).json).toMatchObject({ currentTime: 100, isFinished: false })
  await patch({ currentTime: 200, lastUpdate: world.now() + HOUR })
  expect((await world.progress()).json.lastUpdate).toBe(world.now())
  world.now.advance(MINUTE)
  await world.browser.playback.save({ podcastEpisodeId: world.episodes[0]!.episode_id, time: 250, total: 600 })
  expect((await world.progress()).json.currentTime).toBe(250)
})

test('many changes at once are applied, but for those that name what does not exist', async () => {
  await using world = await startPlaying()
  const { podcast, episodes } = world
  const entry = (index: number, more: object) => ({ libraryItemId: podcast, episodeId: episodes[index]!.id, ...more })
  const nobody = crypto.randomUUID()
  const answer = await world.app.patch('/api/me/progress/batch/update', [
    entry(0, { currentTime: 120, isFinished: false, lastUpdate: world.now() - HOUR }),
    entry(0, { episodeId: nobody, isFinished: true }),
    { libraryItemId: nobody, episodeId: nobody, isFinished: true },
    'nonsense',
    null,
    entry(1, { isFinished: true, lastUpdate: world.now() - HOUR }),
  ])
  expect(pair(answer)).toEqual(OK)
  expect((await world.progress()).json).toMatchObject({ currentTime: 120, lastUpdate: world.now() - HOUR })
  expect((await world.progress(world.app, 1)).json.isFinished).toBe(true)
  for (const body of [[], undefined, {}])
    expect(pair(await world.app.patch('/api/me/progress/batch/update', body))).toEqual([400, 'Missing request payload'])
})

test('to delete a progress means unplayed, in every list', async () => {
  await using world = await startPlaying()
  await world.app.patch(pathOf(world), { currentTime: 100 })
  const { id } = (await world.progress()).json
  expect(pair(await world.app.delete(`/api/me/progress/${id}`))).toEqual(OK)
  expect((await world.progress()).status).toBe(404)
  expect(await lists(world)).toEqual([[], [], []])
  expect(await world.browser.playback.find(world.episodes[0]!.episode_id)).toMatchObject({ position: 0 })
})

test('what is in progress is listed with its episode, until it is removed from there; playing brings it back', async () => {
  await using world = await startPlaying()
  const { app } = world
  for (const index of [0, 1]) {
    await app.patch(pathOf(world, index), { currentTime: 100 })
    world.now.advance(MINUTE)
  }
  const shown = async () =>
    (await app.get('/api/me/items-in-progress?limit=25')).json.libraryItems.map(
      (item: any) => [item.id, item.recentEpisode.title, item.progressLastUpdate] as const,
    )
  const at = world.now()
  expect(await shown()).toEqual([
    [world.podcast, 'Lamps', at - MINUTE],
    [world.podcast, 'Fog', at - 2 * MINUTE],
  ])
  expect((await app.get('/api/me/items-in-progress?limit=1')).json.libraryItems).toHaveLength(1)

  const { status, json } = await app.get(`/api/me/progress/${world.episode}/remove-from-continue-listening`)
  expect(status).toBe(200)
  const hidden = json.mediaProgress.find(({ episodeId }: any) => episodeId === world.episode)
  expect(hidden).toMatchObject({ hideFromContinueListening: true, currentTime: 100 })
  expect((await shown()).map(([, title]: string[]) => title)).toEqual(['Lamps'])
  expect((await world.browser.playback.lastWatched(10)).map(({ podcastEpisode }) => podcastEpisode.name)).toEqual([
    'Lamps',
  ])

  await app.patch(pathOf(world), { hideFromContinueListening: false })
  expect(await shown()).toHaveLength(2)
  await app.patch(pathOf(world), { hideFromContinueListening: true })
  expect(await shown()).toHaveLength(1)
  const { id } = (await world.play()).json
  world.now.advance(MINUTE)
  await app.post(`/api/session/${id}/sync`, { currentTime: 130, timeListened: 30 })
  expect(await shown()).toHaveLength(2)
})

test('what was played before it was removed from the list, and is told of later, does not bring it back', async () => {
  await using world = await startPlaying()
  await world.app.patch(pathOf(world), { currentTime: 100 })
  world.now.advance(HOUR)
  await world.app.patch(pathOf(world), { hideFromContinueListening: true })
  const playedAt = world.now() - MINUTE
  await world.app.post('/api/session/local', world.offline({ updatedAt: playedAt, currentTime: 200 }))
  expect((await world.progress()).json).toMatchObject({ currentTime: 200, hideFromContinueListening: true })
})

test('Music Assistant sets position, length and mark one after the other, and deletes for unplayed', async () => {
  await using world = await startPlaying([{ title: 'Fog' }])
  const { app } = world
  const path = pathOf(world)
  for (const body of [{ currentTime: 90 }, { duration: 900 }, { isFinished: false }])
    expect(pair(await app.patch(path, body))).toEqual(OK)
  expect((await world.progress()).json).toMatchObject({ currentTime: 90, duration: 900, isFinished: false })
  for (const body of [{ currentTime: 900 }, { duration: 900 }, { isFinished: true }]) await app.patch(path, body)
  expect((await world.progress()).json).toMatchObject({ isFinished: true })
  await app.delete(`/api/me/progress/${world.episode}`)
  expect((await world.progress()).status).toBe(404)
})

test('more than 2,000 in one call are refused with a word, and none of them is set', async () => {
  await using world = await startPlaying()
  const { app, podcast, episode } = world
  const entries = Array.from({ length: 2001 }, () => ({ libraryItemId: podcast, episodeId: episode, currentTime: 9 }))
  const refused = await app.patch('/api/me/progress/batch/update', entries)
  expect([refused.status, refused.text]).toEqual([413, 'Too many entries, the limit is 2000'])
  expect((await world.progress()).status).toBe(404)
  expect((await app.patch('/api/me/progress/batch/update', entries.slice(1))).text).toBe('OK')
  expect((await world.progress()).json.currentTime).toBe(9)
})
