import { expect, test } from 'bun:test'
import { newKey } from '../../../../support/access'
import { type AppClient, appAt, login } from '../../../../support/audiobookshelf-app'
import { items, type Library, startLibrary } from '../../../../support/audiobookshelf-library'
import { differencesFrom, type Recorded } from '../../../../support/typed-keys'
import recorded from '../../../../fixtures/audiobookshelf/keys-2.36.json'
import models from '../../../../fixtures/audiobookshelf/models.json'

const device = {
  deviceId: 'd1',
  clientVersion: '0.14.0',
  manufacturer: 'Acme',
  model: 'P1',
  sdkVersion: 34,
  clientName: 'Abs Android',
  deviceName: 'Acme P1',
}

/** A library in which something was played, marked, listed and is being played; its admin's app makes the calls. */
async function fill(world: Library, sent: object = device) {
  const { server } = world
  const item = await world.add({ title: 'One', items: items(3, at => ({ title: `One ${at}`, notes: '<p>Notes</p>' })) })
  const { refreshToken, accessToken } = (await login(server, 'root', 'Sup3rSecret')).json.user
  const app = appAt(server, accessToken)
  const [episode, other, third] = (await app.get(`/api/items/${item}?expanded=1`)).json.media.episodes.map(
    ({ id }: { id: string }) => id,
  )
  for (const [id, body] of [
    [other, { currentTime: 60, duration: 600 }],
    [third, { isFinished: true }],
  ])
    await app.patch(`/api/me/progress/${item}/${id}`, body)
  const begun = await app.post(`/api/items/${item}/play/${episode}`, { deviceInfo: sent, mediaPlayer: 'exo-player' })
  const session: string = begun.json.id
  await app.post(`/api/session/${session}/sync`, { currentTime: 20, timeListened: 12, duration: 600 })
  await app.post(`/api/me/item/${item}/bookmark`, { time: 9, title: 'Here' })
  const items_ = [{ libraryItemId: item, episodeId: episode }]
  const playlist: string = (await app.post('/api/playlists', { name: 'Mine', items: items_ })).json.id
  await connect(app)
  return { app, item, episode, session, playlist, refreshToken }
}

/** Connects an app's socket by polling, and signs it in. */
async function connect(app: AppClient) {
  const path = '/socket.io/?EIO=4&transport=polling'
  const { sid } = JSON.parse((await app.get(path)).text.slice(1)) as { sid: string }
  for (const body of ['40', `42${JSON.stringify(['auth', app.token])}`])
    await app.call('POST', `${path}&sid=${sid}`, { body, headers: { 'Content-Type': 'text/plain' } })
}

/** Makes every call, and passes on its answer. */
async function callAll(world: Library, sent: object, use: (call: string, answer: unknown) => void) {
  const { app, item, episode, session, playlist, refreshToken } = await fill(world, sent)
  const names = { ITEM: item, EPISODE: episode, SESSION: session, PLAYLIST: playlist, LIBRARY: world.libraryId }
  const bodies: Record<string, unknown> = {
    '/login': { username: 'root', password: 'Sup3rSecret' },
    '/api/items/batch/get': { libraryItemIds: [item] },
    // Another device: the session of the first one stays open.
    [`/api/items/${item}/play/${episode}`]: { deviceInfo: { ...sent, deviceId: 'd2' }, mediaPlayer: 'exo-player' },
  }
  for (const call of Object.keys(recorded.answers)) {
    const [method, path] = Object.entries(names)
      .reduce((text, [name, id]) => text.replaceAll(name, id), call)
      .split(' ') as [string, string]
    const headers = { 'x-return-tokens': 'true', 'x-refresh-token': refreshToken }
    const body = method === 'POST' ? { body: bodies[path] ?? {} } : {}
    const { status, text } = await app.call(method, path, { headers, ...body })
    expect([call, status, text.slice(0, 80)]).toEqual([call, 200, expect.any(String)])
    use(call, JSON.parse(text))
  }
}

test('every answer has exactly the keys of Audiobookshelf 2.36, with values of the same types', async () => {
  await using world = await startLibrary()
  const { answers } = recorded as Pick<Recorded, 'answers'>
  const differences = differencesFrom(recorded as unknown as Recorded, false)
  await callAll(world, device, (call, answer) => expect([call, ...differences(answer, answers[call]!)]).toEqual([call]))
})

test('the models of four other programs decode every answer that they ask for', async () => {
  await using world = await startLibrary()
  // The number is a text in the answers of Audiobookshelf too, which the program in Go can't decode there either.
  const { sdkVersion: _, ...sent } = device
  const seen = new Map<string, unknown>()
  await callAll(world, sent, (call, answer) => seen.set(call, answer))
  for (const [name, model] of Object.entries(models as unknown as Record<string, Recorded>)) {
    const differences = differencesFrom(model, true)
    for (const [call, type] of Object.entries(model.answers)) {
      expect([name, call, seen.has(call)]).toEqual([name, call, true])
      expect([name, call, ...differences(seen.get(call), type)]).toEqual([name, call])
    }
  }
})

test('an admin’s integrations are told who is online and what is being played; nobody else is', async () => {
  await using world = await startLibrary()
  const { app, item, episode, session } = await fill(world)
  const { users } = (await app.get('/api/users')).json
  expect(users.map(({ username, type }: Record<string, string>) => [username, type])).toEqual([
    ['anna', 'user'],
    ['root', 'admin'],
  ])
  const { sessions } = (await app.get('/api/sessions/open')).json
  expect(sessions).toMatchObject([
    { id: session, libraryItemId: item, episodeId: episode, currentTime: 20, user: { username: 'root' } },
  ])
  expect((await app.get('/api/users/online')).json).toMatchObject({
    usersOnline: [{ username: 'root', connections: 1, session: { id: session } }],
    openSessions: [{ id: session }],
  })
  for (const path of ['/api/users', '/api/users/online', '/api/sessions/open'])
    expect([path, (await world.app.get(path)).status]).toEqual([path, 403])
  await app.post(`/api/session/${session}/close`)
  expect((await app.get('/api/sessions/open')).json.sessions).toEqual([])
})

test('an API key alone opens what dashboards and Home Assistant ask for', async () => {
  await using world = await startLibrary()
  await world.add({ title: 'One', items: items(1) })
  const key = newKey()
  await world.server.as('root', 'Sup3rSecret').users.edit('root', { apiKey: key })
  const app = appAt(world.server, key)
  for (const path of [
    '/api/me',
    '/api/libraries',
    `/api/libraries/${world.libraryId}/stats`,
    `/api/libraries/${world.libraryId}/items?sort=addedAt&desc=1&limit=5`,
    '/api/users',
    '/api/users/online',
    '/api/sessions/open',
  ])
    expect([path, (await app.get(path)).status]).toEqual([path, 200])
  expect((await app.post('/api/authorize', {})).json.user.type).toBe('admin')
})
