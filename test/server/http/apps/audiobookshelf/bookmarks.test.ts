import { expect, test } from 'bun:test'
import { items, startLibrary } from '../../../../support/audiobookshelf-library'
import { goodPassword } from '../../../../support/app'
import { signedInApp } from '../../../../support/audiobookshelf-app'

async function start() {
  const world = await startLibrary()
  const item = await world.add({ title: 'Show', items: items(3, at => ({ title: `Part ${at}` })) })
  const episodes: { id: string; title: string }[] = await world.episodesOf(item)
  const { bookmarks } = world.server.as('anna', goodPassword)
  const path = `/api/me/item/${item}/bookmark`
  return { world, item, episodes, bookmarks, path, app: world.app }
}

test('bookmarks of apps and ours are one list', async () => {
  const { world, item, episodes, bookmarks, path, app } = await start()
  await using _ = world
  world.play(episodes[1]!.id, 70)
  const made = await app.post(path, { time: 61.7, title: 'Here' })
  expect(made.json).toEqual({ libraryItemId: item, time: 61, title: 'Here', createdAt: expect.any(Number) })
  expect(await bookmarks.list()).toMatchObject([{ episode: episodes[1]!.id, time: 61, note: 'Here' }])

  // One without a note is called by its episode, and stays without one.
  await bookmarks.add({ episode: episodes[0]!.id, time: 5, note: null })
  const all = (await app.get('/api/me/bookmarks')).json.bookmarks
  expect(all.map(({ time, title }: Record<string, unknown>) => [time, title])).toEqual([
    [61, 'Here'],
    [5, episodes[0]!.title],
  ])
  expect((await app.get(`/api/me/bookmarks/${item}`)).json.bookmarks).toEqual(all)
  expect((await app.get('/api/me')).json.bookmarks).toEqual(all)
  expect((await app.patch(path, { time: 5, title: episodes[0]!.title })).status).toBe(200)
  expect((await bookmarks.list())[0]).toMatchObject({ time: 5, note: null })

  expect((await app.patch(path, { time: 5, title: 'There' })).json.title).toBe('There')
  expect((await app.post(path, { time: 61, title: 'Again' })).json.title).toBe('Again')
  expect((await bookmarks.list()).map(({ note }) => note)).toEqual(['There', 'Again'])
  expect((await app.delete(`${path}/61`)).text).toBe('OK')
  expect((await app.delete(`${path}/61`)).status).toBe(404)
  expect(await bookmarks.list()).toMatchObject([{ time: 5 }])
  expect(world.server.events.filter(({ type }) => type === 'bookmarksChanged')).toHaveLength(6)
})

test('a bookmark of an app belongs to the episode that it plays, even before it has a position', async () => {
  const { world, item, episodes, bookmarks, path, app } = await start()
  await using _ = world
  await app.post(path, { time: 1, title: 'nothing was played: the newest' })
  world.play(episodes[1]!.id, 70)
  await app.post(path, { time: 2, title: 'played before' })
  await app.post(`/api/items/${item}/play/${episodes[2]!.id}`, { deviceInfo: { deviceId: 'd' } })
  await app.post(path, { time: 3, title: 'just begun' })
  const found = (await bookmarks.list()).toSorted((a, b) => a.time - b.time)
  expect(found.map(({ episode }) => episode)).toEqual([episodes[0]!.id, episodes[1]!.id, episodes[2]!.id])
})

test('bookmarks without a time or title, of others, and of unknown podcasts are refused', async () => {
  const { world, bookmarks, path, app } = await start()
  await using _ = world
  for (const body of [{ title: 'x' }, { time: 'soon', title: 'x' }, { time: -1, title: 'x' }])
    expect([body, (await app.post(path, body)).text]).toEqual([body, 'Invalid time'])
  for (const body of [{ time: 1 }, { time: 1, title: ' ' }, { time: 1, title: 7 }])
    expect([body, (await app.post(path, body)).text]).toEqual([body, 'Invalid title'])
  expect((await app.patch(path, { time: 1, title: 'x' })).status).toBe(404)
  expect((await app.delete(`${path}/soon`)).status).toBe(400)
  expect((await app.post(`/api/me/item/${crypto.randomUUID()}/bookmark`, { time: 1, title: 'x' })).status).toBe(404)

  await app.post(path, { time: 1, title: 'mine' })
  await world.server.signUp('bob')
  const bob = await signedInApp(world.server, 'bob')
  expect((await bob.get('/api/me/bookmarks')).json.bookmarks).toEqual([])
  expect((await bob.delete(`${path}/1`)).status).toBe(404)
  expect(await bookmarks.list()).toHaveLength(1)
})
