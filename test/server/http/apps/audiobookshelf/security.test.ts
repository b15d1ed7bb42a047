import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { appPaths } from '../../../../../src/server/http/apps/audiobookshelf/protocol'
import { everyWayIn, newKey, unhindered } from '../../../../support/access'
import { basic, startClock, startTestApp, withPasswords, type TestApp } from '../../../../support/app'
import { startAppLibrary } from '../../../../support/app-library'
import { appAt, login, signedInApp, type AppClient } from '../../../../support/audiobookshelf-app'
import { startIssuer } from '../../../../support/issuer'

const isSignedIn = async (app: AppClient) => (await app.get('/api/me')).status === 200
const renew = (server: TestApp, token: string) =>
  appAt(server).call('POST', '/auth/refresh', { headers: { 'x-refresh-token': token } })

test('A5: a new password, a new role and removal end tokens of both kinds at once, and nobody else’s', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const root = server.as('root', 'Sup3rSecret')
  const names = ['bystander', 'changing', 'promoted', 'removed']
  const people = await Promise.all(names.map(name => server.signUp(name)))
  const tokens = await Promise.all(names.map(async name => (await login(server, name)).json.user))
  await people[1]!.users.edit('changing', { password: 'Ano7herOne' })
  await root.users.change('promoted', { role: 'uploader' })
  await root.users.remove('removed')
  for (const [index, { accessToken, refreshToken }] of tokens.entries()) {
    const works = [await isSignedIn(appAt(server, accessToken)), (await renew(server, refreshToken)).status === 200]
    expect([names[index], works]).toEqual([names[index], [index === 0, index === 0]])
  }
})

test('A5: a token of a session that was ended is worth nothing when it is shown again', async () => {
  const now = startClock()
  await using server = await startTestApp({ env: withPasswords, now })
  const { row } = await server.signUp('anna')
  const first = (await login(server, 'anna')).json.user
  const second = (await renew(server, first.refreshToken)).json.user
  const [session] = server.context.store.appSessions.list(row.id)
  server.context.appSessions.remove(row.id, session!.uuid)
  for (const { accessToken, refreshToken } of [first, second]) {
    expect(await isSignedIn(appAt(server, accessToken))).toBe(false)
    expect((await renew(server, refreshToken)).status).toBe(401)
  }
})

test('A5: each kind of token is good for its own purpose alone, and for as long as it says', async () => {
  const now = startClock()
  await using server = await startTestApp({ env: withPasswords, now })
  const { accessToken, refreshToken } = (await login(server, 'root', 'Sup3rSecret')).json.user
  expect(await isSignedIn(appAt(server, refreshToken))).toBe(false)
  expect((await renew(server, accessToken)).status).toBe(401)
  now.advance(24 * 3_600_000 + 1)
  expect(await isSignedIn(appAt(server, accessToken))).toBe(false)
  now.advance(364 * 24 * 3_600_000)
  expect((await renew(server, refreshToken)).status).toBe(401)
})

test('A5: nobody chooses the token that a sign-in begins', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const planted = 'planted-by-somebody-else-0123456789012345678'
  const body = {
    username: 'root',
    password: 'Sup3rSecret',
    accessToken: planted,
    refreshToken: planted,
    token: planted,
  }
  const headers = { Authorization: `Bearer ${planted}`, 'x-refresh-token': planted, 'x-return-tokens': 'true' }
  const { user } = (await appAt(server).call('POST', '/login', { body, headers })).json
  expect([user.accessToken, user.refreshToken, user.token]).not.toContain(planted)
  expect(await isSignedIn(appAt(server, planted))).toBe(false)
  const again = (await login(server, 'root', 'Sup3rSecret')).json.user
  expect(new Set([user.accessToken, user.refreshToken, again.accessToken, again.refreshToken]).size).toBe(4)
  for (const token of [user.accessToken, again.refreshToken]) expect(token).toMatch(/^[\w-]{43}$/)
})

