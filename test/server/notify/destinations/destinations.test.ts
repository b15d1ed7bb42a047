import { expect, test } from 'bun:test'
import { HOUR, MINUTE, SECOND } from '../../../../src/server/platform/clock'
import type { DestinationRequest } from '../../../../src/shared/api/notification'
import { refusal, startTestApp, withPasswords } from '../../../support/app'
import { deliver, episodesOf, startNews, webhookAt, wishes } from '../../../support/destinations'
import { createSubscription } from '../../../support/push-subscription'

test('a destination is shown without its secrets, and a token stays until it is changed', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  const address = `${receiver.origin}/topic`
  const made = await root.destinations.create({
    kind: 'ntfy',
    address,
    token: 'tk_hush',
    ...wishes,
    events: ['newEpisodes'],
  })
  expect(made).toMatchObject({ kind: 'ntfy', name: 'Mine', hasToken: true, isOn: true, secret: null, waiting: 0 })
  expect(made.host).toBe(new URL(receiver.origin).host)
  const shown = await root.destinations.edit(made.id, { name: 'Phone' })
  expect(shown.hasToken).toBe(true)
  const { secret } = await root.destinations.create(webhookAt(`${receiver.origin}/hook-hush`))

  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog'))
  receiver.answer('/', () => new Response('', { status: 403 }))
  await news.pass(10 * SECOND)
  expect(receiver.to('/')[0]!.headers.get('authorization')).toBe('Bearer tk_hush')
  const said = JSON.stringify([await root.destinations.list(), shown]) + app.lines.join('\n')
  for (const hidden of ['tk_hush', secret!, 'hook-hush', '/topic']) expect(said).not.toContain(hidden)
  const stored = JSON.stringify(
    app.context.store.destinations
      .list(rootId)
      .map(row => ({ ...row, target: Buffer.from(row.target).toString('latin1') })),
  )
  for (const hidden of ['tk_hush', secret!, 'hook-hush', 'topic']) expect(stored).not.toContain(hidden)
})

test('a token does not follow its destination to another host', async () => {
  await using news = await startNews()
  const { root, receiver } = news
  const ntfy = { kind: 'ntfy', ...wishes, events: ['newEpisodes'] } satisfies Partial<DestinationRequest>
  const { id } = await root.destinations.create({
    ...ntfy,
    events: ['newEpisodes'],
    address: `${receiver.origin}/a`,
    token: 'tk_hush',
  })
  expect((await root.destinations.edit(id, { address: `${receiver.origin}/b` })).hasToken).toBe(true)
  const secured = receiver.origin.replace('http:', 'https:')
  expect((await root.destinations.edit(id, { address: `${secured}/b` })).hasToken).toBe(true)
  expect((await root.destinations.edit(id, { address: `${receiver.origin}/b` })).hasToken).toBe(false)
  await root.destinations.edit(id, { token: 'tk_hush' })
  const elsewhere = receiver.origin.replace('127.0.0.1', '127.0.0.2')
  expect((await root.destinations.edit(id, { address: `${elsewhere}/b` })).hasToken).toBe(false)
  expect((await root.destinations.edit(id, { token: 'tk_new' })).hasToken).toBe(true)
  expect((await root.destinations.edit(id, { token: '' })).hasToken).toBe(false)
})

test('a token that fits no header is refused, and a name of blanks', async () => {
  await using news = await startNews()
  const { root, receiver } = news
  const ntfy = webhookAt(`${receiver.origin}/topic`, { kind: 'ntfy' })
  for (const token of ['two\r\nlines', 'tøken', 'a\u0000b'])
    expect(await refusal(root.destinations.create({ ...ntfy, token }))).toMatchObject({ status: 422 })
  expect(await refusal(root.destinations.create({ ...ntfy, name: '  ' }))).toMatchObject({ status: 422 })
})

