import { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { carriedSecret } from './backup'
import { readFingerprint } from './open'

/**
 * `carried`: the secret in a restored database that was not opened since, or null. `fingerprint`: that of its secret,
 * 0 = not noted.
 */
export type WholeDatabase = { is: 'whole'; carried: Uint8Array | null; fingerprint: number }
/** `reason`: in the words of SQLite. */
type DatabaseState = { is: 'absent' | 'empty' } | { is: 'damaged'; reason: string } | WholeDatabase

/**
 * Inspects the parts of a database that can be read quickly, however large it is: its header, its length, its schema
 * and the first page of every table. A full check finds damage elsewhere. Changes nothing.
 */
export function inspectDatabase(path: string): DatabaseState {
  if (!statSync(path, { throwIfNoEntry: false })) return { is: 'absent' }
  let db: Database | null = null
  try {
    db = new Database(path, { readwrite: true, create: false })
    db.run('PRAGMA busy_timeout = 5000')
    const tables = db
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
      .all()
      .map(({ name }) => name)
      // Litestream makes its own tables, also in a file that was created a moment ago.
      .filter(name => !name.startsWith('_litestream_'))
    if (tables.length === 0) return { is: 'empty' }
    // The search index can be rebuilt.
    const own = tables.filter(name => !/^(title|text)_index/.test(name))
    const firstRows = own.map(name => `EXISTS (SELECT 1 FROM "${name.replaceAll('"', '""')}")`)
    db.query(`SELECT ${firstRows.join(', ')}`).get()
    return { is: 'whole', carried: carriedSecret(db), fingerprint: readFingerprint(db) }
  } catch (error) {
    if (!isDamage(error)) throw error
    return { is: 'damaged', reason: (error as Error).message }
  } finally {
    db?.close()
  }
}

/** Whether an error means that a file is damaged, or not a database at all. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(String((error as { code?: unknown } | null)?.code))
