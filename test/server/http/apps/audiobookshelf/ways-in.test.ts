import { expect, test } from 'bun:test'
import { newKey } from '../../../../support/access'
import { goodPassword, startTestApp, temporaryFolder, withPasswords, type TestApp } from '../../../../support/app'
import { appAt, login, signedInApp, type AppClient } from '../../../../support/audiobookshelf-app'
import { startIssuer } from '../../../../support/issuer'

/** A password of a single app, as its user grants it in the browser. */
function appPasswordOf({ context: { appPasswords, store } }: TestApp, username: string): string {
  const { token, id } = appPasswords.begin('Phone')
  appPasswords.grant(id, store.users.require(username))
  return appPasswords.claim(token)!.password
}

const strict = {
  freeFailures: 2,
  maxFailuresPerPair: 4,
  maxFailuresPerAddress: 100,
  firstPauseMs: 1,
  longestPauseMs: 1,
}

const DAY = 86_400_000

const isSignedIn = async (app: AppClient) => (await app.get('/api/me')).status === 200

test('an app password signs an app in, and ends its sign-in when it is withdrawn', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const { row } = await server.signUp('anna')
  const app = await signedInApp(server, 'anna', appPasswordOf(server, 'anna'))
  const other = await signedInApp(server, 'anna')
  expect(await isSignedIn(app)).toBe(true)

  const [password] = server.context.store.appPasswords.list(row.id)
  server.context.appPasswords.remove(row.id, password!.uuid)
  expect(await isSignedIn(app)).toBe(false)
  expect(await isSignedIn(other)).toBe(true)
  expect(server.events.filter(event => event.type === 'appSessionEnded')).toHaveLength(1)
})

test('a program that sends an API key or an app password with each call is signed in, listed, and ends with it', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const { row, users, sessions } = await server.signUp('anna')
  const key = newKey()
  await users.edit('anna', { apiKey: key })
  const password = appPasswordOf(server, 'anna')
  for (const token of [key, password]) {
    const program = appAt(server, token)
    const agent = { 'User-Agent': 'HomeAssistant/2026.11' }
    expect((await program.get('/api/me', agent)).json).toMatchObject({ id: row.uuid })
    expect((await program.get('/api/libraries')).status).toBe(200)
    expect((await program.post('/api/authorize')).status).toBe(200)
  }
  const apps = (await sessions.list()).filter(({ kind }) => kind === 'app')
  expect(apps.map(({ device }) => device)).toEqual(['HomeAssistant', 'HomeAssistant'])

  await users.edit('anna', { apiKey: newKey() })
  expect([await isSignedIn(appAt(server, key)), await isSignedIn(appAt(server, password))]).toEqual([false, true])
  server.context.appPasswords.remove(row.id, server.context.store.appPasswords.list(row.id)[0]!.uuid)
  expect(await isSignedIn(appAt(server, password))).toBe(false)
})

test('a key goes on after its session was ended and after a change of password, and an assistant’s is refused', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const { row, users } = await server.signUp('anna')
  const key = newKey()
  await users.edit('anna', { apiKey: key })
  const program = appAt(server, key)
  expect(await isSignedIn(program)).toBe(true)
  server.context.store.appSessions.removeOf(row.id)
  expect(await isSignedIn(program)).toBe(true)
  await users.edit('anna', { password: 'An0therHorse' })
  expect(await isSignedIn(program)).toBe(true)

  const { password } = server.context.appPasswords.create(row, 'Assistant', 'reads')
  expect(await isSignedIn(appAt(server, password))).toBe(false)
})

test('keys of programs cannot be guessed without end', async () => {
  await using server = await startTestApp({ env: withPasswords, throttleLimits: strict })
  const tries = await Promise.all(Array.from({ length: 6 }, () => appAt(server, newKey()).get('/api/me')))
  expect(tries.map(({ status }) => status).toSorted()).toContain(429)
})

