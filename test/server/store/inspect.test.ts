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
  expect(inspectDatabase(path)).toEqual({ is: 'whole', carriesSecret: false })
  truncateSync(path, 8192)
  expect(inspectDatabase(path)).toMatchObject({ is: 'damaged' })
  expect([isDamage(new Error('no')), isDamage(null)]).toEqual([false, false])
})

test('a restored database carries its secret until it is opened, and only a whole secret counts', () => {
  using here = plantStore()
  const folder = dirname(here.path)
  const restore = (bytes: number) => {
    writeFileSync(join(folder, 'secret.key'), new Uint8Array(bytes).fill(7))
    const backup = join(folder, `${bytes}.db`)
    here.store.writeBackup(join(folder, 'secret.key'), backup)
    const path = join(temporaryFolder(), 'castellan.db')
    copyFileSync(backup, path)
    return path
  }
  expect(inspectDatabase(restore(31))).toEqual({ is: 'whole', carriesSecret: false })
  const path = restore(32)
  expect(inspectDatabase(path)).toEqual({ is: 'whole', carriesSecret: true })
  openDatabase(path).close()
  expect(inspectDatabase(path)).toEqual({ is: 'whole', carriesSecret: false })
  expect(new Uint8Array(readFileSync(join(dirname(path), 'secret.key')))).toEqual(new Uint8Array(32).fill(7))
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
  expect(inspectDatabase(path)).toEqual({ is: 'whole', carriesSecret: false })
})
