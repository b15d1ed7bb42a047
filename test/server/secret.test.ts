import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBackupCommand, runRestoreCommand } from '../../src/server/cli/backup'
import { runDoctorCommand } from '../../src/server/cli/doctor'
import { runSecretCommand } from '../../src/server/cli/secret'
import { readConfig, type Environment } from '../../src/server/config'
import { openDataFolder } from '../../src/server/data-folder'
import { writeSecretText } from '../../src/server/platform/secret'
import { readSecretIn } from '../../src/server/store/backup'
import { migrations } from '../../src/server/store/migrations'
import { openDatabase } from '../../src/server/store/open'
import { startTestApp, temporaryFolder } from '../support/app'

const A = new Uint8Array(32).fill(0xa1)
const B = new Uint8Array(32).fill(0xb2)

const configOf = (folder: string, key: Uint8Array | null = null) =>
  readConfig({ DATA_DIRECTORY: folder, PODCAST_DIRECTORY: folder, ...envOf(key) })
const envOf = (key: Uint8Array | null): Environment => (key ? { SECRET_KEY: writeSecretText(key) } : {})
const silent = () => {}

function open(folder: string, key: Uint8Array | null = null) {
  const { store, secret } = openDataFolder(folder, { secretKey: key })
  store.close()
  return secret
}

/** A library made with a secret, which is in its folder or not. */
function plant(key: Uint8Array, isInFile: boolean, folder = temporaryFolder()) {
  open(folder, key)
  const at = (name: string) => join(folder, name)
  if (isInFile) writeFileSync(at('secret.key'), key, { mode: 0o600 })
  return { folder, at, has: (name: string) => existsSync(at(name)) }
}

const listing = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => `${name} ${Bun.hash(readFileSync(join(parentPath, name)))}`)
    .toSorted()

function printed(run: (print: (line: string) => void) => void): string {
  const lines: string[] = []
  run(line => lines.push(line))
  return lines.join('\n')
}

test('what was sealed with the file is opened with the same secret from the configuration, which is written nowhere', () => {
  const folder = temporaryFolder()
  const sealed = open(folder).seal('password of a feed')
  const text = printed(print => runSecretCommand([], configOf(folder), print))
  expect(text).toMatch(/^[0-9a-f]{64}$/)
  rmSync(join(folder, 'secret.key'))
  const { secretKey } = readConfig({ SECRET_KEY: text.toUpperCase() })
  expect(open(folder, secretKey).open(sealed)).toBe('password of a feed')
  expect(readdirSync(folder).filter(name => name.startsWith('secret'))).toEqual([])
  expect(() => open(folder)).toThrow(/no .*secret\.key.*Set SECRET_KEY/)
})

test('a secret may come from a file of the configuration, and one that is none is refused without being shown', () => {
  const path = join(temporaryFolder(), 'key')
  writeFileSync(path, `${writeSecretText(A)}\n`)
  expect(readConfig({ SECRET_KEY_FILE: path }).secretKey).toEqual(A)
  for (const text of [writeSecretText(A).slice(1), `${writeSecretText(A)}00`, 'hunter2hunter2'])
    expect(() => readConfig({ SECRET_KEY: text })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(text) as string }),
    )
})

test('a library is not opened with another secret, wherever that is, and nothing is touched', async () => {
  const cases: [
    inFile: boolean,
    change: (here: ReturnType<typeof plant>) => void,
    given: Uint8Array | null,
    why: RegExp,
  ][] = [
    [true, () => {}, B, /SECRET_KEY is not the secret in .*secret\.key/],
    [false, () => {}, B, /SECRET_KEY is not the secret of this library.*castellan secret/],
    [true, here => writeFileSync(here.at('secret.key'), B), null, /secret\.key is not the secret of this library/],
    [true, here => writeFileSync(here.at('secret.key'), B), A, /SECRET_KEY is not the secret in/],
  ]
  for (const [inFile, change, given, why] of cases) {
    const here = plant(A, inFile)
    change(here)
    const before = listing(here.folder)
    expect(() => open(here.folder, given)).toThrow(why)
    expect(listing(here.folder)).toEqual(before)
    const lines: string[] = []
    await runDoctorCommand([], configOf(here.folder, given), line => lines.push(line))
    expect(lines.join('\n')).toMatch(why)
  }
})

test('a library from before secrets were noted takes the secret that it gets', () => {
  const here = plant(A, true)
  const db = new Database(here.at('castellan.db'))
  db.run('PRAGMA application_id = 0')
  db.close()
  open(here.folder, A)
  rmSync(here.at('secret.key'))
  expect(() => open(here.folder, B)).toThrow(/not the secret/)
})

test('a library whose secret is lost goes on with a new one when somebody says so', () => {
  const here = plant(A, false)
  const renew = (key: Uint8Array | null) => runSecretCommand(['--new'], configOf(here.folder, key), silent)
  renew(null)
  expect(statSync(here.at('secret.key'))).toMatchObject({ size: 32, mode: 0o100600 })
  open(here.folder)
  rmSync(here.at('secret.key'))
  expect(() => open(here.folder, B)).toThrow(/not the secret.*castellan secret --new/)
  renew(B)
  open(here.folder, B)
  expect(here.has('secret.key')).toBe(false)
})

