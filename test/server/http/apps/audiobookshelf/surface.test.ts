import { expect, test } from 'bun:test'
import { createLog } from '../../../../../src/server/platform/log'
import { startTestApp, withPasswords } from '../../../../support/app'
import { appAt, login } from '../../../../support/audiobookshelf-app'

const credentials = { username: 'root', password: 'Sup3rSecret' }

test('an address with a path, with the interface’s path, or with a slash at its end leads to the same calls', async () => {
  for (const SUB_DIRECTORY of ['', '/pods']) {
    await using server = await startTestApp({ env: { ...withPasswords, SUB_DIRECTORY } })
    for (const typed of ['', '/', '/ui', '/ui/']) {
      const found = await appAt(server).get(`${typed}/status`)
      expect([typed, found.status, found.json.app]).toEqual([typed, 200, 'audiobookshelf'])
      const { json } = await appAt(server).post(`${typed}/login`, credentials)
      const app = appAt(server, json.user.accessToken)
      expect([typed, (await app.get(`${typed}/api/me`)).json.username]).toEqual([typed, 'root'])
      expect((await app.post(`${typed}/api/authorize`)).status).toBe(200)
      expect((await app.get(`${typed}/api/me/`)).status).toBe(200)
    }
    // The interface keeps what is its own.
    for (const own of ['/ui/login', '/ui/', '/ui/public/icon.svg']) {
      const { status, headers } = await server.fetch(own)
      expect([own, status, headers.get('content-type')]).toEqual([own, 200, expect.stringMatching(/html|svg/)])
    }
  }
})

test('behind a proxy that names a prefix, the app is at that address', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'pod.example', 'X-Forwarded-Prefix': '/pods' }
  expect((await appAt(server).call('POST', '/login', { body: credentials, headers })).status).toBe(200)
})

test('HEAD is answered as GET, other methods are refused, and a stranger learns nothing by either', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const origin = server.listen()
  const { accessToken } = (await login(server, 'root', 'Sup3rSecret')).json.user
  const status = async (method: string, path: string, headers: Record<string, string> = {}) =>
    (await fetch(`${origin}${path}`, { method, headers })).status
  expect(await status('HEAD', '/status')).toBe(200)
  expect(await status('HEAD', '/api/me')).toBe(401)
  const bearer = { Authorization: `Bearer ${accessToken}` }
  expect(await status('HEAD', '/api/me', bearer)).toBe(200)
  expect(await status('DELETE', '/api/authorize', bearer)).toBe(405)
  expect(await status('GET', '/api/libraries/x/unknown', bearer)).toBe(404)
  for (const path of ['/api/me', '/api/authorize', '/api/items/x', '/api/me/unknown', '/auth/unknown'])
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS'])
      expect([method, path, await status(method, path)]).toEqual([method, path, 401])
})

test('pages of the official app may read covers from elsewhere; other pages, and other addresses, may not', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const allowed = async (path: string, Origin: string, method = 'GET') =>
    (await appAt(server).call(method, path, { headers: { Origin } })).headers.get('access-control-allow-origin')
  for (const origin of ['http://localhost', 'capacitor://localhost']) {
    expect(await allowed('/api/items/x/cover?ts=1', origin)).toBe(origin)
    expect(await allowed('/ui/api/items/x/cover', origin)).toBe(origin)
    expect(await allowed('/api/items/x/cover', origin, 'OPTIONS')).toBe(origin)
    for (const path of ['/api/me', '/api/items/x', '/status', '/login', '/api/items/x/cover/y', '/api/items/a/b/cover'])
      expect([path, await allowed(path, origin), await allowed(path, origin, 'OPTIONS')]).toEqual([path, null, null])
    expect(await allowed('/api/items/x/cover', origin, 'DELETE')).toBeNull()
  }
  for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'http://localhost:8080'])
    expect(await allowed('/api/items/x/cover', origin)).toBeNull()
  const { headers } = await appAt(server).get('/api/items/x/cover')
  expect(headers.get('vary')).toContain('Origin')
})

test('a server that stops answers no good token with 401', async () => {
  const server = await startTestApp({ env: withPasswords })
  const { refreshToken, accessToken } = (await login(server, 'root', 'Sup3rSecret')).json.user
  await server.context.close()
  const renewed = await appAt(server).call('POST', '/auth/refresh', { headers: { 'x-refresh-token': refreshToken } })
  expect(renewed.status).toBe(503)
  expect((await appAt(server, accessToken).get('/api/me')).status).toBe(503)
})

test('a token outlives a restart', async () => {
  const first = await startTestApp({ env: withPasswords })
  const { refreshToken, accessToken } = (await login(first, 'root', 'Sup3rSecret')).json.user
  await first.context.close()
  await using second = await startTestApp({ env: withPasswords, folder: first.folder })
  expect((await appAt(second, accessToken).post('/api/authorize')).status).toBe(200)
  const renewed = await appAt(second).call('POST', '/auth/refresh', { headers: { 'x-refresh-token': refreshToken } })
  expect(renewed.status).toBe(200)
})

test('turned off, and in open mode unless it is turned on, none of the addresses exists', async () => {
  for (const env of [{ ...withPasswords, AUDIOBOOKSHELF_API: 'false' }, {}]) {
    await using server = await startTestApp({ env })
    for (const path of [
      '/status',
      '/ping',
      '/login',
      '/auth/refresh',
      '/api/me',
      '/api/libraries',
      '/public/session/x',
    ])
      for (const method of ['GET', 'POST']) {
        const found = await server.fetch(path, { method })
        expect([method, path, found.status, await found.json()]).toEqual([
          method,
          path,
          404,
          expect.objectContaining({ errorCode: expect.any(String) }),
        ])
      }
  }
})

test('L1: tokens in addresses, and ids that open media, are blotted out in the log', () => {
  const lines: string[] = []
  const log = createLog('debug', 'text', line => lines.push(line))
  log.info('failed', {
    token: 'http://pod.example/api/items/a/file/b/download?token=secret&x=1',
    session: '/public/session/secret/track/1',
    code: '/auth/openid/callback?state=secret&code=secret&code_verifier=secret',
  })
  expect(lines[0]).not.toContain('secret')
  expect(lines[0]).toContain('track/1')
})
