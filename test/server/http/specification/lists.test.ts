import { expect, test } from 'bun:test'
import { nobody, refused, startWorld, uuid, type World } from '../../../support/specification'

test('GET /api/v1/playlist', async () => {
  await using world: World = await startWorld()
  const { alice, root, fog } = world
  expect((await alice('GET /playlist')).body).toEqual([])
  await alice('POST /playlist', { name: 'B', items: [{ episode: fog.id }] })
  await alice('POST /playlist', { name: 'a', items: [] })
  expect((await alice('GET /playlist')).body).toMatchObject([
    { name: 'a', items: [] },
    { name: 'B', items: [{ podcastEpisode: { id: fog.id, name: 'Fog' }, podcastHistoryItem: null }] },
  ])
  expect((await root('GET /playlist')).body).toEqual([])
})

test('GET /api/v1/playlist/{playlist_id}', async () => {
  await using world: World = await startWorld()
  const { alice, root, fog } = world
  const { id } = (await alice('POST /playlist', { name: 'Mine', items: [{ episode: fog.id }] })).body
  expect(await alice(`GET /playlist/${id}`)).toMatchObject({ status: 200, body: { id, name: 'Mine' } })
  for (const answer of [
    await root(`GET /playlist/${id}`),
    await alice(`GET /playlist/${nobody}`),
    await alice('GET /playlist/-1'),
  ])
    expect(refused(answer)).toEqual([404, 'playlist-not-found'])
})

test('POST /api/v1/playlist', async () => {
  await using world: World = await startWorld()
  const { alice, fog, lamps } = world
  const items = [{ episode: lamps.id }, { episode: fog.id }, { episode: lamps.id }]
  const created = await alice('POST /playlist', { id: '-1', name: ' Train ', items })
  expect(created).toMatchObject({ status: 200, body: { id: expect.stringMatching(uuid), name: 'Train' } })
  expect(created.body.items.map((item: any) => item.podcastEpisode.name)).toEqual(['Lamps', 'Fog'])
  expect(refused(await alice('POST /playlist', { name: 'train', items: [] }))).toEqual([409, 'playlist-name-taken'])
  const unknown = await alice('POST /playlist', { name: 'X', items: [{ episode: fog.id }, { episode: nobody }] })
  expect(unknown).toMatchObject({ status: 422, body: { arguments: { field: 'items[1].episode' } } })
  for (const body of [{}, { name: '', items: [] }, { name: 'x'.repeat(201), items: [] }, { name: 'x', items: 'y' }, []])
    expect(refused(await alice('POST /playlist', body))).toEqual([422, 'invalid-field'])
})

test('a playlist keeps its description until a change names another, or none', async () => {
  await using world: World = await startWorld()
  const { alice } = world
  const { id, description } = (await alice('POST /playlist', { name: 'A', items: [], description: ' On trains\n' }))
    .body
  expect(description).toBe('On trains')
  const edit = async (more: object) =>
    (await alice(`PUT /playlist/${id}`, { name: 'A', items: [], ...more })).body.description
  expect([await edit({}), await edit({ description: 'x' }), await edit({ description: ' ' })]).toEqual([
    'On trains',
    'x',
    null,
  ])
  expect([await edit({ description: 'y' }), await edit({ description: null })]).toEqual(['y', null])
  expect((await alice('POST /playlist', { name: 'B', items: [] })).body.description).toBe(null)
  const tooLong = await alice(`PUT /playlist/${id}`, { name: 'A', items: [], description: 'x'.repeat(10_001) })
  expect(refused(tooLong)).toEqual([422, 'invalid-field'])
})

test('PUT /api/v1/playlist/{playlist_id}', async () => {
  await using world: World = await startWorld()
  const { alice, root, fog, lamps } = world
  const { id } = (await alice('POST /playlist', { name: 'Old', items: [{ episode: fog.id }] })).body
  const changed = await alice(`PUT /playlist/${id}`, { id, name: 'New', items: [{ episode: lamps.id }] })
  expect(changed).toMatchObject({
    status: 200,
    body: { id, name: 'New', items: [{ podcastEpisode: { name: 'Lamps' } }] },
  })
  expect(refused(await root(`PUT /playlist/${id}`, { id, name: 'Hers', items: [] }))).toEqual([
    404,
    'playlist-not-found',
  ])
  await alice('POST /playlist', { name: 'Other', items: [] })
  expect(refused(await alice(`PUT /playlist/${id}`, { id, name: 'OTHER', items: [] }))).toEqual([
    409,
    'playlist-name-taken',
  ])
  expect(refused(await alice(`PUT /playlist/${id}`, { id, items: [{ episode: 1 }] }))).toEqual([422, 'invalid-field'])
})

test('DELETE /api/v1/playlist/{playlist_id}', async () => {
  await using world: World = await startWorld()
  const { alice, root } = world
  const { id } = (await alice('POST /playlist', { name: 'Gone', items: [] })).body
  expect(refused(await root(`DELETE /playlist/${id}`))).toEqual([404, 'playlist-not-found'])
  expect(await alice(`DELETE /playlist/${id}`)).toMatchObject({ status: 204, text: '' })
  expect(refused(await alice(`DELETE /playlist/${id}`))).toEqual([404, 'playlist-not-found'])
})

test('GET /api/v1/tags', async () => {
  await using world: World = await startWorld()
  const { alice, root } = world
  await alice('POST /tags', { name: 'b', color: 'Red' })
  await alice('POST /tags', { name: 'A', color: 'Blue' })
  expect((await alice('GET /tags')).body).toMatchObject([
    { name: 'A', color: 'Blue', description: null },
    { name: 'b', color: 'Red' },
  ])
  expect((await root('GET /tags')).body).toEqual([])
})

test('PUT /api/v1/tags/{tag_id}', async () => {
  await using world: World = await startWorld()
  const { alice, root } = world
  const { id } = (await alice('POST /tags', { name: 'Old', color: 'Red' })).body
  await alice('POST /tags', { name: 'Other', color: 'Red' })
  expect(await alice(`PUT /tags/${id}`, { name: 'New', color: 'Green' })).toMatchObject({
    status: 200,
    body: { id, name: 'New', color: 'Green' },
  })
  expect((await alice(`PUT /tags/${id}`, { color: 'Blue' })).body).toMatchObject({ name: 'New', color: 'Blue' })
  expect(refused(await alice(`PUT /tags/${id}`, { name: 'other' }))).toEqual([409, 'tag-name-taken'])
  expect(refused(await root(`PUT /tags/${id}`, { name: 'Hers' }))).toEqual([404, 'tag-not-found'])
  for (const body of [{ name: '' }, { name: 'x'.repeat(101) }, { color: 'Mauve' }])
    expect(refused(await alice(`PUT /tags/${id}`, body))).toEqual([422, 'invalid-field'])
})

test('DELETE /api/v1/tags/{tag_id}', async () => {
  await using world: World = await startWorld()
  const { alice, root, podcast } = world
  const { id } = (await alice('POST /tags', { name: 'Gone', color: 'Red' })).body
  await alice(`POST /tags/${id}/${podcast.id}`)
  expect(refused(await root(`DELETE /tags/${id}`))).toEqual([404, 'tag-not-found'])
  expect(await alice(`DELETE /tags/${id}`)).toMatchObject({ status: 204, text: '' })
  expect((await alice(`GET /podcasts/${podcast.id}`)).body.tags).toEqual([])
  expect(refused(await alice(`DELETE /tags/${id}`))).toEqual([404, 'tag-not-found'])
})
