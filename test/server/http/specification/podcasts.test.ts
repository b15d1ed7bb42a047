import { expect, test } from 'bun:test'
import { withPasswords } from '../../../support/app'
import { rss } from '../../../support/builders'
import { nobody, refused, startWorld, type World } from '../../../support/specification'

test('GET /api/v1/podcasts', async () => {
  await using world: World = await startWorld()
  const { alice, podcast, feed } = world
  expect(await alice('GET /podcasts')).toMatchObject({
    status: 200,
    body: [{ id: podcast.id, name: 'Lighthouse Radio', rssfeed: feed, episode_count: 3, favorites: false, tags: [] }],
  })
  expect(refused(await world.stranger('GET /podcasts'))).toEqual([401, 'not-signed-in'])
})

test('DELETE /api/v1/podcasts/{id}', async () => {
  await using world: World = await startWorld()
  const { root, alice, app, fog, podcast } = world
  await root(`PUT /podcasts/${fog.episode_id}/episodes/download`)
  await app.event('downloadFinished')
  const path = app.context.store.episodes.allWithFiles()[0]!.file_path
  expect(refused(await alice(`DELETE /podcasts/${podcast.id}`, { delete_files: true }))).toEqual([403, 'not-uploader'])
  expect(refused(await root(`DELETE /podcasts/${podcast.id}`, { delete_files: 'yes' }))).toEqual([422, 'invalid-field'])
  expect(refused(await root(`DELETE /podcasts/${nobody}`, { delete_files: true }))).toEqual([404, 'podcast-not-found'])
  expect(await root(`DELETE /podcasts/${podcast.id}`, { delete_files: true })).toMatchObject({ status: 204, text: '' })
  expect(app.context.files.folder.exists(path)).toBe(false)
  expect((await root('GET /podcasts')).body).toEqual([])
})

test('GET /api/v1/podcasts/available/gpodder', async () => {
  await using world: World = await startWorld()
  expect(await world.alice('GET /podcasts/available/gpodder')).toMatchObject({ status: 200, body: [] })
  expect(refused(await world.stranger('GET /podcasts/available/gpodder'))).toEqual([401, 'not-signed-in'])
})

test('POST /api/v1/podcasts/feed', async () => {
  await using world: World = await startWorld({ ...withPasswords, USER_PODCAST_LIMIT: '0' })
  const { root, alice, host, feed } = world
  const other = host.feed('/other.xml', rss({ title: 'Other', items: [{}] }))
  expect(await root('POST /podcasts/feed', { rssFeedUrl: other })).toMatchObject({
    status: 200,
    body: { name: 'Other', episode_count: 1 },
  })
  expect(await root('POST /podcasts/feed', { rssFeedUrl: feed })).toMatchObject({
    status: 409,
    body: { errorCode: 'podcast-already-added', arguments: { name: 'Lighthouse Radio' } },
  })
  expect(refused(await alice('POST /podcasts/feed', { rssFeedUrl: other }))).toEqual([403, 'podcast-limit-reached'])
  const page = host.on('/page', () => new Response('<html></html>', { headers: { 'Content-Type': 'text/html' } }))
  const locked = host.on('/locked', () => new Response('', { status: 401 }))
  for (const [rssFeedUrl, status, code] of [
    [page, 422, 'not-a-feed'],
    [`${host.origin}/missing`, 422, 'feed-gone'],
    [locked, 422, 'feed-needs-credentials'],
    ['http://127.0.0.1:9/x', 502, 'feed-unreachable'],
    ['file:///etc/passwd', 422, 'address-not-allowed'],
    ['http://169.254.169.254/latest', 422, 'address-not-allowed'],
    ['', 422, 'invalid-field'],
    [7, 422, 'invalid-field'],
  ] as const)
    expect(refused(await root('POST /podcasts/feed', { rssFeedUrl }))).toEqual([status, code])
  expect(refused(await root('POST /podcasts/feed', {}))).toEqual([422, 'invalid-field'])
})

test('GET /api/v1/podcasts/{id}', async () => {
  await using world: World = await startWorld()
  const { alice, podcast } = world
  expect(await alice(`GET /podcasts/${podcast.id}`)).toMatchObject({
    status: 200,
    body: { id: podcast.id, extras: { funding: [], persons: [] } },
  })
  for (const id of [nobody, 'nonsense', '1', '%00', '..%2f..'])
    expect(refused(await alice(`GET /podcasts/${id}`))).toEqual([404, 'podcast-not-found'])
})

test('GET /api/v1/podcasts/episode/{id}', async () => {
  await using world: World = await startWorld()
  const { alice, root, lamps } = world
  const never = { status: 200, body: { position: 0, total: 200, timestamp: null, finished: false, action: 'new' } }
  expect(await alice(`GET /podcasts/episode/${lamps.episode_id}`)).toMatchObject(never)
  expect(refused(await alice(`GET /podcasts/episode/${nobody}`))).toEqual([404, 'episode-not-found'])
  await alice('POST /podcasts/episode', { podcastEpisodeId: lamps.episode_id, time: 42 })
  expect(await alice(`GET /podcasts/episode/${lamps.episode_id}`)).toMatchObject({
    status: 200,
    body: { position: 42, total: 200, finished: false, guid: 'lamps', action: 'play' },
  })
  expect(await root(`GET /podcasts/episode/${lamps.episode_id}`)).toMatchObject(never)
})

test('the progress save (POST /api/v1/podcasts/episode)', async () => {
  await using world: World = await startWorld()
  const { alice, lamps } = world
  const save = (body: object) => alice('POST /podcasts/episode', { podcastEpisodeId: lamps.episode_id, ...body })
  expect(await save({ time: 13.9 })).toMatchObject({ status: 200, body: { position: 13, total: 200, finished: false } })
  expect((await save({ time: 201 })).body).toMatchObject({ position: 200, finished: true })
  expect((await save({ time: 3, timestamp: '2020-01-01T00:00:00Z' })).body).toMatchObject({ position: 200 })
  expect((await save({ time: 0 })).body).toMatchObject({ position: 0, finished: false })
  for (const body of [{}, { time: -1 }, { time: '5' }, { time: 1, timestamp: 'yesterday' }, { time: null }])
    expect((await save(body)).status).toBe(422)
  expect(refused(await alice('POST /podcasts/episode', { podcastEpisodeId: nobody, time: 1 }))).toEqual([
    404,
    'episode-not-found',
  ])
})
