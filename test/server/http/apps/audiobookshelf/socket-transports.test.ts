import { expect, test } from 'bun:test'
import { startTestApp, temporaryFolder, withPasswords, type TestApp } from '../../../../support/app'
import { appAt, login } from '../../../../support/audiobookshelf-app'
import { liveApp, signedInLiveApp } from '../../../../support/live-app'
import { cookieOf } from '../../../../support/sessions'

const userId = ({ context }: TestApp, username: string) => context.store.users.findByName(username)!.id

const ways = [
  { name: 'a websocket', transports: ['websocket'], ends: 'websocket' },
  { name: 'polling', transports: ['polling'], ends: 'polling' },
  { name: 'polling and then a websocket', transports: ['polling', 'websocket'], ends: 'websocket' },
] as const

test.each(ways)('an app connects over $name, signs in and is answered', async ({ transports, ends }) => {
  await using server = await startTestApp({ env: withPasswords })
  const { row } = await server.signUp('anna')
  const { accessToken } = (await login(server, 'anna')).json.user
  using app = liveApp(server.listen(), { transports: [...transports] })
  await app.connected
  if (transports.length === 2) await app.upgraded
  expect(app.transport()).toBe(ends)
  expect(await app.auth(accessToken)).toEqual({ name: 'init', data: { userId: row.uuid, username: 'anna' } })
  app.socket.emit('ping')
  await app.event('pong')
  expect(await app.socket.emitWithAck('anything', 1)).toBeUndefined()
})

test('after a wrong token the right one signs in, and a renewed one keeps the connection', async () => {
  await using server = await startTestApp({ env: withPasswords })
  await server.signUp('anna')
  const { accessToken, refreshToken } = (await login(server, 'anna')).json.user
  using app = liveApp(server.listen())
  await app.connected
  const { id } = app.socket
  expect(await app.auth('wrong')).toEqual({ name: 'auth_failed', data: { message: 'Invalid token' } })
  expect((await app.auth(accessToken)).name).toBe('init')
  const renewed = await appAt(server).call('POST', '/auth/refresh', { headers: { 'x-refresh-token': refreshToken } })
  expect((await app.auth(renewed.json.user.accessToken)).name).toBe('init')
  // The token that renews is no access, and a failed try signs nobody out.
  expect((await app.auth(refreshToken)).name).toBe('auth_failed')
  server.context.publish({
    type: 'episodesMarked',
    userId: userId(server, 'anna'),
    podcastId: 1,
    episodeIds: [],
    source: 'library',
  })
  await app.event('user_updated')
  expect(app.socket.id).toBe(id)
})

test('whatever is shown as a token that is none, is refused', async () => {
  await using server = await startTestApp({ env: withPasswords })
  using app = liveApp(server.listen())
  await app.connected
  for (const token of [null, 1, {}, [], '']) {
    app.socket.emit('auth', token)
    await app.once('auth_failed')
  }
  app.socket.emit('auth')
  await app.once('auth_failed')
  expect(app.events.map(({ name }) => name)).toEqual(Array.from({ length: 6 }, () => 'auth_failed'))
})

test.each(ways)('an app over $name comes back by itself after a restart of the server', async ({ transports }) => {
  const folder = temporaryFolder()
  const options = { env: withPasswords, folder }
  const first = await startTestApp(options)
  const { row } = await first.signUp('anna')
  const { accessToken } = (await login(first, 'anna')).json.user
  const origin = first.listen()
  using app = liveApp(origin, { transports: [...transports] })
  await app.connected
  await app.auth(accessToken)
  const lost = app.once('disconnect')
  await first[Symbol.asyncDispose]()
  expect(await lost).toBeOneOf(['transport close', 'transport error'])
  const back = app.once('connect')
  await using second = await startTestApp({ ...options, env: { ...withPasswords } })
  second.app.listen({ hostname: '127.0.0.1', port: Number(new URL(origin).port) })
  await back
  expect(await app.auth(accessToken)).toMatchObject({ name: 'init', data: { userId: row.uuid } })
})

test('below a path the socket answers there, and at the root for apps that know no other', async () => {
  await using server = await startTestApp({ env: { ...withPasswords, SUB_DIRECTORY: '/castellan' } })
  await server.signUp('anna')
  const origin = server.listen()
  expect(origin).toEndWith('/castellan')
  const { accessToken } = (await login(server, 'anna')).json.user
  for (const path of ['/castellan/socket.io/', '/socket.io/', '/castellan/ui/socket.io/', '/castellan//socket.io/'])
    for (const { transports } of ways) {
      using app = liveApp(origin, { path, transports: [...transports], headers: { Origin: 'capacitor://localhost' } })
      await app.connected
      expect((await app.auth(accessToken)).name).toBe('init')
    }
  for (const path of ['/other/socket.io/', '/socket.io/more', '/castellan/socket.io/more', '/ui/socket.io/'])
    expect((await fetch(new URL(`${path}?EIO=4&transport=polling`, origin))).status).toBe(404)
})

test('W1: a page of another site may connect, and learns nothing; a cookie is worth nothing here', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const anna = await server.signUp('anna')
  const origin = server.listen()
  const cookie = cookieOf(server, anna.row)
  for (const from of ['http://localhost', 'capacitor://localhost', 'https://evil.example'])
    for (const { transports } of ways) {
      const headers = { Origin: from, Cookie: cookie }
      using app = liveApp(origin, { transports: [...transports], headers })
      await app.connected
      server.context.publish({
        type: 'episodesMarked',
        userId: anna.row.id,
        podcastId: 1,
        episodeIds: [],
        source: 'library',
      })
      using hers = await signedInLiveApp(server, origin, 'anna')
      server.context.publish({
        type: 'episodesMarked',
        userId: anna.row.id,
        podcastId: 1,
        episodeIds: [],
        source: 'library',
      })
      await hers.event('user_updated')
      app.socket.emit('ping')
      await app.event('pong')
      expect(app.events.map(({ name }) => name)).toEqual(['pong'])
    }
})

test('where apps may not sign in there is no socket', async () => {
  await using server = await startTestApp({ env: { ...withPasswords, AUDIOBOOKSHELF_API: 'false' } })
  const origin = server.listen()
  expect((await fetch(`${origin}/socket.io/?EIO=4&transport=polling`)).status).toBe(404)
})

test('in open mode a foreign host gets no socket, since its pages could pretend to be ours', async () => {
  await using server = await startTestApp({ env: { AUDIOBOOKSHELF_API: 'true' } })
  const origin = server.listen()
  const query = `${origin}/socket.io/?EIO=4&transport=polling`
  expect((await fetch(query)).status).toBe(200)
  expect((await fetch(query, { headers: { Host: 'rebound.example' } })).status).toBe(403)
})
