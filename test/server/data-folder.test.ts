import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { runRestoreCommand } from '../../src/server/cli/backup'
import { runDoctorCommand } from '../../src/server/cli/doctor'
import { runUsersCommand } from '../../src/server/cli/users'
import { readConfig } from '../../src/server/config'
import { DataFolderError } from '../../src/server/data-folder'
import { openDatabase } from '../../src/server/store/open'
import { executable } from '../support/executable'
import { refusal, startClock, startTestApp, temporaryFolder, withPasswords } from '../support/app'
import { rss } from '../support/builders'
import { startFeedHost } from '../support/feed-host'

const HOUR = 3_600_000
const configOf = (folder: string) => readConfig({ DATA_DIRECTORY: folder, ...withPasswords })

/** The folder of a library with a podcast, its secret and a backup; nothing runs in it. */
async function plant() {
  using host = startFeedHost()
  const folder = temporaryFolder()
  await using app = await startTestApp({ env: withPasswords, folder })
  app.prefill(0)
  await app.as('root', 'Sup3rSecret').podcasts.add(host.feed('/fog.xml', rss({ title: 'Fog', items: [{}] })))
  const { name } = await app.context.backups.create('manual')
  return { folder, backup: join(folder, 'backups', name), at: (name: string) => join(folder, name) }
}

/** Why a server does not start in a folder; null where it does. */
const refusalIn = (folder: string) =>
  refusal(startTestApp({ env: withPasswords, folder }).then(app => app[Symbol.asyncDispose]()))

const listing = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => `${name} ${Bun.hash(readFileSync(join(parentPath, name)))}`)
    .toSorted()

const withoutTables = (path: string) => {
  rmSync(path)
  const db = new Database(path, { create: true })
  db.run('PRAGMA user_version = 0')
  db.run('VACUUM')
  db.close()
}
const losses: Record<string, (path: string) => void> = {
  'is gone': rmSync,
  'is an empty file': path => truncateSync(path, 0),
  'holds no tables': withoutTables,
}

describe.each(Object.keys(losses))('a database that %s', loss => {
  test.each([
    ['a secret and backups', []],
    ['a secret', ['backups']],
    ['backups', ['secret.key']],
  ] as const)('is not begun anew beside %s, and nothing is touched', async (_, gone) => {
    const here = await plant()
    losses[loss]!(here.at('castellan.db'))
    for (const name of gone) rmSync(here.at(name), { recursive: true })
    const before = listing(here.folder)
    const error = await refusalIn(here.folder)
    expect(error).toBeInstanceOf(DataFolderError)
    expect((error as Error).message).toContain('castellan restore')
    if (existsSync(here.backup)) expect((error as Error).message).toContain(here.backup)
    expect(listing(here.folder)).toEqual(before)
    const lines: string[] = []
    expect(await runDoctorCommand([], configOf(here.folder), line => lines.push(line))).toBeGreaterThan(0)
    expect(lines.join('\n')).toContain('castellan restore')
    if (!existsSync(here.backup)) return
    runRestoreCommand([here.backup], configOf(here.folder), () => {})
    expect(await refusalIn(here.folder)).toBeNull()
  })
})

test('a log without its database is what is left of a library, and a restore removes it', async () => {
  const here = await plant()
  for (const name of ['castellan.db', 'secret.key']) rmSync(here.at(name))
  const backup = join(temporaryFolder(), 'backup.db')
  renameSync(here.backup, backup)
  writeFileSync(here.at('castellan.db-wal'), 'its log')
  const error = await refusalIn(here.folder)
  expect((error as Error).message).toMatch(/There is no .*castellan\.db, but .*castellan\.db-wal of a library is here/)
  runRestoreCommand([backup], configOf(here.folder), () => {})
  expect(await refusalIn(here.folder)).toBeNull()
})

test('a database without its secret is not opened: restoring brings the secret back', async () => {
  const here = await plant()
  rmSync(here.at('secret.key'))
  const before = listing(here.folder)
  const error = await refusalIn(here.folder)
  expect(error).toBeInstanceOf(DataFolderError)
  expect((error as Error).message).toContain('secret.key')
  expect((error as Error).message).toContain(`castellan restore ${here.backup}`)
  expect(listing(here.folder)).toEqual(before)
  runRestoreCommand([here.backup], configOf(here.folder), () => {})
  expect(await refusalIn(here.folder)).toBeNull()
  expect(statSync(here.at('secret.key')).size).toBe(32)
})

test('a secret of the wrong length is reported, too', async () => {
  const here = await plant()
  truncateSync(here.at('secret.key'), 0)
  const error = await refusalIn(here.folder)
  expect(error).toBeInstanceOf(DataFolderError)
  expect((error as Error).message).toContain(`castellan restore ${here.backup}`)
})

