import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../src/server/data-folder'

/**
 * Asks for one row of a library that another process changes, as often as wanted. It stays open: opening it for each
 * look would take a processor from that process.
 */
export function watchRow<Row>(folder: string, sql: string) {
  const db = new Database(join(folder, DATABASE_FILE), { readonly: true })
  db.run('PRAGMA busy_timeout = 5000')
  const row = db.query<Row, []>(sql)
  return { get: () => row.get(), [Symbol.dispose]: () => db.close() }
}

export function readRow<Row>(folder: string, sql: string): Row | null {
  using row = watchRow<Row>(folder, sql)
  return row.get()
}

const LOOK_MS = 2

/** Waits until a row is as `is` wants it; `process`: no longer than this one runs. */
export async function untilRow<Row>(
  folder: string,
  sql: string,
  is: (row: Row | null) => boolean,
  process?: { exitCode: number | null },
) {
  using row = watchRow<Row>(folder, sql)
  while (process?.exitCode === null || process === undefined) {
    if (is(row.get())) return
    await Bun.sleep(LOOK_MS)
  }
}
