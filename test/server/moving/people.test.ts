import { expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  goodPassword,
  refusal,
  startClock,
  startTestApp,
  temporaryFolder,
  withPasswords,
  type TestApp,
} from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { writeAudiobookshelf } from '../../support/foreign/audiobookshelf'
import { dumpOf, moreOf, reportOf } from '../../support/foreign/dump'
import { writePodfetch } from '../../support/foreign/podfetch'
import { changeForeign } from '../../support/foreign/write'
import { moveIn, openWorld } from './world'

type Options = { env?: Record<string, string>; sql?: string; folder?: string; write?: typeof writeAudiobookshelf }
const podfetch = (path: string, origin: string) => writePodfetch(path, origin, 'C')

async function startMoving({ env = {}, sql = '', folder = temporaryFolder(), write = podfetch }: Options = {}) {
  const host = startFeedHost()
  openWorld(host)
  const app = await startTestApp({ now: startClock(), env, folder })
  app.prefill(0)
  const path = write(join(temporaryFolder(), 'copy.db'), host.origin)
  changeForeign(path, sql)
  return {
    host,
    app,
    folder,
    path,
    people: () => moreOf(folder, host.origin).users,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

const moveWithPeople = (app: TestApp, path: string) => moveIn(app, path, app.context.admin, null, true)
const usersIn = (report: readonly string[]) => report.filter(line => line.startsWith('users'))

test('people without an account get one only where an admin wants that', async () => {
  await using world = await startMoving()
  await moveIn(world.app, world.path)
  expect(world.people()).toEqual([])
  expect(usersIn(reportOf(world.folder))).toEqual([])
  await moveWithPeople(world.app, world.path)
  expect(world.people()).toEqual(['alice | user | 0 | sha256', 'zoe | admin | 1 | sha256'])
  expect(usersIn(reportOf(world.folder))).toEqual(['users taken: 2'])
  const { positions, favourites } = dumpOf(world.folder, world.host.origin)
  expect(positions).toContain('zoe | /alpha.xml | a1 | 700 | 1800 | 0 | 1770112800000 | import-podfetch')
  expect(favourites).toEqual(['admin | /beta.xml', 'alice | /alpha.xml', 'zoe | /alpha.xml'])
  await moveWithPeople(world.app, world.path)
  expect(usersIn(reportOf(world.folder))).toEqual(['users present: 2'])
})

test('people of PodFetch sign in with their old password', async () => {
  await using world = await startMoving({ env: withPasswords })
  await moveWithPeople(world.app, world.path)
  expect(await refusal(world.app.as('alice', "zoe's word").users.me())).toMatchObject({ status: 401 })
  expect(await world.app.as('alice', "alice's word").users.me()).toMatchObject({ username: 'alice', role: 'user' })
  expect(await world.app.as('zoe', "zoe's word").users.me()).toMatchObject({ role: 'admin', explicitConsent: true })
  expect(world.people()).toEqual(['alice | user | 0 | ours', 'zoe | admin | 1 | ours'])
})

test('people of Audiobookshelf sign in with their old password, unless they are switched off', async () => {
  const sql = `
    INSERT INTO users (id, username, type, isActive, pash, permissions)
      SELECT 'u3', 'guest', 'guest', 1, pash, permissions FROM users WHERE id = 'u2' UNION ALL
      SELECT 'u4', 'away', 'admin', 0, pash, '{}' FROM users WHERE id = 'u2' UNION ALL
      SELECT 'u5', 'careful', 'user', 1, pash, '{"upload":true,"delete":false}' FROM users WHERE id = 'u2' UNION ALL
      SELECT 'u6', 'elsewhere', 'user', 1, '', NULL UNION ALL
      SELECT 'u7', 'slow', 'user', 1, replace(pash, '$05$', '$31$'), '[]' FROM users WHERE id = 'u2'`
  await using world = await startMoving({ env: withPasswords, write: writeAudiobookshelf, sql })
  await moveWithPeople(world.app, world.path)
  expect(world.people()).toEqual([
    'alice | admin | 1 | bcrypt 5',
    'away | admin | 1 | none',
    'careful | user | 0 | bcrypt 5',
    'elsewhere | user | 0 | none',
    'guest | user | 1 | bcrypt 5',
    'slow | user | 0 | none',
    'zoe | uploader | 1 | bcrypt 5',
  ])
  for (const name of ['away', 'elsewhere', 'slow'])
    for (const password of ['U*U', ''])
      expect(await refusal(world.app.as(name, password).users.me())).toMatchObject({ status: 401 })
  expect(await world.app.as('zoe', 'U*U').users.me()).toMatchObject({ role: 'uploader' })
  expect(world.people()).toContain('zoe | uploader | 1 | ours')
})

test('an account that is here keeps its role, its consent and its password', async () => {
  await using world = await startMoving({ env: withPasswords })
  await world.app.signUp('Zoe')
  await moveWithPeople(world.app, world.path)
  expect(world.people()).toEqual(['alice | user | 0 | sha256', 'Zoe | user | 0 | ours'])
  expect(usersIn(reportOf(world.folder))).toEqual(['users present: 1', 'users taken: 1'])
  expect(await refusal(world.app.as('zoe', "zoe's word").users.me())).toMatchObject({ status: 401 })
  expect(await world.app.as('zoe', goodPassword).users.me()).toMatchObject({ role: 'user' })
})

test('only an admin can import people, and somebody who is no admin any more brings none', async () => {
  await using world = await startMoving()
  const { context } = world.app
  const { row } = await world.app.signUp('mara', 'uploader')
  expect(await refusal(context.moves.start(row, world.path, { withUsers: true }))).toMatchObject({
    message: 'mara is not an admin: only an admin can import people',
  })
  const admin = context.users.change(context.users.requireUser('mara'), { role: 'admin' })
  await context.moves.start(admin, world.path, { withUsers: true })
  context.users.change(context.users.requireUser('mara'), { role: 'uploader' })
  context.moves.resume()
  await context.moves.settled()
  expect(world.people()).toEqual(['mara | uploader | 0 | ours'])
  expect(usersIn(reportOf(world.folder))).toEqual(['users left-out not-by-an-admin: 2'])
})

test('names that mean nobody, that nobody can have here, or that are reserved, get no account', async () => {
  const sql = `UPDATE users SET username = 'a/b' WHERE username = 'alice';
    UPDATE users SET username = 'mara' WHERE username = 'zoe';
    INSERT INTO favorites (user_id, podcast_id, favored) SELECT 'nobody', id, 1 FROM podcasts`
  const env = { ...withPasswords, REVERSE_PROXY: 'true', REVERSE_PROXY_HEADER: 'X-User', ADMINS: 'mara' }
  await using world = await startMoving({ env, sql })
  await moveWithPeople(world.app, world.path)
  expect(world.people()).toEqual([])
  expect(usersIn(reportOf(world.folder))).toEqual(['users left-out unusable-name: 2'])
  // The first versions name people in every row, also those who were removed.
  await using older = await startMoving({
    write: (path, origin) => writePodfetch(path, origin, 'A'),
    sql: "DELETE FROM users WHERE username = 'zoe'",
  })
  await moveWithPeople(older.app, older.path)
  expect(older.people()).toEqual(['alice | user | 0 | sha256'])
  expect(usersIn(reportOf(older.folder))).toEqual(['users left-out only-named: 1', 'users taken: 1'])
})

test('people whose names differ in case alone are two there, and one account here', async () => {
  const sql = `INSERT INTO users (id, username, role) VALUES ('u8', 'Zoe', 'user');
    INSERT INTO favorites (user_id, podcast_id, favored) SELECT 'u8', id, 1 FROM podcasts WHERE name = 'Gone'`
  await using world = await startMoving({ sql })
  await moveWithPeople(world.app, world.path)
  expect(world.people()).toEqual(['alice | user | 0 | sha256', 'Zoe | user | 0 | none'])
  expect(usersIn(reportOf(world.folder))).toEqual(['users left-out unusable-name: 1', 'users taken: 2'])
  const { favourites, positions } = dumpOf(world.folder, world.host.origin)
  expect(favourites).toEqual(['admin | /beta.xml', 'alice | /alpha.xml', 'Zoe | /gone.xml'])
  expect(positions.filter(line => /^zoe/i.test(line))).toEqual([])
})

test('the only person of a server is the one who moves, and gets no second account', async () => {
  await using world = await startMoving({
    sql: "DELETE FROM users WHERE username = 'zoe'; DELETE FROM favorites; DELETE FROM episodes",
  })
  await moveWithPeople(world.app, world.path)
  expect(world.people()).toEqual([])
  expect(usersIn(reportOf(world.folder))).toEqual(['users present: 1'])
})

test('a file brings few kinds of hashes, since every guess checks one of each', async () => {
  const costs = ['05', '06', '07', '08', '09', '10', '14']
  const sql = costs
    .map(
      cost => `INSERT INTO users (id, username, type, isActive, pash)
                 SELECT 'c${cost}', 'c${cost}', 'user', 1, replace(pash, '$05$', '$${cost}$') FROM users WHERE id = 'u1'`,
    )
    .join(';')
  await using world = await startMoving({ write: writeAudiobookshelf, sql })
  await moveWithPeople(world.app, world.path)
  expect(world.app.context.store.users.passwordKinds()).toEqual(['bcrypt 5', 'bcrypt 6', 'bcrypt 7', 'bcrypt 8'])
  expect(world.people()).toContain('c14 | user | 0 | none')
})

test('people who came in open mode sign in as soon as sign-in is on', async () => {
  const folder = temporaryFolder()
  {
    await using world = await startMoving({ folder })
    await moveWithPeople(world.app, world.path)
  }
  await using app = await startTestApp({ env: withPasswords, folder })
  expect(await app.as('alice', "alice's word").users.me()).toMatchObject({ username: 'alice' })
  expect(app.lines.join('\n')).toMatch(/accounts="alice \(user\), zoe \(admin\)"/)
})

test('the digests of the source reach neither the database nor the log, and accounts are noted', async () => {
  await using world = await startMoving({ env: withPasswords })
  await moveWithPeople(world.app, world.path)
  const digest = new Bun.CryptoHasher('sha256').update("alice's word").digest('hex')
  const { store } = world.app.context
  for (const { password_hash } of store.users.list()) expect(password_hash).toStartWith('$argon2id$')
  expect(world.app.lines.join('\n')).not.toContain(digest)
  const made = store.moves.changesSince(1, 0, 1000).filter(({ kind }) => kind === 'user')
  expect(made.map(({ user_id, before }) => [store.users.find(user_id!)?.username, before])).toEqual([
    ['alice', null],
    ['zoe', null],
  ])
})
