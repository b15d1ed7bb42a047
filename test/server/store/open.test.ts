import { join } from 'node:path'
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { openDatabase } from '../../../src/server/store/open'
import { temporaryFolder } from '../../support/app'

test('a database of a newer version is refused with a sentence, and left as it is', () => {
  const path = join(temporaryFolder(), 'castellan.db')
  openDatabase(path).close()
  const db = new Database(path)
  db.run('PRAGMA user_version = 999')
  db.close()
  expect(() => openDatabase(path)).toThrow(/schema 999.*newer version/)
})

test('an open database is in WAL mode with its foreign keys on', () => {
  const db = openDatabase(join(temporaryFolder(), 'castellan.db'))
  expect(db.query('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(db.query('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 })
  db.close()
})
