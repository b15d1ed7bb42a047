import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../src/server/data-folder'

/** Clocks: they only go on. And what moves note of themselves, and the record of what was done. */
const leftOut = /^(sqlite_|queue$|sync_clock$|move$|move_|audit$)/
/** Parts of the search index differ by when they were merged; ids of its rows do not. */
const shadow = /^(title_index|text_index|person_index)_(?!docsize$)/

/** Whether a column holds the origin of a merged row of an index. */
const isOrigin = (table: string, name: string) => name === 'origin' && table.endsWith('_docsize')

/** Every row of every table as JSON, in order, by table; tables without rows are left out. */
export function wholeDumpOf(folder: string): Record<string, string[]> {
  const db = new Database(join(folder, DATABASE_FILE), { readonly: true })
  try {
    const tables = db
      .query<{ name: string }, []>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
      )
      .all()
      .filter(({ name }) => !leftOut.test(name) && !shadow.test(name))
    return Object.fromEntries(
      tables.map(({ name }) => [name, rowsOf(db, name)] as const).filter(([, rows]) => rows.length > 0),
    )
  } finally {
    db.close()
  }
}

const rowsOf = (db: Database, table: string) =>
  db
    .query<Record<string, unknown>, []>(`SELECT * FROM ${table}`)
    .all()
    .map(row =>
      JSON.stringify(row, (name, value) => {
        if (isOrigin(table, name)) return undefined
        return value instanceof Uint8Array ? value.toBase64() : (value as unknown)
      }),
    )
    .sort()
