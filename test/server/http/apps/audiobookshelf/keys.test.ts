import { expect, test } from 'bun:test'
import { newKey } from '../../../../support/access'
import { type AppClient, appAt, login } from '../../../../support/audiobookshelf-app'
import { items, type Library, startLibrary } from '../../../../support/audiobookshelf-library'
import recorded from '../../../../fixtures/audiobookshelf/keys-2.36.json'

/** `shapes`: the type of each key; `...` names shapes whose keys it has too. `answers`: the shape of each answer. */
const { shapes, answers } = recorded as unknown as {
  shapes: Record<string, Record<string, string>>
  answers: Record<string, string>
}

function keysOf(shape: string): Record<string, string> {
  const { '...': others = '', ...own } = shapes[shape]!
  return Object.assign({}, ...others.split(' ').filter(Boolean).map(keysOf), own) as Record<string, string>
}

/** Everything in which a value differs from a type: `string|null`, `episode[]`, `number{}`, or the name of a shape. */
function differences(value: unknown, type: string, place: string): string[] {
  const found = type.split('|').map(one => differencesOfOne(value, one, place))
  return found.some(list => list.length === 0) ? [] : found.toSorted((a, b) => a.length - b.length)[0]!
}

function differencesOfOne(value: unknown, type: string, place: string): string[] {
  const wrong = [`${place}: ${JSON.stringify(value)?.slice(0, 60)} is not ${type}`]
  if (type.endsWith('[]') || type.endsWith('{}')) {
    if (Array.isArray(value) !== type.endsWith('[]') || typeof value !== 'object' || value === null) return wrong
    return Object.entries(value).flatMap(([key, one]) => differences(one, type.slice(0, -2), `${place}.${key}`))
  }
  if (['string', 'number', 'boolean'].includes(type)) return typeof value === type ? [] : wrong
  if (type === 'null') return value === null ? [] : wrong
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong
  const keys = keysOf(type)
  const has = Object.keys(value)
  const mustHave = Object.keys(keys).filter(key => !key.endsWith('?'))
  return [
    ...mustHave.filter(key => !has.includes(key)).map(key => `${place}: ${key} is missing`),
    ...has.filter(key => !(key in keys || `${key}?` in keys)).map(key => `${place}: ${key} is not of ${type}`),
    ...has.flatMap(key => {
      const one = keys[key] ?? keys[`${key}?`]
      return one ? differences((value as Record<string, unknown>)[key], one, `${place}.${key}`) : []
    }),
  ]
}

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
async function fill(world: Library) {
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
  const begun = await app.post(`/api/items/${item}/play/${episode}`, { deviceInfo: device, mediaPlayer: 'exo-player' })
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

test('every answer has exactly the keys of Audiobookshelf 2.36, with values of the same types', async () => {
  await using world = await startLibrary()
  const filled = await fill(world)
  const { app, item, episode, session, playlist, refreshToken } = filled
  const names = { ITEM: item, EPISODE: episode, SESSION: session, PLAYLIST: playlist, LIBRARY: world.libraryId }
  const bodies: Record<string, unknown> = {
    '/login': { username: 'root', password: 'Sup3rSecret' },
    '/api/items/batch/get': { libraryItemIds: [item] },
    // Another device: the session of the first one stays open.
    [`/api/items/${item}/play/${episode}`]: { deviceInfo: { ...device, deviceId: 'd2' }, mediaPlayer: 'exo-player' },
  }
  for (const [call, shape] of Object.entries(answers)) {
    const [method, path] = Object.entries(names)
      .reduce((text, [name, id]) => text.replaceAll(name, id), call)
      .split(' ') as [string, string]
    const headers = { 'x-return-tokens': 'true', 'x-refresh-token': refreshToken }
    const { status, text } = await app.call(method, path, {
      headers,
      ...(method === 'POST' && { body: bodies[path] ?? {} }),
    })
    expect([call, status, text.slice(0, 80)]).toEqual([call, 200, expect.any(String)])
    expect([call, ...differences(JSON.parse(text), shape, '')]).toEqual([call])
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
