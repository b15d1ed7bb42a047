import { expect, test } from 'bun:test'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../../../src/server/config'
import { examineReplica } from '../../../../src/server/upkeep/doctor/services'
import { inspectReplica, requireNoLitestream } from '../../../../src/server/upkeep/replica'
import { startClock, startTestApp, temporaryFolder, withPasswords } from '../../../support/app'

const at = Date.UTC(2026, 4, 1, 12)
const secondsAgo = (seconds: number) => new Date(at - seconds * 1000).toISOString()

type Answers = Record<string, unknown>

/** Answers like a Litestream that replicated everything a second ago, on the socket in a data folder. */
function startLitestream(folder: string, changes: { list?: Answers; sync?: Answers; info?: Answers } = {}) {
  const path = join(folder, 'castellan.db')
  const answers: Record<string, unknown> = {
    '/info': { version: 'v0.5.18', pid: 1, ...changes.info },
    '/list': { databases: [{ path, status: 'replicating', last_sync_at: secondsAgo(1), ...changes.list }] },
    '/debug/sync-status': { databases: [{ path, active: false, updated_at: secondsAgo(1), ...changes.sync }] },
  }
  return Bun.serve({
    unix: join(folder, 'litestream.sock'),
    fetch: ({ url }) => Response.json(answers[new URL(url).pathname]),
  })
}

/** A file that Litestream copied out of the log. */
function plantCopy(folder: string, number: number, seconds: number) {
  const level = join(folder, '.castellan.db-litestream', 'ltx', '0')
  mkdirSync(level, { recursive: true })
  const name = number.toString(16).padStart(16, '0')
  writeFileSync(join(level, `${name}-${name}.ltx`), '')
  utimesSync(join(level, `${name}-${name}.ltx`), (at - seconds * 1000) / 1000, (at - seconds * 1000) / 1000)
}

const configOf = (folder: string) => readConfig({ DATA_DIRECTORY: folder, REPLICA_URL: 's3://bucket/castellan' })
const doctor = async (folder: string) =>
  (await examineReplica(configOf(folder), at)).map(({ level, text }) => `${level}: ${text}`)
const age = async (folder: string) => {
  const { completeUntil } = await inspectReplica(folder)
  return completeUntil === null ? null : (at - completeUntil) / 1000
}

test('a replica is as old as the last time at which nothing was left to copy, also when nothing was written for days', async () => {
  const folder = temporaryFolder()
  plantCopy(folder, 1, 86_400)
  using _ = startLitestream(folder)
  expect(await age(folder)).toBe(1)
  expect(await doctor(folder)).toEqual(['fine: the replica has everything written until 1 seconds ago'])
})

test('a bucket that is away makes the replica old', async () => {
  const folder = temporaryFolder()
  plantCopy(folder, 1, 0)
  using _ = startLitestream(folder, { list: { last_sync_at: secondsAgo(400) } })
  expect(await age(folder)).toBe(400)
  expect(await doctor(folder)).toEqual([
    'problem: the replica lacks everything written since 2026-05-01T11:53:20.000Z: see the log of Litestream',
  ])
})

test('a log that cannot be read makes the replica old, although everything copied before was sent', async () => {
  const folder = temporaryFolder()
  plantCopy(folder, 0xf, 100)
  plantCopy(folder, 0x10, 90)
  plantCopy(folder, 0xe, 110)
  using _ = startLitestream(folder, { sync: { error: 'cannot verify wal state' } })
  expect(await age(folder)).toBe(90)
  expect(await doctor(folder)).toEqual([expect.stringMatching(/^problem: .*Litestream says: cannot verify wal state$/)])
})

test('a Litestream that never sent anything has no replica', async () => {
  const folder = temporaryFolder()
  using _ = startLitestream(folder, { list: { last_sync_at: undefined } })
  expect(await age(folder)).toBeNull()
  expect(await doctor(folder)).toEqual(['problem: nothing has been replicated yet: see the log of Litestream'])
})