test('a test is sent at once, in quiet hours too, and its result is told and shown', async () => {
  await using news = await startNews()
  const { root, receiver } = news
  const { id } = await root.destinations.create(
    webhookAt(`${receiver.origin}/hook`, { quietHours: { from: '00:00', to: '23:59' } }),
  )
  await root.destinations.edit(id, { isOn: false })
  expect(await root.destinations.test(id)).toEqual({ failure: null, status: null })
  expect(receiver.jsonTo('/hook')[0]).toMatchObject({ type: 'test', title: 'Test message', data: {} })
  receiver.answer('/hook', () => new Response('', { status: 401 }))
  expect(await root.destinations.test(id)).toEqual({ failure: 'refused', status: 401 })
  expect((await root.destinations.list())[0]).toMatchObject({ lastFailure: 'refused', lastStatus: 401 })
  receiver[Symbol.dispose]()
  expect(await root.destinations.test(id)).toEqual({ failure: 'unreachable', status: null })
})

test('an edit that waits for the host takes back nothing that was changed meanwhile', async () => {
  const asked = Promise.withResolvers<void>()
  const found = Promise.withResolvers<void>()
  await using app = await startTestApp({
    env: withPasswords,
    resolve: async host => {
      if (host === 'slow.example') {
        asked.resolve()
        await found.promise
      }
      return ['93.184.216.34']
    },
  })
  const root = app.as('root', 'Sup3rSecret')
  const { id } = await root.destinations.create(webhookAt('https://hooks.example/a'))
  const slow = root.destinations.edit(id, { address: 'https://slow.example/b' })
  await asked.promise
  await root.destinations.edit(id, { isOn: false, name: 'Renamed', events: ['feedFailing'] })
  found.resolve()
  expect(await slow).toMatchObject({ host: 'slow.example', isOn: false, name: 'Renamed', events: ['feedFailing'] })
})

test('ten tests a minute are enough', async () => {
  await using news = await startNews()
  const { root, receiver, clock } = news
  const { id } = await root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  for (let index = 0; index < 10; index++) await root.destinations.test(id)
  expect(await refusal(root.destinations.test(id))).toMatchObject({ status: 429, code: 'too-many-requests' })
  clock.advance(MINUTE)
  expect(await root.destinations.test(id)).toEqual({ failure: null, status: null })
})

test('a removal can be undone for an hour, with its secrets; then they are deleted', async () => {
  await using news = await startNews()
  const { root, app, clock, receiver } = news
  const { id } = await root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  await root.destinations.remove(id)
  expect(await root.destinations.list()).toEqual([])
  for (const call of [root.destinations.remove(id), root.destinations.test(id), root.destinations.edit(id, {})])
    expect(await refusal(call)).toMatchObject({ status: 404, code: 'destination-not-found' })
  clock.advance(HOUR - 1)
  app.context.destinations.removeOld()
  expect((await root.destinations.restore(id)).id).toBe(id)
  expect(await root.destinations.test(id)).toEqual({ failure: null, status: null })
  await root.destinations.remove(id)
  clock.advance(HOUR + 1)
  app.context.destinations.removeOld()
  expect(await refusal(root.destinations.restore(id))).toMatchObject({ status: 404, code: 'destination-not-found' })
})

test('an address that is none of its kind is refused with the field that is wrong', async () => {
  await using app = await startTestApp({ resolve: () => Promise.reject(new Error('no such name')) })
  const make = (kind: DestinationRequest['kind'], address: string, token?: string) =>
    refusal(app.destinations.create({ kind, address, ...(token && { token }), ...wishes, events: [] }))
  const field = { status: 422, code: 'invalid-field', args: { field: 'address' } }
  for (const address of ['', 'nowhere', 'ftp://a.example/', 'file:///etc/passwd', 'data:,x', 's3://a/b'])
    expect(await make('webhook', address)).toMatchObject(address === '' ? { status: 422 } : field)
  for (const address of ['https://ntfy.example', 'https://ntfy.example/a/b', 'https://ntfy.example/a%20b'])
    expect(await make('ntfy', address)).toMatchObject(field)
  expect(await make('apprise', 'https://apprise.example/')).toMatchObject(field)
  expect(await make('gotify', 'https://gotify.example')).toMatchObject({
    code: 'invalid-field',
    args: { field: 'token' },
  })
  expect(await make('push', 'https://push.example')).toMatchObject({
    code: 'invalid-field',
    args: { field: 'subscription' },
  })
  const zone = app.destinations.create({ ...webhookAt('https://hook.example/'), timeZone: 'Mars/Olympus' })
  expect(await refusal(zone)).toMatchObject({ code: 'invalid-field', args: { field: 'timeZone' } })
  const hours = app.destinations.create(
    webhookAt('https://hook.example/', { quietHours: { from: '24:00', to: '1:00' } }),
  )
  expect(await refusal(hours)).toMatchObject({ status: 422 })
  const unknown = app.destinations.create(webhookAt('https://hook.example/'))
  expect(await refusal(unknown)).toMatchObject({ status: 502, code: 'destination-unreachable' })
})

