/** The storages of media files: the media folder, or a bucket of an S3-compatible service. */
export const storageNames = ['folder', 's3'] as const
export type StorageName = (typeof storageNames)[number]

/** The place of a media file; the path is relative to its storage. */
export type FilePlace = { storage: StorageName; path: string }