test('an app that knows only the token of the first answer is signed in with it, for as long as its session', async () => {
  let now = Date.UTC(2026, 4, 1)
  await using server = await startTestApp({ env: withPasswords, now: () => now })
  const anna = await server.signUp('anna')
  const { json } = await appAt(server).post('/login', { username: 'anna', password: goodPassword })
  now += 60 * DAY
  expect(await isSignedIn(appAt(server, json.user.accessToken))).toBe(false)
  expect(await isSignedIn(appAt(server, json.user.token))).toBe(true)
  server.context.store.appSessions.removeOf(anna.row.id)
  expect(await isSignedIn(appAt(server, json.user.token))).toBe(false)
})

test('an app password is accepted as it is shown, in groups of four', async () => {
  await using server = await startTestApp({ env: withPasswords })
  await server.signUp('anna')
  const grouped = appPasswordOf(server, 'anna').match(/.{4}/g)!.join(' ')
  expect((await login(server, 'anna', grouped)).status).toBe(200)
  expect((await login(server, 'anna', grouped.toUpperCase())).status).toBe(200)
})

test('an API key signs an app in; another key, and none, end what it began and nothing else', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const { users } = await server.signUp('anna')
  const [first, second] = [newKey(), newKey()]
  await users.edit('anna', { apiKey: first })
  const byPassword = await signedInApp(server, 'anna')
  const byFirst = await signedInApp(server, 'anna', first)
  await users.edit('anna', { apiKey: second })
  const bySecond = await signedInApp(server, 'anna', second)
  expect([await isSignedIn(byFirst), await isSignedIn(bySecond)]).toEqual([false, true])

  server.context.users.dropApiKey(server.context.store.users.require('anna'))
  expect([await isSignedIn(bySecond), await isSignedIn(byPassword)]).toEqual([false, true])
  expect((await login(server, 'anna', second)).status).toBe(401)
  expect(server.events.filter(event => event.type === 'appSessionEnded')).toHaveLength(2)
})

test('another API_KEY in the configuration ends what the old one began', async () => {
  const folder = temporaryFolder()
  const key = newKey()
  const start = (API_KEY: string) => startTestApp({ folder, env: { ...withPasswords, API_KEY } })
  const token = await (async () => {
    await using server = await start(key)
    return (await signedInApp(server, 'root', key)).token
  })()
  await (async () => {
    await using server = await start(key)
    expect(await isSignedIn(appAt(server, token))).toBe(true)
  })()
  await using server = await start(newKey())
  expect(await isSignedIn(appAt(server, token))).toBe(false)
})

test('a key and an app password are good with the name of their user alone', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const { users } = await server.signUp('anna')
  await server.signUp('bob')
  const apiKey = newKey()
  await users.edit('anna', { apiKey })
  for (const password of [apiKey, appPasswordOf(server, 'anna')]) {
    expect((await login(server, 'bob', password)).status).toBe(401)
    expect((await login(server, 'ANNA', password)).status).toBe(200)
  }
})

test('where passwords are off, app passwords and keys still sign in, and passwords do not', async () => {
  using issuer = await startIssuer()
  await using server = await startTestApp({ env: issuer.env, throttleLimits: strict })
  await server.signUp('anna')
  const password = appPasswordOf(server, 'anna')
  const statuses: number[] = []
  for (let count = 0; count < 5; count++) statuses.push((await login(server, 'anna')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 429])
  expect(await isSignedIn(await signedInApp(server, 'anna', password))).toBe(true)
})

test('a call without a password is refused as such, with a text', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const answer = await appAt(server).post('/login', { username: 'root' })
  expect([answer.status, answer.text]).toEqual([400, 'Password is missing'])
  for (const body of ['', '[]', 'null', '{', '"x"']) expect((await appAt(server).post('/login', body)).status).toBe(400)
})

