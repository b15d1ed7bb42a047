import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startTestApp, withPasswords } from '../../../../support/app'
import { appAt, login, signedInApp } from '../../../../support/audiobookshelf-app'

test('an app finds the server, signs in, and is known from then on', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const { row } = await server.signUp('anna')
  const status = await appAt(server).get('/status')
  expect(status.json).toMatchObject({ app: 'audiobookshelf', isInit: true, language: 'en-us', authMethods: ['local'] })

  const { json } = await login(server, 'anna')
  expect(json.user).toMatchObject({ id: row.uuid, username: 'anna', type: 'user' })
  expect(json.user.token).not.toBe(json.user.accessToken)

  const app = appAt(server, json.user.accessToken)
  expect((await app.get('/api/me')).json).toMatchObject({ id: row.uuid })
  const { user } = (await app.post('/api/authorize')).json
  expect(user.id).toBe(row.uuid)
  expect([user.accessToken, user.token]).toEqual([undefined, undefined])
})

test('a wrong password is refused with a line of text', async () => {
  await using server = await startTestApp({ env: withPasswords })
  await server.signUp('anna')
  const answer = await login(server, 'anna', 'wrong')
  expect([answer.status, answer.text]).toEqual([401, 'Unauthorized'])
})

test('tokens are renewed; the one before stays good for ten minutes, and both answers end with the same one', async () => {
  let now = Date.UTC(2026, 4, 1)
  await using server = await startTestApp({ env: withPasswords, now: () => now })
  await server.signUp('anna')
  const { refreshToken } = (await login(server, 'anna')).json.user
  const renew = (token: string) =>
    appAt(server).call('POST', '/auth/refresh', { headers: { 'x-refresh-token': token } })

  const [first, second] = await Promise.all([renew(refreshToken), renew(refreshToken)])
  const { refreshToken: current } = first.json.user
  expect(current).not.toBe(refreshToken)
  expect(second.json.user.refreshToken).toBe(current)
  expect((await appAt(server, second.json.user.accessToken).get('/api/me')).status).toBe(200)

  now += 11 * 60_000
  const late = await renew(refreshToken)
  expect([late.status, late.json]).toEqual([401, { error: 'Invalid refresh token' }])
})

test('a token that is used again after its time signs out both who have it, and its user is notified', async () => {
  let now = Date.UTC(2026, 4, 1)
  await using server = await startTestApp({ env: withPasswords, now: () => now })
  const anna = await server.signUp('anna')
  const other = (await login(server, 'anna')).json.user
  const stolen = (await login(server, 'anna')).json.user
  const renew = (token: string) =>
    appAt(server).call('POST', '/auth/refresh', {
      headers: { 'x-refresh-token': token, 'X-Forwarded-For': '203.0.113.9' },
    })
  const thief = (await renew(stolen.refreshToken)).json.user

  // Cleaning up forgets expired tokens, but none that another took the place of.
  now += 2 * 86_400_000
  server.context.appSessions.removeExpired()
  expect((await renew(stolen.refreshToken)).status).toBe(401)
  expect(await server.event('renewalReused')).toMatchObject({
    userId: anna.row.id,
    session: expect.any(String) as string,
    address: '203.0.113.9',
  })
  expect((await renew(thief.refreshToken)).status).toBe(401)
  expect((await appAt(server, thief.accessToken).get('/api/me')).status).toBe(401)
  expect((await renew(other.refreshToken)).status).toBe(200)
  const bell = (await anna.notifications.unread()).filter(({ typeOfMessage }) => typeOfMessage === 'RenewalReused')
  expect(bell.map(({ message }) => message.split(' · ').at(-1))).toEqual(['203.0.113.*'])

  // Once it has ended, nothing more is announced.
  expect((await renew(stolen.refreshToken)).status).toBe(401)
  expect((await anna.notifications.unread()).length).toBe(1)
})