test('A3: these calls accept their tokens and keys alone, and other calls accept none of these tokens', async () => {
  using issuer = await startIssuer()
  await using server = await startTestApp({
    env: { ...withPasswords, ...issuer.env, REVERSE_PROXY: 'true', ADMINS: 'root' },
    throttleLimits: unhindered,
  })
  const origin = server.listen()
  const anna = await everyWayIn(server, origin, 'anna')
  anna.socket.socket.close()
  const apiKey = newKey()
  await anna.users.edit('anna', { apiKey })
  const feedKey = server.context.feedKeys.of(server.context.store.users.require('anna'))
  const others: Record<string, string>[] = [
    { Cookie: anna.Cookie },
    { Cookie: anna.Cookie, Origin: 'http://localhost' },
    { Authorization: anna.authorization },
    { Authorization: `Bearer ${feedKey}` },
    { Authorization: `Bearer ${await issuer.token()}` },
    { 'X-Forwarded-User': 'root' },
  ]
  for (const path of ['/api/me', `/api/me?apiKey=${feedKey}`, `/api/me?token=${apiKey}`])
    for (const headers of others) expect((await server.fetch(path, { headers })).status).toBe(401)
  const withKey = { headers: { Authorization: `Bearer ${apiKey}` } }
  expect((await server.fetch('/api/me', withKey)).status).toBe(200)
  // The key has opened a session by now, and does not count in an address all the same.
  expect((await server.fetch(`/api/me?token=${apiKey}`)).status).toBe(401)

  const { accessToken } = (await login(server, 'anna')).json.user
  for (const path of ['/api/v1/users/me', '/api/2/devices/anna.json', '/media/x', '/rss']) {
    expect((await server.fetch(path, { headers: { Authorization: `Bearer ${accessToken}` } })).status).toBe(401)
    expect((await server.fetch(`${path}?token=${accessToken}`)).status).toBe(401)
    expect((await server.fetch(`${path}?apiKey=${accessToken}`)).status).toBe(401)
    expect((await server.fetch(path, { headers: { Authorization: basic('anna', accessToken) } })).status).toBe(401)
  }
})

test('C1: a page of another site gains nothing by a cookie here, and is refused everywhere else', async () => {
  await using server = await startTestApp({ env: withPasswords, throttleLimits: unhindered })
  const origin = server.listen()
  const { Cookie, authorization, socket } = await everyWayIn(server, origin, 'anna')
  socket.socket.close()
  using database = new Database(`${server.folder}/castellan.db`, { readonly: true })
  const sessions = () => database.query('SELECT count(*) AS count FROM app_session').get()
  const before = sessions()
  const foreign = {
    Cookie,
    Authorization: authorization,
    Origin: 'https://evil.example',
    'Sec-Fetch-Site': 'cross-site',
  }
  for (const path of appPaths.map(path => path.replace('*', 'x')))
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const answer = await server.fetch(path, { method, headers: foreign })
      const text = await answer.text()
      expect([method, path, text.includes('anna'), answer.headers.get('access-control-allow-origin')]).toEqual([
        method,
        path,
        false,
        null,
      ])
      const isOpen = /^\/(status|ping|healthcheck|logout)$/.test(path)
      expect([method, path, answer.status === 200 && !isOpen]).toEqual([method, path, false])
    }
  expect(sessions()).toEqual(before)
  for (const path of ['/api/v1/settings', '/api/v1/login', '/api/v1/tags', '/api/2/devices/anna/x.json', '/statuses'])
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await server.fetch(path, { method, headers: foreign })).status).toBe(403)
})

