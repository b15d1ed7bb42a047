import { expect, spyOn, test } from 'bun:test'
import { goodPassword, refusal, startClock, startTestApp, temporaryFolder, withPasswords } from '../../support/app'
import { login } from '../../support/audiobookshelf-app'
import { cookieBrowser } from '../../support/cookie-browser'
import { runUsersCommand } from '../../../src/server/cli/users'
import { readConfig } from '../../../src/server/config'
import { sessionRow } from '../../support/sessions'

const DAY = 86_400_000
const slow = { freeFailures: 5, maxFailuresPerPair: 20, maxFailuresPerAddress: 100, firstPauseMs: 1, longestPauseMs: 5 }

test('an invitation makes one account, with its role and consent', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const root = app.as('root', 'Sup3rSecret')
  expect(await root.invites.create({})).toMatchObject({ role: 'user', explicitConsent: false, acceptedAt: null })
  const invite = await root.invites.create({ role: 'uploader', explicitConsent: true })
  expect(Date.parse(invite.expiresAt) - Date.parse(invite.createdAt)).toBe(7 * DAY)
  expect(await root.invites.link(invite.id)).toBe(`http://localhost/ui/invite/${invite.id}`)
  expect(await app.invites.find(invite.id)).toEqual(invite)

  const signUp = { username: 'alice', password: goodPassword, inviteId: invite.id }
  // Fields that a stranger adds to the form are ignored.
  const greedy = { ...signUp, role: 'admin', explicitConsent: false, isAdmin: true, createdAt: '2020-01-01' }
  expect(await app.users.signUp(greedy)).toMatchObject({ username: 'alice', role: 'uploader', explicitConsent: true })
  expect(await app.as('alice', goodPassword).users.me()).toMatchObject({ role: 'uploader', readOnly: false })
  expect(await refusal(app.invites.find(invite.id))).toMatchObject({ status: 409, code: 'invite-accepted' })
  expect(await refusal(app.users.signUp({ ...signUp, username: 'second' }))).toMatchObject({ code: 'invite-accepted' })
  expect((await root.invites.list())[0]).toMatchObject({
    id: invite.id,
    acceptedAt: expect.any(String),
    acceptedBy: 'alice',
  })
})

test('a sign-up is refused for one reason at a time, in a fixed order', async () => {
  const now = startClock()
  await using app = await startTestApp({ env: withPasswords, now, throttleLimits: slow })
  const { id } = app.context.invites.create('user', false)
  const tryWith = (username: string, password: string, inviteId = id) =>
    refusal(app.users.signUp({ username, password, inviteId }))
  expect(await tryWith('root', 'weak', 'unknown')).toMatchObject({ status: 404, code: 'invite-not-found' })
  for (const name of ['', '  ', 'a:b', 'a/b', 'me', 'ME', 'x'.repeat(65), 'bell\u0007', 'override\u202e'])
    expect(await tryWith(name, 'weak')).toMatchObject({
      status: 422,
      code: 'invalid-field',
      args: { field: 'username' },
    })
  expect(await tryWith('root', 'weak')).toMatchObject({ status: 422, code: 'password-too-weak' })
  expect(await tryWith(' ROOT ', goodPassword)).toMatchObject({ status: 409, code: 'username-taken' })
  now.advance(7 * DAY)
  expect(await tryWith('alice', goodPassword)).toMatchObject({ status: 410, code: 'invite-expired' })
})

test('guessing invitations is refused after a while', async () => {
  await using app = await startTestApp({ env: withPasswords, throttleLimits: slow })
  const codes: unknown[] = []
  for (let count = 0; count < 22; count++)
    codes.push(((await refusal(app.invites.find(crypto.randomUUID()))) as { code: string }).code)
  expect([codes[0], codes.at(-1)]).toEqual(['invite-not-found', 'too-many-attempts'])
  const { id } = app.context.invites.create('user', false)
  expect(await app.invites.find(id)).toMatchObject({ id })
})

