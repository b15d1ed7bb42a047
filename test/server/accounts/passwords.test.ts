import { expect, spyOn, test } from 'bun:test'
import { hashingCost } from '../../../src/server/accounts/password'
import {
  basic,
  goodPassword,
  refusal,
  startClock,
  startTestApp,
  temporaryFolder,
  withPasswords,
} from '../../support/app'

const fast = { freeFailures: 5, maxFailuresPerPair: 20, maxFailuresPerAddress: 100, firstPauseMs: 1, longestPauseMs: 5 }
const from = (address: string) => ({ 'X-Forwarded-For': address })

test('the admin of the configuration signs in, and is the account of open mode with all it had', async () => {
  const folder = temporaryFolder()
  {
    await using open = await startTestApp({ folder })
    await open.users.setLocale({ language: 'da' })
  }
  await using app = await startTestApp({ env: withPasswords, folder })
  const root = app.as('root', 'Sup3rSecret')
  expect(await root.users.me()).toMatchObject({ username: 'root', role: 'admin', language: 'da', readOnly: true })
  expect(await refusal(app.users.me())).toMatchObject({ status: 401, code: 'not-signed-in' })
})

test('a password may hold colons, ß and emoji, and may arrive in other code points', async () => {
  const password = 'Ä:ß🎧 1éx'
  await using app = await startTestApp({ env: { ...withPasswords, PASSWORD: password } })
  expect(await app.as('root', password).users.me()).toMatchObject({ username: 'root' })
  expect(await app.as('ROOT', password.normalize('NFD')).users.me()).toMatchObject({ username: 'root' })
  expect(await app.session.login({ username: 'root', password })).toMatchObject({ username: 'root', apiKey: null })
})

test('a changed PASSWORD counts from the next start, and ends the sessions of before', async () => {
  const folder = temporaryFolder()
  let cookie: string
  {
    await using app = await startTestApp({ env: withPasswords, folder })
    cookie = await signIn(app, 'root', 'Sup3rSecret')
  }
  await using again = await startTestApp({ env: { ...withPasswords, PASSWORD: 'An0therOne' }, folder })
  expect(await again.as('root', 'An0therOne').users.me()).toMatchObject({ username: 'root' })
  expect(await refusal(again.as('root', 'Sup3rSecret').users.me())).toMatchObject({ code: 'wrong-user-or-password' })
  expect((await again.fetch('/covers/podcasts/x', { headers: { Cookie: cookie } })).status).toBe(401)
})

test('A4: unknown user and wrong password are the same answer', async () => {
  await using app = await startTestApp({ env: withPasswords, throttleLimits: fast })
  const answers = await Promise.all(
    [basic('root', 'wrong'), basic('nobody', 'wrong'), basic('root', ''), basic('', '')].map(async Authorization => {
      const response = await app.fetch('/api/v1/podcasts', { headers: { Authorization } })
      return [response.status, await response.text(), [...response.headers.keys()].toSorted()]
    }),
  )
  expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]![0]).toBe(401)
})

test('A4: unknown user and wrong password cost the same: one check of a hash of the same price', async () => {
  await using app = await startTestApp({ env: withPasswords, throttleLimits: fast })
  await app.signUp('alice')
  app.context.users.add({ username: 'elsewhere', role: 'user', explicit_consent: 0, subject: 's', issuer: 'i' })
  const verify = spyOn(Bun.password, 'verify')
  try {
    const pricesFor = async (username: string) => {
      verify.mockClear()
      expect(await refusal(app.as(username, 'Wr0ngPassword').users.me())).toMatchObject({ status: 401 })
      return verify.mock.calls.map(([, hash]) => /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+/.exec(String(hash))?.[0])
    }
    const price = await pricesFor('alice')
    expect(price).toEqual([`$argon2id$v=19$m=${hashingCost.memoryCost},t=${hashingCost.timeCost},p=1`])
    for (const username of ['root', 'nobody', 'elsewhere']) expect(await pricesFor(username)).toEqual(price)
  } finally {
    verify.mockRestore()
  }
})

test('A4: forty guesses at once are refused after twenty, for fifteen minutes; others are not bothered', async () => {
  const now = startClock()
  await using app = await startTestApp({ env: withPasswords, throttleLimits: fast, now })
  await app.signUp('alice')
  const guess = (password: string, address = '203.0.113.9') =>
    app.fetch('/api/v1/users/me', { headers: { Authorization: basic('root', password), ...from(address) } })
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => guess(`guess-${index}`)))
  expect(answers.filter(({ status }) => status === 401).length).toBe(20)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBe(20)
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeWithin(1, 901)
  expect(await refused[0]!.json()).toMatchObject({ errorCode: 'too-many-attempts', arguments: { seconds: '900' } })

  expect((await guess('Sup3rSecret')).status).toBe(429)
  expect((await guess('Sup3rSecret', '203.0.113.10')).status).toBe(200)
  // The same address may sign in as somebody else.
  const alice = { Authorization: basic('alice', goodPassword), ...from('203.0.113.9') }
  expect((await app.fetch('/api/v1/users/me', { headers: alice })).status).toBe(200)
  // A password that was right elsewhere is a guess here all the same; where it was right, it is none.
  expect((await guess('Sup3rSecret')).status).toBe(429)
  for (let count = 0; count < 20; count++) await guess('wrong', '203.0.113.10')
  expect((await guess('wrong', '203.0.113.10')).status).toBe(429)
  expect((await guess('Sup3rSecret', '203.0.113.10')).status).toBe(200)

  now.advance(15 * 60_000)
  expect((await guess('still wrong')).status).toBe(401)
})

