import type { Database } from 'bun:sqlite'

/** Pages written, or given back, by one step: some milliseconds, in which others wait to write. */
const PAGES = 64
/** Free pages that are left for what is written next: 4 MB. */
const FREE_PAGES = 1024

const INCREMENTAL = 2

/** Keeps the database small and quick to search; each step is a short transaction. */
export const upkeepStore = (db: Database) => ({
  /** Merges some pages of the search index; false when its parts are as few as they get. */
  mergeIndex: () => mergeSome(db, 'title_index') || mergeSome(db, 'text_index'),
  /** Gives free pages at the end of the file back to the disk; false when there are few. */
  shrinkFile(): boolean {
    if (pragma(db, 'auto_vacuum') !== INCREMENTAL) return false
    const free = pragma(db, 'freelist_count')
    if (free <= FREE_PAGES) return false
    db.query(`PRAGMA incremental_vacuum(${PAGES})`).all()
    return pragma(db, 'freelist_count') < free
  },
})

function pragma(db: Database, name: string): number {
  const row = db.query<Record<string, number>, []>(`PRAGMA ${name}`).get()!
  return row[name]!
}

/** FTS5 counts one change when there is nothing to merge. */
function mergeSome(db: Database, index: string): boolean {
  const before = totalChanges(db)
  db.query(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${PAGES})`).run()
  return totalChanges(db) - before > 1
}

const totalChanges = (db: Database) => db.query<{ total: number }, []>('SELECT total_changes() AS total').get()!.total