test('one may change name and password, and empty fields change nothing', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = await app.signUp('alice')
  await app.signUp('Émile')
  expect(await alice.users.edit('alice', { username: 'alice', password: '', apiKey: null })).toMatchObject({
    username: 'alice',
    apiKeySet: false,
  })
  expect(await refusal(alice.users.edit('alice', { username: 'éMILE' }))).toMatchObject({ code: 'username-taken' })
  expect(await alice.users.edit('alice', { username: 'Alice Liddell' })).toMatchObject({ username: 'Alice Liddell' })
  const renamed = app.as('Alice Liddell', goodPassword)
  expect(await renamed.users.edit('alice liddell', {})).toMatchObject({ username: 'Alice Liddell' })
  // A bad password keeps the good name from being taken: nothing or everything.
  await refusal(renamed.users.edit('Alice Liddell', { username: 'queen', password: 'weak' }))
  expect(await renamed.users.me()).toMatchObject({ username: 'Alice Liddell' })
})

test('R3: nobody changes another, or his own role', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  expect(await refusal(bob.users.edit('alice', { username: 'mine' }))).toMatchObject({ code: 'user-not-found' })
  expect(await refusal(bob.client.get('/users/alice'))).toMatchObject({ code: 'user-not-found' })
  expect(await refusal(bob.users.change('bob', { role: 'admin' }))).toMatchObject({ code: 'not-admin' })
  await bob.client.put('/users/bob', { username: 'bob', role: 'admin', explicitConsent: true })
  expect(await bob.users.me()).toMatchObject({ role: 'user', explicitConsent: false })
  expect(await alice.users.me()).toMatchObject({ username: 'alice' })
})

test('an admin changes roles and consent, and deletes accounts with what is personal', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const root = app.as('root', 'Sup3rSecret')
  const alice = await app.signUp('alice')
  expect(await root.users.change('alice', { role: 'admin' })).toMatchObject({ role: 'admin', explicitConsent: false })
  expect(await root.users.change('alice', { explicitConsent: true })).toMatchObject({ explicitConsent: true })
  expect((await alice.users.list()).map(({ username }) => username)).toEqual(['alice', 'root'])
  await root.users.remove('alice')
  expect(await refusal(alice.users.me())).toMatchObject({ status: 401 })
  expect(await refusal(root.users.remove('alice'))).toMatchObject({ status: 404, code: 'user-not-found' })
})

test('the account of the configuration is read-only, but for its API key', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const root = app.as('root', 'Sup3rSecret')
  const other = await app.signUp('other', 'admin')
  const readOnly = { status: 403, code: 'account-read-only' }
  expect(await refusal(root.users.edit('root', { username: 'toor' }))).toMatchObject(readOnly)
  expect(await refusal(root.users.edit('root', { password: goodPassword }))).toMatchObject(readOnly)
  expect(await refusal(other.users.change('root', { role: 'user' }))).toMatchObject(readOnly)
  expect(await refusal(other.users.remove('root'))).toMatchObject(readOnly)
  const apiKey = crypto.randomUUID().replaceAll('-', '')
  expect(await root.users.edit('root', { username: 'root', apiKey })).toMatchObject({ apiKey })
})

