import type { Database } from 'bun:sqlite'
import { storageNames, type FilePlace, type StorageName } from './file-place'
import type { EpisodeColumns, EpisodeFile, FileOfEpisode, MeasuredDuration, NamedEpisode } from './episodes'

const namedColumns =
  'id, eid, podcast_id, title, notes, published_at, duration, guid, enclosure_url, file_path, file_storage'

/** A measured duration replaces the one that is known; an estimate only fills a gap. */
const durationOf = (found: string, isEstimate: string) =>
  `iif(${isEstimate} AND duration > 0, duration, coalesce(${found}, duration))`

/** A downloaded file, as it is checked. */
export type CheckedFile = Pick<EpisodeColumns, 'id' | 'title' | 'file_path' | 'file_storage' | 'superseded'>

/** Records which episodes have a downloaded file. */
export const episodeFiles = (db: Database) => ({
  keepFile(id: number, { numbered = 0, storage = 'folder', isEstimate = false, form = null, ...file }: EpisodeFile) {
    db.query<null, Record<string, string | number | null>>(
      `UPDATE episode
          SET file_path = $path, file_storage = $storage, file_size = $size, file_type = $type, file_form = $form, downloaded_at = $now,
              removed = 0, newer_recording = 0,
              duration = ${durationOf('$duration', '$isEstimate')}, numbered = $numbered, chapters_unread = NULL
        WHERE id = $id`,
    ).run({ id, numbered, storage, form, isEstimate: Number(isEstimate), ...file })
  },
  dropFile: (id: number) => dropFile(db, id),
  moveFile(id: number, path: string) {
    db.query('UPDATE episode SET file_path = ? WHERE id = ?').run(path, id)
  },
  /** Marks that a person or a rule removed the file: no rule fetches it again until somebody asks for it. */
  markRemoved(id: number, removed: boolean) {
    db.query('UPDATE episode SET removed = ? WHERE id = ?').run(Number(removed), id)
  },
  /** Marks a file whose publisher offers another recording; an episode without a file plays that anyway. */
  noteNewerRecording(id: number) {
    db.query('UPDATE episode SET newer_recording = 1 WHERE id = ? AND file_path IS NOT NULL').run(id)
  },
  noteUnread(id: number, unread: EpisodeColumns['chapters_unread']) {
    db.query('UPDATE episode SET chapters_unread = ? WHERE id = ?').run(unread, id)
  },
  /** Corrects bytes and seconds after the file was read again; null keeps the known value. */
  remeasure(id: number, found: { size: number | null } & MeasuredDuration) {
    db.query<null, Record<string, number | null>>(
      `UPDATE episode SET file_size = coalesce($size, file_size), duration = ${durationOf('$duration', '$isEstimate')}
        WHERE id = $id`,
    ).run({ id, size: found.size, duration: found.duration, isEstimate: Number(found.isEstimate ?? false) })
  },
  markNumbered(id: number) {
    db.query('UPDATE episode SET numbered = 1 WHERE id = ?').run(id)
  },
  hasFile: (id: number, path: string) =>
    db
      .query<{ one: number }, [number, string]>('SELECT 1 AS one FROM episode WHERE id = ? AND file_path = ?')
      .get(id, path) !== null,
  /** Whether an episode has this file; ignores case, since some file systems do. */
  isFileTaken: (path: string) => findByFile(db, path) !== null,
  findByFile: (path: string) => findByFile(db, path),
  /** Whether the file of this episode is at this place. */
  isFileOf: (id: number, { storage, path }: FilePlace) =>
    db
      .query<{ one: number }, [number, string, string]>(
        'SELECT 1 AS one FROM episode WHERE id = ? AND file_path = ? AND file_storage = ?',
      )
      .get(id, path, storage) !== null,
  noteIndexSought(id: number) {
    db.query('UPDATE episode SET index_sought = 1 WHERE id = ?').run(id)
  },
  /** Whether an episode has this file in this storage. */
  isFileAt: ({ storage, path }: FilePlace) => findByFile(db, path)?.file_storage === storage,
})

const findByFile = (db: Database, path: string) =>
  db
    .query<{ id: number; file_storage: StorageName }, [string]>(
      'SELECT id, file_storage FROM episode WHERE file_path = ? COLLATE NOCASE',
    )
    .get(path)