test('C1: in open mode, where anything signs in, a page of another site signs in no app', async () => {
  await using server = await startTestApp({ env: { AUDIOBOOKSHELF_API: 'true' } })
  const body = { username: 'x', password: 'x' }
  const status = async (path: string, headers: Record<string, string>) =>
    (await appAt(server).call('POST', path, { body, headers })).status
  for (const path of ['/login', '/ui/login', '//login', '/login?x=1']) {
    expect(await status(path, { Origin: 'https://evil.example' })).toBe(403)
    expect(await status(path, { 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
    expect(await status(path, { Host: 'evil.example' })).toBe(403)
    expect(await status(path, {})).toBe(200)
  }
})

test('C1: a token in an address reads and changes nothing', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const { accessToken } = (await login(server, 'root', 'Sup3rSecret')).json.user
  const status = async (method: string, path: string) => (await server.fetch(path, { method })).status
  expect(await status('GET', `/api/me?token=${accessToken}`)).toBe(200)
  expect(await status('POST', `/api/authorize?token=${accessToken}`)).toBe(401)
  for (const method of ['POST', 'PATCH', 'DELETE'])
    expect(await status(method, `/api/me/progress/x/y?token=${accessToken}`)).toBe(401)
})

test('C1: a GET that changes something accepts no token in its address, and is no HEAD', async () => {
  await using world = await startAppLibrary()
  const { server, host, podcast, episodes } = world
  const app = await signedInApp(server, 'root', 'Sup3rSecret')
  await app.patch(`/api/me/progress/${podcast}/${episodes[0]}`, { currentTime: 1, duration: 100 })
  server.context.store.settings.pauseDownloads(true)
  await app.post(`/api/podcasts/${podcast}/download-episodes`, [{ guid: 'Two' }])
  const calls = [
    `/api/me/progress/${episodes[0]}/remove-from-continue-listening`,
    `/api/podcasts/${podcast}/checknew`,
    `/api/podcasts/${podcast}/clear-queue`,
  ]
  const state = async () => [
    (await app.get(`/api/me/progress/${podcast}/${episodes[0]}`)).json.hideFromContinueListening,
    (await app.get(`/api/podcasts/${podcast}/downloads`)).json.downloads.length,
    host.requestsTo('/feed.xml').length,
  ]
  const before = await state()
  expect(before.slice(0, 2)).toEqual([false, 1])
  const headers = { Authorization: `Bearer ${app.token}` }
  const status = async (path: string, init: RequestInit) => (await server.fetch(path, init)).status
  for (const path of calls) {
    expect([path, await status(`${path}?token=${app.token}`, {})]).toEqual([path, 401])
    expect([path, await status(`${path}?token=${app.token}`, { method: 'HEAD' })]).toEqual([path, 401])
    expect([path, await status(path, { method: 'HEAD' })]).toEqual([path, 401])
    expect([path, await status(path, { method: 'HEAD', headers })]).toEqual([path, 405])
  }
  expect(await state()).toEqual(before)
  for (const path of calls) expect([path, (await app.get(path)).status]).toEqual([path, 200])
  expect(await state()).not.toEqual(before)
})

test('D2: of a body without a length no more is read than its sender may send', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const { token } = await signedInApp(server, 'root', 'Sup3rSecret')
  const part = new Uint8Array(8 * 1024).fill(32)
  async function send(path: string, bearer: string) {
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        sent += part.length
        controller.enqueue(part)
        if (sent >= 15 * 1024 * 1024) controller.close()
      },
    })
    const answer = await server.fetch(path, { method: 'POST', headers: { Authorization: `Bearer ${bearer}` }, body })
    return [answer.status, (await answer.text()) !== '', sent] as const
  }
  const [status, hasText, sent] = await send('/login', 'x')
  expect([status, hasText]).toEqual([413, true])
  expect(sent).toBeLessThan(64 * 1024)
  const [refused, , sentByUser] = await send('/api/session/local-all', token!)
  expect(refused).toBe(413)
  expect(sentByUser).toBeGreaterThan(4 * 1024 * 1024)
  expect(sentByUser).toBeLessThan(5 * 1024 * 1024)
  expect((await send('/api/session/local-all', 'x'))[2]).toBeLessThan(64 * 1024)
})