test('a Litestream that is stopped, or answers something else, counts as not running', async () => {
  const folder = temporaryFolder()
  expect(await doctor(folder)).toEqual([
    expect.stringMatching(/^warning: Litestream does not answer at .*litestream\.sock/),
  ])
  plantCopy(folder, 1, 60)
  const text = /warning: .*last copied something at 2026-05-01T11:59:00/
  {
    using _ = startLitestream(folder, { list: { status: 'stopped' } })
    expect(await doctor(folder)).toEqual([expect.stringMatching(text)])
  }
  using _ = Bun.serve({ unix: join(folder, 'litestream.sock'), fetch: () => new Response('<html>') })
  expect(await doctor(folder)).toEqual([expect.stringMatching(text)])
  expect(await age(folder)).toBe(60)
})

test('a library that has another path in another container is found, as long as it is the only one', async () => {
  const folder = temporaryFolder()
  using _ = startLitestream(folder, { list: { path: '/elsewhere/castellan.db' } })
  expect(await age(folder)).toBe(1)
})

test('versions that stop without a word are named', async () => {
  const folder = temporaryFolder()
  const findings = async (version: string) => {
    using _ = startLitestream(folder, { info: { version } })
    return (await doctor(folder)).filter(text => text.includes('may stop'))
  }
  for (const version of ['v0.5.7', '0.5.6', 'v0.4.13']) expect(await findings(version)).toHaveLength(1)
  for (const version of ['v0.5.8', 'v0.5.18', 'v0.6.0', 'v1.0.0', '(development build)'])
    expect(await findings(version)).toEqual([])
})

test('metrics tell the age of the replica, and nothing where none is configured', async () => {
  const metrics = async (env: Record<string, string>, folder = temporaryFolder(), running = true) => {
    await using app = await startTestApp({ env: { ...withPasswords, ...env }, folder, now: startClock(at) })
    using _ = running ? startLitestream(folder, { list: { last_sync_at: secondsAgo(42) } }) : null
    const text = await app.fetch('/metrics', {
      headers: { authorization: app.as('root', 'Sup3rSecret').authorization! },
    })
    return (await text.text()).split('\n').filter(line => line.startsWith('castellan_replica'))
  }
  const replica = { REPLICA_URL: 'file:///elsewhere' }
  expect(await metrics(replica)).toEqual(['castellan_replica_running 1', 'castellan_replica_age_seconds 42'])
  const folder = temporaryFolder()
  expect(await metrics(replica, folder, false)).toEqual([
    'castellan_replica_running 0',
    'castellan_replica_age_seconds +Inf',
  ])
  expect(await metrics({})).toEqual([])
})

test('the log says once when a replica is late, and when it has everything again', async () => {
  const now = startClock(at)
  const folder = temporaryFolder()
  await using app = await startTestApp({ env: { ...withPasswords, REPLICA_URL: 'file:///elsewhere' }, folder, now })
  const logged = () => app.lines.filter(line => line.includes('replica')).map(line => line.slice(line.indexOf('The')))
  const check = () => app.context.replica.check()
  await check()
  expect(logged()).toEqual([])
  const late = 'The replica is behind litestream="does not answer" completeUntil="unknown"'
  for (let time = 0; time < 3; time++) await check()
  expect(logged()).toEqual([late])
  const litestream = startLitestream(folder)
  for (let time = 0; time < 2; time++) await check()
  expect(logged()).toEqual([late, 'The replica has caught up'])
  now.advance(400_000)
  for (let time = 0; time < 2; time++) await check()
  expect(logged().at(-1)).toContain(`litestream="v0.5.18" completeUntil="${secondsAgo(1)}"`)
  await litestream.stop(true)
})

test('a library without a replica lacks none', async () => {
  await using app = await startTestApp({ env: withPasswords })
  for (let time = 0; time < 3; time++) await app.context.replica.check()
  expect(app.lines.filter(line => line.includes('replica'))).toEqual([])
  expect(await examineReplica(app.context.config, at)).toEqual([])
})

test('a restore is refused while Litestream runs', async () => {
  const folder = temporaryFolder()
  await requireNoLitestream(folder)
  using _ = startLitestream(folder)
  expect(requireNoLitestream(folder)).rejects.toThrow(/Litestream is running\. Stop Litestream first/)
})