test('a session that nobody renews ends, although its replaced tokens are remembered', async () => {
  let now = Date.UTC(2026, 4, 1)
  await using server = await startTestApp({ env: withPasswords, now: () => now })
  const anna = await server.signUp('anna')
  let { refreshToken } = (await login(server, 'anna')).json.user
  for (let count = 0; count < 30; count++) {
    now += 3_600_000
    const headers = { 'x-refresh-token': refreshToken }
    refreshToken = (await appAt(server).call('POST', '/auth/refresh', { headers })).json.user.refreshToken
  }
  using rows = new Database(join(server.folder, 'castellan.db'), { readonly: true })
  const count = () => rows.query(`SELECT count(*) AS count FROM app_token WHERE kind = 'refresh'`).get()
  expect(count()).toEqual({ count: 10 })
  now += 366 * 86_400_000
  server.context.appSessions.removeExpired()
  expect(count()).toEqual({ count: 0 })
  expect(await anna.client.get<unknown[]>('/users/me/appSessions')).toEqual([])
})

test('a token that was renewed twice since still answers with the current one', async () => {
  let now = Date.UTC(2026, 4, 1)
  await using server = await startTestApp({ env: withPasswords, now: () => now })
  await server.signUp('anna')
  const renew = async (token: string): Promise<string> =>
    (await appAt(server).call('POST', '/auth/refresh', { headers: { 'x-refresh-token': token } })).json.user
      .refreshToken
  const { refreshToken: first } = (await login(server, 'anna')).json.user
  const second = await renew(first)
  now += 5 * 60_000
  const third = await renew(second)
  expect(third).not.toBe(second)
  now += 4 * 60_000
  const late = await renew(first)
  expect(late).toBe(third)

  now += 24 * 60 * 60_000
  expect(await renew(late)).toBeString()
})

test('beyond fifty sign-ins the one that was used longest ago ends, with its sockets', async () => {
  let now = Date.UTC(2026, 4, 1)
  await using server = await startTestApp({ env: withPasswords, now: () => now })
  const { row } = await server.signUp('anna')
  const { appSessions } = server.context
  const start = () =>
    appSessions.start(row, {
      app_password_id: null,
      apiKey: null,
      provider_session: null,
      name: 'Phone',
      last_address: '192.0.2.1',
    }).access
  const isOpen = (token: string) => appSessions.accessOf(token, () => '192.0.2.1') !== null
  const inUse = start()
  now += 1000
  const idle = start()
  const { appSessionId } = appSessions.accessOf(idle, () => '192.0.2.1')!
  now += 5 * 60_000
  for (let count = 0; count < 48; count++) start()
  expect(isOpen(inUse)).toBe(true)
  expect(server.events.filter(({ type }) => type === 'appSessionEnded')).toEqual([])

  // The clock is set back: what has just begun stays all the same.
  now -= 60 * 60_000
  const newest = start()
  expect([inUse, idle, newest].map(isOpen)).toEqual([true, false, true])
  expect(server.events.filter(({ type }) => type === 'appSessionEnded')).toEqual([
    expect.objectContaining({ type: 'appSessionEnded', appSessionId }),
  ])
})

test('a cookie signs nobody in here', async () => {
  await using server = await startTestApp({ env: withPasswords })
  await server.signUp('anna')
  const signedIn = await server.fetch('/api/v1/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: 'Sup3rSecret' }),
  })
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  expect((await appAt(server).get('/api/me', { Cookie: cookie })).status).toBe(401)
})

test('an app that signs out has no access any more', async () => {
  await using server = await startTestApp({ env: withPasswords })
  await server.signUp('anna')
  const { accessToken, refreshToken } = (await login(server, 'anna')).json.user
  await appAt(server).call('POST', '/logout', { headers: { 'x-refresh-token': refreshToken } })
  expect((await appAt(server, accessToken).get('/api/me')).status).toBe(401)
  expect((await (await signedInApp(server, 'anna')).get('/api/me')).status).toBe(200)
})
