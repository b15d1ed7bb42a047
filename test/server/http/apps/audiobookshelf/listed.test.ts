import { expect, test } from 'bun:test'
import { startTestApp, withPasswords } from '../../../../support/app'
import { appAt, login, signedInApp } from '../../../../support/audiobookshelf-app'

const MINUTE = 60_000

test('an app that is signed in is listed with its last use, until it is signed out', async () => {
  let now = Date.UTC(2026, 4, 1)
  await using server = await startTestApp({ env: withPasswords, now: () => now })
  const { appSessions } = await server.signUp('anna')
  expect(await appSessions.list()).toEqual([])

  const { accessToken, refreshToken } = (await login(server, 'anna')).json.user
  const app = appAt(server, accessToken)
  now += 5 * MINUTE
  expect((await app.get('/api/me')).status).toBe(200)
  const [listed, ...others] = await appSessions.list()
  expect(others).toEqual([])
  expect(listed).toEqual({
    id: expect.any(String),
    name: expect.any(String),
    createdAt: '2026-05-01T00:00:00.000Z',
    lastUsedAt: '2026-05-01T00:05:00.000Z',
    lastAddress: expect.any(String),
  })

  await appSessions.remove(listed!.id)
  expect(await appSessions.list()).toEqual([])
  expect((await app.get('/api/me')).status).toBe(401)
  const renewal = await app.call('POST', '/auth/refresh', { headers: { 'x-refresh-token': refreshToken } })
  expect(renewal.status).toBe(401)
})

test("nobody lists or ends another's app", async () => {
  await using server = await startTestApp({ env: withPasswords })
  const anna = await server.signUp('anna')
  const bob = await server.signUp('bob')
  const app = await signedInApp(server, 'anna')
  const [listed] = await anna.appSessions.list()
  expect(await bob.appSessions.list()).toEqual([])
  await expect(bob.appSessions.remove(listed!.id)).rejects.toMatchObject({ status: 404 })
  expect((await app.get('/api/me')).status).toBe(200)
})

test.each([
  [{}, { podcastSync: false, appSignIn: false }],
  [{ AUDIOBOOKSHELF_API: 'true' }, { podcastSync: false, appSignIn: true }],
  [withPasswords, { podcastSync: true, appSignIn: true }],
  [
    { ...withPasswords, GPODDER_INTEGRATION_ENABLED: 'false', AUDIOBOOKSHELF_API: 'false' },
    { podcastSync: false, appSignIn: false },
  ],
])('the configuration tells which apps may connect: %j', async (env, expected) => {
  await using server = await startTestApp({ env })
  expect(await server.system.config()).toMatchObject(expected)
})
