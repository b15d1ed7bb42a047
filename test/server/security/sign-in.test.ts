import { expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { everyWayIn, json, newKey, unhindered } from '../../support/access'
import { basic, refusal, startTestApp, temporaryFolder, withPasswords, type TestApp } from '../../support/app'

test('A3: an empty password, an unknown user, a user without a password and an invalid key sign nobody in', async () => {
  await using app = await startTestApp({ env: withPasswords, throttleLimits: unhindered })
  const { users } = app.context
  users.add({ username: 'elsewhere', role: 'admin', explicit_consent: 0, subject: 's', issuer: 'i' })
  users.add({ username: 'proxied', role: 'admin', explicit_consent: 0, proxied: 1 })
  const paths = [
    '/api/v1/users/me',
    '/rss',
    '/covers/podcasts/x',
    '/media/x',
    '/api/2/devices/root.json',
    '/index.php/apps/gpoddersync/subscriptions',
    '/subscriptions/root.json',
    '/api/me',
    '/api/libraries',
  ]
  const passwords = ['', 'null', '0'.repeat(32)]
  const headers = [
    ...['root', 'nobody', 'elsewhere', 'proxied', ''].flatMap(name => passwords.map(word => basic(name, word))),
    'Basic',
    'Basic ',
    'Basic Og==',
    'Basic !!',
    'Bearer',
    'Bearer ',
    'Bearer null',
    'Bearer undefined',
    `Bearer ${'0'.repeat(32)}`,
    'Negotiate x',
  ]
  const keys = ['', 'null', 'undefined', '0', '0'.repeat(32), '%00', '[object Object]']
  const answers = await Promise.all([
    ...paths.flatMap(path =>
      headers.map(async Authorization => [
        path,
        Authorization,
        (await app.fetch(path, { headers: { Authorization } })).status,
      ]),
    ),
    ...paths.flatMap(path => keys.map(async key => [path, key, (await app.fetch(`${path}?apiKey=${key}`)).status])),
    ...keys.map(async key => ['rss', key, (await app.fetch(`/rss/apiKey/${key}`)).status]),
    ...['', 'null'].map(async word => [
      'cookie',
      word,
      (await app.fetch('/covers/podcasts/x', { headers: { Cookie: `castellan=${word}; sessionid=${word}` } })).status,
    ]),
  ])
  // The gPodder protocol tells a header that nobody can read from one that is wrong; and without a key there is no
  // feed.
  const isWrong = ([path, given, status]: (typeof answers)[number]) =>
    status !== 401 && !(status === 400 && String(given).startsWith('Basic')) && !(path === 'rss' && given === '')
  expect(answers.filter(isWrong)).toEqual([])
  for (const password of passwords)
    expect(await refusal(app.session.login({ username: 'elsewhere', password }))).not.toBeNull()
})

const slowly = { freeFailures: 5, maxFailuresPerPair: 8, maxFailuresPerAddress: 20, firstPauseMs: 1, longestPauseMs: 5 }

test('A4: guessing is refused after a while, whichever door is tried, and a podcast app that first calls without a password is no guesser', async () => {
  const doors = {
    login: (app: TestApp, from: object, word: string) =>
      app.fetch('/api/v1/login', {
        method: 'POST',
        body: JSON.stringify({ username: 'root', password: word }),
        headers: { ...json, ...from },
      }),
    basic: (app: TestApp, from: object, word: string) =>
      app.fetch('/api/v1/users/me', { headers: { Authorization: basic('root', word), ...from } }),
    gpodder: (app: TestApp, from: object, word: string) =>
      app.fetch('/api/2/devices/root.json', { headers: { Authorization: basic('root', word), ...from } }),
    'feed key': (app: TestApp, from: object, word: string) =>
      app.fetch(`/rss/apiKey/${word}`, { headers: { ...from } }),
    bearer: (app: TestApp, from: object, word: string) =>
      app.fetch('/api/v1/users/me', { headers: { Authorization: `Bearer ${word}`, ...from } }),
    'app of Audiobookshelf': (app: TestApp, from: object, word: string) =>
      app.fetch('/login', {
        method: 'POST',
        body: JSON.stringify({ username: 'root', password: word }),
        headers: { ...json, ...from },
      }),
    'token of an app': (app: TestApp, from: object, word: string) =>
      app.fetch('/auth/refresh', { method: 'POST', headers: { 'X-Refresh-Token': word, ...from } }),
    invitation: (app: TestApp, from: object, word: string) =>
      app.fetch(`/api/v1/invites/${word}`, { headers: { ...from } }),
  }
  await using app = await startTestApp({ env: withPasswords, throttleLimits: slowly })
  for (const [index, [name, knock]] of Object.entries(doors).entries()) {
    const from = { 'X-Forwarded-For': `203.0.113.${index}` }
    for (let count = 0; count < 30; count++) await app.fetch('/api/2/devices/root.json', { headers: from })
    const statuses: number[] = []
    for (let count = 0; count < 9; count++) statuses.push((await knock(app, from, newKey())).status)
    expect([name, statuses[0], statuses[8]]).toEqual([name, name === 'invitation' ? 404 : 401, 429])
  }
})

test('A4: whoever invents where he comes from is not believed, but by a trusted proxy', async () => {
  const env = { ...withPasswords, TRUSTED_PROXIES: '10.9.9.9' }
  await using app = await startTestApp({ env, throttleLimits: slowly })
  const origin = app.listen()
  const guess = async (index: number) => {
    const headers = { Authorization: basic('root', `Wr0ng${index}`), 'X-Forwarded-For': `203.0.113.${index}` }
    return (await fetch(`${origin}/api/v1/users/me`, { headers })).status
  }
  const statuses: number[] = []
  for (let index = 0; index < 9; index++) statuses.push(await guess(index))
  expect(statuses.at(-1)).toBe(429)
})

const all = {
  password: true,
  cookie: true,
  apiKey: true,
  feedKey: true,
  syncCookie: true,
  appPassword: true,
  appToken: true,
  socket: true,
}
const nothing = {
  password: false,
  cookie: false,
  apiKey: false,
  feedKey: false,
  syncCookie: false,
  appPassword: false,
  appToken: false,
  socket: false,
}

test('A5: logout, a new password, a new role and deletion end what they should, sockets too, and of nobody else', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const root = app.as('root', 'Sup3rSecret')
  const [bystander, leaving, changing, promoted, removed] = await Promise.all(
    ['bystander', 'leaving', 'changing', 'promoted', 'removed'].map(name => everyWayIn(app, origin, name)),
  )
  expect(await removed!.works()).toEqual(all)
  const headers = { Authorization: leaving!.authorization, Cookie: leaving!.Cookie }
  await app.fetch('/api/v1/session', { method: 'DELETE', headers })
  await changing!.users.edit('changing', { password: 'Ano7herOne' })
  await root.users.change('promoted', { role: 'uploader' })
  await root.users.remove('removed')
  await Promise.all([leaving, changing, promoted, removed].map(somebody => somebody!.socket.closed))

  expect(await leaving!.works()).toEqual({ ...all, cookie: false, socket: false })
  expect(await changing!.works()).toMatchObject({
    password: false,
    cookie: false,
    syncCookie: false,
    appToken: false,
    socket: false,
  })
  expect(await promoted!.works()).toMatchObject({ cookie: false, appToken: false, socket: false })
  expect(await removed!.works()).toEqual(nothing)
  expect(await bystander!.works()).toEqual(all)
  bystander!.socket.socket.close()
})