test('a first start that was killed at any instant is finished by the next one', async () => {
  const states: ((folder: string) => void)[] = [
    () => {},
    folder => writeFileSync(join(folder, 'secret.key.new'), 'half'),
    folder => writeFileSync(join(folder, 'castellan.db'), ''),
    folder => openDatabase(join(folder, 'castellan.db')).close(),
  ]
  for (const [index, state] of states.entries()) {
    const folder = temporaryFolder()
    if (index > 1) writeFileSync(join(folder, 'secret.key.new'), new Uint8Array(32).fill(7))
    mkdirSync(join(folder, 'backups'))
    state(folder)
    expect(await refusalIn(folder)).toBeNull()
    expect(readdirSync(folder)).toContain('secret.key')
    expect(readdirSync(folder)).not.toContain('secret.key.new')
    expect(await refusalIn(folder)).toBeNull()
  }
})

test('accounts may be made before the first start', async () => {
  const folder = temporaryFolder()
  const terminal = { print: () => {}, readPassword: async () => 'Corr3ctHorse' }
  await runUsersCommand(['add', 'mara', '--role', 'admin'], configOf(folder), terminal)
  expect(await refusalIn(folder)).toBeNull()
})

const wounds: Record<string, (path: string) => void> = {
  'whose head is overwritten': path => overwrite(path, 0, 4096),
  'that is text': path => writeFileSync(path, 'no database at all, '.repeat(5000)),
  'that is cut short': path => truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096),
  'whose tables lead nowhere': path => overwrite(path, 100, 3000),
}
function overwrite(path: string, from: number, to: number) {
  const bytes = readFileSync(path)
  bytes.fill(0x2a, from, to)
  writeFileSync(path, bytes)
}

test.each(Object.keys(wounds))('a database %s ends the start in a sentence that names what to do', async wound => {
  const here = await plant()
  const before = readFileSync(here.at('castellan.db'))
  wounds[wound]!(here.at('castellan.db'))
  const error = await refusalIn(here.folder)
  expect(error).toBeInstanceOf(DataFolderError)
  expect((error as Error).message).toContain('damaged')
  expect((error as Error).message).toContain(`castellan restore ${here.backup}`)

  const env = { DATA_DIRECTORY: here.folder, PORT: '0', HOST: '127.0.0.1' }
  const started = Bun.spawn([executable], { env, stdout: 'pipe', stderr: 'pipe' })
  expect(await started.exited).toBe(1)
  const said = await new Response(started.stderr).text()
  expect(said).toStartWith('castellan: ')
  expect(said).not.toMatch(/^\s+at /m)
  writeFileSync(here.at('castellan.db'), before)
  expect(await refusalIn(here.folder)).toBeNull()
})

test('damage in the middle is found by the check in the second thread, and told in the log and by health', async () => {
  const here = await plant()
  const db = new Database(here.at('castellan.db'))
  db.run('CREATE TABLE filler (text TEXT)')
  for (let row = 0; row < 200; row++) db.query('INSERT INTO filler VALUES (?)').run(`${row} ${'x'.repeat(3000)}`)
  const { page_count: pages } = db.query<{ page_count: number }, []>('PRAGMA page_count').get()!
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  await using app = await startTestApp({ env: withPasswords, folder: here.folder })
  await app.context.integrity.check()
  expect(app.lines.filter(line => line.includes('damaged'))).toEqual([])
  overwrite(here.at('castellan.db'), (pages - 20) * 4096, (pages - 15) * 4096)
  await app.context.integrity.check()
  const told = app.lines.filter(line => line.includes('The database is damaged'))
  expect(told).toHaveLength(1)
  expect(told[0]).toContain(`castellan restore ${here.backup}`)
  const ready = await app.fetch('/readyz')
  expect([ready.status, await ready.json()]).toEqual([503, { ready: false, checks: { database: false, disk: true } }])
})

test('backups of an empty library never push out those of a full one', async () => {
  using host = startFeedHost()
  const now = startClock()
  await using app = await startTestApp({ env: { ...withPasswords, BACKUP_KEEP: '3' }, now })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const podcast = await root.podcasts.add(host.feed('/fog.xml', rss({ title: 'Fog', items: [{}] })))
  const backUp = async (times: number) => {
    for (let turn = 0; turn < times; turn++) {
      now.advance(25 * HOUR)
      await app.context.backups.createIfDue()
    }
    const names = readdirSync(join(app.folder, 'backups'))
    const full = names.filter(name => holdsPodcasts(join(app.folder, 'backups', name)))
    return { full: full.length, empty: names.length - full.length }
  }
  expect(await backUp(5)).toEqual({ full: 3, empty: 0 })
  await root.podcasts.remove(podcast.id, false)
  expect(await backUp(5)).toEqual({ full: 3, empty: 3 })
  await root.podcasts.add(host.feed('/lamps.xml', rss({ title: 'Lamps', items: [{}] })))
  expect(await backUp(1)).toEqual({ full: 3, empty: 3 })
})

function holdsPodcasts(path: string): boolean {
  const copy = `${path}.read`
  writeFileSync(copy, readFileSync(path))
  const db = new Database(copy)
  const found = db.query('SELECT 1 FROM podcast').get() !== null
  db.close()
  renameSync(copy, join(temporaryFolder(), 'read'))
  return found
}
