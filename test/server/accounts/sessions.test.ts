import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { DAY, MINUTE } from '../../../src/server/platform/clock'
import { migrations } from '../../../src/server/store/migrations'
import { openStore } from '../../../src/server/store'
import { deviceOf } from '../../../src/server/http/core/visitor'
import { json } from '../../support/access'
import {
  basic,
  goodPassword,
  refusal,
  startClock,
  startTestApp,
  temporaryFolder,
  withPasswords,
  type TestApp,
} from '../../support/app'
import { login as appLogin } from '../../support/audiobookshelf-app'
import { cookieBrowser, firefox, pixel } from '../../support/cookie-browser'
import { appOf } from '../../support/podcast-app'
import { connect } from '../../support/socket'

const root = { username: 'root', password: 'Sup3rSecret' }

/** A server with root signed in from a browser that keeps no password. */
async function start(remember = false) {
  const now = startClock()
  const app = await startTestApp({ env: withPasswords, now })
  const browser = cookieBrowser(app)
  await browser.session.login({ ...root, remember })
  return { app, browser, now }
}

test('the cookie of a sign-in by password alone reads media and carries no call: the browser sends the password', async () => {
  const { app } = await start()
  await using _ = app
  for (const remember of [false, true]) {
    const answer = await app.fetch('/api/v1/login', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ ...root, remember }),
    })
    const Cookie = answer.headers.get('set-cookie')!.split(';')[0]!
    const ask = async (path: string, more: Record<string, string> = {}) =>
      (await app.fetch(path, { headers: { Cookie, 'Sec-Fetch-Site': 'same-origin', ...more } })).status
    expect([await ask('/covers/podcasts/x'), await ask('/api/v1/users/me')]).toEqual([404, 401])
    expect(await ask('/api/v1/users/me', { Authorization: basic('root', 'Sup3rSecret') })).toBe(200)
  }
})

test('tabs that renew one sign-in by password at the same moment begin no other', async () => {
  const { app } = await start()
  await using _ = app
  const login = await app.fetch('/api/v1/login', { method: 'POST', headers: json, body: JSON.stringify(root) })
  const Cookie = login.headers.get('set-cookie')!.split(';')[0]!
  const headers = { ...json, Cookie, Authorization: basic('root', 'Sup3rSecret') }
  const renew = () =>
    app.fetch('/api/v1/session', { method: 'POST', headers, body: JSON.stringify({ remember: false }) })
  await renew()
  const count = () => app.context.store.sessions.list(app.context.admin.id, Date.now()).length
  const before = count()
  const cookies = (await Promise.all([renew(), renew(), renew()])).map(answer => answer.headers.get('set-cookie')!)
  expect(count()).toBe(before)
  expect(new Set(cookies.map(cookie => cookie.split(';')[0])).size).toBe(1)
})

test('a browser without a password calls the API by its cookie, which it loses when it is closed', async () => {
  const { app, browser } = await start()
  await using _ = app
  const answer = await browser.send('/api/v1/login', { method: 'POST', body: JSON.stringify(root), headers: json })
  expect(answer.headers.get('set-cookie')).toMatch(/^castellan=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/)
  expect(await browser.users.me()).toMatchObject({ username: 'root' })
  expect((await browser.send('/api/v1/users/me/locale', locale)).status).toBe(200)
})

const locale = { method: 'PUT', body: '{"language":"pl"}', headers: json }

