import { expect, test } from 'bun:test'
import type { UserSummary } from '../../../src/shared/api/user'
import { basic, goodPassword, startTestApp, withPasswords } from '../../support/app'
import { plant } from './permission-objects'
import { waysIn } from '../../support/modes'
import { sendWhole } from '../../support/raw-client'

/** Segments that name nothing: encoded twice, upwards, broken, very long. Clients resolve a bare `%2e%2e` themselves. */
const hostile = [
  '%2561lice',
  '%252e%252e',
  '%00',
  '%',
  '%f',
  '%ff',
  '%c0%ae',
  '%ed%a0%80',
  '..%2f',
  '..%2fpodcasts',
  '%5c..%5c',
  '%0d%0aX-Injected:%201',
  '%e2%80%ae',
  '__proto__',
  'constructor',
  'x'.repeat(6_000),
]

test('no route fails on a parameter, or answers it with somebody else’s object', async () => {
  using way = await waysIn['passwords']()
  await using app = await startTestApp({
    env: { ...way.env, ALLOWED_NETWORKS: '127.0.0.0/8' },
    // Unknown invitations and keys count as guesses.
    throttleLimits: {
      freeFailures: 9e9,
      maxFailuresPerPair: 9e9,
      maxFailuresPerAddress: 9e9,
      freeFailuresOfStrangers: 9e9,
      firstPauseMs: 1,
      longestPauseMs: 1,
    },
    directoryAddresses: { itunes: 'http://127.0.0.1:9', podindex: 'http://127.0.0.1:9' },
  })
  const { host, secrets } = await plant(app, way)
  using _ = host
  const headers = { ...(await way.headersOf('root')), 'Content-Type': 'application/json' }
  const wrong: string[] = []
  for (const { method, path } of app.app.routes) {
    if (!/[:*]/.test(path) || !/^(GET|POST|PUT|DELETE)$/.test(method)) continue
    for (const text of hostile) {
      const body = method === 'GET' ? undefined : '{}'
      const answer = await app.fetch(
        path.replace(/:\w+|\*/g, () => text),
        { method, headers, body },
      )
      const content = await answer.text()
      const isUnreachable = answer.status === 502 && path.endsWith('/search')
      if ((answer.status >= 500 && !isUnreachable) || secrets.some(secret => content.includes(secret)))
        wrong.push(`${method} ${path} ${text.slice(0, 20)}: ${answer.status} ${content.slice(0, 100)}`)
    }
  }
  expect(wrong).toEqual([])
})

test('a parameter is decoded once: a name is found by its encoded form, and by no form encoded twice', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { id } = (await app.signUp('alice')).row
  // Accounts of earlier versions have such names.
  app.context.store.users.rename(id, 'con%2f')
  const root = { headers: { Authorization: basic('root', 'Sup3rSecret') } }
  const statusOf = async (text: string) => (await app.fetch(`/api/v1/users/${text}`, root)).status
  expect(await statusOf('con%252f')).toBe(200)
  expect(await statusOf('con%25252f')).toBe(404)
  expect(await statusOf('con%2f')).toBe(404)
  app.context.store.users.rename(id, 'alice')
  expect(await statusOf('%61lice')).toBe(200)
  expect(await statusOf('%2561lice')).toBe(404)
})

test('broken escapes are refused with 400, as they arrive, by the router and by the apps’ protocols', async () => {
  await using app = await startTestApp({ env: withPasswords })
  for (const path of [
    '/api/v1/users/%',
    '/api/v1/users/%ff',
    '/api/2/devices/%ff.json',
    '/api/items/%ff',
    '/ui/assets/%ff',
  ]) {
    const answer = await sendWhole(app.listen(), `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close`, '')
    expect([path, answer.split('\r\n', 1)[0]]).toEqual([path, 'HTTP/1.1 400 Bad Request'])
  }
})

test('accounts with names that no address can hold are read, changed and deleted by id', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const root = app.as('root', 'Sup3rSecret')
  for (const name of ['.', '..', 'con%2f', '\u202ealice', '12345']) {
    const { row } = await app.signUp('alice')
    app.context.store.users.rename(row.id, name)
    expect(await root.client.get<UserSummary>(`/users/${row.uuid}`)).toMatchObject({ id: row.uuid, username: name })
    expect(await root.users.change(row.uuid, { role: 'uploader' })).toMatchObject({ username: name, role: 'uploader' })
    expect(await root.users.rename(row.uuid, 'honest')).toMatchObject({ id: row.uuid, username: 'honest' })
    await root.users.remove(row.uuid)
    expect((await root.users.list()).map(user => user.username)).toEqual(['root'])
  }
})

test('a text of the form of an id is never read as a name', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = (await app.signUp('alice')).row
  const mallory = (await app.signUp('mallory')).row
  app.context.store.users.rename(mallory.id, alice.uuid)
  const root = app.as('root', 'Sup3rSecret')
  expect(await root.client.get<UserSummary>(`/users/${alice.uuid}`)).toMatchObject({ username: 'alice' })
  await root.users.remove(alice.uuid)
  await expect(root.users.remove(alice.uuid)).rejects.toMatchObject({ code: 'user-not-found' })
})

test('no device of a podcast app gets a name that is no address', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = await app.signUp('alice')
  const headers = { Authorization: basic('alice', goodPassword), 'Content-Type': 'application/json' }
  const statusOf = async (path: string, body: unknown) =>
    (await app.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).status
  for (const device of ['.', '..']) {
    expect(await statusOf(`/api/2/devices/alice/${device}.json`, { caption: 'Phone' })).toBe(404)
    const action = { podcast: 'https://example.com/feed', episode: 'https://example.com/1.mp3', action: 'download' }
    expect(await statusOf('/api/2/episodes/alice.json', [{ ...action, device }])).toBe(400)
  }
  expect(await statusOf('/api/2/devices/alice/.phone..json', { caption: 'Phone' })).toBe(200)
  expect((await alice.client.get<{ id: string }[]>('/devices')).map(({ id }) => id)).toEqual(['.phone.'])
  await alice.client.remove('/devices/.phone.')
})