test('every kind of backup carries a secret that is in no file', async () => {
  const here = plant(A, false)
  const secretIn = (name: string) => readSecretIn(here.at(join('backups', name)))
  {
    await using app = await startTestApp({ folder: here.folder, env: envOf(A) })
    expect(secretIn((await app.context.backups.create('manual')).name)).toEqual(A)
  }
  const config = configOf(here.folder, A)
  expect(printed(print => runBackupCommand([here.at('copy.db')], config, print))).toContain(
    "contains the server's secret",
  )
  expect(readSecretIn(here.at('copy.db'))).toEqual(A)
  expect(printed(print => runSecretCommand([here.at('copy.db')], config, print))).toBe(writeSecretText(A))
  runRestoreCommand([here.at('copy.db')], config, silent)
  const kinds = Object.fromEntries(
    readdirSync(here.at('backups')).map(name => [/castellan-([a-z-]+)-\d/.exec(name)?.[1], secretIn(name)]),
  )
  expect(kinds).toEqual({ manual: A, 'before-restore': A })
})

test('the backup before an update carries a secret that is in no file', () => {
  const folder = temporaryFolder()
  const db = new Database(join(folder, 'castellan.db'), { create: true })
  for (const sql of migrations.slice(0, -1)) db.run(sql)
  db.run(`PRAGMA user_version = ${migrations.length - 1}`)
  db.close()
  open(folder, A)
  const [backup] = readdirSync(join(folder, 'backups'))
  expect(readSecretIn(join(folder, 'backups', backup!))).toEqual(A)
})

test('a backup by a command that does not get the secret says so, and one with a wrong secret carries none', () => {
  const here = plant(A, false)
  for (const key of [null, B]) {
    const name = here.at(`${key?.[0]}.db`)
    const text = printed(print => runBackupCommand([name], configOf(here.folder, key), print))
    expect(text).toContain("does not contain the server's secret")
    expect(readSecretIn(name)).toBeNull()
    expect(() => runSecretCommand([name], configOf(here.folder), silent)).toThrow(/does not contain a secret/)
  }
})

describe('restoring a backup', () => {
  const backup = join(temporaryFolder(), 'backup.db')
  const made = plant(A, false)
  const sealed = open(made.folder, A).seal('password of a feed')
  runBackupCommand([backup], configOf(made.folder, A), silent)

  const libraries: Record<string, () => string> = {
    'into an empty folder': temporaryFolder,
    'over a library with the same secret in its file': () => plant(A, true).folder,
    'over a library with the same secret in no file': () => plant(A, false).folder,
    'over a library with another secret in its file': () => plant(B, true).folder,
    'over a library with another secret in no file': () => plant(B, false).folder,
  }
  describe.each(Object.keys(libraries))('%s', name => {
    test('puts its secret into the file where the configuration gives none', () => {
      const folder = libraries[name]!()
      runRestoreCommand([backup], configOf(folder), silent)
      expect(new Uint8Array(readFileSync(join(folder, 'secret.key')))).toEqual(A)
      expect(open(folder).open(sealed)).toBe('password of a feed')
    })

    test('works with the same secret from the configuration, which still comes into no file', () => {
      const folder = libraries[name]!()
      const hadFile = existsSync(join(folder, 'secret.key'))
      runRestoreCommand([backup], configOf(folder, A), silent)
      expect(open(folder, A).open(sealed)).toBe('password of a feed')
      expect(existsSync(join(folder, 'secret.key'))).toBe(hadFile)
    })

    test('is refused with another secret from the configuration, and nothing is touched', () => {
      const folder = libraries[name]!()
      const before = listing(folder)
      expect(() => runRestoreCommand([backup], configOf(folder, B), silent)).toThrow(
        /another secret than SECRET_KEY.*castellan secret/,
      )
      expect(listing(folder)).toEqual(before)
    })
  })

  test('that was killed before its end is finished by the next start, with the right secret only', () => {
    for (const inFile of [true, false]) {
      const here = plant(B, inFile)
      writeFileSync(here.at('castellan.db'), readFileSync(backup))
      expect(() => open(here.folder, B)).toThrow(/restored database was made with another secret/)
      if (inFile) expect(open(here.folder).open(sealed)).toBe('password of a feed')
      else expect(open(here.folder, A).open(sealed)).toBe('password of a feed')
      expect(here.has('secret.key')).toBe(inFile)
    }
  })

  test('leaves the secret in no page of the database', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'castellan.db')
    writeFileSync(path, readFileSync(backup))
    expect(readFileSync(path).includes(A)).toBe(true)
    const db = openDatabase(path)
    db.run('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    expect(readFileSync(path).includes(A)).toBe(false)
  })
})

test('a first start with a secret from the configuration that was killed at any instant is finished by the next one', () => {
  const states: ((folder: string) => void)[] = [
    folder => writeFileSync(join(folder, 'castellan.db'), ''),
    folder => openDatabase(join(folder, 'castellan.db')).close(),
    folder => writeFileSync(join(folder, 'secret.key.new'), B),
  ]
  for (const state of states) {
    const folder = temporaryFolder()
    state(folder)
    open(folder, A)
    open(folder, A)
    expect(readdirSync(folder).filter(name => name.startsWith('secret'))).toEqual([])
  }
})
