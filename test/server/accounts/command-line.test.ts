import { expect, test } from 'bun:test'
import { runUsersCommand } from '../../../src/server/cli/users'
import { basic, refusal, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { connect } from '../../support/socket'

/** The command on the data folder of a server that runs. */
async function users(app: TestApp, line: string, password = '') {
  const printed: string[] = []
  const terminal = { print: (text: string) => printed.push(text), readPassword: async () => password }
  await runUsersCommand(line.split(' ').filter(Boolean), app.context.config, terminal)
  return printed.join('\n')
}

test('accounts can be made, changed and removed while the server runs', async () => {
  await using app = await startTestApp({ env: withPasswords })
  await users(app, 'add alice --role uploader --explicit yes', 'Corr3ctHorse')
  const alice = app.as('alice', 'Corr3ctHorse')
  expect(await alice.users.me()).toMatchObject({ role: 'uploader', explicitConsent: true })
  await users(app, 'update alice --role user --explicit no --name Alice2')
  expect(await app.as('Alice2', 'Corr3ctHorse').users.me()).toMatchObject({ role: 'user', explicitConsent: false })
  expect(await users(app, 'list')).toMatch(/alice2\s+user\s+no|Alice2\s+user\s+no/)
  await users(app, 'remove alice2')
  expect(await refusal(app.as('Alice2', 'Corr3ctHorse').users.me())).toMatchObject({ status: 401 })
})

test('a password set from the command line counts at once, and ends what was signed in', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = await app.signUp('alice')
  const started = await app.fetch('/api/v1/session', {
    method: 'POST',
    headers: { Authorization: alice.authorization! },
  })
  const Cookie = started.headers.get('set-cookie')!.split(';')[0]!
  await users(app, 'set-password alice', 'Ano7herOne')
  expect(await refusal(alice.users.me())).toMatchObject({ code: 'wrong-user-or-password' })
  expect(await app.as('alice', 'Ano7herOne').users.me()).toMatchObject({ username: 'alice' })
  expect((await app.fetch('/covers/podcasts/x', { headers: { Cookie } })).status).toBe(401)
  expect((await connect(app.listen(), { Authorization: basic('alice', 'Corr3ctHorse') })).isOpen).toBe(false)
})

test('an API key is made and shown once', async () => {
  await using app = await startTestApp({ env: withPasswords })
  await app.signUp('alice')
  const key = await users(app, 'api-key alice')
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(await app.withHeader(`Bearer ${key}`).users.me()).toMatchObject({ username: 'alice' })
  expect(await users(app, 'list')).not.toContain(key)
})

test('a command that cannot be done says why in one sentence', async () => {
  await using app = await startTestApp({ env: withPasswords })
  await app.signUp('alice')
  const said: [string, string, RegExp][] = [
    ['', '', /users needs a command/],
    ['add', '', /add needs a name/],
    ['list alice', '', /no name/],
    ['dance alice', '', /no command "dance"/],
    ['add bob builder', '', /Unexpected "builder"/],
    ['add bob --role king', 'Corr3ctHorse', /--role is one of/],
    ['update alice', '', /nothing to change/],
    ['update alice --explicit maybe', '', /yes or no/],
    ['add bob', 'weak', /at least 8 characters/],
    ['add ALICE', 'Corr3ctHorse', /name ALICE is taken/],
    ['set-password root', 'Corr3ctHorse', /set by the configuration/],
    ['remove nobody', '', /no such user/],
  ]
  for (const [line, password, sentence] of said)
    expect(((await refusal(users(app, line, password))) as Error).message).toMatch(sentence)
})
