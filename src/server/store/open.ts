import { Database } from 'bun:sqlite'
import { migrations } from './migrations'

export class DatabaseTooNew extends Error {
  override name = 'DatabaseTooNew'
}

/**
 * Opens the database, creates it where there is none, and brings its schema up to date.
 * A killed process loses nothing (WAL); a power cut may lose the last moments, never the database.
 *
 * `checkpointPages`: the commit that makes the log so long moves it into the database, and waits for the disk.
 */
export function openDatabase(path: string, checkpointPages = 4000): Database {
  const db = new Database(path, { create: true, strict: true })
  // First of all: at this moment another process may be closing it.
  db.run('PRAGMA busy_timeout = 5000')
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA synchronous = NORMAL')
  db.run('PRAGMA foreign_keys = ON')
  db.run('PRAGMA temp_store = MEMORY')
  db.run(`PRAGMA wal_autocheckpoint = ${checkpointPages}`)
  // Once its pages are in the database, the log shrinks to so many bytes.
  db.run('PRAGMA journal_size_limit = 1048576')
  migrate(db)
  return db
}

function migrate(db: Database) {
  const { user_version: version } = db.query<{ user_version: number }, []>('PRAGMA user_version').get()!
  if (version > migrations.length)
    throw new DatabaseTooNew(
      `The database has schema ${version}, this version of Castellan knows up to ${migrations.length}. ` +
        'It was last used by a newer version: install that one, or restore a backup made before the update.',
    )
  migrations.slice(version).forEach((sql, offset) => {
    db.transaction(() => {
      db.run(sql)
      db.run(`PRAGMA user_version = ${version + offset + 1}`)
    }).immediate()
  })
}
