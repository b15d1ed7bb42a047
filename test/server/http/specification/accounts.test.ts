import { expect, test } from 'bun:test'
import { goodPassword } from '../../../support/app'
import { nobody, refused, startWorld, uuid, type World } from '../../../support/specification'

test('POST /api/v1/login', async () => {
  await using world: World = await startWorld()
  const { stranger } = world
  const answer = await stranger('POST /login', { username: 'alice', password: goodPassword, remember: true })
  expect(answer).toMatchObject({ status: 200, body: { username: 'alice', role: 'user', apiKey: null } })
  expect(answer.headers.get('set-cookie')).toMatch(/^castellan=.*HttpOnly/i)
  const wrong = await stranger('POST /login', { username: 'alice', password: 'wrong' })
  expect(refused(wrong)).toEqual([401, 'wrong-user-or-password'])
  expect(wrong.headers.has('www-authenticate')).toBe(false)
  expect(refused(await stranger('POST /login', { username: 'nobody', password: 'wrong' }))).toEqual([
    401,
    'wrong-user-or-password',
  ])
  expect(refused(await stranger('POST /login', { username: 'alice' }))).toEqual([422, 'invalid-field'])
  expect(refused(await stranger('POST /login', { username: 1, password: goodPassword }))).toEqual([
    422,
    'invalid-field',
  ])
  expect(refused(await stranger('POST /login', '{'))).toEqual([400, 'bad-request'])
  await using open: World = await startWorld({})
  expect(refused(await open.stranger('POST /login', { username: 'a', password: 'b' }))).toEqual([403, 'basic-auth-off'])
})

test('GET /api/v1/sys/config', async () => {
  await using world: World = await startWorld()
  const { status, body } = await world.stranger('GET /sys/config')
  expect([status, body]).toMatchObject([
    200,
    {
      basicAuth: true,
      oidcConfigured: false,
      oidcConfig: null,
      reverseProxy: false,
      serverUrl: 'http://localhost/',
      wsUrl: 'ws://localhost/ws',
    },
  ])
})

test('GET /api/v1/users/me', async () => {
  await using world: World = await startWorld()
  expect(await world.alice('GET /users/me')).toMatchObject({
    status: 200,
    body: { id: expect.stringMatching(uuid), username: 'alice', role: 'user', explicitConsent: false, apiKey: null },
  })
  expect(refused(await world.stranger('GET /users/me'))).toEqual([401, 'not-signed-in'])
})

test('GET /api/v1/users', async () => {
  await using world: World = await startWorld()
  const answer = await world.root('GET /users')
  expect(answer).toMatchObject({
    status: 200,
    body: [
      { username: 'alice', role: 'user' },
      { username: 'root', role: 'admin' },
    ],
  })
  expect(answer.text).not.toMatch(/password|hash|apiKey/i)
  expect(refused(await world.alice('GET /users'))).toEqual([403, 'not-admin'])
})

test('POST /api/v1/users/', async () => {
  await using world: World = await startWorld()
  const { root, stranger, app } = world
  const { id } = (await root('POST /invites', { role: 'uploader', explicitConsent: true })).body
  const bad = (change: object) =>
    stranger('POST /users/', { username: 'carla', password: goodPassword, inviteId: id, ...change })
  expect(refused(await bad({ inviteId: nobody }))).toEqual([404, 'invite-not-found'])
  expect(refused(await bad({ username: 'a:b' }))).toEqual([422, 'invalid-field'])
  expect(refused(await bad({ password: 'weak' }))).toEqual([422, 'password-too-weak'])
  expect(refused(await bad({ username: 'ALICE' }))).toEqual([409, 'username-taken'])
  expect(refused(await stranger('POST /users/', {}))).toEqual([422, 'invalid-field'])
  const created = await bad({})
  expect(created).toMatchObject({ status: 200, body: { username: 'carla', role: 'uploader', explicitConsent: true } })
  expect(await app.as('carla', goodPassword).users.me()).toMatchObject({ username: 'carla' })
  expect(refused(await bad({ username: 'dora' }))).toEqual([409, 'invite-accepted'])
})

test('DELETE /api/v1/users/{username}', async () => {
  await using world: World = await startWorld()
  const { root, alice } = world
  expect(refused(await alice('DELETE /users/root'))).toEqual([403, 'not-admin'])
  expect(refused(await root('DELETE /users/root'))).toEqual([403, 'account-read-only'])
  expect(refused(await root('DELETE /users/nobody'))).toEqual([404, 'user-not-found'])
  expect(await root('DELETE /users/alice')).toMatchObject({ status: 204, text: '' })
  expect((await alice('GET /users/me')).status).toBe(401)
})

