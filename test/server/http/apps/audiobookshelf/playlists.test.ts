import { expect, test } from 'bun:test'
import { signedInApp, type Answer } from '../../../../support/audiobookshelf-app'
import { items, startLibrary } from '../../../../support/audiobookshelf-library'
import { startAppLibrary } from '../../../../support/app-library'
import { goodPassword } from '../../../../support/app'
import { connect } from '../../../../support/socket'
import { signedInLiveApp } from '../../../../support/live-app'

const episodesIn = ({ json }: Answer) => json.items.map((item: { episodeId: string }) => item.episodeId)

test('a playlist is made, put into another order, renamed, added to and taken from, as in the interface', async () => {
  await using world = await startAppLibrary()
  const { server, podcast, episodes } = world
  const [one, two, three] = episodes as [string, string, string]
  const app = await signedInApp(server, 'anna')
  const library = (await app.get('/api/libraries')).json.libraries[0].id
  const itemOf = (episodeId: string) => ({ libraryItemId: podcast, episodeId })

  const made = await app.post('/api/playlists', {
    libraryId: library,
    name: 'Evening',
    description: 'Before sleep',
    items: [itemOf(one), itemOf(two)],
  })
  expect(made.json).toMatchObject({
    name: 'Evening',
    libraryId: library,
    description: 'Before sleep',
    items: [
      { ...itemOf(one), episode: { id: one, title: 'One' }, libraryItem: { id: podcast, mediaType: 'podcast' } },
      itemOf(two),
    ],
  })
  const path = `/api/playlists/${made.json.id}`
  expect((await app.get(path)).json).toEqual(made.json)
  expect((await app.get('/api/playlists')).json).toEqual({ playlists: [made.json] })
  expect((await app.get(`/api/libraries/${library}/playlists?limit=10&page=0`)).json).toEqual({
    results: [made.json],
    total: 1,
    limit: 10,
    page: 0,
  })
  expect((await app.get(`/api/libraries/${library}?include=filterdata`)).json.numUserPlaylists).toBe(1)

  const turned = await app.patch(path, { name: 'Night', description: 'x', items: [itemOf(two), itemOf(one)] })
  expect([turned.json.name, turned.json.description, episodesIn(turned)]).toEqual(['Night', 'x', [two, one]])
  expect((await app.patch(path, { name: 'Night' })).json).toMatchObject({ description: 'x' })
  expect((await app.patch(path, { description: ' ' })).json).toMatchObject({ name: 'Night', description: null })
  expect((await app.patch(path, { description: 'For the way' })).json).toMatchObject({ description: 'For the way' })
  expect(episodesIn(await app.get(path))).toEqual([two, one])
  expect(episodesIn(await app.post(`${path}/item`, itemOf(three)))).toEqual([two, one, three])
  expect(episodesIn(await app.post(`${path}/batch/add`, { items: [itemOf(three), itemOf(one)] }))).toHaveLength(3)
  expect(episodesIn(await app.delete(`${path}/item/${podcast}/${one}`))).toEqual([two, three])
  const { playlists } = server.as('anna', 'Corr3ctHorse')
  const ours = await Promise.all((await playlists.list()).map(({ id }) => playlists.find(id)))
  expect(ours.map(({ name, items }) => [name, items.map(item => item.podcastEpisode.id)])).toEqual([
    ['Night', [two, three]],
  ])

  // With its last episode the list is gone.
  expect(episodesIn(await app.post(`${path}/batch/remove`, { items: [itemOf(two), itemOf(three)] }))).toEqual([])
  expect((await app.get(path)).status).toBe(404)
})

test('episodes that are added come once, in their order, behind those that are there, up to 5,000', async () => {
  await using library = await startLibrary()
  const { app, server, user } = library
  const podcast = await library.add({ items: items(2600) })
  const other = await library.add({ items: items(2600) })
  const idsOf = async (item: string) => (await library.episodesOf(item)).map(({ id }: { id: string }) => id)
  const [own, others] = [await idsOf(podcast), await idsOf(other)]
  const entries = (ids: string[]) => ids.map(episodeId => ({ libraryItemId: podcast, episodeId }))
  const { id } = (await app.post('/api/playlists', { name: 'Long', items: entries(own.slice(0, 3)) })).json
  const path = `/api/playlists/${id}`
  await app.delete(`${path}/item/${podcast}/${own[1]}`)
  const add = (ids: string[]) => app.post(`${path}/batch/add`, { items: entries(ids) })
  expect(episodesIn(await add([own[4]!, own[2]!, own[4]!, own[1]!]))).toEqual([0, 2, 4, 1].map(place => own[place]))
  expect(episodesIn(await add(own))).toHaveLength(2600)
  expect(episodesIn(await add(others)).slice(2600)).toEqual(others.slice(0, 2400))
  const [row] = server.context.store.playlists.listFor(user.id)
  expect(server.context.store.playlists.episodeIds(row!.id)).toHaveLength(5000)

  // Compressed in parts they are the same.
  for (const address of ['/api/playlists', `/api/libraries/${library.libraryId}/playlists?limit=0`, path]) {
    const headers = { Authorization: `Bearer ${app.token}`, 'Accept-Encoding': 'gzip' }
    const response = await server.fetch(address, { headers })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    const unpacked = new TextDecoder().decode(Bun.gunzipSync(await response.bytes()))
    expect(unpacked === (await app.get(address)).text).toBeTrue()
  }
})

