/** The storages of media files: the media folder, or a bucket of an S3-compatible service. */
export const storageNames = ['folder', 's3'] as const
export type StorageName = (typeof storageNames)[number]

/** The place of a media file; the path is relative to its storage. */
export type FilePlace = { storage: StorageName; path: string }

/** A name as disks compare it that ignore case, also beyond ASCII. */
export const withoutCase = (name: string) => name.normalize('NFC').toLowerCase()
/** Whether SQLite's own comparison without case sees all of a name. */
export const isAscii = (name: string) => /^[\0-\x7f]*$/.test(name)