test('PUT /api/v1/users/{username}/role', async () => {
  await using world: World = await startWorld()
  const { root, alice } = world
  expect(await root('PUT /users/alice/role', { role: 'uploader', explicitConsent: true })).toMatchObject({
    status: 200,
    body: { username: 'alice', role: 'uploader', explicitConsent: true },
  })
  expect((await root('PUT /users/alice/role', { role: 'user' })).body).toMatchObject({
    role: 'user',
    explicitConsent: true,
  })
  expect(refused(await alice('PUT /users/alice/role', { role: 'admin' }))).toEqual([403, 'not-admin'])
  expect(refused(await root('PUT /users/alice/role', { role: 'king' }))).toEqual([422, 'invalid-field'])
  expect(refused(await root('PUT /users/nobody/role', { role: 'user' }))).toEqual([404, 'user-not-found'])
  expect(refused(await root('PUT /users/root/role', { role: 'user' }))).toEqual([403, 'account-read-only'])
})

test('PUT /api/v1/users/{username}', async () => {
  await using world: World = await startWorld()
  const { root, alice, app } = world
  const apiKey = crypto.randomUUID().replaceAll('-', '')
  expect(refused(await alice('PUT /users/alice', { username: 'root' }))).toEqual([409, 'username-taken'])
  expect(refused(await alice('PUT /users/alice', { username: 'alice', password: 'weak' }))).toEqual([
    422,
    'password-too-weak',
  ])
  expect(refused(await alice('PUT /users/alice', { username: 'alice', apiKey: 'short' }))).toEqual([
    422,
    'invalid-field',
  ])
  expect(refused(await root('PUT /users/alice', { username: 'x' }))).toEqual([404, 'user-not-found'])
  const saved = await alice('PUT /users/alice', { username: 'Alicia', password: '', apiKey })
  expect(saved).toMatchObject({ status: 200, body: { username: 'Alicia', apiKey } })
  expect(await app.as('Alicia', goodPassword).users.me()).toMatchObject({
    username: 'Alicia',
    apiKey: null,
    apiKeySet: true,
  })
})

test('GET /api/v1/invites', async () => {
  await using world: World = await startWorld()
  const { root, alice } = world
  await root('POST /invites', { role: 'admin', explicitConsent: true })
  const { body } = await root('GET /invites')
  expect(body).toMatchObject([
    { role: 'admin', explicitConsent: true, acceptedAt: null },
    { role: 'user', acceptedAt: expect.any(String) },
  ])
  expect(refused(await alice('GET /invites'))).toEqual([403, 'not-admin'])
})

test('POST /api/v1/invites', async () => {
  await using world: World = await startWorld()
  const { root, alice } = world
  const { status, body } = await root('POST /invites', {})
  expect([status, body]).toMatchObject([200, { role: 'user', explicitConsent: false, acceptedAt: null }])
  expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(7 * 86_400_000)
  expect(refused(await root('POST /invites', { role: 'king' }))).toEqual([422, 'invalid-field'])
  expect(refused(await alice('POST /invites', {}))).toEqual([403, 'not-admin'])
})

test('GET /api/v1/invites/{invite_id}', async () => {
  await using world: World = await startWorld()
  const { root, stranger } = world
  const { id } = (await root('POST /invites', { role: 'uploader' })).body
  expect(await stranger(`GET /invites/${id}`)).toMatchObject({ status: 200, body: { id, role: 'uploader' } })
  expect(refused(await stranger(`GET /invites/${nobody}`))).toEqual([404, 'invite-not-found'])
})

test('GET /api/v1/invites/{invite_id}/link', async () => {
  await using world: World = await startWorld()
  const { root, alice } = world
  const { id } = (await root('POST /invites', {})).body
  const answer = await root(`GET /invites/${id}/link`)
  expect([answer.status, answer.text]).toEqual([200, `http://localhost/ui/invite/${id}`])
  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(refused(await root(`GET /invites/${nobody}/link`))).toEqual([404, 'invite-not-found'])
  expect(refused(await alice(`GET /invites/${id}/link`))).toEqual([403, 'not-admin'])
})

test('DELETE /api/v1/invites/{invite_id}', async () => {
  await using world: World = await startWorld()
  const { root, stranger, alice } = world
  const { id } = (await root('POST /invites', {})).body
  expect(refused(await alice(`DELETE /invites/${id}`))).toEqual([403, 'not-admin'])
  expect(await root(`DELETE /invites/${id}`)).toMatchObject({ status: 204, text: '' })
  expect(refused(await root(`DELETE /invites/${id}`))).toEqual([404, 'invite-not-found'])
  expect(refused(await stranger(`GET /invites/${id}`))).toEqual([404, 'invite-not-found'])
})
