import { expect, test } from 'bun:test'
import { goodPassword, startClock, startTestApp, withPasswords, type TestApp } from '../../support/app'

const signIn = (app: TestApp, username: string, password: string, address: string) =>
  app.fetch('/api/v1/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify({ username, password }),
  })

async function attack(app: TestApp, username: string) {
  const statuses: number[] = []
  for (let count = 0; count < 50; count++)
    statuses.push((await signIn(app, username, `wrong${count}`, `10.0.${count}.1`)).status)
  return statuses
}

const noticesOf = (app: TestApp, username: string) =>
  app.context.store.notifications
    .unread(app.context.users.requireUser(username), 100)
    .filter(({ type }) => type === 'Attack')
    .map(({ message }) => message)

test('an account under attack tells its owner and the admins once, and its known networks sign in meanwhile', async () => {
  const now = startClock()
  await using app = await startTestApp({ env: withPasswords, now })
  await app.signUp('alice')
  await app.signUp('bob')
  expect((await signIn(app, 'alice', goodPassword, '203.0.113.7')).status).toBe(200)
  const statuses = await attack(app, 'alice')
  expect([statuses.filter(status => status === 401).length, statuses.at(-1)]).toEqual([31, 429])
  // Another address of the same network.
  expect((await signIn(app, 'alice', goodPassword, '203.0.113.8')).status).toBe(200)
  const refused = await signIn(app, 'alice', goodPassword, '198.51.100.1')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
  expect((await signIn(app, 'bob', goodPassword, '198.51.100.2')).status).toBe(200)
  now.advance(30_000)
  expect((await signIn(app, 'alice', goodPassword, '198.51.100.1')).status).toBe(200)

  await attack(app, 'alice')
  for (const name of ['alice', 'root']) expect(noticesOf(app, name)).toEqual(['alice'])
  expect(noticesOf(app, 'bob')).toEqual([])
  expect(
    app.lines.filter(line => line.includes('Activity kind="account-attacked" source="stranger" by="" about="alice"')),
  ).toHaveLength(1)
})

test('a name of nobody is slowed down like an account, and nobody is told', async () => {
  await using app = await startTestApp({ env: withPasswords, now: startClock() })
  await app.signUp('alice')
  expect(await attack(app, 'nobody')).toEqual(await attack(app, 'alice'))
  expect(noticesOf(app, 'root')).toEqual(['alice'])
})

test('a restart during an attack tells nobody again on the same day', async () => {
  const now = startClock()
  const app = await startTestApp({ env: withPasswords, now })
  await app.signUp('alice')
  await attack(app, 'alice')
  await app[Symbol.asyncDispose]()
  await using after = await startTestApp({ env: withPasswords, now, folder: app.folder })
  await attack(after, 'alice')
  expect(noticesOf(after, 'alice')).toEqual(['alice'])
  now.advance(25 * 3_600_000)
  await attack(after, 'alice')
  expect(noticesOf(after, 'alice')).toEqual(['alice', 'alice'])
})