const odd = [
  '..',
  '%2e%2e',
  '..%2f..%2fv1%2fusers%2fme',
  '%2e%2e%2fv1%2fusers%2fme',
  '%00',
  'x%00y',
  '%2f',
  '%5c..%5c',
  "'%20OR%201=1--",
  '%27;DROP%20TABLE%20user;--',
  '%25%27',
  '__proto__',
  'constructor',
  '%F0%9F%92%A9',
  'x'.repeat(3000),
  '-1',
  '1e99',
  '*',
  '%',
]

test('A2, P1: whatever stands in a path, a query or a body, strangers stay out and nothing fails', async () => {
  await using server = await startTestApp({ env: withPasswords, throttleLimits: unhindered })
  const app = await signedInApp(server, 'root', 'Sup3rSecret')
  const paths = [
    '/api/items/{}',
    '/api/items/{}/cover/x',
    '/api/libraries/{}',
    '/api/libraries/{}/items?limit={}&page={}&sort={}&filter={}.{}',
    '/api/session/{}',
    '/api/me/progress/{}/{}',
    '/api/playlists/{}',
    '/api/me/{}',
    '/{}/api/me',
    '/api/me/../{}',
    '/auth/{}',
  ]
  for (const value of odd)
    for (const path of paths) {
      const address = path.replaceAll('{}', value)
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        const body = method === 'GET' ? {} : { body: { id: value, title: value, time: value } }
        expect([address, method, (await appAt(server).call(method, address, body)).status]).not.toContain(200)
        const { status } = await app.call(method, address, body)
        expect([address, method, status < 500]).toEqual([address, method, true])
      }
    }
  expect((await server.as('root', 'Sup3rSecret').users.me()).username).toBe('root')
})

test('A2: no way of writing a path makes it one of these to the guard and another one to the routes', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const origin = server.listen()
  const headers = { Authorization: basic('root', 'Sup3rSecret'), Origin: 'https://evil.example' }
  const target = 'api/v1/settings/rescan-episodes'
  for (const start of ['/api/items', '/public', '/auth', '/ui/api/me', '/status', '/socket.io', '/api/me'])
    for (const detour of ['/../', '/..%2f', '/%2e%2e/', '/..;/', '//', '/..\\', '/../../', '/../../../'])
      for (const path of [`${start}${detour}${target}`, `/${target}?x=${start}/`, `/${target}#${start}/`]) {
        const { port } = new URL(origin)
        const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers })
        expect([path, [400, 401, 403, 404, 405].includes(status)]).toEqual([path, true])
      }
})

test('D2: bodies are bounded, and a stranger’s is not read', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const app = await signedInApp(server, 'root', 'Sup3rSecret')
  expect((await app.post('/api/authorize', 'x'.repeat(5 * 1024 * 1024))).status).toBe(413)
  expect((await app.post('/api/authorize', '['.repeat(300_000))).status).toBe(200)
  let read = 0
  const endless = new ReadableStream({
    pull(controller) {
      read += 65_536
      controller.enqueue(new Uint8Array(65_536))
      if (read > 8e6) controller.close()
    },
  })
  expect((await server.fetch('/api/authorize', { method: 'POST', body: endless })).status).toBe(401)
  expect(read).toBeLessThan(1e6)
})

test('L1: no token is in the database or the log', async () => {
  await using server = await startTestApp({ env: { ...withPasswords, LOG_LEVEL: 'debug' } })
  const { accessToken, refreshToken } = (await login(server, 'root', 'Sup3rSecret')).json.user
  const next = (await renew(server, refreshToken)).json.user
  await appAt(server).get(`/api/items/x?token=${accessToken}`)
  await appAt(server).get('/api/items/x?token=a-wrong-token-0123456789')
  const files = [...new Bun.Glob('castellan.db*').scanSync(server.folder)]
  const database = await Promise.all(files.map(file => Bun.file(`${server.folder}/${file}`).text()))
  const everything = database.join('') + server.lines.join('\n')
  for (const token of [accessToken, refreshToken, next.accessToken, next.refreshToken, 'a-wrong-token-0123456789'])
    expect(everything).not.toContain(token)
})
