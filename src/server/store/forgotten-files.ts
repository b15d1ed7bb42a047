import type { Database } from 'bun:sqlite'
import type { FilePlace } from './file-place'

/** Files that nothing in the library names any more, until they are deleted. */
export const forgottenFileStore = (db: Database) => ({
  add({ storage, path }: FilePlace) {
    db.query('INSERT OR IGNORE INTO forgotten_file VALUES (?, ?)').run(storage, path)
  },
  list: () => db.query<FilePlace, []>('SELECT storage, path FROM forgotten_file').all(),
  settle({ storage, path }: FilePlace) {
    db.query('DELETE FROM forgotten_file WHERE storage = ? AND path = ?').run(storage, path)
  },
})