test('a private address is for admins and ALLOWED_NETWORKS, when it is entered and whenever it is used', async () => {
  const names = new Map([['hook.example', '127.0.0.1']])
  const resolve = async (name: string) => [names.get(name) ?? '93.184.215.14']
  await using app = await startTestApp({ env: withPasswords, resolve })
  const [alice, root] = [await app.signUp('alice'), app.as('root', 'Sup3rSecret')]
  for (const address of ['http://127.0.0.1:9/', 'http://10.0.0.1/', 'http://hook.example/', 'http://169.254.169.254/'])
    expect(await refusal(alice.destinations.create(webhookAt(address)))).toMatchObject({
      status: 422,
      code: 'address-not-allowed',
      args: { field: 'address' },
    })
  expect(await refusal(root.destinations.create(webhookAt('http://169.254.169.254/')))).toMatchObject({ status: 422 })
  const subscription = (await createSubscription('http://127.0.0.1:9/')).subscription
  const push = alice.destinations.create({ kind: 'push', subscription, ...wishes, events: [] })
  expect(await refusal(push)).toMatchObject({ code: 'address-not-allowed' })

  const { id } = await alice.destinations.create(webhookAt('http://moved.example/'))
  expect(await refusal(alice.destinations.edit(id, { address: 'http://10.0.0.1/' }))).toMatchObject({ status: 422 })
  names.set('moved.example', '127.0.0.1')
  expect(await alice.destinations.test(id)).toEqual({ failure: 'not-allowed', status: null })
})

test('within ALLOWED_NETWORKS everybody may have a destination', async () => {
  await using news = await startNews({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  const { app, receiver } = news
  const alice = await app.signUp('alice')
  const { id } = await alice.destinations.create(webhookAt(`${receiver.origin}/hook`))
  expect(await alice.destinations.test(id)).toEqual({ failure: null, status: null })
})

test('only admins hear of the server, and no longer once they are none', async () => {
  await using news = await startNews({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  const { app, root, receiver } = news
  const alice = await app.signUp('alice')
  const hook = webhookAt(`${receiver.origin}/hook`, { events: ['diskFull', 'newEpisodes'] })
  expect(await refusal(alice.destinations.create(hook))).toMatchObject({ status: 403, code: 'not-admin' })
  const { id } = await alice.destinations.create(webhookAt(`${receiver.origin}/hook`))
  expect(await refusal(alice.destinations.edit(id, { events: ['backupFailed'] }))).toMatchObject({ status: 403 })

  await root.users.change('alice', { role: 'admin' })
  await alice.destinations.edit(id, { events: ['diskFull', 'newEpisodes'] })
  await root.users.change('alice', { role: 'user' })
  app.context.destinations.record(alice.row.id, { types: ['diskFull'], facts: { freeBytes: 1 } })
  app.context.destinations.record(alice.row.id, episodesOf('Lighthouse', 'Fog'))
  await news.pass(10 * SECOND)
  expect(receiver.received).toEqual([])
  expect((await alice.destinations.list())[0]!.waiting).toBe(0)
})

test('an account has at most twenty destinations, those that can be restored among them', async () => {
  await using news = await startNews()
  const { root, receiver } = news
  const make = () => root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  const all = await Promise.all(Array.from({ length: 20 }, make))
  await root.destinations.remove(all[0]!.id)
  expect(await refusal(make())).toMatchObject({ status: 409, code: 'too-many-destinations', args: { limit: '20' } })
})

test('destinations go with their user', async () => {
  await using news = await startNews({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  const { app, root, receiver } = news
  const alice = await app.signUp('alice')
  await alice.destinations.create(webhookAt(`${receiver.origin}/hook`))
  app.context.destinations.record(alice.row.id, episodesOf('Lighthouse', 'Fog'))
  await root.users.remove('alice')
  news.clock.advance(HOUR)
  await deliver(app)
  expect(receiver.received).toEqual([])
  expect(app.context.store.destinations.countOf(alice.row.id)).toBe(0)
})
