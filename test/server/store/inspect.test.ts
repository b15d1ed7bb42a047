import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inspectDatabase, isDamage } from '../../../src/server/store/inspect'
import { openDatabase } from '../../../src/server/store/open'
import { temporaryFolder } from '../../support/app'
import { plantStore } from './plant'

test('a database is absent, empty, damaged or whole', () => {
  const path = join(temporaryFolder(), 'castellan.db')
  expect(inspectDatabase(path)).toEqual({ is: 'absent' })
  writeFileSync(path, '')
  expect(inspectDatabase(path)).toEqual({ is: 'empty' })
  openDatabase(path).close()
  expect(inspectDatabase(path)).toEqual({ is: 'whole', carried: null, fingerprint: 0 })
  truncateSync(path, 8192)
  expect(inspectDatabase(path)).toMatchObject({ is: 'damaged' })
  expect([isDamage(new Error('no')), isDamage(null)]).toEqual([false, false])
})

test('a restored database carries its secret until it is opened, and only a whole secret counts', () => {
  using here = plantStore()
  const restore = (bytes: number) => {
    const backup = join(dirname(here.path), `${bytes}.db`)
    here.store.writeBackup(new Uint8Array(bytes).fill(7), backup)
    const path = join(temporaryFolder(), 'castellan.db')
    copyFileSync(backup, path)
    return path
  }
  expect(inspectDatabase(restore(31))).toEqual({ is: 'whole', carried: null, fingerprint: 0 })
  const path = restore(32)
  expect(inspectDatabase(path)).toMatchObject({ is: 'whole', carried: new Uint8Array(32).fill(7) })
  openDatabase(path).close()
  expect(inspectDatabase(path)).toEqual({ is: 'whole', carried: null, fingerprint: 0 })
  expect(new Uint8Array(readFileSync(join(dirname(path), 'secret.key')))).toEqual(new Uint8Array(32).fill(7))
})

test('a database in which Litestream made its tables first is empty', () => {
  const path = join(temporaryFolder(), 'castellan.db')
  const db = new Database(path, { create: true })
  db.run('CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)')
  db.run('CREATE TABLE _litestream_lock (id INTEGER)')
  expect(inspectDatabase(path)).toEqual({ is: 'empty' })
  db.close()
})

test('a damaged search index leaves a database whole: it can be rebuilt', () => {
  const path = join(temporaryFolder(), 'castellan.db')
  openDatabase(path).close()
  const db = new Database(path)
  const select = `SELECT rootpage AS page FROM sqlite_schema WHERE name = 'text_index_data'`
  const { page } = db.query<{ page: number }, []>(select).get()!
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  const bytes = readFileSync(path)
  bytes.fill(0x2a, (page - 1) * 4096, page * 4096)
  writeFileSync(path, bytes)
  expect(inspectDatabase(path)).toEqual({ is: 'whole', carried: null, fingerprint: 0 })
})
