/** The storages of media files: the media folder, or a bucket of an S3-compatible service. */
export const storageNames = ['folder', 's3'] as const
export type StorageName = (typeof storageNames)[number]

/** The place of a media file; the path is relative to its storage. */
export type FilePlace = { storage: StorageName; path: string }

/** The place of an episode's file; null without one. */
export const placeOf = (episode: { file_path: string | null; file_storage: StorageName }): FilePlace | null =>
  episode.file_path === null ? null : { storage: episode.file_storage, path: episode.file_path }

/** The place to which a download is about to bring its file; null before that. */
export const targetOf = (row: { target_path: string | null; target_storage: StorageName }): FilePlace | null =>
  row.target_path === null ? null : { storage: row.target_storage, path: row.target_path }

/** A name as disks compare it that ignore case, also beyond ASCII. */
export const withoutCase = (name: string) => name.normalize('NFC').toLowerCase()
/** Whether SQLite's own comparison without case sees all of a name. */
export const isAscii = (name: string) => /^[\0-\x7f]*$/.test(name)
