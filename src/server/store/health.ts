import type { Database } from 'bun:sqlite'
import type { StorageName } from './file-place'
import { isGrowing } from './removals'
import { findDamage, findPageDamage } from './damage'

/** A file that should be on the disk; bytes. */
export type ExpectedFile = {
  id: number
  title: string
  file_path: string
  file_storage: StorageName
  file_size: number | null
}

/** Examines the whole database; slow, for `castellan doctor`. */
export const healthStore = (db: Database) => ({
  /** The first damage, except that of the search index, which can be rebuilt; null = none. */
  damage(): string | null {
    const { database } = findDamage(db)
    if (database !== null) return database
    const removed = new Set(
      db
        .query<{ of_table: string }, []>('SELECT of_table FROM removal')
        .all()
        .map(row => row.of_table),
    )
    const orphan = db
      .query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check')
      .all()
      .find(({ table, parent }) => !removed.has(parent) || !isGrowing(parent, table))
    return orphan ? `a row of ${orphan.table} belongs to a row of ${orphan.parent} that is gone` : null
  },
  /**
   * The first damaged page, in the words of SQLite; null = none. Reads all pages, but compares no index with its
   * table.
   */
  quickDamage: () => findPageDamage(db),
  /** Whether the search index lacks texts, or has texts that are gone. */
  isIndexDamaged: () => findDamage(db).index !== null,
  /** Empties the search index; the running server fills it again. */
  emptyIndex() {
    for (const index of ['title_index', 'text_index'])
      db.query(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`).run()
    db.query('UPDATE episode SET search_place = NULL').run()
  },
  /** The latest time in the library, in milliseconds; 0 = none. */
  latest: () =>
    db
      .query<{ at: number }, []>(
        `SELECT max(coalesce((SELECT max(checked_at) FROM podcast), 0), coalesce((SELECT max(updated_at) FROM playback), 0),
                    coalesce((SELECT max(created_at) FROM user), 0)) AS at`,
      )
      .get()!.at,
  files: () =>
    db
      .query<ExpectedFile, []>(
        `SELECT id, title, file_path, file_storage, file_size FROM episode INDEXED BY episode_downloaded
          WHERE file_path IS NOT NULL`,
      )
      .all(),
  covers: () =>
    db.query<{ id: number; digest: string }, []>('SELECT id, digest FROM cover WHERE digest IS NOT NULL').all(),
  forgetCover(id: number) {
    db.query('UPDATE cover SET digest = NULL, type = NULL, color = NULL, fetched_at = NULL WHERE id = ?').run(id)
  },
  admins: () => db.query<{ count: number }, []>("SELECT count(*) AS count FROM user WHERE role = 'admin'").get()!.count,
})