test('R3: the last admin is neither demoted nor deleted', async () => {
  const env = { REVERSE_PROXY: 'true', REVERSE_PROXY_AUTO_SIGN_UP: 'true' }
  await using app = await startTestApp({ env })
  app.context.users.add({ username: 'boss', role: 'admin', explicit_consent: 1, proxied: 1 })
  app.context.users.add({ username: 'deputy', role: 'admin', explicit_consent: 1, proxied: 1 })
  const ask = (path: string, method: string, body?: unknown) =>
    app.fetch(`/api/v1/users/${path}`, {
      method,
      headers: { 'X-Forwarded-User': 'boss', 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  expect((await ask('deputy', 'DELETE')).status).toBe(204)
  expect((await ask('boss', 'DELETE')).status).toBe(409)
  const demoted = await ask('boss/role', 'PUT', { role: 'user' })
  expect([demoted.status, await demoted.json()]).toEqual([409, expect.objectContaining({ errorCode: 'last-admin' })])
})

test('from the command line the admin of the configuration counts only where it can sign in', async () => {
  await using app = await startTestApp({ env: { REVERSE_PROXY: 'true' } })
  app.context.users.add({ username: 'boss', role: 'admin', explicit_consent: 1, proxied: 1 })
  const terminal = { print: () => {}, readPassword: async () => '' }
  const config = readConfig({ DATA_DIRECTORY: app.folder })
  const removed = runUsersCommand(['remove', 'boss'], config, terminal)
  expect(await refusal(removed)).toMatchObject({ code: 'last-admin' })
  const elsewhere = readConfig({ DATA_DIRECTORY: `${app.folder}/nowhere` })
  expect(((await refusal(runUsersCommand(['list'], elsewhere, terminal))) as Error).message).toContain('DATA_DIRECTORY')
})

test('what anybody could make in open mode ends when sign-in is turned on: keys, passwords of apps, invitations', async () => {
  const folder = temporaryFolder()
  const apiKey = crypto.randomUUID().replaceAll('-', '')
  let appPassword = ''
  {
    await using open = await startTestApp({ folder })
    await open.users.edit('admin', { apiKey })
    await open.invites.create({ role: 'admin' })
    await open.signUp('left-behind', 'admin')
    appPassword = (await open.appPasswords.create('Phone')).password
  }
  await using app = await startTestApp({ folder, env: withPasswords })
  expect(await refusal(app.withHeader(`Bearer ${apiKey}`).users.me())).toMatchObject({ status: 401 })
  expect(await app.as('root', 'Sup3rSecret').invites.list()).toMatchObject([{ acceptedAt: expect.any(String) }])
  expect((await login(app, 'root', appPassword)).status).toBe(401)
  expect(await app.as('root', 'Sup3rSecret').appPasswords.list()).toEqual([])
  expect(app.lines.join('\n')).toContain('left-behind (admin)')
  // A new database was never open.
  await using fresh = await startTestApp({ env: withPasswords })
  expect(fresh.lines.join('\n')).not.toContain('Sign-in turned on')
  // Once only: what is made from now on stays.
  await app.as('root', 'Sup3rSecret').users.edit('root', { apiKey: crypto.randomUUID().replaceAll('-', '') })
  const { password } = await app.as('root', 'Sup3rSecret').appPasswords.create('Phone')
  await using again = await startTestApp({ folder, env: withPasswords })
  expect(await again.as('root', 'Sup3rSecret').users.me()).toMatchObject({ apiKeySet: true })
  expect((await login(again, 'root', password)).status).toBe(200)
})

test('sync sessions of the built-in admin end when sign-in is turned on, also where no password is stored', async () => {
  const folder = temporaryFolder()
  {
    await using open = await startTestApp({ folder })
    open.context.store.sessions.add(open.context.admin, sessionRow('token', 'sync', 2), 1)
  }
  await using app = await startTestApp({ folder, env: { REVERSE_PROXY: 'true' } })
  expect(app.context.store.sessions.findOwner('token', 'sync', 1)).toBeNull()
})

test('an account that is deleted while its new password is hashed is gone, not broken', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = await app.signUp('alice')
  const root = app.as('root', 'Sup3rSecret')
  // Both are known by now, so that only the new password takes its time.
  await Promise.all([alice.users.me(), root.users.me()])
  const edit = refusal(alice.users.edit('alice', { password: 'Ano7herOne' }))
  await root.users.remove('alice')
  expect([401, 404]).toContain(((await edit) as { status: number }).status)
})

test('of two changes of a password at a time the first one counts, and the other is signed out', async () => {
  await using app = await startTestApp({ env: withPasswords })
  await app.signUp('alice')
  const [thief, alice] = [cookieBrowser(app), cookieBrowser(app)]
  for (const browser of [thief, alice]) await browser.session.login({ username: 'alice', password: goodPassword })
  const { hash } = Bun.password
  const isHashing = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  using _ = spyOn(Bun.password, 'hash').mockImplementationOnce(async (...given) => {
    isHashing.resolve()
    await mayGoOn.promise
    return hash(...given)
  })
  const late = refusal(thief.users.edit('alice', { password: 'Thi3fsOwn1' }))
  await isHashing.promise
  await alice.users.edit('alice', { password: 'Ano7herOne' })
  mayGoOn.resolve()
  expect(await late).toMatchObject({ status: 401, code: 'not-signed-in' })
  expect((await thief.send('/api/v1/users/me')).status).toBe(401)
  expect(await app.as('alice', 'Ano7herOne').users.me()).toMatchObject({ username: 'alice' })
})

test('a name taken as the USERNAME of the configuration is told at the start', async () => {
  await using app = await startTestApp({ env: withPasswords })
  await app.signUp('alice')
  await expect(async () => startTestApp({ env: { ...withPasswords, USERNAME: 'Alice' }, folder: app.folder })).toThrow(
    /USERNAME is "Alice"/,
  )
})
