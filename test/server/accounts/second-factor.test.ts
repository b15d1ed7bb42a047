import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { base32, codeAt, stepOf } from '../../../src/server/accounts/second-factor'
import { DAY, MINUTE } from '../../../src/server/platform/clock'
import { unhindered, json, newKey } from '../../support/access'
import { basic, goodPassword, refusal, startClock, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { login as appLogin } from '../../support/audiobookshelf-app'
import { cookieBrowser } from '../../support/cookie-browser'
import { passkeyDevice } from '../../support/passkey-device'
import { appOf } from '../../support/podcast-app'
import { connect } from '../../support/socket'

// The second factor as one story: turned on, asked for, used up, guessed, turned off.

const STEP_MS = 30_000
const anna = { username: 'anna', password: goodPassword }
const proof = { password: goodPassword }

/** Reads what an authenticator app reads. */
function decode(secret: string): Uint8Array {
  const bits = [...secret].map(letter =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Uint8Array.from(bits.join('').match(/.{8}/g)!, byte => Number.parseInt(byte, 2))
}

type Options = { throttleLimits?: Partial<typeof unhindered> }

/** A server with anna, who has turned the second factor on in a browser that keeps no password. */
async function start(options: Options = {}) {
  const now = startClock()
  const app = await startTestApp({ env: withPasswords, now, throttleLimits: unhindered, ...options })
  const { row } = await app.signUp('anna')
  const browser = cookieBrowser(app)
  await browser.session.login(anna)
  const { secret, address } = await browser.secondFactor.begin(proof)
  const codeNow = (steps = 0) => codeAt(decode(secret), Math.floor(now() / STEP_MS) + steps)
  const { recoveryCodes } = await browser.secondFactor.confirm(codeNow())
  now.advance(STEP_MS)
  return { app, now, browser, secret, address, codeNow, recoveryCodes, row }
}

test('codes are those of the examples in RFC 6238', () => {
  const secret = Buffer.from('12345678901234567890')
  const examples: [number, string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ]
  for (const [seconds, code] of examples) {
    expect(codeAt(secret, Math.floor(seconds / 30), 8)).toBe(code)
    expect(stepOf(secret, code.slice(2), seconds * 1000)).toBe(Math.floor(seconds / 30))
  }
  expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
})

test('a clock may be off by one step; a text that is no code is none', () => {
  const secret = new Uint8Array(20)
  const at = (step: number) => stepOf(secret, codeAt(secret, step), 100 * STEP_MS)
  expect([98, 99, 100, 101, 102].map(at)).toEqual([null, 99, 100, 101, null])
  for (const code of ['', '12345', '1234567', 'abcdef', '-12345', '１２３４５６'])
    expect(stepOf(secret, code, 0)).toBeNull()
})

test('it counts once a code has confirmed it, and shows ten recovery codes this once', async () => {
  await using app = await startTestApp({ env: withPasswords })
  await app.signUp('anna')
  const browser = cookieBrowser(app)
  await browser.session.login(anna)
  const { secret, address } = await browser.secondFactor.begin(proof)
  expect(address).toBe(`otpauth://totp/Castellan:anna?secret=${secret}&issuer=Castellan`)
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(await refusal(browser.secondFactor.confirm('000000'))).toMatchObject({ status: 403, code: 'not-confirmed' })
  expect((await cookieBrowser(app).session.login(anna)).secondFactor).toBe(false)

  const code = codeAt(decode(secret), Math.floor(Date.now() / STEP_MS))
  const { recoveryCodes } = await browser.secondFactor.confirm(code)
  expect(recoveryCodes).toHaveLength(10)
  expect(recoveryCodes.filter(one => !/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/.test(one))).toEqual([])
  expect(await browser.secondFactor.state()).toEqual({ isOn: true, recoveryCodesLeft: 10 })
  expect((await browser.users.me()).secondFactor).toBe(true)
  expect(await refusal(browser.secondFactor.begin({ ...proof, code: recoveryCodes[0]! }))).toMatchObject({
    code: 'second-factor-on',
  })
  const rows = new Database(join(app.folder, 'castellan.db'), { readonly: true })
  const stored = JSON.stringify([
    rows.query('SELECT * FROM second_factor').all(),
    rows.query('SELECT * FROM recovery_code').all(),
  ])
  rows.close()
  for (const told of [secret, Buffer.from(decode(secret)).toString('hex'), ...recoveryCodes])
    expect(stored).not.toContain(told.replaceAll('-', ''))
})

test('a sign-in asks for the code after the right password, and a code is good once', async () => {
  const { app, codeNow, now } = await start()
  await using _ = app
  const browser = cookieBrowser(app)
  const login = (more: object) => browser.session.login({ ...anna, ...more } as never)
  expect(await refusal(login({ password: 'Wr0ngOne' }))).toMatchObject({ code: 'wrong-user-or-password' })
  expect(await refusal(login({ password: 'Wr0ngOne', code: codeNow() }))).toMatchObject({
    code: 'wrong-user-or-password',
  })
  expect(await refusal(login({}))).toMatchObject({ status: 401, code: 'second-factor-needed' })
  expect(await refusal(login({ code: '000000' }))).toMatchObject({ status: 401, code: 'wrong-second-factor' })
  expect(browser.cookie()).toBe('')
  expect(await login({ code: ` ${codeNow().slice(0, 3)} ${codeNow().slice(3)} ` })).toMatchObject({ username: 'anna' })
  for (const code of [codeNow(), codeNow(-1)])
    expect(await refusal(cookieBrowser(app).session.login({ ...anna, code }))).toMatchObject({
      code: 'wrong-second-factor',
    })
  now.advance(STEP_MS)
  await cookieBrowser(app).session.login({ ...anna, code: codeNow() })
})

test('of several sign-ins with one code at a time, one gets in: of the app, or for recovery', async () => {
  const { app, codeNow, recoveryCodes } = await start()
  await using _ = app
  for (const code of [codeNow(), recoveryCodes[0]!]) {
    const tries = [1, 2, 3, 4].map(() => refusal(cookieBrowser(app).session.login({ ...anna, code })))
    expect((await Promise.all(tries)).filter(result => result === null)).toHaveLength(1)
  }
})

test('a recovery code is good once, however it is typed, and new ones end the old', async () => {
  const { app, browser, recoveryCodes, codeNow } = await start()
  await using _ = app
  const login = (code: string) => refusal(cookieBrowser(app).session.login({ ...anna, code }))
  const [first, second] = recoveryCodes as [string, string]
  expect(await login(first.toUpperCase().replaceAll('-', ' '))).toBeNull()
  expect(await login(first)).toMatchObject({ code: 'wrong-second-factor' })
  expect((await browser.secondFactor.state()).recoveryCodesLeft).toBe(9)
  expect(await refusal(browser.secondFactor.renewCodes(proof))).toMatchObject({ status: 403, code: 'not-confirmed' })
  const renewed = await browser.secondFactor.renewCodes({ ...proof, code: codeNow() })
  expect(await login(second)).toMatchObject({ code: 'wrong-second-factor' })
  expect(await login(renewed.recoveryCodes[9]!)).toBeNull()
})

test('with it a password alone opens nothing, on any surface; app passwords and API keys do', async () => {
  const { app, browser, row, codeNow } = await start()
  await using _ = app
  const origin = app.listen()
  const Authorization = basic('anna', goodPassword)
  const apiKey = newKey()
  await browser.users.edit('anna', { apiKey })
  const { password: appPassword } = await browser.appPasswords.create('Phone')
  const sync = '/api/2/devices/anna.json'
  const status = async (path: string, shown: string) =>
    (await app.fetch(path, { headers: { Authorization: shown } })).status
  const surfaces = [
    '/api/v1/users/me',
    '/rss',
    '/covers/podcasts/x',
    '/media/x',
    '/api/v1/users/me/everything.zip',
    sync,
    '/index.php/apps/gpoddersync/subscriptions',
  ]
  for (const path of surfaces) expect([path, await status(path, Authorization)]).toEqual([path, 401])
  expect((await connect(origin, { Authorization })).isOpen).toBe(false)
  expect((await appLogin(app, 'anna')).status).toBe(401)
  const session = await app.fetch('/api/v1/session', { method: 'POST', headers: { Authorization } })
  expect(session.status).toBe(401)
  // The same for a password that was verified a moment ago, and with the code behind it.
  expect(await status('/api/v1/users/me', basic('anna', goodPassword + codeNow()))).toBe(401)

  expect(await status('/api/v1/users/me', `Bearer ${apiKey}`)).toBe(200)
  expect(await status('/rss', basic('anna', apiKey))).toBe(200)
  for (const key of [apiKey, appPassword]) {
    expect(await status(sync, basic('anna', key))).toBe(200)
    expect((await appLogin(app, 'anna', key)).status).toBe(200)
  }
  expect((await app.fetch(`/rss/apiKey/${app.context.feedKeys.of(row)}`)).status).toBe(200)
  expect((await browser.users.me()).username).toBe('anna')
})

test('turning it on ends what the password alone had begun, at once, and leaves this browser and keys signed in', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { users, authorization } = await app.signUp('anna')
  const apiKey = newKey()
  await users.edit('anna', { apiKey })
  const origin = app.listen()
  const [own, other] = [cookieBrowser(app), cookieBrowser(app)]
  // This one keeps the password, as it wanted to be remembered.
  await own.session.login({ ...anna, remember: true })
  await other.session.login(anna)
  const socket = await connect(origin, { Cookie: other.cookie(), Origin: origin })
  const { cookie } = await appOf(app, 'anna').devices()
  const byPassword = (await appLogin(app, 'anna')).json.user.accessToken
  const byKey = (await appLogin(app, 'anna', apiKey)).json.user.accessToken
  const { secret } = await own.secondFactor.begin(proof)
  await own.secondFactor.confirm(codeAt(decode(secret), Math.floor(Date.now() / STEP_MS)))

  expect(await socket.closed).toBe(4401)
  expect((await other.send('/api/v1/users/me')).status).toBe(401)
  const statusOf = async (path: string, headers: Record<string, string>) => (await app.fetch(path, { headers })).status
  expect(await statusOf('/api/v1/users/me', { Authorization: authorization! })).toBe(401)
  expect(await statusOf('/api/2/devices/anna.json', { Cookie: `sessionid=${cookie}` })).toBe(401)
  expect(await statusOf('/api/me', { Authorization: `Bearer ${byPassword}` })).toBe(401)
  expect(await statusOf('/api/me', { Authorization: `Bearer ${byKey}` })).toBe(200)
  expect((await own.send('/api/v1/users/me')).status).toBe(200)
  expect((await own.sessions.list()).map(one => [one.kind, one.isCurrent, one.keepsPassword]).toSorted()).toEqual([
    ['app', false, false],
    ['browser', true, false],
  ])
})

test('turning it on ends what no session stands for, and leaves the socket of this browser open', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { row, authorization } = await app.signUp('anna')
  const origin = app.listen()
  const own = cookieBrowser(app)
  await own.session.login(anna)
  const ownSocket = await connect(origin, { Cookie: own.cookie(), Origin: origin })
  const byHeader = await connect(origin, { Authorization: authorization! })
  const { key } = app.context.mediaKeys.make(row, null, 'none')
  const media = async () => (await app.fetch(`/media/none.mp3?mediaKey=${key}`)).status
  const { challenge } = (await own.passkeys.registration(proof)) as { challenge: string }
  expect([byHeader.isOpen, await media()]).toEqual([true, 404])
  const { secret } = await own.secondFactor.begin(proof)
  await own.secondFactor.confirm(codeAt(decode(secret), Math.floor(Date.now() / STEP_MS)))

  expect(await byHeader.closed).toBe(4401)
  expect(await media()).toBe(401)
  const passkey = { name: '', response: passkeyDevice().create({ challenge }) }
  expect(await refusal(own.passkeys.add(passkey))).toMatchObject({ code: 'passkey-invalid' })
  app.context.publish({ type: 'queueChanged', userId: row.id, version: 1 })
  expect(await ownSocket.frame('queueChanged')).toMatchObject({ version: 1 })
})

