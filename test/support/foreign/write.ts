import { Database } from 'bun:sqlite'
import { rmSync } from 'node:fs'

type Value = string | number | null
type Rows = readonly Record<string, Value>[]

/** Writes a database of another program: its tables as that program makes them, then rows. */
export function writeForeign(path: string, schema: string, rows: Record<string, Rows>, version = 0) {
  rmSync(path, { force: true })
  const db = new Database(path)
  try {
    db.run(schema)
    db.run(`PRAGMA user_version = ${version}`)
    db.transaction(() => {
      for (const [table, list] of Object.entries(rows)) for (const row of list) insert(db, table, row)
    })()
  } finally {
    db.close()
  }
  return path
}

/** Runs statements on a database of another program, as that program would. */
export function changeForeign(path: string, sql: string) {
  const db = new Database(path)
  try {
    if (sql !== '') db.run(sql)
  } finally {
    db.close()
  }
}

function insert(db: Database, table: string, row: Record<string, Value>) {
  const names = Object.keys(row)
  db.query(
    `INSERT INTO "${table}" (${names.map(name => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  ).run(...Object.values(row))
}