test('C1: the cookie carries no change that a browser does not call our own page’s, and shows pages of others nothing', async () => {
  const { app, browser } = await start()
  await using _ = app
  const Cookie = browser.cookie()
  const change = async (headers: Record<string, string>) =>
    (await app.fetch('/api/v1/users/me/locale', { ...locale, headers: { ...json, Cookie, ...headers } })).status
  const read = async (headers: Record<string, string>) =>
    (await app.fetch('/api/v1/users/me', { headers: { Cookie, ...headers } })).status

  expect(await change({ Origin: 'http://localhost' })).toBe(200)
  expect(await change({ 'Sec-Fetch-Site': 'same-origin' })).toBe(200)
  expect(await change({ 'X-Requested-With': 'castellan' })).toBe(200)
  expect(await change({})).toBe(401)
  expect(await change({ 'Sec-Fetch-Site': 'none' })).toBe(401)
  for (const more of [{}, { 'X-Requested-With': 'castellan' }] as Record<string, string>[])
    expect(await change({ 'Sec-Fetch-Site': 'same-site', ...more })).toBe(401)
  // Which a page of others would have to ask for.
  const preflight = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'x-requested-with' }
  const asked = await app.fetch('/api/v1/users/me/locale', {
    method: 'OPTIONS',
    headers: { Origin: 'http://localhost:81', ...preflight },
  })
  expect([...asked.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
  expect(await change({ Origin: 'http://localhost', 'Sec-Fetch-Site': 'same-site' })).toBe(401)
  for (const Origin of ['https://evil.example', 'null', 'http://localhost:81', 'http://sub.localhost'])
    expect([Origin, await change({ Origin })]).toEqual([Origin, 403])
  expect(await change({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403)

  expect([await read({}), await read({ 'Sec-Fetch-Site': 'same-origin' })]).toEqual([200, 200])
  for (const site of ['same-site', 'cross-site']) expect(await read({ 'Sec-Fetch-Site': site })).toBe(401)
  expect(await read({ Origin: 'http://localhost:81' })).toBe(401)
})

test('a browser that sends its password has a cookie for media alone, until it signs in without keeping one', async () => {
  const { app } = await start()
  await using _ = app
  const browser = cookieBrowser(app)
  const begun = await browser.send('/api/v1/session', {
    method: 'POST',
    headers: { Authorization: basic('root', 'Sup3rSecret') },
  })
  expect(begun.status).toBe(204)
  expect((await browser.send('/api/v1/users/me')).status).toBe(401)
  expect((await browser.send('/covers/podcasts/x')).status).toBe(404)
  await browser.session.login(root)
  expect((await browser.send('/api/v1/users/me')).status).toBe(200)
  // Another tab that still has the password takes nothing from it.
  await browser.send('/api/v1/session', {
    method: 'POST',
    headers: { Authorization: basic('root', 'Sup3rSecret') },
  })
  expect((await browser.send('/api/v1/users/me')).status).toBe(200)
})

test('a session ends a week after its last use, or thirty days where somebody wants to be remembered', async () => {
  const { app, browser, now } = await start()
  await using _ = app
  const other = cookieBrowser(app)
  await other.session.login({ ...root, remember: true })
  for (const _day of [1, 2, 3]) {
    now.advance(6 * DAY)
    expect((await browser.send('/api/v1/users/me')).status).toBe(200)
  }
  expect((await other.send('/api/v1/users/me')).status).toBe(200)
  now.advance(7 * DAY)
  expect((await browser.send('/api/v1/users/me')).status).toBe(401)
  now.advance(22 * DAY)
  const renewed = await other.send('/api/v1/session', { method: 'POST' })
  expect(renewed.headers.get('set-cookie')).toBe(
    `${other.cookie()}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000`,
  )
  now.advance(30 * DAY)
  expect((await other.send('/api/v1/users/me')).status).toBe(401)
})

test('signing out ends the session at the server', async () => {
  const { app, browser } = await start()
  await using _ = app
  const headers = browser.headers()
  await browser.session.end(null)
  expect((await app.fetch('/api/v1/users/me', { headers })).status).toBe(401)
})

test('the session in which the password is changed goes on under another token, the others end', async () => {
  const { app } = await start()
  await using _ = app
  await app.signUp('anna')
  const [own, other] = [cookieBrowser(app), cookieBrowser(app)]
  for (const browser of [own, other]) await browser.session.login({ username: 'anna', password: 'Corr3ctHorse' })
  const before = own.headers()
  await own.users.edit('anna', { password: 'Ano7herOne' })
  expect((await own.send('/api/v1/users/me')).status).toBe(200)
  expect((await other.send('/api/v1/users/me')).status).toBe(401)
  expect((await app.fetch('/api/v1/users/me', { headers: before })).status).toBe(401)
  expect(await own.sessions.list()).toMatchObject([{ isCurrent: true }])
})

test('the list names the device, the network and the way, and this browser', async () => {
  const { app, browser, now } = await start()
  await using _ = app
  now.advance(MINUTE)
  const phone = cookieBrowser(app, { userAgent: pixel, address: '2001:db8:5:6::1' })
  // It keeps the password, unlike the other.
  await phone.send('/api/v1/login', { method: 'POST', headers: json, body: JSON.stringify(root) })
  now.advance(MINUTE)
  await appOf(app, 'root', 'Sup3rSecret').devices()
  await appLogin(app, 'root', 'Sup3rSecret')
  const list = await browser.sessions.list()
  expect(
    list.map(({ kind, device, place, way, isCurrent, keepsPassword }) => [
      kind,
      device,
      place,
      way,
      isCurrent,
      keepsPassword,
    ]),
  ).toEqual([
    ['sync', expect.any(String), expect.any(String), 'password', false, true],
    ['app', expect.any(String), expect.any(String), null, false, false],
    ['browser', 'Chrome, Android', '2001:db8:5::*', 'password', false, true],
    ['browser', 'Firefox, Linux', '203.0.113.*', 'password', true, false],
  ])
})

test('a session does not outlive the way to sign in by which it was begun', async () => {
  const { app, browser, now } = await start()
  await using _ = app
  await app.signUp('anna')
  const annas = cookieBrowser(app)
  await annas.session.login({ username: 'anna', password: goodPassword })
  const { cookie } = await appOf(app, 'anna').devices()
  const proxied = { REVERSE_PROXY: 'true', REVERSE_PROXY_HEADER: 'Remote-User', REVERSE_PROXY_AUTO_SIGN_UP: 'true' }
  const statusIn = async ({ fetch }: TestApp, path: string, Cookie: string) =>
    (await fetch(path, { headers: { Cookie } })).status
  const byProxy = async (one: TestApp) =>
    (await one.fetch('/api/v1/session', { method: 'POST', headers: { 'Remote-User': 'zoe' } })).headers
      .get('set-cookie')!
      .split(';')[0]!

  await using both = await startTestApp({ env: { ...withPasswords, ...proxied }, folder: app.folder, now })
  expect(await statusIn(both, '/api/v1/users/me', annas.cookie())).toBe(200)
  const zoes = await byProxy(both)
  expect(await statusIn(both, '/covers/podcasts/x', zoes)).toBe(404)
  await using proxy = await startTestApp({ env: proxied, folder: app.folder, now })
  for (const own of [annas.cookie(), browser.cookie()]) expect(await statusIn(proxy, '/api/v1/users/me', own)).toBe(401)
  expect(await statusIn(proxy, '/api/2/devices/anna.json', `sessionid=${cookie}`)).toBe(401)
  expect(await statusIn(proxy, '/covers/podcasts/x', zoes)).toBe(404)
  await using passwords = await startTestApp({ env: withPasswords, folder: app.folder, now })
  expect(await statusIn(passwords, '/covers/podcasts/x', zoes)).toBe(401)
})

test('a session that is ended from elsewhere ends at once, its socket included', async () => {
  const { app, browser } = await start()
  await using _ = app
  const lost = cookieBrowser(app, { userAgent: pixel })
  await lost.session.login(root)
  const origin = app.listen()
  const socket = await connect(origin, { Cookie: lost.cookie(), Origin: origin })
  expect(socket.isOpen).toBe(true)
  const found = (await browser.sessions.list()).find(one => !one.isCurrent)!
  await browser.sessions.end(found.id)
  // Not only when sockets are looked through the next time.
  expect(app.events.filter(({ type }) => type === 'sessionEnded')).toHaveLength(1)
  expect(await socket.closed).toBe(4401)
  for (const path of ['/api/v1/users/me', '/covers/podcasts/x'])
    expect((await app.fetch(path, { headers: lost.headers() })).status).toBe(401)
  expect(await refusal(browser.sessions.end(found.id))).toMatchObject({ status: 404, code: 'not-found' })
  expect((await browser.users.me()).username).toBe('root')
})

test('signing out everywhere else ends browsers, syncing apps and apps of Audiobookshelf, and nobody else’s', async () => {
  const { app, browser } = await start()
  await using _ = app
  await app.signUp('anna')
  const annas = cookieBrowser(app)
  await annas.session.login({ username: 'anna', password: 'Corr3ctHorse' })
  const other = cookieBrowser(app)
  await other.session.login({ ...root, remember: true })
  const { cookie } = await appOf(app, 'root', 'Sup3rSecret').devices()
  const { accessToken } = (await appLogin(app, 'root', 'Sup3rSecret')).json.user
  const works = async () => [
    (await other.send('/api/v1/users/me')).status,
    (await app.fetch('/api/2/devices/root.json', { headers: { Cookie: `sessionid=${cookie}` } })).status,
    (await app.fetch('/api/me', { headers: { Authorization: `Bearer ${accessToken}` } })).status,
    (await annas.send('/api/v1/users/me')).status,
    (await browser.send('/api/v1/users/me')).status,
  ]
  expect(await works()).toEqual([200, 200, 200, 200, 200])
  await browser.sessions.endOthers()
  expect(await works()).toEqual([401, 401, 401, 200, 200])
  expect(await browser.sessions.list()).toMatchObject([{ isCurrent: true }])
})

test('many requests note the use of a session once in ten minutes', async () => {
  const { app, browser, now } = await start()
  await using _ = app
  const { store } = app.context
  const seen = () => store.sessions.list(app.context.admin.id, now())[0]!.seen_at
  const begun = seen()
  now.advance(9 * MINUTE)
  const writes = store.writes()
  for (let count = 0; count < 5; count++) await browser.users.me()
  expect([seen(), store.writes()]).toEqual([begun, writes])
  now.advance(2 * MINUTE)
  await browser.users.me()
  expect(seen()).toBe(now())
})

test('a sign-in from a device or a network that was not seen before is announced once, but for the first', async () => {
  const { app, browser, now } = await start()
  await using _ = app
  const bell = async () =>
    (await browser.notifications.unread()).map(({ typeOfMessage, message }) => [typeOfMessage, message])
  await cookieBrowser(app).session.login(root)
  expect(await bell()).toEqual([])

  const elsewhere = { userAgent: pixel, address: '198.51.100.9' }
  await cookieBrowser(app, elsewhere).session.login(root)
  expect(await app.event('signedInElsewhere')).toEqual({
    type: 'signedInElsewhere',
    userId: app.context.admin.id,
    at: now(),
    device: 'Chrome, Android',
    address: '198.51.100.*',
  } as never)
  expect(await bell()).toEqual([['SignIn', 'Chrome, Android · 198.51.100.*']])

  // Both are known by now, also together with others.
  await cookieBrowser(app, elsewhere).session.login(root)
  await cookieBrowser(app, { userAgent: pixel }).session.login(root)
  await cookieBrowser(app, { address: '198.51.100.200' }).session.login(root)
  expect(await bell()).toHaveLength(1)
  await cookieBrowser(app, { address: '192.0.2.1' }).session.login(root)
  expect(await bell()).toHaveLength(2)

  now.advance(366 * DAY)
  await cookieBrowser(app, { address: '192.0.2.77' }).session.login(root)
  const rows = new Database(join(app.folder, 'castellan.db'), { readonly: true })
  expect(rows.query('SELECT count(*) AS count FROM known_place').get()).toEqual({ count: 5 })
  await cookieBrowser(app, { address: '192.0.3.1' }).session.login(root)
  expect(rows.query('SELECT count(*) AS count FROM known_place').get()).toEqual({ count: 3 })
  rows.close()
})

test('an app that signs in from a new network is announced, too', async () => {
  const { app } = await start()
  await using _ = app
  const sign = (address: string, agent: string) =>
    app.fetch('/login', {
      method: 'POST',
      body: JSON.stringify(root),
      headers: { ...json, 'X-Forwarded-For': address, 'User-Agent': agent },
    })
  await sign('203.0.113.9', 'okhttp/5')
  expect(await app.event('signedInElsewhere')).toMatchObject({
    device: 'Audiobookshelf (Android)',
    address: '203.0.113.*',
  })
})

test('what is remembered of places names none of them, and is bounded', async () => {
  const { app } = await start()
  await using _ = app
  for (let count = 0; count < 120; count++)
    await cookieBrowser(app, { address: `198.51.${count}.1` }).session.login(root)
  const rows = new Database(join(app.folder, 'castellan.db'), { readonly: true })
  const found = rows.query<{ hash: string }, []>('SELECT hash FROM known_place').all()
  rows.close()
  expect(found.length).toBe(100)
  expect(found.filter(({ hash }) => !/^[\w-]{43}$/.test(hash))).toEqual([])
})

test('sessions of an earlier version go on, for media alone as before', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'castellan.db')
  const old = new Database(path)
  const schema = migrations.findIndex(sql => sql.includes('CREATE TABLE listed_session'))
  for (const sql of migrations.slice(0, schema)) old.run(sql)
  old.run(`INSERT INTO user (uuid, username, name_key, role, created_at) VALUES ('u', 'mara', 'mara', 'admin', 1)`)
  old.run(`INSERT INTO session (token_hash, user_id, epoch, created_at, expires_at, kind)
                VALUES ('browser', 1, 1, 5, 100, 'browser'), ('sync', 1, 1, 6, 100, 'sync'), ('other', 1, 9, 7, 100, 'sync')`)
  old.run(
    `INSERT INTO notification (uuid, user_id, type, message, created_at, episode_count) VALUES ('n', 1, 'Download', 'Fog', 1, 3)`,
  )
  old.run(`PRAGMA user_version = ${schema}`)
  old.close()
  const store = openStore(path)
  expect(store.sessions.findOwner('browser', 'browser', 50)).toMatchObject({ username: 'mara', carries_api: 0 })
  expect(store.sessions.findOwner('sync', 'sync', 50)).toMatchObject({ username: 'mara' })
  expect(store.sessions.list(1, 50)).toHaveLength(2)
  expect(store.notifications.unread({ id: 1, explicit_consent: 1 }, 9)).toMatchObject([{ episode_count: 3 }])
  store.close()
})

test.each([
  [firefox, 'Firefox, Linux'],
  [pixel, 'Chrome, Android'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0',
    'Edge, Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari, iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
    'Safari, macOS',
  ],
  ['AntennaPod/3.9.0', 'AntennaPod'],
  ['Mozilla/5.0 (X11)', 'Mozilla'],
  ['', ''],
  [null, ''],
] as const)('the User-Agent %j is that of %j', (agent, device) => expect(deviceOf(agent)).toBe(device))

test('a User-Agent that is too long is cut', () => expect(deviceOf(`${'x'.repeat(5000)}\u202e`)).toBe('x'.repeat(60)))