/** Holds every check of a password until `release`. */
function holdPasswords() {
  const { verify } = Bun.password
  const isAsked = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<void>()
  const spy = spyOn(Bun.password, 'verify').mockImplementation(async (...given) => {
    isAsked.resolve()
    await promise
    return verify(...given)
  })
  return { isAsked: isAsked.promise, release: resolve, [Symbol.dispose]: () => spy.mockRestore() }
}

type Door = (app: TestApp) => Promise<unknown>
test.each<[string, Door]>([
  ['the sign-in page', app => refusal(cookieBrowser(app, { address: '192.0.2.1' }).session.login(anna))],
  ['an app of Audiobookshelf', app => appLogin(app, 'anna')],
  ['an app that syncs', app => appOf(app, 'anna').devices()],
  ['the API', app => app.fetch('/api/v1/users/me', { headers: { Authorization: basic('anna', goodPassword) } })],
])('a password that is being checked meanwhile is not enough any more: %s', async (_, open) => {
  await using app = await startTestApp({ env: withPasswords })
  const { row } = await app.signUp('anna')
  const browser = cookieBrowser(app)
  await browser.session.login(anna)
  const { secret } = await browser.secondFactor.begin(proof)
  using passwords = holdPasswords()
  const answer = open(app)
  await passwords.isAsked
  await browser.secondFactor.confirm(codeAt(decode(secret), Math.floor(Date.now() / STEP_MS)))
  passwords.release()
  expect(await answer).toMatchObject({ status: 401 })
  expect(app.context.sessionList.of(row.id)).toMatchObject({ sessions: [{ kind: 'browser' }], apps: [] })
})

