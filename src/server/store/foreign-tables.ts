import { Database, type Statement } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'
import { ForeignDatabaseError, MOST_VALUE_BYTES, quoted } from './foreign-database'

/** A column of text, or of what may be a number. */
export type NewColumn = { name: string; isNumber: boolean; isIndexed: boolean }

export type ForeignTables = ReturnType<typeof createForeignTables>

/**
 * Creates a database for rows that another program wrote as text. It is whole after `end`, and worthless before. Throws
 * `ForeignDatabaseError` where it cannot be written.
 */
export function createForeignTables(path: string) {
  writeFileSync(path, '', { mode: 0o600 })
  const db = new Database(path)
  db.run('PRAGMA journal_mode = OFF')
  db.run('PRAGMA synchronous = OFF')
  db.run('BEGIN')
  const indexed: [table: string, column: string][] = []
  const inserts: Statement[] = []
  return {
    /** Makes a table, and returns the adding of a row to it. Longer values count as missing. */
    add(table: string, columns: readonly NewColumn[]) {
      if (columns.length === 0)
        throw new ForeignDatabaseError(`The table ${table} has none of its columns: this version is not known.`)
      const list = columns.map(({ name, isNumber }) => `${quoted(name)} ${isNumber ? 'NUMERIC' : 'TEXT'}`)
      db.run(`CREATE TABLE ${quoted(table)} (${list.join(', ')})`)
      for (const { name, isIndexed } of columns) if (isIndexed) indexed.push([table, name])
      const insert = db.prepare(`INSERT INTO ${quoted(table)} VALUES (${columns.map(() => '?').join(', ')})`)
      inserts.push(insert)
      return (row: readonly (string | null)[]) =>
        orExplained(() =>
          insert.run(...row.map(value => (value !== null && value.length > MOST_VALUE_BYTES ? null : value))),
        )
    },
    end() {
      orExplained(() => {
        for (const [table, column] of indexed)
          db.run(`CREATE INDEX ${quoted(`${table} ${column}`)} ON ${quoted(table)} (${quoted(column)})`)
        db.run('COMMIT')
      })
    },
    close() {
      for (const insert of inserts) insert.finalize()
      db.close()
    },
  }
}

function orExplained(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Error) || !/SQLite/.test(error.name)) throw error
    throw new ForeignDatabaseError(`The rows of the dump cannot be written (${error.message})`)
  }
}
