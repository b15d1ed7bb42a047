import type { StorageName } from '../store/file-place'

// Why: docs/internals/decisions/0039

export type { FilePlace, StorageName } from '../store/file-place'

/** A file of a storage; `path` as the database names it, `size` in bytes. */
export type StoredFile = { path: string; size: number }

/** The part of a file from byte `from` to before `to`. */
export type Span = { from: number; to: number }

/**
 * A place for complete media files, under the paths that the naming settings give them. Every method but the first two
 * may throw `StorageFailure`. A storage that can't be reached loses nothing, and says so.
 */
export type MediaStorage = {
  readonly name: StorageName
  /** Whether files can be read and written; a storage in the network is asked in the background. */
  isPresent: () => boolean
  /** Throws `media-folder-absent` or `media-storage-absent`; call before anything is deleted or forgotten. */
  requirePresent: () => void
  /** Bytes of a file; null when there is none. */
  sizeOf: (path: string) => Promise<number | null>
  /** Stores a complete local file, named by its absolute path; it is completely stored when this returns. */
  put: (local: string, path: string, options: PutOptions) => Promise<void>
  /**
   * Renames a file; a process that is killed while it works leaves it at one of the paths, or the same file at both.
   */
  move: (from: string, to: string) => Promise<void>
  /** Returns whether two paths are the same file: on a disk that ignores case, or after an unfinished move. */
  areSame: (one: string, other: string) => Promise<boolean>
  /** Deletes a file, if it is there. */
  remove: (path: string) => Promise<void>
  /** Reads a part of a file; it may be shorter at the end of the file. Rejects with the reason of `signal`. */
  readBytes: (path: string, span: Span, signal?: AbortSignal) => Promise<Uint8Array>
  /** Reads a whole file. */
  chunks: (path: string) => AsyncIterable<Uint8Array>
  /** Lists all files, except those in hidden folders. */
  list: () => AsyncIterable<StoredFile>
}

export type PutOptions = { type: string; signal?: AbortSignal | undefined }

/**
 * - `away`: the storage cannot be reached, refuses us, or answers with its own errors: everything waits.
 * - `refused`: the service lacks this one call, or its key may not use it: everything else continues.
 * - `full`: there is no room.
 * - `missing`: there is no such file.
 * - `broken`: the stored bytes differ from those that were sent.
 */
type StorageTrouble = 'away' | 'refused' | 'full' | 'missing' | 'broken'

/** A storage that did not do what was requested; the message is for people. */
export class StorageFailure extends Error {
  override name = 'StorageFailure'
  constructor(
    readonly trouble: StorageTrouble,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