test('only a session that came along is issued anew, and it may do no more than before', async () => {
  const now = startClock()
  await using app = await startTestApp({ env: withPasswords, now })
  const { users, authorization, row } = await app.signUp('anna')
  const apiKey = newKey()
  await users.edit('anna', { apiKey })
  const byKey = { ...json, Authorization: `Bearer ${apiKey}`, 'User-Agent': 'curl/8' }
  const byPassword = { ...json, Authorization: authorization! }
  const post = (path: string, headers: Record<string, string>, body: unknown = {}) =>
    app.fetch(`/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const cookieIn = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? null

  /** Turns it on with these headers, and off again; answers the cookie of the answer. */
  async function turnOn(headers: Record<string, string>) {
    const { secret } = (await (await post('users/me/secondFactor', headers, proof)).json()) as { secret: string }
    now.advance(STEP_MS)
    const code = codeAt(decode(secret), Math.floor(now() / STEP_MS))
    const answer = await post('users/me/secondFactor/confirm', headers, { code })
    expect(answer.status).toBe(200)
    app.context.users.removeSecondFactor(row)
    return cookieIn(answer)
  }
  const opens = async (path: string, Cookie: string) => (await app.fetch(path, { headers: { Cookie } })).status !== 401

  for (const headers of [byKey, byPassword]) expect(await turnOn(headers)).toBeNull()
  expect(await app.context.sessionList.of(row.id).sessions).toEqual([])
  const besideKey = await turnOn({ ...byKey, Cookie: cookieIn(await post('session', byKey))! })
  expect([await opens('/covers/podcasts/x', besideKey!), await opens('/api/v1/users/me', besideKey!)]).toEqual([
    true,
    false,
  ])
  // This browser kept the password: the cookie takes its place.
  const old = cookieIn(await post('session', byPassword))!
  const besidePassword = await turnOn({ ...byPassword, Cookie: old })
  expect([await opens('/api/v1/users/me', old), await opens('/api/v1/users/me', besidePassword!)]).toEqual([
    false,
    true,
  ])
  expect(app.context.sessionList.of(row.id).sessions).toMatchObject([{ keeps_password: 0, carries_api: 1 }])
})

test('remembered, it means a long session and no password that is of use', async () => {
  const { app, codeNow } = await start()
  await using _ = app
  const answer = await cookieBrowser(app).send('/api/v1/login', {
    method: 'POST',
    body: JSON.stringify({ ...anna, remember: true, code: codeNow() }),
    headers: json,
  })
  expect(answer.headers.get('set-cookie')).toContain('Max-Age=2592000')
  expect(await answer.json()).toMatchObject({ secondFactor: true })
})

test('it is turned off with password and code, by an admin, or on the command line; by nobody else', async () => {
  const { app, browser, codeNow, row } = await start()
  await using _ = app
  const root = app.as('root', 'Sup3rSecret')
  const bob = await app.signUp('bob')
  const isOn = () => app.context.store.users.find(row.id)!.second_factor
  expect(await refusal(browser.secondFactor.remove(proof))).toMatchObject({ status: 403 })
  expect(await refusal(browser.secondFactor.remove({ password: 'Wr0ngOne', code: codeNow() }))).toMatchObject({
    status: 403,
  })
  expect(await refusal(bob.secondFactor.removeOf('anna'))).toMatchObject({ status: 403, code: 'not-admin' })
  expect(isOn()).toBe(1)
  expect((await root.users.list()).map(({ username, secondFactor }) => [username, secondFactor])).toContainEqual([
    'anna',
    true,
  ])
  await root.secondFactor.removeOf('anna')
  expect(isOn()).toBe(0)
  expect(await cookieBrowser(app).session.login(anna)).toMatchObject({ secondFactor: false })
  expect(await browser.secondFactor.state()).toEqual({ isOn: false, recoveryCodesLeft: 0 })
  expect(await refusal(root.secondFactor.removeOf('nobody'))).toMatchObject({ status: 404 })
})

test('an admin takes the own one away with password and code alone, like everybody', async () => {
  const now = startClock()
  await using app = await startTestApp({ env: withPasswords, now, throttleLimits: unhindered })
  const root = { username: 'root', password: 'Sup3rSecret' }
  const browser = cookieBrowser(app)
  await browser.session.login(root)
  const { secret } = await browser.secondFactor.begin(root)
  const { recoveryCodes } = await browser.secondFactor.confirm(codeAt(decode(secret), Math.floor(now() / STEP_MS)))
  expect(await refusal(browser.secondFactor.removeOf('ROOT'))).toMatchObject({ status: 403, code: 'not-confirmed' })
  expect((await browser.users.me()).secondFactor).toBe(true)
  await browser.secondFactor.remove({ password: root.password, code: recoveryCodes[0]! })
  expect((await browser.users.me()).secondFactor).toBe(false)
})

test('it is turned off with password and recovery code', async () => {
  const { app, browser, recoveryCodes } = await start()
  await using _ = app
  await browser.secondFactor.remove({ ...proof, code: recoveryCodes[3]! })
  expect((await cookieBrowser(app).session.login(anna)).secondFactor).toBe(false)
})

const strict = {
  freeFailures: 50,
  maxFailuresPerPair: 6,
  maxFailuresPerAddress: 100,
  firstPauseMs: 1,
  longestPauseMs: 1,
}

test('A4: codes are guessed as seldom as passwords, from one address or from many', async () => {
  const { app, codeNow, now, recoveryCodes } = await start({ throttleLimits: strict })
  await using _ = app
  const guess = (code: string, address: string) =>
    refusal(cookieBrowser(app, { address }).session.login({ ...anna, code }))
  for (let count = 0; count < 6; count++)
    expect(await guess(`00000${count}`, `198.51.${count}.1`)).toMatchObject({ code: 'wrong-second-factor' })
  for (const code of [codeNow(), recoveryCodes[0]!])
    expect(await guess(code, '192.0.2.1')).toMatchObject({ status: 429, code: 'too-many-attempts' })
  now.advance(16 * MINUTE)
  expect(await guess(codeNow(), '192.0.2.1')).toBeNull()
})

test('accounts that sign in elsewhere have none, and nobody has one in open mode', async () => {
  await using app = await startTestApp({
    env: {
      ...withPasswords,
      REVERSE_PROXY: 'true',
      REVERSE_PROXY_HEADER: 'Remote-User',
      REVERSE_PROXY_AUTO_SIGN_UP: 'true',
    },
  })
  const send = (test: TestApp, headers: object) =>
    test.fetch('/api/v1/users/me/secondFactor', {
      method: 'POST',
      body: '{"password":"x"}',
      headers: { ...json, ...headers },
    })
  expect((await send(app, { 'Remote-User': 'anna' })).status).toBe(409)
  await using open = await startTestApp()
  expect((await send(open, {})).status).toBe(409)
})

test('a clock that was ahead, and is put right, locks nobody out', async () => {
  const { app, codeNow, now } = await start()
  await using _ = app
  now.advance(DAY)
  const ahead = cookieBrowser(app)
  await ahead.session.login({ ...anna, code: codeNow() })
  now.advance(-DAY)
  app.context.store.times.pullBack(now(), 9)
  const own = (await ahead.sessions.list()).find(one => one.isCurrent)
  expect(own!.lastSeenAt).toBe(new Date(now()).toISOString())
  // Codes of the next minutes could have been used by then.
  now.advance(6 * MINUTE)
  await cookieBrowser(app).session.login({ ...anna, code: codeNow() })
})

/** Begins a request with the password alone, whose body is read and does not come yet. */
async function hold(app: TestApp, method: string, path: string) {
  const isRead = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<string>()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        isRead.resolve()
        controller.enqueue(new TextEncoder().encode(await rest.promise))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { ...json, Authorization: basic('anna', goodPassword) }
  const answer = app.app.handle(new Request(`http://localhost${path}`, { method, headers, body }))
  await isRead.promise
  return async (content: unknown) => {
    rest.resolve(JSON.stringify(content))
    return (await answer).status
  }
}

test.each([
  ['POST', '/api/v1/users/me/secondFactor', proof],
  ['DELETE', '/api/v1/users/me/secondFactor', proof],
  ['POST', '/api/v1/users/me/secondFactor/recoveryCodes', proof],
  ['POST', '/api/v1/session', { remember: true }],
] as const)('a request that was begun before does nothing after: %s %s', async (method, path, content) => {
  const now = startClock()
  await using app = await startTestApp({ env: withPasswords, now, throttleLimits: unhindered })
  const { row } = await app.signUp('anna')
  const browser = cookieBrowser(app)
  await browser.session.login(anna)
  const finish = await hold(app, method, path)

  const { secret } = await browser.secondFactor.begin(proof)
  const { recoveryCodes } = await browser.secondFactor.confirm(codeAt(decode(secret), Math.floor(now() / STEP_MS)))
  expect(await finish(content)).toBe(401)
  const { users, secondFactors } = app.context.store
  expect([users.find(row.id)!.second_factor, secondFactors.countRecoveryCodes(row.id)]).toEqual([
    1,
    recoveryCodes.length,
  ])
})
