import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { AuditEntry } from '../../../src/shared/api/audit'
import { runBackupCommand, runRestoreCommand } from '../../../src/server/cli/backup'
import { runUsersCommand } from '../../../src/server/cli/users'
import { createAudit } from '../../../src/server/audit/audit'
import { silentLog } from '../../../src/server/platform/log'
import { readConfig } from '../../../src/server/config'
import { basic, goodPassword, startClock, startTestApp, withPasswords, type TestApp } from '../../support/app'

const root = basic('root', withPasswords.PASSWORD)

async function acts(app: TestApp, query = ''): Promise<AuditEntry[]> {
  const response = await app.fetch(`/api/v1/audit${query}`, { headers: { Authorization: root } })
  expect(response.status).toBe(200)
  return (await response.json()) as AuditEntry[]
}
const kindsIn = (entries: readonly AuditEntry[]) => entries.map(({ kind }) => kind)

const send = (app: TestApp, method: string, path: string, authorization: string | null, body?: unknown) =>
  app.fetch(path, {
    method,
    headers: {
      'X-Forwarded-For': '203.0.113.7',
      ...(authorization && { Authorization: authorization }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

test('what an admin does to an account is recorded with both names and the address', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { row } = await app.signUp('alice')
  await send(app, 'PUT', '/api/v1/users/alice/role', root, { role: 'uploader' })
  await send(app, 'PUT', '/api/v1/users/alice/username', root, { username: 'alicia' })
  await send(app, 'DELETE', '/api/v1/users/alicia', root)
  const [removed, renamed, changed] = await acts(app, '?topic=accounts')
  const person = { id: row.uuid, name: 'alice' }
  expect(changed).toMatchObject({
    kind: 'role-changed',
    by: 'user',
    about: person,
    detail: 'uploader',
    address: '203.0.113.7',
  })
  expect(changed!.actor).toMatchObject({ name: 'root' })
  expect(renamed).toMatchObject({ kind: 'user-renamed', about: person, detail: 'alicia' })
  // The row outlives the account.
  expect(removed).toMatchObject({ kind: 'user-removed', about: { id: row.uuid, name: 'alicia' } })
})

test('sign-ins, keys, settings, podcasts and sessions are each recorded, and the log has a line for each', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = await app.signUp('alice')
  const login = await send(app, 'POST', '/api/v1/login', null, { username: 'alice', password: goodPassword })
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!
  const asAlice = alice.authorization!
  const made = (await (
    await send(app, 'POST', '/api/v1/users/me/appPasswords', asAlice, { name: 'Car\nradio' })
  ).json()) as {
    id: string
    password: string
  }
  await send(app, 'GET', '/api/2/devices/alice.json', basic('alice', made.password))
  await send(app, 'DELETE', `/api/v1/users/me/appPasswords/${made.id}`, asAlice)
  await send(app, 'POST', '/api/v1/users/me/feedKey', asAlice)
  await send(app, 'PUT', '/api/v1/users/alice', asAlice, { apiKey: '0123456789abcdef0123456789abcdee' })
  await send(app, 'PUT', '/api/v1/users/alice', asAlice, { password: 'An0therPassword' })
  await send(app, 'PUT', '/api/v1/settings', root, { podcastPrefill: 3 })
  await send(app, 'POST', '/api/v1/invites', root, { role: 'uploader' })
  await send(app, 'POST', '/api/v1/backups', root)
  app.context.publish({ type: 'podcastRemoved', uuid: 'x', title: 'Lamp', explicit: false, source: 'library' })
  void cookie

  const found = (await acts(app)).toReversed()
  for (const kind of [
    'invite-made',
    'user-added',
    'signed-in',
    'key-made',
    'key-removed',
    'feed-key-renewed',
    'password-changed',
    'settings-changed',
    'backup-made',
    'podcast-removed',
    'key-used',
  ] as const) {
    expect(kindsIn(found)).toContain(kind)
    expect(app.lines.some(line => line.includes(` info  Activity kind="${kind}" source="`))).toBe(true)
  }
  expect(found.find(({ kind }) => kind === 'signed-in')).toMatchObject({
    actor: { name: 'alice' },
    about: null,
    via: 'password',
    address: '203.0.113.7',
  })
  expect(found.find(({ kind }) => kind === 'settings-changed')).toMatchObject({
    detail: 'podcastPrefill: 5 → 3',
    facts: { changes: [{ name: 'podcastPrefill', before: 5, after: 3 }] },
  })
  expect(found.find(({ kind, via }) => kind === 'key-made' && via === 'app-password')!.detail).toMatch(/^Car.radio$/)
  expect(found.find(({ kind }) => kind === 'podcast-removed')).toMatchObject({
    by: 'server',
    actor: null,
    detail: 'Lamp',
  })
  const everything = JSON.stringify(found) + app.lines.join('\n')
  for (const secret of [goodPassword, 'An0therPassword', made.password, '0123456789abcdef0123456789abcdee'])
    expect(everything).not.toContain(secret)
})

test('refusals of the same address and name are one row that is counted up, and never push out what others did', async () => {
  const now = startClock()
  await using app = await startTestApp({ env: withPasswords, now })
  const { audit } = app.context
  await send(app, 'POST', '/api/v1/invites', root)
  for (let at = 0; at < 30; at++)
    await audit.listeners.signInRefused!({
      type: 'signInRefused',
      way: 'password',
      reason: 'wrong-password',
      name: 'root',
      address: '203.0.113.9',
      isRepeated: false,
    } as never)
  const [one] = await acts(app, '?topic=refused')
  expect(one).toMatchObject({ count: 30, reason: 'wrong-password', about: { name: 'root' }, address: '203.0.113.9' })
  for (let at = 0; at < 12_000; at++) {
    await audit.listeners.signInRefused!({
      way: 'password',
      reason: 'wrong-password',
      name: `n${at}`,
      address: '203.0.113.9',
      isRepeated: false,
    } as never)
    if (at % 500 === 499) audit.flush()
  }
  expect(
    app.context.store.audit.page({ person: null, topic: 'refused', from: 0, before: 1e15 }, undefined, 20_000).length,
  ).toBeLessThanOrEqual(5200)
  expect(kindsIn(await acts(app, '?topic=accounts'))).toEqual(['invite-made'])
})

test('pages follow one another without a gap, and filters by person, topic and day hold on each', async () => {
  const now = startClock()
  await using app = await startTestApp({ env: withPasswords, now })
  const { row } = await app.signUp('alice')
  for (let at = 0; at < 25; at++) {
    app.context.publish({
      type: 'recorded',
      kind: 'podcast-added',
      ...(at % 5 === 0 && { actor: row }),
      detail: `Lamp ${at}`,
    })
    if (at === 14) now.advance(24 * 3_600_000)
  }
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const path = `/api/v1/audit?topic=podcasts&limit=4${cursor && `&cursor=${cursor}`}`
    const response: Response = await app.fetch(path, { headers: { Authorization: root } })
    seen.push(...((await response.json()) as AuditEntry[]).map(({ detail }) => detail))
    cursor = response.headers.get('x-next-cursor')
  }
  expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => `Lamp ${24 - at}`))
  expect((await acts(app, '?person=alice&topic=podcasts')).map(({ detail }) => detail)).toEqual(
    [20, 15, 10, 5, 0].map(at => `Lamp ${at}`),
  )
  expect(await acts(app, '?topic=podcasts&day=2026-05-01')).toHaveLength(15)
  expect(await acts(app, '?topic=podcasts&day=2026-05-02')).toHaveLength(10)
  // It is noon in UTC, and already the next day where the clock is 13 hours ahead.
  expect(await acts(app, '?topic=podcasts&day=2026-05-02&offset=780')).toHaveLength(15)
  now.advance(401 * 86_400_000)
  app.context.audit.removeOld()
  expect(await acts(app, '?topic=podcasts')).toEqual([])
})