const hasFileIn = (db: Database, storage: StorageName) =>
  db
    .query<{ one: number }, [string]>(
      'SELECT 1 AS one FROM episode WHERE file_storage = ? AND file_path IS NOT NULL LIMIT 1',
    )
    .get(storage) !== null

const hasFileOf = (db: Database, storage: StorageName, podcastId: number) =>
  db
    .query<{ one: number }, [number, string]>(
      'SELECT 1 AS one FROM episode WHERE podcast_id = ? AND +file_storage = ? AND file_path IS NOT NULL LIMIT 1',
    )
    .get(podcastId, storage) !== null

const checkedColumns = 'id, title, file_path, file_storage, superseded'

/** Lists episodes by whether they have a downloaded file. */
export const episodeFileLists = (db: Database) => ({
  /** Files in a storage, of episodes after an id, in the order of their ids. */
  filesAfter: (storage: StorageName, id: number, limit: number) =>
    db
      .query<CheckedFile, [string, number, number]>(
        `SELECT ${checkedColumns} FROM episode
          WHERE file_storage = ? AND id > ? AND file_path IS NOT NULL ORDER BY id LIMIT ?`,
      )
      .all(storage, id, limit),
  /** Downloaded MP4s that were not searched for their index yet. */
  withUnsoughtIndex: (after: number, limit: number) =>
    db
      .query<CheckedFile, [number, number]>(
        `SELECT ${checkedColumns} FROM episode INDEXED BY episode_index_unsought
          WHERE index_sought = 0 AND id > ? ORDER BY id LIMIT ?`,
      )
      .all(after, limit),
  /** Downloaded episodes of a podcast, oldest first. */
  withFilesOf: (podcastId: number) =>
    db
      .query<NamedEpisode, [number]>(
        `SELECT ${namedColumns} FROM episode WHERE podcast_id = ? AND file_path IS NOT NULL ORDER BY published_at, id`,
      )
      .all(podcastId),
  withoutFilesOf: (podcastId: number) =>
    db
      .query<NamedEpisode, [number]>(
        `SELECT ${namedColumns} FROM episode WHERE podcast_id = ? AND +file_path IS NULL ORDER BY published_at, id`,
      )
      .all(podcastId),
  /** The storages that hold files of the library, or of one podcast. */
  storagesInUse: (podcastId: number | null = null) =>
    storageNames.filter(storage => (podcastId === null ? hasFileIn(db, storage) : hasFileOf(db, storage, podcastId))),
  /** Paths of a few files in the media folder, enough to tell whether the media folder is the right one. */
  someFiles: () =>
    db
      .query<{ file_path: string }, []>(
        `SELECT file_path FROM episode WHERE file_storage = 'folder' AND file_path IS NOT NULL LIMIT 50`,
      )
      .all()
      .map(row => row.file_path),
  allWithFiles: () =>
    db
      .query<{ id: number; file_path: string }, []>(
        'SELECT id, file_path FROM episode WHERE file_path IS NOT NULL ORDER BY podcast_id, published_at',
      )
      .all(),
  /** Ids of a podcast's downloaded episodes that nobody likes. */
  unlikedWithFile: (podcastId: number): number[] =>
    db
      .query<{ id: number }, [number]>(
        `SELECT id FROM episode AS e
          WHERE podcast_id = ? AND file_path IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM episode_like WHERE episode_id = e.id)`,
      )
      .all(podcastId)
      .map(row => row.id),
  /** Files of a podcast, which may be removed already; all of them, unless `most` is given. */
  filesOf: (podcastId: number, most = -1) =>
    db
      .query<FileOfEpisode, [number, number]>(
        `SELECT id, file_path, file_storage, file_type, guid, title, enclosure_url, announced_at, numbered
           FROM episode WHERE podcast_id = ? AND file_path IS NOT NULL LIMIT ?`,
      )
      .all(podcastId, most),
})

/** Records that an episode has no file any more. */
export function dropFile(db: Database, id: number) {
  db.query(
    `UPDATE episode
        SET file_path = NULL, file_storage = 'folder', file_size = NULL, file_type = NULL, file_form = NULL,
            downloaded_at = NULL, chapters_unread = NULL, newer_recording = 0
      WHERE id = ?`,
  ).run(id)
}