test('a list of playlists has ten thousand items at most, a playlist by itself all of its own', async () => {
  await using library = await startLibrary()
  const { app, server, user } = library
  const podcast = await library.add({ items: items(4000) })
  const episodes = await library.episodesOf(podcast)
  const entries = episodes.map(({ id }: { id: string }) => ({ episode: id }))
  const made = ['A', 'B', 'C', 'D'].map(name => server.context.playlists.create(user, { name, items: entries }))
  for (const list of [(await app.get('/api/playlists')).json.playlists, (await library.get('playlists')).results])
    expect(list.map((one: { items: unknown[] }) => one.items.length)).toEqual([4000, 4000, 2000, 0])
  expect(episodesIn(await app.get(`/api/playlists/${made[3]!.uuid}`))).toHaveLength(4000)
})

test('a page has at most a hundred playlists, and says how many there are', async () => {
  await using library = await startLibrary()
  const { playlists } = library.server.context
  for (let number = 100; number < 230; number++) playlists.create(library.user, { name: `List ${number}`, items: [] })
  const page = async (query: string) => {
    const { results, ...beside } = await library.get(`playlists?${query}`)
    return [results[0]?.name, results.length, beside]
  }
  expect(await page('')).toEqual(['List 100', 100, { total: 130, limit: 0, page: 0 }])
  expect(await page('limit=0&page=1')).toEqual(['List 200', 30, { total: 130, limit: 0, page: 1 }])
  expect(await page('limit=1000&page=1')).toEqual(['List 200', 30, { total: 130, limit: 100, page: 1 }])
  expect(await page('limit=20&page=2')).toEqual(['List 140', 20, { total: 130, limit: 20, page: 2 }])
})

test('a name that is taken gets a number; without one nothing is made', async () => {
  await using world = await startAppLibrary()
  const app = await signedInApp(world.server, 'anna')
  const make = async (name: unknown) => (await app.post('/api/playlists', { name, items: [] })).json.name
  expect([await make('Evening'), await make('evening'), await make(' Evening ')]).toEqual([
    'Evening',
    'evening 2',
    'Evening 3',
  ])
  expect(await make('x'.repeat(5000))).toHaveLength(200)
  for (const name of ['', '  ', null, 7, undefined])
    expect((await app.post('/api/playlists', { name })).status).toBe(400)
  const { playlists } = (await app.get('/api/playlists')).json
  expect((await app.delete(`/api/playlists/${playlists[0].id}`)).text).toBe('OK')
  expect((await app.get('/api/playlists')).json.playlists).toHaveLength(3)
})

test('what a user may not see is neither added nor shown', async () => {
  await using world = await startAppLibrary()
  const { server, podcast, episodes, hidden, secret } = world
  const anna = await signedInApp(server, 'anna')
  const items = [
    { libraryItemId: hidden, episodeId: secret },
    { libraryItemId: podcast, episodeId: episodes[0]! },
    { libraryItemId: podcast, episodeId: 'unknown' },
    { libraryItemId: podcast },
    null,
    'x',
  ]
  const made = await anna.post('/api/playlists', { name: 'Evening', items })
  expect(episodesIn(made)).toEqual([episodes[0]])
  const path = `/api/playlists/${made.json.id}`
  expect((await anna.post(`${path}/item`, items[0])).status).toBe(404)
  expect((await anna.delete(`${path}/item/${hidden}/${secret}`)).status).toBe(404)

  // It was added while it could be seen.
  const row = server.context.store.users.require('anna')
  server.context.users.change(server.context.users.requireUser('anna'), { explicitConsent: true })
  await anna.post(`${path}/item`, items[0])
  server.context.users.change(server.context.users.requireUser('anna'), { explicitConsent: false })
  const shown = await anna.get(path)
  expect([episodesIn(shown), shown.text.includes(secret)]).toEqual([[episodes[0]], false])
  expect(server.context.store.playlists.episodeIds(server.context.store.playlists.listFor(row.id)[0]!.id)).toHaveLength(
    2,
  )
})

