import type { Database } from 'bun:sqlite'
import type { FilePlace, StorageName } from './file-place'

/** A file of the library with its storage; `kind` says whether an episode names it, or a podcast that was deleted. */
export type StoredMedia = {
  kind: 'episode' | 'kept'
  id: number
  path: string
  size: number | null
  type: string | null
}

/** The move of media files from one storage to the other. */
export const mediaCopyStore = (db: Database) => ({
  /** Notes a copy that is about to be made. */
  add({ storage, path }: FilePlace) {
    db.query('INSERT OR IGNORE INTO media_copy VALUES (?, ?)').run(storage, path)
  },
  list: () => db.query<FilePlace, []>('SELECT storage, path FROM media_copy').all(),
  settle({ storage, path }: FilePlace) {
    db.query('DELETE FROM media_copy WHERE storage = ? AND path = ?').run(storage, path)
  },
  /** Files of episodes in a storage, by their ids. */
  episodesIn: (storage: StorageName, afterId: number, limit: number) =>
    db
      .query<StoredMedia, [string, number, number]>(
        `SELECT 'episode' AS kind, id, file_path AS path, file_size AS size, file_type AS type
           FROM episode WHERE file_storage = ? AND file_path IS NOT NULL AND id > ? ORDER BY id LIMIT ?`,
      )
      .all(storage, afterId, limit),
  /** Files of deleted podcasts in a storage. */
  keptIn: (storage: StorageName) =>
    db
      .query<StoredMedia, [string]>(
        `SELECT 'kept' AS kind, 0 AS id, path, size, type FROM kept_file WHERE storage = ? ORDER BY path`,
      )
      .all(storage),
  /** The number of files in a storage, and their bytes. */
  totalIn: (storage: StorageName) =>
    db
      .query<{ files: number; bytes: number }, [string, string]>(
        `SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM (
           SELECT file_size AS size FROM episode WHERE file_storage = ? AND file_path IS NOT NULL
           UNION ALL SELECT size FROM kept_file WHERE storage = ?)`,
      )
      .get(storage, storage)!,
  /**
   * Names another storage as that of an episode's file, unless it was replaced or renamed in the meantime; returns
   * whether it did.
   */
  changeOfEpisode: ({ id, path, size }: StoredMedia, from: StorageName, to: StorageName) =>
    db
      .query(
        `UPDATE episode SET file_storage = ?
          WHERE id = ? AND file_path = ? AND file_storage = ? AND file_size IS ?`,
      )
      .run(to, id, path, from, size).changes === 1,
  /** The same for the file of a deleted podcast. */
  changeOfKept: ({ path }: StoredMedia, from: StorageName, to: StorageName) =>
    db.query('UPDATE kept_file SET storage = ? WHERE path = ? AND storage = ?').run(to, path, from).changes === 1,
})
