import { expect, test } from 'bun:test'
import { MINUTE } from '../../../src/server/platform/clock'
import { json, unhindered } from '../../support/access'
import { goodPassword, refusal, startClock, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { cookieBrowser } from '../../support/cookie-browser'
import { passkeyDevice } from '../../support/passkey-device'
import { passkeyRow } from '../../support/sessions'

type Browser = ReturnType<typeof cookieBrowser>
type Device = ReturnType<typeof passkeyDevice>
type Ceremony = Omit<Parameters<Device['get']>[0], 'challenge'>

const proof = { password: goodPassword }
const challengeOf = ({ challenge }: Record<string, unknown>) => challenge as string
const refused = { status: 401, code: 'passkey-refused' }

async function add(browser: Browser, device: Device, ceremony: Ceremony = {}, name = 'Laptop') {
  const challenge = challengeOf(await browser.passkeys.registration(proof))
  return browser.passkeys.add({ name, response: device.create({ challenge, ...ceremony }) })
}

async function signIn(browser: Browser, device: Device, ceremony: Ceremony = {}) {
  const challenge = challengeOf(await browser.passkeys.request())
  return browser.passkeys.signIn({ response: device.get({ challenge, ...ceremony }) })
}

/** A server with anna, who has a passkey. */
async function start() {
  const now = startClock()
  const app = await startTestApp({ env: withPasswords, now, throttleLimits: unhindered })
  const { row } = await app.signUp('anna')
  const browser = cookieBrowser(app)
  await browser.session.login({ username: 'anna', password: goodPassword })
  const device = passkeyDevice()
  const passkey = await add(browser, device)
  return { app, now, row, browser, device, passkey }
}

test('a passkey signs in without a name, and its session carries the API', async () => {
  const { app, device, passkey, now } = await start()
  await using _ = app
  expect(passkey).toMatchObject({ name: 'Laptop', device: 'Firefox, Linux', host: 'localhost', lastUsedAt: null })
  const browser = cookieBrowser(app)
  now.advance(MINUTE)
  expect(await signIn(browser, device)).toMatchObject({ username: 'anna', hasPassword: true })
  expect(await browser.users.me()).toMatchObject({ username: 'anna' })
  expect((await browser.sessions.list())[0]).toMatchObject({ way: 'passkey', isCurrent: true, keepsPassword: false })
  expect(await browser.passkeys.list()).toMatchObject([{ name: 'Laptop', lastUsedAt: new Date(now()).toISOString() }])
})

test('options ask for a passkey that the device finds by itself, and for its owner', async () => {
  const { app, browser, row } = await start()
  await using _ = app
  const options = (await browser.passkeys.registration(proof)) as Record<string, object>
  expect(options).toMatchObject({
    rp: { id: 'localhost', name: 'Castellan' },
    user: { id: Buffer.from(row.uuid).toString('base64url'), name: 'anna' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  expect(options['excludeCredentials']).toHaveLength(1)
  const request = (await cookieBrowser(app).passkeys.request()) as Record<string, unknown>
  expect(request).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  expect(request['allowCredentials'] ?? []).toEqual([])
})

test('a challenge is good for one purpose, once, and for ten minutes', async () => {
  const { app, browser, device, now } = await start()
  await using _ = app
  const by = (challenge: string) => refusal(cookieBrowser(app).passkeys.signIn({ response: device.get({ challenge }) }))
  const challenge = challengeOf(await browser.passkeys.request())
  expect(await by(challenge)).toBeNull()
  expect(await by(challenge)).toMatchObject(refused)
  expect(await by(challengeOf(await browser.passkeys.registration(proof)))).toMatchObject(refused)
  for (const invented of ['', 'x', Buffer.alloc(56).toString('base64url')])
    expect(await by(invented)).toMatchObject(refused)
  const late = challengeOf(await browser.passkeys.request())
  const inTime = challengeOf(await browser.passkeys.request())
  now.advance(9 * MINUTE)
  expect(await by(inTime)).toBeNull()
  now.advance(MINUTE)
  expect(await by(late)).toMatchObject(refused)

  const other = passkeyDevice()
  const response = (challenge: string) => ({ name: '', response: other.create({ challenge }) })
  const invalid = { status: 400, code: 'passkey-invalid' }
  expect(await refusal(browser.passkeys.add(response(challengeOf(await browser.passkeys.request()))))).toMatchObject(
    invalid,
  )
  // Nor is another's.
  await app.signUp('bob')
  const bobs = cookieBrowser(app)
  await bobs.session.login({ username: 'bob', password: goodPassword })
  const his = challengeOf(await bobs.passkeys.registration(proof))
  expect(await refusal(browser.passkeys.add(response(his)))).toMatchObject(invalid)
  expect(await bobs.passkeys.add(response(his))).toMatchObject({ name: 'Firefox, Linux' })
})

test('an answer counts for our pages alone, from the device itself, and from its owner', async () => {
  const { app, device } = await start()
  await using _ = app
  const wrong: Ceremony[] = [
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:81' },
    { origin: 'http://localhost.evil.example' },
    { host: 'evil.example' },
    { isVerified: false },
  ]
  for (const ceremony of wrong)
    expect(await refusal(signIn(cookieBrowser(app), device, ceremony))).toMatchObject(refused)
  expect(await refusal(signIn(cookieBrowser(app), passkeyDevice()))).toMatchObject(refused)
  expect(await refusal(signIn(cookieBrowser(app), device))).toBeNull()
})

test('a device that does not know its owner, or a page of others, adds no passkey', async () => {
  const { app, browser } = await start()
  await using _ = app
  for (const ceremony of [{ isVerified: false }, { origin: 'https://evil.example' }, { host: 'evil.example' }])
    expect(await refusal(add(browser, passkeyDevice(), ceremony))).toMatchObject({ code: 'passkey-invalid' })
  expect(await browser.passkeys.list()).toHaveLength(1)
})

test('a copy of a passkey is noticed by its count', async () => {
  const { app, device } = await start()
  await using _ = app
  const by = (count: number) => refusal(signIn(cookieBrowser(app), device, { count }))
  expect(await by(5)).toBeNull()
  expect(await by(5)).toMatchObject(refused)
  expect(await by(4)).toMatchObject(refused)
  expect(await by(6)).toBeNull()
})

test('what is no answer of a device is refused', async () => {
  const { app, browser, device } = await start()
  await using _ = app
  const challenge = challengeOf(await browser.passkeys.request())
  const good = device.get({ challenge })
  const broken: unknown[] = [
    { id: good.id },
    { ...good, response: null },
    { ...good, response: { ...good.response, signature: '' } },
    { ...good, response: { ...good.response, authenticatorData: 'AAAA' } },
    { ...good, response: { ...good.response, clientDataJSON: Buffer.from('null').toString('base64url') } },
    { ...good, type: 'password' },
    { ...good, id: 'x'.repeat(2000) },
  ]
  const send = (path: string, body: unknown) =>
    browser.send(path, { method: 'POST', body: JSON.stringify(body), headers: json })
  for (const response of broken) {
    expect((await send('/api/v1/login/passkey', { response })).status).toBe(401)
    expect((await send('/api/v1/users/me/passkeys', { name: '', response })).status).toBe(400)
  }
  expect((await send('/api/v1/login/passkey', {})).status).toBe(422)
  expect(app.lines.filter(line => line.includes('unexpected'))).toEqual([])
})

test('adding one wants the password, and the code where there is a second factor; a session or a key is not enough', async () => {
  const { app, browser, device } = await start()
  await using _ = app
  for (const password of ['', 'Wr0ngOne'])
    expect(await refusal(browser.passkeys.registration({ password }))).toMatchObject({
      status: 403,
      code: 'not-confirmed',
    })
  app.context.store.secondFactors.turnOn(app.context.store.users.findByName('anna')!.id)
  await signIn(browser, device)
  expect(await refusal(browser.passkeys.registration(proof))).toMatchObject({ status: 403, code: 'not-confirmed' })
})

test('a passkey is renamed and deleted by its owner alone, and an account has twenty-five', async () => {
  const { app, browser, device, passkey, row } = await start()
  await using _ = app
  const bob = await app.signUp('bob')
  for (const work of [bob.passkeys.rename(passkey.id, 'His'), bob.passkeys.remove(passkey.id)])
    expect(await refusal(work)).toMatchObject({ status: 404, code: 'not-found' })
  expect(await browser.passkeys.rename(passkey.id, ` ${'x'.repeat(150)} `)).toMatchObject({ name: 'x'.repeat(100) })
  const { passkeys } = app.context.store
  for (let count = 1; count < 24; count++)
    passkeys.add(row.id, passkeyRow(Buffer.from(`many ${count}`).toString('base64url')), 1)
  const last = challengeOf(await browser.passkeys.registration(proof))
  passkeys.add(row.id, passkeyRow(btoa('last')), 1)
  const tooMany = { status: 409, code: 'too-many-passkeys' }
  expect(await refusal(browser.passkeys.registration(proof))).toMatchObject(tooMany)
  const response = passkeyDevice().create({ challenge: last })
  expect(await refusal(browser.passkeys.add({ name: '', response }))).toMatchObject(tooMany)

  await browser.passkeys.remove(passkey.id)
  expect(await refusal(signIn(cookieBrowser(app), device))).toMatchObject(refused)
})

test('one device’s passkey is added once, whoever’s it is', async () => {
  const { app, browser, device } = await start()
  await using _ = app
  expect(await refusal(add(browser, device))).toMatchObject({ code: 'passkey-invalid' })
  app.context.users.remove(app.context.users.requireUser('anna'))
  expect(await refusal(signIn(cookieBrowser(app), device))).toMatchObject(refused)
})

test('A4: guessing is refused after a while', async () => {
  const strict = { ...unhindered, maxFailuresPerPair: 4 }
  await using app = await startTestApp({ env: withPasswords, throttleLimits: strict })
  const statuses: unknown[] = []
  for (let count = 0; count < 6; count++)
    statuses.push(((await refusal(signIn(cookieBrowser(app), passkeyDevice()))) as { status: number }).status)
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429])
})

test('behind a trusted proxy passkeys are good for the name that people use, by https', async () => {
  await using app = await startTestApp({ env: withPasswords })
  await app.signUp('anna')
  const forwarded = { 'X-Forwarded-Host': 'pod.example:8443', 'X-Forwarded-Proto': 'http' }
  const options = async (test: TestApp) =>
    (await (await test.fetch('/api/v1/login/passkey/options', { method: 'POST', headers: forwarded })).json()) as {
      rpId: string
      challenge: string
    }
  const { rpId, challenge } = await options(app)
  expect(rpId).toBe('pod.example')
  const device = passkeyDevice()
  const headers = { ...json, ...forwarded, Authorization: app.as('anna', goodPassword).authorization! }
  const call = (path: string, body: object) => app.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const drawn = (await (await call('/api/v1/users/me/passkeys/options', proof)).json()) as { challenge: string }
  const page = { origin: 'https://pod.example:8443', host: 'pod.example' }
  const added = await call('/api/v1/users/me/passkeys', {
    name: '',
    response: device.create({ challenge: drawn.challenge, ...page }),
  })
  expect(await added.json()).toMatchObject({ host: 'pod.example:8443' })
  const plain = device.get({ challenge, ...page, origin: 'http://pod.example:8443' })
  expect((await call('/api/v1/login/passkey', { response: plain })).status).toBe(401)
  const again = await options(app)
  const secure = device.get({ challenge: again.challenge, ...page })
  expect((await call('/api/v1/login/passkey', { response: secure })).status).toBe(200)

  await using named = await startTestApp({ env: { ...withPasswords, SERVER_URL: 'https://other.example/pod' } })
  expect((await options(named)).rpId).toBe('other.example')
})

test('a page of another port of the same name cannot use a passkey, whatever host its own server asks for', async () => {
  const { app, browser, device } = await start()
  await using _ = app
  const Host = 'localhost:8444'
  const call = async (path: string, body: object) =>
    app.fetch(path, { method: 'POST', headers: { ...json, Host }, body: JSON.stringify(body) })
  const { challenge } = (await (await call('/api/v1/login/passkey/options', {})).json()) as { challenge: string }
  const answer = device.get({ challenge, origin: `https://${Host}` })
  expect((await call('/api/v1/login/passkey', { response: answer })).status).toBe(401)
  expect(await refusal(signIn(browser, device))).toBeNull()
})

test('there are none where no password signs in: in open mode, and for accounts of elsewhere', async () => {
  await using open = await startTestApp()
  expect((await open.fetch('/api/v1/login/passkey/options', { method: 'POST' })).status).toBe(403)
  const { app, device, row } = await start()
  await using _ = app
  app.context.store.users.setPassword(row.id, null)
  expect(await refusal(signIn(cookieBrowser(app), device))).toMatchObject(refused)
})