test('R2: another user’s playlist looks absent to every call, and stays as it is', async () => {
  await using world = await startAppLibrary()
  const { server, podcast, episodes } = world
  const [anna, root] = [await signedInApp(server, 'anna'), await signedInApp(server, 'root', 'Sup3rSecret')]
  const item = { libraryItemId: podcast, episodeId: episodes[0]! }
  const made = await anna.post('/api/playlists', { name: 'The list of anna', items: [item] })
  const path = `/api/playlists/${made.json.id}`
  const answers = [
    await root.get(path),
    await root.patch(path, { name: 'Mine', items: [] }),
    await root.delete(path),
    await root.post(`${path}/item`, { ...item, episodeId: episodes[1] }),
    await root.post(`${path}/batch/add`, { items: [item] }),
    await root.post(`${path}/batch/remove`, { items: [item] }),
    await root.delete(`${path}/item/${podcast}/${episodes[0]}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  expect((await root.get('/api/playlists')).json).toEqual({ playlists: [] })
  expect((await anna.get(path)).json).toEqual(made.json)
})

test('W1: apps of the owner hear of a playlist that is made, changed or removed anywhere, and nobody else does', async () => {
  await using world = await startAppLibrary({ socketLimits: { settleMs: 1, itemsMs: 1 } })
  const { server, podcast, episodes } = world
  await server.signUp('bert')
  const origin = server.listen()
  using phone = await signedInLiveApp(server, origin, 'anna')
  using other = await signedInLiveApp(server, origin, 'bert')
  const browser = server.as('anna', 'Corr3ctHorse')
  const { id } = await browser.playlists.create({ name: 'Evening', items: [{ episode: episodes[0]! }] })
  expect(await phone.event('playlist_added')).toMatchObject({
    id,
    name: 'Evening',
    items: [{ libraryItemId: podcast, episodeId: episodes[0], episode: { title: 'One' } }],
  })
  const app = await signedInApp(server, 'anna')
  await app.post(`/api/playlists/${id}/item`, { libraryItemId: podcast, episodeId: episodes[1] })
  expect((await phone.event('playlist_updated')).items).toHaveLength(2)
  await app.patch(`/api/playlists/${id}`, { name: 'Night' })
  expect(await phone.event('playlist_updated', ({ name }) => name === 'Night')).toMatchObject({ id })
  await browser.playlists.remove(id)
  expect(await phone.event('playlist_removed')).toMatchObject({ id })

  const bert = await signedInApp(server, 'bert')
  await bert.post('/api/playlists', { name: 'Of bert', items: [] })
  await other.event('playlist_added')
  expect(other.events.filter(({ name }) => name.startsWith('playlist')).map(({ data }) => data.name)).toEqual([
    'Of bert',
  ])
})

test('a playlist that fills itself is read and renamed by apps, and its episodes are not theirs to change', async () => {
  await using world = await startAppLibrary()
  const { server, podcast, episodes } = world
  const app = await signedInApp(server, 'anna')
  const rules = {
    match: 'all',
    rules: [{ field: 'title', op: 'contains', words: 'one' }],
    order: 'newest',
    limit: 9,
    keepDownloaded: 0,
  } as const
  const anna = server.as('anna', 'Corr3ctHorse')
  await server.context.indexer.run()
  const made = await anna.playlists.create({ name: 'Ones', items: [], rules: { ...rules, rules: [...rules.rules] } })
  const path = `/api/playlists/${made.id}`
  expect(episodesIn(await app.get(path))).toEqual([episodes[0]])
  expect((await app.patch(path, { name: 'First' })).json.name).toBe('First')
  const item = { libraryItemId: podcast, episodeId: episodes[1] }
  expect((await app.post(`${path}/item`, item)).status).toBe(409)
  expect((await app.patch(path, { items: [item] })).status).toBe(409)
  expect((await app.delete(`${path}/item/${podcast}/${episodes[0]}`)).status).toBe(409)
  expect(episodesIn(await app.get(path))).toEqual([episodes[0]])
})

test('what an app does with a playlist or a bookmark is told to the open pages of its user at once', async () => {
  await using world = await startAppLibrary()
  const { server, podcast, episodes } = world
  const app = await signedInApp(server, 'anna')
  const origin = server.listen()
  const opened = await fetch(`${origin}/api/v1/session`, {
    method: 'POST',
    headers: { Authorization: server.as('anna', goodPassword).authorization! },
  })
  const Cookie = opened.headers.get('set-cookie')!.split(';')[0]!
  const { frame, socket } = await connect(origin, { Cookie, Origin: origin })
  const items = [{ libraryItemId: podcast, episodeId: episodes[0] }]
  const { id } = (await app.post('/api/playlists', { name: 'Walk', items })).json
  expect(await frame('playlistChanged')).toEqual({ type: 'playlistChanged', id })
  await app.post(`/api/me/item/${podcast}/bookmark`, { time: 3, title: 'Here' })
  expect(await frame('bookmarksChanged')).toEqual({ type: 'bookmarksChanged' })
  socket.close()
})
