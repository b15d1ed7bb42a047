import type { Database } from 'bun:sqlite'
import type { FileOfEpisode } from './episodes'
import type { FilePlace, StorageName } from './file-place'

/** A file that stayed when its podcast was deleted, with what identifies its episode; bytes. */
export type KeptFile = {
  path: string
  storage: StorageName
  feed_url: string
  guid: string
  title: string
  enclosure_url: string
  announced_at: number | null
  size: number
  digest: string
  type: string
  numbered: number
}

/** A file of an episode whose podcast was removed, with the address of its feed. */
export type FileOfRemoved = FileOfEpisode & { feed_url: string }

export type KeptFileOf = KeptFile & { episode_id: number }

// The guid alone proves nothing: some feeds give each new episode the guid of the last one. An episode is the same if
// it has the same date, and the same title or address; without a date it must have both.
const isSame = `e.guid = k.guid AND e.announced_at IS k.announced_at AND +e.file_path IS NULL
  AND (e.title = k.title) + (e.enclosure_url = k.enclosure_url) >= iif(k.announced_at IS NULL, 2, 1)`

const feedsOf = `SELECT feed_url FROM podcast WHERE id = $podcastId
        UNION ALL SELECT url FROM feed_alias WHERE podcast_id = $podcastId`

const select = `
  SELECT k.*, e.id AS episode_id
    FROM kept_file k
    JOIN episode e ON e.podcast_id = $podcastId AND ${isSame}
   WHERE k.feed_url IN (${feedsOf})`

/** Files of deleted podcasts. They return to their episodes when the podcast is added again. */
export const keptFileStore = (db: Database) => ({
  /** Call it in the transaction that deletes the episode. */
  add(file: KeptFile) {
    db.query<null, Record<string, string | number | null>>(
      `INSERT OR REPLACE INTO kept_file
         (path, storage, feed_url, guid, title, enclosure_url, announced_at, size, digest, type, numbered)
       VALUES ($path, $storage, $feed_url, $guid, $title, $enclosure_url, $announced_at, $size, $digest, $type, $numbered)`,
    ).run({ ...file })
  },
  /** Ids of podcasts that were added again and may own kept files. */
  podcasts: () =>
    db
      .query<{ id: number }, []>(
        'SELECT p.id FROM podcast p WHERE EXISTS (SELECT 1 FROM kept_file k WHERE k.feed_url = p.feed_url)',
      )
      .all()
      .map(({ id }) => id),
  /** Kept files of a podcast's episodes; not of episodes with a download, which has their file. */
  ofPodcast: (podcastId: number) =>
    db
      .query<KeptFileOf, { podcastId: number }>(
        `${select} AND NOT EXISTS (SELECT 1 FROM download d WHERE d.episode_id = e.id)`,
      )
      .all({ podcastId }),
  ofEpisode: (podcastId: number, episodeId: number) =>
    db
      .query<KeptFileOf, { podcastId: number; episodeId: number }>(`${select} AND e.id = $episodeId`)
      .all({ podcastId, episodeId }),
  /** Files of removed podcasts that are not recorded yet, and may belong to this episode of the same podcast. */
  unrecordedOf: (podcastId: number, episodeId: number) =>
    db
      .query<FileOfRemoved, { podcastId: number; episodeId: number }>(
        `SELECT k.id, k.file_path, k.file_storage, k.file_type, k.guid, k.title, k.enclosure_url, k.announced_at,
                k.numbered, r.kept_feed AS feed_url
           FROM removal r
           JOIN episode k ON k.podcast_id = r.row_id AND k.file_path IS NOT NULL
                         AND k.guid = (SELECT guid FROM episode WHERE id = $episodeId)
          WHERE r.of_table = 'podcast' AND r.kept_feed IN (${feedsOf})`,
      )
      .all({ podcastId, episodeId }),
  isAt: ({ storage, path }: FilePlace) =>
    db
      .query<{ one: number }, [string, string]>('SELECT 1 AS one FROM kept_file WHERE path = ? AND storage = ?')
      .get(path, storage) !== null,
  has: (path: string) =>
    db.query<{ one: number }, [string]>('SELECT 1 AS one FROM kept_file WHERE path = ?').get(path) !== null,
  forget(path: string) {
    db.query('DELETE FROM kept_file WHERE path = ?').run(path)
  },
})

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
  /** Moves the record of a deleted podcast's file to another storage; false if the record has changed. */
  changeOfKept: ({ path }: StoredMedia, from: StorageName, to: StorageName) =>
    db.query('UPDATE kept_file SET storage = ? WHERE path = ? AND storage = ?').run(to, path, from).changes === 1,
})

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
