import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { everyWayIn, filled, forStrangers, json } from '../../support/access'
import { basic, startTestApp, withPasswords } from '../../support/app'
import { sendWhole } from '../../support/raw-client'
import { isAudiobookshelf } from '../../support/audiobookshelf-app'

test('C1: no GET changes anything, and no other site makes a change', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const root = { Authorization: basic('root', 'Sup3rSecret'), ...json }
  const changes = app.app.routes.filter(({ method }) => /^(POST|PUT|DELETE|PATCH)$/.test(method))
  const foreign = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: `${origin}.evil.example` },
  ] as Record<string, string>[]
  const letIn: string[] = []
  for (const { method, path } of changes)
    for (const headers of foreign) {
      // No cookie counts there, nor anything else that a browser sends by itself.
      if (isAudiobookshelf(path)) continue
      const { status } = await app.fetch(filled(path), { method, headers: { ...root, ...headers } })
      if (status !== 403) letIn.push(`${method} ${path} ${JSON.stringify(headers)} ${status}`)
    }
  expect(letIn).toEqual([])
  const preflight = await app.fetch('/api/v1/settings', { method: 'OPTIONS', headers: foreign[0]! })
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull()

  // The cookie signs in whoever reads; it changes nothing, from whichever page.
  const { Cookie } = await everyWayIn(app, origin, 'alice')
  for (const { method, path } of changes) {
    if (forStrangers.some(open => open.test(`${method} ${path}`))) continue
    expect([
      path,
      (await app.fetch(filled(path), { method, headers: { Cookie, Origin: 'http://localhost' } })).status,
    ]).toEqual([path, 401])
  }

  using database = new Database(`${app.folder}/castellan.db`, { readonly: true })
  const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  // A podcast app that calls for the first time is given a session, and its changes are counted from then on.
  const told = tables.filter(({ name }) => !/^(audit|session|sqlite_sequence|sync_clock|sync_time)$/.test(name))
  const rows = (name: string) => database.query(`SELECT * FROM "${name}"`).all()
  const dump = () => JSON.stringify(told.map(({ name }) => rows(name))).replaceAll(/"sync_begun":\d/g, '')
  const before = dump()
  expect(before).toContain('alice')
  for (const { method, path } of app.app.routes) if (method === 'GET') await app.fetch(filled(path), { headers: root })
  expect(dump()).toBe(before)
})

test('two Host headers are refused, and the host of an absolute request URL gets no foreign Host past the check', async () => {
  await using app = await startTestApp()
  const origin = app.listen()
  const statusOf = async (target: string, ...hosts: string[]) => {
    const head = [`GET ${target} HTTP/1.1`, ...hosts.map(host => `Host: ${host}`), 'Connection: close'].join('\r\n')
    return Number((await sendWhole(origin, head, '')).split(' ')[1])
  }
  const path = '/api/v1/users/me'
  expect(await statusOf(path, 'localhost')).toBe(200)
  expect(await statusOf(path, 'localhost', 'localhost')).toBe(400)
  expect(await statusOf(path, 'localhost', 'evil.example')).toBe(400)
  expect(await statusOf(path, 'evil.example', 'localhost')).toBe(400)
  expect(await statusOf(path, 'localhost, evil.example')).toBe(400)
  expect(await statusOf(path)).toBe(400)
  expect(await statusOf(`http://localhost${path}`, 'evil.example')).toBe(403)
  expect(await statusOf(`http://localhost${path}`, 'localhost', 'evil.example')).toBe(400)
  expect(await statusOf(`http://evil.example${path}`, 'evil.example')).toBe(403)
})
