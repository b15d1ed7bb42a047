import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBackupCommand, runRestoreCommand } from '../../../../src/server/cli/backup'
import { lockDataFolder } from '../../../../src/server/platform/instance-lock'
import { openDatabase } from '../../../../src/server/store/open'
import { refusal, startClock, startTestApp, temporaryFolder, withPasswords, type TestApp } from '../../../support/app'
import { rss } from '../../../support/builders'
import { startFeedHost } from '../../../support/feed-host'

const HOUR = 3_600_000

/** A library with a private feed: its password is worth nothing without the server's secret. */
async function plant(folder = temporaryFolder(), env: Record<string, string> = {}) {
  const host = startFeedHost()
  const now = startClock()
  const app = await startTestApp({ env: { ...withPasswords, ...env }, folder, now })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  await root.podcasts.add(host.feed('/fog.xml', rss({ title: 'Fog', items: [{}, {}] })))
  return {
    app,
    root,
    now,
    folder,
    key: () => app.context.feedKeys.of(app.context.store.users.find(app.context.admin.id)!),
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]()
      host[Symbol.dispose]()
    },
  }
}

const silent = () => {}
const titles = async (app: TestApp) => (await app.as('root', 'Sup3rSecret').podcasts.list()).map(({ name }) => name)

test('a backup made while the server runs brings back everything, with the secret, into an empty folder', async () => {
  await using here = await plant()
  const file = join(temporaryFolder(), 'away.db')
  runBackupCommand([file], here.app.context.config, silent)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const key = here.key()

  const elsewhere = temporaryFolder()
  const config = { ...here.app.context.config, dataFolder: elsewhere }
  runRestoreCommand([file], config, silent)
  await using app = await startTestApp({ env: withPasswords, folder: elsewhere })
  expect(await titles(app)).toEqual(['Fog'])
  // Addresses of private feeds that people have in their apps still work.
  expect(app.context.feedKeys.of(app.context.store.users.find(app.context.admin.id)!)).toBe(key)
  expect(statSync(join(elsewhere, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(app.context.store.health.damage()).toBeNull()
})

test('a restore backs up what it replaces, and that can be restored again', async () => {
  const folder = temporaryFolder()
  const file = join(temporaryFolder(), 'fog.db')
  let config
  {
    await using here = await plant(folder)
    config = here.app.context.config
    runBackupCommand([file], config, silent)
    const [podcast] = await here.root.podcasts.list()
    await here.root.podcasts.remove(podcast!.id, false)
  }
  runRestoreCommand([file], config, silent)
  {
    await using app = await startTestApp({ env: withPasswords, folder })
    expect(await titles(app)).toEqual(['Fog'])
  }
  const before = readdirSync(join(folder, 'backups')).find(name => name.includes('before-restore'))!
  runRestoreCommand([join(folder, 'backups', before)], config, silent)
  await using app = await startTestApp({ env: withPasswords, folder })
  expect(await titles(app)).toEqual([])
})

test('a restore that is killed before its last step changes nothing; killed after it, it is finished at the next start', async () => {
  await using here = await plant()
  const file = join(temporaryFolder(), 'fog.db')
  runBackupCommand([file], here.app.context.config, silent)
  const key = here.key()
  // The database is in its place and carries the secret; the folder has another one.
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'castellan.db'), new Uint8Array(await Bun.file(file).arrayBuffer()))
  writeFileSync(join(folder, 'secret.key'), new Uint8Array(32))
  writeFileSync(join(folder, 'castellan.db.restoring'), 'half of another')
  await using app = await startTestApp({ env: withPasswords, folder })
  expect(app.context.feedKeys.of(app.context.store.users.find(app.context.admin.id)!)).toBe(key)
  expect(app.context.store.health.damage()).toBeNull()
})

test('a restored library tells of the next backup that fails, whatever failed before', async () => {
  const [folder, file] = [temporaryFolder(), join(temporaryFolder(), 'fog.db')]
  let config
  {
    await using here = await plant(folder)
    config = here.app.context.config
    here.app.context.events.publish({ type: 'backupFailed', reason: 'no room' })
    expect(here.app.context.store.troubles.begin('backupFailed', 1)).toBe(false)
    runBackupCommand([file], config, silent)
  }
  runRestoreCommand([file], config, silent)
  await using app = await startTestApp({ env: withPasswords, folder })
  expect(app.context.store.troubles.begin('backupFailed', 1)).toBe(true)
})

test('even a damaged database is replaced, and kept aside', async () => {
  const folder = temporaryFolder()
  const file = join(temporaryFolder(), 'fog.db')
  let config
  {
    await using here = await plant(folder)
    config = here.app.context.config
    runBackupCommand([file], config, silent)
  }
  const database = join(folder, 'castellan.db')
  truncateSync(database, 4096 + 100)
  runRestoreCommand([file], config, silent)
  await using app = await startTestApp({ env: withPasswords, folder })
  expect(await titles(app)).toEqual(['Fog'])
  expect(readdirSync(folder).some(name => name.startsWith('castellan.db.damaged-'))).toBe(true)
})

test('a restore refuses files that are no backup, damaged or of a newer version, and a server that runs, and says why', async () => {
  await using here = await plant()
  const { config } = here.app.context
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  runBackupCommand([at('good.db')], config, silent)
  writeFileSync(at('text.db'), 'no database at all, but long enough to be looked at by whoever reads it')
  openDatabase(at('plain.db')).close()
  await Bun.write(at('cut.db'), Bun.file(at('good.db')))
  truncateSync(at('cut.db'), 40_960)
  await Bun.write(at('newer.db'), Bun.file(at('good.db')))
  const newer = new Database(at('newer.db'))
  newer.run('PRAGMA user_version = 999')
  newer.close()
  const target = { ...config, dataFolder: temporaryFolder() }
  const restore = (name: string) => () => runRestoreCommand([at(name)], target, silent)
  expect(restore('none.db')).toThrow(/does not exist/)
  expect(restore('text.db')).toThrow(/is not a backup of Castellan/)
  expect(restore('plain.db')).toThrow(/is not a backup of Castellan/)
  expect(restore('cut.db')).toThrow(/is damaged/)
  expect(restore('newer.db')).toThrow(/newer version \(schema 999/)
  expect(existsSync(join(target.dataFolder, 'castellan.db'))).toBe(false)
  expect(() => runBackupCommand([at('good.db')], config, silent)).toThrow(/already/)
  expect(() => runRestoreCommand([], config, silent)).toThrow(/needs a file/)
  const unlock = lockDataFolder(join(config.dataFolder, 'castellan.lock'))
  expect(() => runRestoreCommand([at('good.db')], config, silent)).toThrow(/another instance/)
  unlock()
})

test('backups are made on schedule, a number of them kept, and those made by hand stay', async () => {
  await using here = await plant(temporaryFolder(), { BACKUP_KEEP: '2' })
  const { backups } = here.app.context
  const { now, root } = here
  const kinds = async () => (await root.backups.list()).map(({ kind }) => kind)
  await backups.createIfDue()
  await root.backups.create()
  for (let day = 0; day < 3; day++) {
    now.advance(23 * HOUR)
    await backups.createIfDue()
    now.advance(HOUR)
    await backups.createIfDue()
  }
  expect(await kinds()).toEqual(['scheduled', 'scheduled', 'manual'])
  const [newest] = await root.backups.list()
  expect(newest!.createdAt).toBe(new Date(now()).toISOString())
  // A clock that jumped back a year is no reason to make none for a year, and none to make one all the time.
  now.advance(-365 * 24 * HOUR)
  for (let turn = 0; turn < 2; turn++) await backups.createIfDue()
  expect(await kinds()).toEqual(['scheduled', 'manual', 'scheduled'])
  expect((await root.backups.list()).at(-1)!.createdAt).toBe(new Date(now()).toISOString())
})

test('admins list, fetch and delete backups; a fetched one can be restored; nothing else can be reached by the name', async () => {
  await using here = await plant()
  const { root, app } = here
  const [one, two] = await Promise.allSettled([root.backups.create(), root.backups.create()])
  expect([one.status, two.status]).toEqual(['fulfilled', 'rejected'])
  expect(two).toMatchObject({ reason: { code: 'already-running', args: { kind: 'backup' } } })
  const [made] = await root.backups.list()
  const file = join(temporaryFolder(), 'fetched.db')
  await Bun.write(file, await root.backups.file(made!.name))
  expect(statSync(file).size).toBe(made!.size)
  const elsewhere = temporaryFolder()
  runRestoreCommand([file], { ...app.context.config, dataFolder: elsewhere }, silent)
  for (const name of ['..%2fcastellan.db', '%2e%2e', 'castellan.db', `${made!.name}.part`, 'x'])
    expect(await refusal(root.backups.file(name))).toMatchObject({ status: 404 })
  await root.backups.remove(made!.name)
  expect(await root.backups.list()).toEqual([])
  expect(await refusal(root.backups.remove(made!.name))).toMatchObject({ code: 'backup-not-found' })
})

test('a backup that cannot be written leaves nothing behind, and the next one is made', async () => {
  await using here = await plant()
  const folder = join(here.folder, 'backups')
  // A file where the folder should be.
  rmSync(folder, { recursive: true, force: true })
  writeFileSync(folder, '')
  expect(await refusal(here.root.backups.create())).toMatchObject({ status: 500 })
  rmSync(folder)
  await here.root.backups.create()
  expect(readdirSync(folder).filter(name => name.endsWith('.part'))).toEqual([])
})

test('an unfinished backup of a killed process is removed at the next start', async () => {
  await using here = await plant()
  const { name } = await here.root.backups.create()
  const folder = join(here.folder, 'backups')
  for (const end of ['.part', '.part-journal'])
    writeFileSync(join(folder, `castellan-manual-20260501T120000Z.db${end}`), '')
  here.app.context.backups.recover()
  expect(readdirSync(folder)).toEqual([name])
})