test('commands are recorded as such, and a restore in the database that it restored', async () => {
  const app = await startTestApp({ env: withPasswords })
  const { folder } = app
  const config = readConfig({ DATA_DIRECTORY: folder, ...withPasswords })
  const terminal = { print: () => {}, readPassword: async () => goodPassword }
  await runUsersCommand(['add', 'bob', '--role', 'uploader'], config, terminal)
  await runUsersCommand(['set-password', 'bob'], config, terminal)
  expect((await acts(app, '?person=bob')).map(({ kind, by, detail }) => [kind, by, detail])).toEqual([
    ['password-changed', 'command-line', ''],
    ['user-added', 'command-line', 'uploader'],
  ])
  const file = join(folder, 'kept.db')
  runBackupCommand([file], config, () => {})
  await app[Symbol.asyncDispose]()
  runRestoreCommand([file], config, () => {})
  await using after = await startTestApp({ env: withPasswords, folder })
  expect((await acts(after, '?topic=backups'))[0]).toMatchObject({
    kind: 'restored',
    by: 'command-line',
    detail: 'kept.db',
  })
})

test('a database that refuses a write delays the record and loses nothing', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { store, now } = app.context
  let isBusy = true
  const inTransaction = <T>(work: () => T): T => {
    if (isBusy) throw new Error('SQLITE_BUSY')
    return store.inTransaction(work)
  }
  const audit = createAudit({ store: { ...store, inTransaction }, now, log: silentLog, outside: 'server', days: 400 })
  expect(() => audit.record({ kind: 'podcast-added', detail: 'Lamp' })).toThrow()
  isBusy = false
  audit.flush()
  expect((await acts(app)).map(({ detail }) => detail)).toContain('Lamp')
})