test('an address that fails with a hundred names is refused more guesses', async () => {
  await using app = await startTestApp({ env: withPasswords, throttleLimits: { ...fast, maxFailuresPerAddress: 10 } })
  const guess = (name: string) =>
    app.fetch('/api/v1/login', {
      method: 'POST',
      body: JSON.stringify({ username: name, password: 'x' }),
      headers: { 'Content-Type': 'application/json', ...from('2001:db8::1') },
    })
  for (let count = 0; count < 10; count++) expect((await guess(`name-${count}`)).status).toBe(401)
  expect((await guess('name-11')).status).toBe(429)
})

test('another port, or another address of the same network, is no other guesser', async () => {
  await using app = await startTestApp({ env: withPasswords, throttleLimits: { ...fast, maxFailuresPerAddress: 8 } })
  const guess = async (address: string) =>
    (await app.fetch('/api/v1/users/me', { headers: { Authorization: basic('root', 'x'), ...from(address) } })).status
  for (let port = 1; port <= 8; port++) expect(await guess(`198.51.100.7:${port}`)).toBe(401)
  expect(await guess('198.51.100.7')).toBe(429)
  for (let host = 1; host <= 8; host++) expect(await guess(`[2001:db8:0:1::${host}]:443`)).toBe(401)
  expect(await guess('2001:db8:0:1:ffff::1')).toBe(429)
  expect(await guess('2001:db8:0:2::1')).toBe(401)
})

test('guesses are slowed down before they are refused', async () => {
  const limits = { ...fast, firstPauseMs: 3, longestPauseMs: 10 }
  await using app = await startTestApp({ env: withPasswords, throttleLimits: limits })
  const sleep = spyOn(Bun, 'sleep')
  try {
    for (let count = 0; count < 9; count++) await refusal(app.as('root', 'Wr0ngPassword').users.me())
    expect(sleep.mock.calls.map(([ms]) => ms)).toEqual([3, 6, 10, 10])
  } finally {
    sleep.mockRestore()
  }
})

test('a request without credentials does not count as a failed guess', async () => {
  await using app = await startTestApp({ env: withPasswords, throttleLimits: { ...fast, maxFailuresPerAddress: 3 } })
  for (let count = 0; count < 10; count++) await refusal(app.users.me())
  expect(await app.as('root', 'Sup3rSecret').users.me()).toMatchObject({ username: 'root' })
})

test('A3: accounts without a password cannot sign in by one', async () => {
  await using app = await startTestApp({ env: withPasswords, throttleLimits: fast })
  app.context.users.add({ username: 'elsewhere', role: 'user', explicit_consent: 0, subject: 's', issuer: 'i' })
  for (const password of ['', 'null', 'undefined'])
    expect(await refusal(app.as('elsewhere', password).users.me())).toMatchObject({ status: 401 })
  await using off = await startTestApp()
  expect(await refusal(off.session.login({ username: 'admin', password: '' }))).toMatchObject({
    status: 403,
    code: 'basic-auth-off',
  })
})

test('a password is weak without a number, a lower-case or an upper-case letter, or with seven characters', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = await app.signUp('alice')
  for (const password of ['Sh0rter', 'alllower1', 'ALLUPPER1', 'NoNumbers', `A1${'x'.repeat(300)}`])
    expect(await refusal(alice.users.edit('alice', { password }))).toMatchObject({
      status: 422,
      code: 'password-too-weak',
    })
  await alice.users.edit('alice', { password: 'Ünïcode9' })
  expect(await refusal(alice.users.me())).toMatchObject({ status: 401 })
  expect(await app.as('alice', 'Ünïcode9').users.me()).toMatchObject({ username: 'alice' })
})

test('a password that was right under an old name is refused there after a renaming', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = await app.signUp('alice')
  expect(await alice.users.me()).toMatchObject({ username: 'alice' })
  await alice.users.edit('alice', { username: 'alicia' })
  expect(await refusal(alice.users.me())).toMatchObject({ status: 401 })
  expect(await app.as('alicia', goodPassword).users.me()).toMatchObject({ username: 'alicia' })
})

async function signIn(app: Awaited<ReturnType<typeof startTestApp>>, username: string, password: string) {
  const response = await app.fetch('/api/v1/login', {
    method: 'POST',
    body: JSON.stringify({ username, password }),
    headers: { 'Content-Type': 'application/json' },
  })
  return response.headers.get('set-cookie')!.split(';')[0]!
}

test('many first requests at once are one attempt: a page that asks for ten things is no guesser', async () => {
  await using app = await startTestApp({
    env: withPasswords,
    throttleLimits: { ...fast, maxFailuresPerPair: 2, maxFailuresPerAddress: 3 },
  })
  const headers = { Authorization: basic('root', 'Sup3rSecret') }
  const paths = Array.from({ length: 30 }, (_, index) => `/api/v1/podcasts?x=${index}`)
  const answers = await Promise.all(paths.map(path => app.fetch(path, { headers })))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
})

test('a password in the eight bits of an older system is read as well', async () => {
  const password = 'Pässwört1'
  await using app = await startTestApp({ env: { ...withPasswords, PASSWORD: password } })
  const Authorization = `Basic ${Buffer.from(`root:${password}`, 'latin1').toString('base64')}`
  expect((await app.fetch('/api/v1/users/me', { headers: { Authorization } })).status).toBe(200)
})
