import type { Database } from 'bun:sqlite'
import { damageOf, quickDamageOf } from './damage'

/** A file that the library counts on, as it should be. */
export type ExpectedFile = { id: number; title: string; file_path: string; file_size: number | null }

/** What a look at the whole database tells; slow, for the command line. */
export const healthStore = (db: Database) => ({
  /** Null = it is intact; otherwise what is wrong first. The index of the search is apart: it can be made anew. */
  damage(): string | null {
    const { database } = damageOf(db)
    if (database !== null) return database
    const orphan = db.query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check').get()
    return orphan && `a row of ${orphan.table} belongs to a row of ${orphan.parent} that is gone`
  },
  /** What is wrong with its pages, in the words of SQLite; null = nothing. Reads all of them. */
  quickDamage: () => quickDamageOf(db),
  /** The search does not find what it should, or finds what is gone. */
  isIndexDamaged: () => damageOf(db).index !== null,
  /** The running server fills it again. */
  emptyIndex() {
    for (const index of ['title_index', 'text_index'])
      db.query(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`).run()
    db.query('UPDATE episode SET search_place = NULL').run()
  },
  /** The latest moment that the library knows of, in milliseconds; 0 = none. */
  latest: () =>
    db
      .query<{ at: number }, []>(
        `SELECT max(coalesce((SELECT max(checked_at) FROM podcast), 0), coalesce((SELECT max(updated_at) FROM playback), 0),
                    coalesce((SELECT max(created_at) FROM user), 0)) AS at`,
      )
      .get()!.at,
  files: () =>
    db.query<ExpectedFile, []>('SELECT id, title, file_path, file_size FROM episode WHERE file_path IS NOT NULL').all(),
  covers: () =>
    db.query<{ id: number; digest: string }, []>('SELECT id, digest FROM cover WHERE digest IS NOT NULL').all(),
  forgetCover(id: number) {
    db.query('UPDATE cover SET digest = NULL, type = NULL, fetched_at = NULL WHERE id = ?').run(id)
  },
  admins: () => db.query<{ count: number }, []>("SELECT count(*) AS count FROM user WHERE role = 'admin'").get()!.count,
})
