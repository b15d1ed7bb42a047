import { expect, test } from 'bun:test'
import { basic, startTestApp, withPasswords } from '../../support/app'
import { connect } from '../../support/socket'
import { cookieOf } from '../../support/sessions'
import { openBeside } from '../../support/other-writer'

test('W1: a socket needs a sign-in: the cookie from our own page, never a key in the address', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const alice = await app.signUp('alice')
  const started = await app.fetch('/api/v1/session', {
    method: 'POST',
    headers: { Authorization: alice.authorization! },
  })
  const Cookie = started.headers.get('set-cookie')!.split(';')[0]!
  expect((await connect(origin)).isOpen).toBe(false)
  expect((await connect(origin, { Cookie })).isOpen).toBe(false)
  expect((await connect(origin, { Cookie, Origin: 'https://evil.example' })).isOpen).toBe(false)
  const ours = await connect(origin, { Cookie, Origin: origin })
  expect(ours.isOpen).toBe(true)
  ours.socket.close()
})

test('W1: a page of another site gets no socket, one of ours does', async () => {
  await using app = await startTestApp()
  const origin = app.listen()
  expect((await connect(origin, { Origin: 'https://evil.example' })).isOpen).toBe(false)
  const ours = await connect(origin, { Origin: origin })
  expect(ours.isOpen).toBe(true)
  ours.socket.close()
})

test('W2: a client that sends too much is disconnected', async () => {
  await using app = await startTestApp()
  const { socket } = await connect(app.listen())
  const closed = Promise.withResolvers<number>()
  socket.onclose = event => closed.resolve(event.code)
  socket.send('ignored')
  socket.send('x'.repeat(5000))
  expect(await closed.promise).toBeOneOf([1006, 1009])
})

test('W3: open sockets end with the sign-in, and say so', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  const hers = await connect(origin, { Authorization: alice.authorization! })
  const his = await connect(origin, { Authorization: bob.authorization! })
  expect([hers.isOpen, his.isOpen]).toEqual([true, true])
  await alice.users.edit('alice', { username: 'alice', password: 'Ano7herOne' })
  expect(await hers.closed).toBe(4401)
  expect((await connect(origin, { Authorization: alice.authorization! })).isOpen).toBe(false)
  expect((await connect(origin, { Authorization: basic('alice', 'Ano7herOne') })).isOpen).toBe(true)
  expect(his.socket.readyState).toBe(WebSocket.OPEN)
  his.socket.close()
})

test('W3: signing out ends the sockets of that browser, in all its tabs, and no others', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const alice = await app.signUp('alice')
  const headers = { Authorization: alice.authorization!, Origin: origin }
  const session = async (Cookie = '') =>
    (await fetch(`${origin}/api/v1/session`, { method: 'POST', headers: { ...headers, Cookie } })).headers
      .get('set-cookie')!
      .split(';')[0]!
  const first = await session()
  const tab = await connect(origin, { Cookie: first, Origin: origin })
  // Another tab of the same browser: a new token for the same session, and the first tab stays connected.
  const second = await session(first)
  const otherTab = await connect(origin, { Cookie: second, Origin: origin })
  const phone = await connect(origin, { Cookie: await session(), Origin: origin })
  expect([tab.isOpen, otherTab.isOpen, phone.isOpen]).toEqual([true, true, true])
  await fetch(`${origin}/api/v1/session`, { method: 'DELETE', headers: { ...headers, Cookie: second } })
  expect(await Promise.all([tab.closed, otherTab.closed])).toEqual([4401, 4401])
  expect(phone.socket.readyState).toBe(WebSocket.OPEN)
  phone.socket.close()
})

test('W1: everybody hears what is for all, and of what is personal his own alone', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const [alice, bob] = [await app.signUp('alice'), await app.signUp('bob')]
  const hers = await connect(origin, { Authorization: alice.authorization! })
  const his = await connect(origin, { Authorization: bob.authorization! })
  const { id } = app.context.store.users.findByName('alice')!
  app.context.publish({ type: 'opmlProgress', userId: id, jobId: 'hers', done: 1, failed: 0, total: 1, finished: true })
  expect(await hers.frame('opmlProgress')).toMatchObject({ jobId: 'hers' })
  const { id: other } = app.context.store.users.findByName('bob')!
  app.context.publish({
    type: 'opmlProgress',
    userId: other,
    jobId: 'his',
    done: 1,
    failed: 0,
    total: 1,
    finished: true,
  })
  expect(await his.frame('opmlProgress')).toMatchObject({ jobId: 'his' })
  const jobsOf = ({ frames }: typeof hers) => frames.map(({ jobId }) => jobId).filter(Boolean)
  expect([jobsOf(hers), jobsOf(his)]).toEqual([['hers'], ['his']])
  for (const { socket } of [hers, his]) socket.close()
})

test('W2: five hundred clients come, hear and go at once, and one user gets no more than fifty', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const people = Array.from({ length: 11 }, (_, index) =>
    app.context.users.add({ username: `user-${index}`, role: 'user', explicit_consent: 0 }),
  )
  const clients = await Promise.all(
    people.flatMap(user => {
      const Cookie = cookieOf(app, user)
      return Array.from({ length: 50 }, () => connect(origin, { Cookie, Origin: origin }))
    }),
  )
  expect(clients.filter(({ isOpen }) => isOpen)).toHaveLength(550)
  const Cookie = cookieOf(app, people[0]!)
  const oneMore = await connect(origin, { Cookie, Origin: origin })
  expect(await oneMore.closed).toBe(1013)

  const { id } = people[3]!
  app.context.publish({ type: 'opmlProgress', userId: id, jobId: 'job', done: 1, failed: 0, total: 1, finished: true })
  const hearing = clients.slice(150, 200)
  await Promise.all(hearing.map(({ frame }) => frame('opmlProgress')))
  app.context.publish({ type: 'signInChanged', userId: id })
  expect(await Promise.all(hearing.map(({ closed }) => closed))).toEqual(hearing.map(() => 4401))
  for (const { socket } of clients) socket.close()
  expect((await fetch(`${origin}/healthz`)).status).toBe(200)
})

test('W3: what the command line changes ends sockets too', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const alice = await app.signUp('alice')
  const hers = await connect(origin, { Authorization: alice.authorization! })
  using other = openBeside(`${app.folder}/castellan.db`)
  other.run("UPDATE user SET epoch = epoch + 1 WHERE username = 'alice'")
  expect(await hers.closed).toBe(4401)
  const again = await connect(origin, { Authorization: alice.authorization! })
  other.run("UPDATE user SET api_key_hash = 'x' WHERE username = 'alice'")
  expect(await again.closed).toBe(4401)
})