test('A5: a session that was planted before is not the one that a sign-in begins', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const Cookie = 'castellan=planted-by-somebody-else'
  const login = await app.fetch('/api/v1/login', {
    method: 'POST',
    body: JSON.stringify({ username: 'root', password: 'Sup3rSecret' }),
    headers: { ...json, Cookie },
  })
  const token = /castellan=([^;]+)/.exec(login.headers.get('set-cookie')!)![1]!
  expect(token).toMatch(/^[\w-]{43}$/)
  expect((await app.fetch('/covers/podcasts/x', { headers: { Cookie } })).status).toBe(401)
})

test('A6: the secret is drawn at the first start, read by its owner alone, and so is every backup of it', async () => {
  const folder = temporaryFolder()
  await using app = await startTestApp({ env: withPasswords, folder })
  await using other = await startTestApp({ env: withPasswords })
  const secretOf = (from: string) => Bun.file(`${from}/secret.key`).bytes()
  expect(statSync(`${folder}/secret.key`).mode & 0o777).toBe(0o600)
  expect(await secretOf(folder)).not.toEqual(await secretOf(other.folder))
  const { name } = await app.context.backups.create('manual')
  const path = `${folder}/backups/${name}`
  expect(existsSync(path)).toBe(true)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const feedKeyOf = (one: TestApp) => one.context.feedKeys.of({ id: 1, feed_key_version: 0 })
  expect(feedKeyOf(app)).not.toBe(feedKeyOf(other))
})

test('A6: nothing that has to be secret is drawn by Math.random', async () => {
  const found: string[] = []
  for (const path of new Bun.Glob('src/**/*.{ts,tsx}').scanSync('.'))
    if ((await Bun.file(path).text()).includes('Math.random')) found.push(path)
  // The time of a feed check is no secret.
  expect(found).toEqual(['src/server/feeds/schedule.ts'])
})
