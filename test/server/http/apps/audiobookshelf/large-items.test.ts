import { expect, test } from 'bun:test'
import { signedInApp, type AppClient } from '../../../../support/audiobookshelf-app'
import { items, startLibrary } from '../../../../support/audiobookshelf-library'
import { expandedItem, findOffences, plainItem } from '../../../../support/audiobookshelf-shapes'

const EPISODES = 3000

test('a podcast of 3,000 episodes is one complete answer, the newest first, and leaves turns to others', async () => {
  await using library = await startLibrary()
  const notes = `<p>${'Words about it. '.repeat(60)}"episodes":[] and \\"episodes\\":[]</p>`
  const item = await library.add({ items: items(EPISODES, () => ({ notes })) })
  let turns = 0
  let isDone = false
  const countTurns = () => {
    turns++
    if (!isDone) setImmediate(countTurns)
  }
  countTurns()
  const { json } = await library.app.get(`/api/items/${item}?expanded=1`)
  isDone = true
  expect(turns).toBeGreaterThan(EPISODES / 300)

  expect(findOffences(json, expandedItem)).toEqual([])
  expect(json.media.episodes).toHaveLength(EPISODES)
  expect(new Set(json.media.episodes.map((one: any) => one.id)).size).toBe(EPISODES)
  expect(json.media.episodes.map((one: any) => one.title)).toEqual(
    Array.from({ length: EPISODES }, (_, index) => `Episode ${index}`),
  )
  expect(json.media.episodes.at(-1).description).toContain('"episodes":[]')

  const plain = (await library.app.get(`/api/items/${item}`)).json
  expect(findOffences(plain, plainItem)).toEqual([])
  expect(plain.media.episodes).toHaveLength(EPISODES)

  const { libraryItems } = (await library.app.post('/api/items/batch/get', { libraryItemIds: [item] })).json
  expect(libraryItems[0].media.episodes).toHaveLength(50)
})

test('an item has as many episodes as are wanted, and the one that is named', async () => {
  await using library = await startLibrary()
  const item = await library.add({ items: items(30) })
  const { createItems } = await import('../../../../../src/server/http/apps/audiobookshelf/items')
  const { requirePodcast, expanded } = createItems(library.server.context)
  const row = requirePodcast(library.user, item)
  const oldest = (await library.episodesOf(item)).at(-1).id
  const some = expanded(library.user, row, { limit: 5, episode: oldest, withNotes: false })
  expect(some.media.episodes.map(one => one.title)).toEqual(['Episode 29', ...[0, 1, 2, 3, 4].map(n => `Episode ${n}`)])
  expect(expanded(library.user, row, { limit: 0 }).media.episodes).toEqual([])
})

test('a long item that is compressed in parts is the same', async () => {
  await using library = await startLibrary()
  const item = await library.add({ items: items(1200, index => ({ notes: `<p>${`Word ${index} `.repeat(100)}</p>` })) })
  const path = `/api/items/${item}?expanded=1&include=rssfeed`
  const response = await library.server.fetch(path, {
    headers: { Authorization: `Bearer ${library.app.token}`, 'Accept-Encoding': 'gzip' },
  })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  const unpacked = new TextDecoder().decode(Bun.gunzipSync(await response.bytes()))
  expect(unpacked === (await library.app.get(path)).text).toBeTrue()
})

test('a long item is made once while nothing changes, and anew after every change', async () => {
  await using library = await startLibrary()
  const notes = `<p>${'Words about it. '.repeat(60)}</p>`
  const item = await library.add({ title: 'Before', items: items(90, () => ({ notes })) })
  const { context } = library.server
  let reads = 0
  const { episodesOf } = context.store.catalogue
  context.store.catalogue.episodesOf = (...given) => {
    reads++
    return episodesOf(...given)
  }
  const path = `/api/items/${item}?expanded=1&include=progress`
  const titleOf = async (query = '') => (await library.app.get(path + query)).json.media.metadata.title
  expect(await Promise.all([titleOf(), titleOf(), titleOf()])).toEqual(['Before', 'Before', 'Before'])
  expect(await titleOf()).toBe('Before')
  expect(reads).toBe(1)

  context.store.podcasts.rename(context.store.catalogue.podcastId(item)!, 'After')
  expect(await titleOf()).toBe('After')
  expect(reads).toBe(2)

  const [first] = await library.episodesOf(item)
  const query = `&episode=${first.id}`
  const progressOf = async () => (await library.app.get(path + query)).json.userMediaProgress
  expect(await progressOf()).toBeNull()
  library.play(first.id, 20)
  expect(await progressOf()).toMatchObject({ currentTime: 20 })
})

test('an item that is remembered for one user is not shown to another', async () => {
  await using library = await startLibrary()
  const extra = '<itunes:explicit>yes</itunes:explicit>'
  const notes = `<p>${'Words about it. '.repeat(60)}</p>`
  const item = await library.add({ items: items(100, index => ({ notes, extra: index === 0 ? extra : '' })) })
  await library.server.signUp('bob', 'user', true)
  const bob = await signedInApp(library.server, 'bob')
  const countOf = async (app: AppClient) => (await app.get(`/api/items/${item}?expanded=1`)).json.media.episodes.length
  expect([await countOf(bob), await countOf(library.app)]).toEqual([100, 99])
})