test('guesses of passwords and of tokens are slowed down, then refused; a good token is not', async () => {
  await using server = await startTestApp({ env: withPasswords, throttleLimits: strict })
  const { refreshToken } = (await login(server, 'root', 'Sup3rSecret')).json.user
  const renew = (token: string) =>
    appAt(server).call('POST', '/auth/refresh', { headers: { 'x-refresh-token': token } })
  for (const knock of [(word: string) => login(server, 'root', word), renew]) {
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) statuses.push((await knock(newKey())).status)
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429])
  }
  expect((await renew(refreshToken)).status).toBe(200)
})

test('tokens come with the answer only to those who ask for them', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const { json } = await appAt(server).post('/login', { username: 'root', password: 'Sup3rSecret' })
  expect(json.user.accessToken).toBeString()
  expect(json.user.refreshToken).toBeNull()
})

test('in open mode everybody is the admin, where it is turned on; turning sign-in on ends that', async () => {
  const folder = temporaryFolder()
  const tokens = await (async () => {
    await using server = await startTestApp({ folder, env: { AUDIOBOOKSHELF_API: 'true' } })
    const { user } = (await login(server, 'anybody', 'anything')).json
    expect(user.username).toBe('admin')
    expect(await isSignedIn(appAt(server, user.accessToken))).toBe(true)
    expect(await isSignedIn(appAt(server))).toBe(false)
    return user
  })()
  // Where passwords are, a new one ends all sign-ins by itself.
  using issuer = await startIssuer()
  await using server = await startTestApp({ folder, env: issuer.env })
  expect(await isSignedIn(appAt(server, tokens.accessToken))).toBe(false)
  expect(server.context.store.appSessions.list(server.context.admin.id)).toEqual([])
})

test('signing out of all devices ends every sign-in of this user', async () => {
  await using server = await startTestApp({ env: withPasswords })
  await server.signUp('anna')
  const { refreshToken } = (await login(server, 'anna')).json.user
  const [other, ofRoot] = [await signedInApp(server, 'anna'), await signedInApp(server, 'root', 'Sup3rSecret')]
  const signOut = (token: string) =>
    appAt(server).call('POST', '/logout?allDevices=1', { headers: { 'x-refresh-token': token } })
  const answer = await signOut(refreshToken)
  expect(answer.json).toEqual({ redirect_url: null })
  expect([await isSignedIn(other), await isSignedIn(ofRoot)]).toEqual([false, true])
  expect((await signOut('unknown')).status).toBe(200)
})

test('a sign-in is listed under the name of its app', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const { row } = await server.signUp('anna')
  const agents = {
    'Dalvik/2.1.0 (Linux; U; Android 14; P1 Build/X)': 'Audiobookshelf (Android)',
    'Mozilla/5.0 (Linux; Android 14; P1; wv) AppleWebKit/537.36 Version/4.0 Chrome/126 Mobile Safari/537.36':
      'Audiobookshelf (Android)',
    'okhttp/4.12.0': 'Audiobookshelf (Android)',
    'Audiobookshelf/1 CFNetwork/1494.0.7 Darwin/23.4.0': 'Audiobookshelf (iOS)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148':
      'Audiobookshelf (iOS)',
    'ShelfPlayer/3.2 CFNetwork/1494.0.7 Darwin/23.4.0': 'ShelfPlayer',
    'Python/3.12 aiohttp/3.9.5': 'Music Assistant',
    'plappa/301 CFNetwork/1494.0.7 Darwin/23.4.0': 'Plappa',
    'SoundLeaf/12 CFNetwork/1494.0.7 Darwin/23.4.0': 'SoundLeaf',
    'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0': 'Firefox',
    'curl/8.9.1': 'curl',
    ['x'.repeat(5000)]: 'x'.repeat(60),
    '': '–',
  }
  for (const [agent, name] of Object.entries(agents)) {
    const body = { username: 'anna', password: 'Corr3ctHorse' }
    await appAt(server).call('POST', '/login', { body, headers: { 'User-Agent': agent } })
    expect(server.context.store.appSessions.list(row.id)[0]!.name).toBe(name)
  }
})
