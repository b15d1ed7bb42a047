import { expect, spyOn, test } from 'bun:test'
import { type ForeignPassword, hashPassword, prepareForeignPassword } from '../../../src/server/accounts/password'
import { goodPassword, refusal, startTestApp, withPasswords, type TestApp } from '../../support/app'

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
const fast = {
  freeFailures: 50,
  maxFailuresPerPair: 90,
  maxFailuresPerAddress: 900,
  freeFailuresOfStrangers: 9e9,
  firstPauseMs: 1,
  longestPauseMs: 1,
}

// Made by other implementations.
const long = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored'
const bcrypt = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
const bcryptOfLong = '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui'
const argon2 = (password: string) => Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 16, timeCost: 2 })

const startApp = () => startTestApp({ env: withPasswords, throttleLimits: fast })

/** An account with the password of another program. */
async function addOld(app: TestApp, username: string, foreign: ForeignPassword) {
  const { hash: password_hash, kind: password_kind } = (await prepareForeignPassword(foreign))!
  return app.context.users.add({ username, role: 'user', explicit_consent: 0, password_hash, password_kind })
}

const stored = (app: TestApp, username: string) => {
  const { password_hash, password_kind, epoch } = app.context.store.users.findByName(username)!
  return { hash: password_hash!, kind: password_kind, epoch }
}

test('the password of another program is right once, and is our own hash from then on', async () => {
  await using app = await startApp()
  const people = {
    podfetch: ['pass:wörd', { scheme: 'sha256', hash: sha256('pass:wörd').toUpperCase() }],
    shelf: ['U*U', { scheme: 'bcrypt', hash: bcrypt }],
    long: [long, { scheme: 'bcrypt', hash: bcryptOfLong }],
    pine: ['päss', { scheme: 'argon2', hash: await argon2('päss') }],
  } satisfies Record<string, [string, ForeignPassword]>
  for (const [name, [password, foreign]] of Object.entries(people)) {
    await addOld(app, name, foreign)
    const before = stored(app, name)
    expect(await refusal(app.as(name, `${password}!`.slice(1)).users.me())).toMatchObject({ status: 401 })
    expect(stored(app, name)).toEqual(before)
    expect(await app.as(name, password).users.me()).toMatchObject({ username: name })
    const after = stored(app, name)
    expect(after).toMatchObject({ kind: null, epoch: before.epoch })
    expect(after.hash).not.toBe(before.hash)
    expect(await Bun.password.verify(password.normalize('NFC'), after.hash)).toBe(true)
    expect(await app.as(name, password).users.me()).toMatchObject({ username: name })
    expect(await refusal(app.as(name, `${password}!`).users.me())).toMatchObject({ status: 401 })
  }
  expect(app.context.store.users.passwordKinds()).toEqual([])
})

test('a digest without salt is never stored as it is, and is no password itself', async () => {
  await using app = await startApp()
  await addOld(app, 'zoe', { scheme: 'sha256', hash: sha256('secret') })
  expect(stored(app, 'zoe').hash).toStartWith('$argon2id$')
  expect(stored(app, 'zoe').hash).not.toContain(sha256('secret'))
  expect(await refusal(app.as('zoe', sha256('secret')).users.me())).toMatchObject({ status: 401 })
})

test('a new password ends the old one of another program', async () => {
  await using app = await startApp()
  const { username } = await addOld(app, 'shelf', { scheme: 'bcrypt', hash: bcrypt })
  await app.context.users.setPassword(app.context.store.users.findByName(username)!, goodPassword)
  expect(stored(app, 'shelf').kind).toBeNull()
  expect(await refusal(app.as('shelf', 'U*U').users.me())).toMatchObject({ status: 401 })
  expect(await app.as('shelf', goodPassword).users.me()).toMatchObject({ username: 'shelf' })
})

test('a password that is changed during the first sign-in stays, and the old one opens nothing any more', async () => {
  await using app = await startApp()
  const { id } = await addOld(app, 'shelf', { scheme: 'bcrypt', hash: bcrypt })
  const hash = await hashPassword(goodPassword)
  const verify = Bun.password.verify
  const spy = spyOn(Bun.password, 'verify').mockImplementation(async (password, checked) => {
    const fits = await verify(password, checked)
    if (checked === bcrypt) app.context.store.users.setPassword(id, hash)
    return fits
  })
  expect(await refusal(app.as('shelf', 'U*U').users.me())).toMatchObject({ status: 401 })
  spy.mockRestore()
  expect(stored(app, 'shelf')).toMatchObject({ hash, kind: null })
  expect(await refusal(app.as('shelf', 'U*U').users.me())).toMatchObject({ status: 401 })
})

test('A4: while there are hashes of other programs, every guess costs the same', async () => {
  await using app = await startApp()
  await app.signUp('alice')
  await addOld(app, 'zoe', { scheme: 'sha256', hash: sha256('secret') })
  await addOld(app, 'shelf', { scheme: 'bcrypt', hash: bcrypt })
  await addOld(app, 'pine', { scheme: 'argon2', hash: await argon2('x') })
  const verify = spyOn(Bun.password, 'verify')
  try {
    const costsOf = async (username: string) => {
      verify.mockClear()
      await refusal(app.as(username, 'Wr0ngPassword').users.me())
      const results = await Promise.all(verify.mock.results.map(({ value }) => value as Promise<boolean>))
      expect(results).not.toContain(true)
      return verify.mock.calls.map(([, hash]) =>
        /^\$2[aby]\$\d+|^\$argon2id\$v=19\$[^$]+/.exec(String(hash))?.[0].replace('2a', '2b'),
      )
    }
    const costs = await costsOf('nobody')
    expect(costs).toEqual(['$argon2id$v=19$m=8,t=1,p=1', '$argon2id$v=19$m=16,t=2,p=1', '$2b$05'])
    for (const name of ['root', 'alice', 'zoe', 'shelf', 'pine']) expect(await costsOf(name)).toEqual(costs)
  } finally {
    verify.mockRestore()
  }
})

test('a hash that is malformed, or that would keep the server busy, is not taken', async () => {
  const refused: ForeignPassword[] = [
    { scheme: 'sha256', hash: 'abc' },
    { scheme: 'sha256', hash: `${sha256('x')}0` },
    { scheme: 'bcrypt', hash: bcrypt.replace('$05$', '$31$') },
    { scheme: 'bcrypt', hash: bcrypt.replace('$05$', '$15$') },
    { scheme: 'bcrypt', hash: bcrypt.replace('$05$', '$03$') },
    { scheme: 'bcrypt', hash: `${bcrypt.slice(0, -1)}X` },
    { scheme: 'bcrypt', hash: '' },
    { scheme: 'argon2', hash: (await argon2('x')).replace('m=16', 'm=4194304') },
    { scheme: 'argon2', hash: (await argon2('x')).replace('m=16,t=2', 'm=262144,t=1') },
    { scheme: 'argon2', hash: (await argon2('x')).replace('t=2', 't=999999') },
    { scheme: 'argon2', hash: (await argon2('x')).replace('m=16,t=2', 'm=131072,t=9') },
    { scheme: 'argon2', hash: (await argon2('x')).replace('argon2id', 'argon2i') },
    { scheme: 'argon2', hash: (await argon2('x')).slice(0, -4) },
  ]
  for (const foreign of refused) expect([foreign, await prepareForeignPassword(foreign)]).toEqual([foreign, null])
  expect(await prepareForeignPassword({ scheme: 'bcrypt', hash: bcrypt.replace('$05$', '$14$') })).toMatchObject({
    kind: 'bcrypt 14',
  })
})
