import type { Database } from 'bun:sqlite'

/** Files that nothing in the library names any more, until they are deleted. */
export const forgottenFileStore = (db: Database) => ({
  add(path: string) {
    db.query('INSERT OR IGNORE INTO forgotten_file VALUES (?)').run(path)
  },
  list: () =>
    db
      .query<{ path: string }, []>('SELECT path FROM forgotten_file')
      .all()
      .map(({ path }) => path),
  settle(path: string) {
    db.query('DELETE FROM forgotten_file WHERE path = ?').run(path)
  },
})
