import { expect, test } from 'bun:test'
import { errorCodes } from '../../../src/shared/error-code'
import en from '../../../locales/en.json'
import { rss } from '../../support/builders'
import { startTestApp } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'

const json = { 'Content-Type': 'application/json' }

test('every error is JSON of one shape', async () => {
  await using app = await startTestApp()
  const cases: [string, RequestInit, number, string][] = [
    ['/api/v1/nothing', {}, 404, 'not-found'],
    ['/api/v1/podcasts/nobody', {}, 404, 'podcast-not-found'],
    ['/api/v1/podcasts/not-a-uuid/episodes', {}, 404, 'podcast-not-found'],
    ['/api/v1/episodes/nobody', {}, 404, 'episode-not-found'],
    ['/api/v1/podcasts/feed', { method: 'POST', body: '{"rssFeedUrl":', headers: json }, 400, 'bad-request'],
    ['/api/v1/podcasts/feed', { method: 'POST', body: '{}', headers: json }, 422, 'invalid-field'],
    [
      '/api/v1/podcasts/feed',
      { method: 'POST', body: 'rssFeedUrl=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported-media-type',
    ],
    [
      '/api/v1/podcasts/feed',
      { method: 'POST', body: JSON.stringify({ rssFeedUrl: 'x'.repeat(2_000_000) }), headers: json },
      413,
      'too-large',
    ],
    ['/api/v1/podcasts/timeline?limit=0', {}, 422, 'invalid-field'],
    ['/api/v1/podcasts/timeline?limit=many', {}, 422, 'invalid-field'],
    ['/api/v1/podcasts/timeline?notListened=perhaps', {}, 422, 'invalid-field'],
    ['/api/v1/podcasts/timeline?cursor=%00', {}, 422, 'invalid-field'],
    ['/api/v1/podcasts/timeline?lastTimestamp=yesterday', {}, 422, 'invalid-field'],
    ['/api/v1/downloads?state=bogus', {}, 422, 'invalid-field'],
    ['/api/v1/settings', { method: 'PUT', body: '{"autoCleanupDays": 0}', headers: json }, 422, 'invalid-field'],
    ['/api/v1/podcasts/timeline', { method: 'PATCH' }, 405, 'method-not-allowed'],
    ['/api/v1/downloads', { method: 'PUT' }, 405, 'method-not-allowed'],
    ['/ui/assets/old-hash.js', {}, 404, 'not-found'],
  ]
  for (const [path, init, status, errorCode] of cases) {
    const response = await app.fetch(path, init)
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      status,
      'application/json;charset=utf-8',
    ])
    expect(await response.json()).toEqual({ errorCode, message: expect.any(String), arguments: expect.any(Object) })
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('a body too deep or too odd to describe in an error is refused as a bad request', async () => {
  await using app = await startTestApp()
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  for (const value of [deep, '{"toString":1}']) {
    const body = `{"items":[{"episode":${value}}],"version":0}`
    const response = await app.fetch('/api/v1/queue', { method: 'PUT', headers: json, body })
    expect([response.status, ((await response.json()) as { errorCode: string }).errorCode]).toEqual([
      400,
      'bad-request',
    ])
  }
})

test('an invalid Host header is answered with 400', async () => {
  await using app = await startTestApp()
  const response = await fetch(`${app.listen()}/api/v1/info`, { headers: { Host: 'x:y:z' } })
  expect(response.status).toBe(400)
})

test('an empty body with a JSON content type counts as no body, on every method', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({})))
  expect((await app.fetch('/api/v1/podcasts', { headers: json })).status).toBe(200)
  expect((await app.fetch(`/api/v1/podcasts/${id}/active`, { method: 'PUT', body: '', headers: json })).status).toBe(
    200,
  )
  expect((await app.podcasts.find(id)).active).toBe(false)
  expect((await app.fetch(`/api/v1/podcasts/${id}`, { method: 'DELETE', body: '', headers: json })).status).toBe(204)
})

test('settings are merged: absent fields stay, unknown fields are ignored', async () => {
  await using app = await startTestApp()
  expect(await app.system.settings()).toMatchObject({
    autoCleanup: false,
    autoCleanupDays: 30,
    autoUpdate: true,
    autoDownload: true,
    podcastPrefill: 5,
  })
  expect(await app.client.put('/settings', { podcastPrefill: 0, nfoFormat: 'off' })).toMatchObject({
    podcastPrefill: 0,
    autoCleanupDays: 30,
  })
})

test('the configuration is never stored by caches, and contains the addresses of the server', async () => {
  await using app = await startTestApp()
  const response = await app.fetch('/api/v1/sys/config')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toMatchObject({
    serverUrl: 'http://localhost/',
    wsUrl: 'ws://localhost/ws',
    basicAuth: false,
    oidcConfig: null,
  })
})

test('every route and the interface are below the sub-directory', async () => {
  await using app = await startTestApp({ env: { SUB_DIRECTORY: '/castellan/' } })
  expect(await app.system.config()).toMatchObject({
    serverUrl: 'http://localhost/castellan/',
    wsUrl: 'ws://localhost/castellan/ws',
  })
  const page = await (await app.fetch('/ui/podcasts')).text()
  expect(page).toContain('data-prefix="/castellan"')
  expect(page).toMatch(/src="\/castellan\/ui\/assets\//)
  expect((await app.fetch('/')).headers.get('location')).toBe('/castellan/ui/')
  expect((await app.app.handle(new Request('http://localhost/api/v1/podcasts'))).status).toBe(404)
})

test('forwarded headers set the public address only when a trusted proxy sends them', async () => {
  await using app = await startTestApp()
  const headers = { 'X-Forwarded-Host': 'localhost:9443', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Prefix': '/pod' }
  expect(await (await app.fetch('/api/v1/sys/config', { headers })).json()).toMatchObject({
    serverUrl: 'https://localhost:9443/pod/',
    wsUrl: 'wss://localhost:9443/pod/ws',
  })
  await using strict = await startTestApp({ env: { TRUSTED_PROXIES: '10.9.9.9' } })
  const origin = strict.listen()
  expect(await (await fetch(`${origin}/api/v1/sys/config`, { headers })).json()).toMatchObject({
    serverUrl: `${origin}/`,
  })
})

test('changes from another site, and requests to a foreign host name, are refused', async () => {
  await using app = await startTestApp()
  const post = (headers: Record<string, string>) => app.fetch('/api/v1/podcasts/all', { method: 'POST', headers })
  expect((await post({ Origin: 'https://evil.example' })).status).toBe(403)
  expect((await post({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
  expect((await post({ Origin: 'null' })).status).toBe(403)
  expect((await post({ Origin: 'http://localhost' })).status).toBe(202)
  expect((await post({})).status).toBe(202)
  const rebound = await app.app.handle(
    new Request('http://evil.example/api/v1/podcasts', { headers: { Host: 'evil.example' } }),
  )
  expect([rebound.status, await rebound.json()]).toEqual([403, expect.objectContaining({ errorCode: 'cross-site' })])
  expect(
    (
      await app.app.handle(
        new Request('http://192.168.1.5:8000/api/v1/podcasts', { headers: { Host: '192.168.1.5:8000' } }),
      )
    ).status,
  ).toBe(200)
})

test('every error code has an English text', () => {
  expect(errorCodes.filter(code => !(`error.${code}` in en))).toEqual([])
})
