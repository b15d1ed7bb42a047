import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBackupCommand, runRestoreCommand } from '../../../../src/server/cli/backup'
import { runDoctorCommand } from '../../../../src/server/cli/doctor'
import { runInitCommand } from '../../../../src/server/cli/secret'
import { runUsersCommand } from '../../../../src/server/cli/users'
import { readConfig, type Environment } from '../../../../src/server/config'
import { openDataFolder } from '../../../../src/server/data-folder'
import { refusal, temporaryFolder } from '../../../support/app'

const configOf = (folder: string, env: Environment = {}) =>
  readConfig({ DATA_DIRECTORY: folder, PODCAST_DIRECTORY: folder, REPLICA_URL: 's3://bucket/castellan', ...env })
const open = (folder: string, env?: Environment) => openDataFolder(folder, configOf(folder, env)).store.close()
const silent = () => {}

test('an empty folder is no new library where a replica is configured: the message has the command that restores it', async () => {
  const folder = temporaryFolder()
  const command = `litestream restore -o ${join(folder, 'castellan.db')} 's3://bucket/castellan'`
  expect(() => open(folder)).toThrow(expect.objectContaining({ message: expect.stringContaining(command) as string }))
  expect(() => open(folder)).toThrow(/castellan init/)
  const terminal = { print: silent, readPassword: async () => 'Corr3ctHorse' }
  expect(await refusal(runUsersCommand(['add', 'mara'], configOf(folder), terminal))).toMatchObject({
    message: expect.stringContaining(command) as string,
  })
  expect(readdirSync(folder)).toEqual([])
  const lines: string[] = []
  expect(await runDoctorCommand([], configOf(folder), line => lines.push(line))).toBe(1)
  expect(lines.join('\n')).toContain(command)
})

test('an empty database, also one that Litestream has opened, is no library either', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'castellan.db')
  writeFileSync(path, '')
  expect(() => open(folder)).toThrow(/litestream restore/)
  const db = new Database(path)
  db.run('CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)')
  db.close()
  expect(() => open(folder)).toThrow(/litestream restore/)
})

test('a new library is created by a command, once, and also after that was killed at any instant', () => {
  const states: ((folder: string) => void)[] = [
    () => {},
    folder => writeFileSync(join(folder, 'secret.key.new'), 'half'),
    folder => writeFileSync(join(folder, 'castellan.db'), ''),
  ]
  for (const env of [{}, { SECRET_KEY: 'ab'.repeat(32) }])
    for (const state of states) {
      const folder = temporaryFolder()
      state(folder)
      const lines: string[] = []
      runInitCommand([], configOf(folder, env), line => lines.push(line))
      expect(existsSync(join(folder, 'secret.key'))).toBe(!('SECRET_KEY' in env))
      open(folder, env)
      expect(() => runInitCommand([], configOf(folder, env), silent)).toThrow(/exists already/)
      expect(lines.join('\n')).toContain('Created an empty library')
    }
})

test('a lost database beside its secret names the replica and the backups, and no password of the address', () => {
  const folder = temporaryFolder()
  runInitCommand([], configOf(folder), silent)
  rmSync(join(folder, 'castellan.db'))
  const env = { REPLICA_URL: 'sftp://mara:hunter2@nas.example/castellan' }
  expect(() => open(folder, env)).toThrow(
    /litestream restore -o .* 'sftp:\/\/mara:…@nas\.example\/castellan'.*castellan restore/,
  )
  expect(() => runInitCommand([], configOf(folder, env), silent)).toThrow(/castellan restore/)
})

test('an address that Litestream does not know as one is a mistake', () => {
  for (const url of ['bucket/castellan', "s3://b'; rm", 's3://a b'])
    expect(() => readConfig({ REPLICA_URL: url })).toThrow(/REPLICA_URL is not an address/)
})

test('a database that another program has open is not replaced, and no backup is left over', () => {
  const folder = temporaryFolder()
  const config = configOf(folder)
  runInitCommand([], config, silent)
  const backup = join(temporaryFolder(), 'copy.db')
  runBackupCommand([backup], config, silent)
  const litestream = new Database(join(folder, 'castellan.db'))
  litestream.run('BEGIN')
  litestream.query('SELECT count(*) FROM podcast').get()
  expect(() => runRestoreCommand([backup], config, silent)).toThrow(
    /Another program uses .*castellan\.db.*Stop Litestream/,
  )
  expect(readdirSync(join(folder, 'backups'))).toEqual([])
  expect(readdirSync(folder).filter(name => /damaged|restoring/.test(name))).toEqual([])
  litestream.close()
  runRestoreCommand([backup], config, silent)
  open(folder)
})

test('a restore makes Litestream begin anew', () => {
  const folder = temporaryFolder()
  const config = configOf(folder)
  runInitCommand([], config, silent)
  const backup = join(temporaryFolder(), 'copy.db')
  runBackupCommand([backup], config, silent)
  const lines: string[] = []
  const restore = () => runRestoreCommand([backup], config, line => lines.push(line))
  restore()
  expect(lines.join('\n')).not.toContain('Litestream')
  mkdirSync(join(folder, '.castellan.db-litestream', 'ltx', '0'), { recursive: true })
  restore()
  expect(existsSync(join(folder, '.castellan.db-litestream'))).toBe(false)
  expect(lines.join('\n')).toContain('Litestream begins with a new snapshot')
})
