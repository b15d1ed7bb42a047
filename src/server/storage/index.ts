import { open } from 'node:fs/promises'
import type { Config } from '../config'
import { release } from '../outbound/body'
import type { ProxyNeeds } from '../outbound/reach'
import type { Clock } from '../platform/clock'
import type { Log } from '../platform/log'
import { Problem } from '../platform/problem'
import { type FilePlace, type MediaStorage, StorageFailure, type StorageName } from './storage'
import { createMediaFolder, type MediaFolder } from './folder'
import { type BucketLimits, createMediaBucket } from './s3'

export { tryBucket } from './s3'
export { StorageFailure } from './storage'
export type { FilePlace, MediaStorage, StorageName } from './storage'
export type MediaFiles = ReturnType<typeof createMediaFiles>

type Needs = {
  config: Pick<Config, 'podcastFolder' | 'mediaStorage' | 'bucket'> & ProxyNeeds
  /** Paths of a few files that the library has in the media folder, to recognise it. */
  someKnownFiles: () => readonly string[]
  /** A clock that never runs backwards. */
  elapsed: Clock
  log: Log
  /** Called when a storage in the network can be reached again. */
  onReturn?: () => void
  limits?: Partial<BucketLimits> | undefined
}

/**
 * The media files of the library. Unfinished ones are always in the media folder; complete ones in the storage that
 * their row names, new ones in that of the settings.
 */
export function createMediaFiles({ config, someKnownFiles, ...needs }: Needs) {
  const folder = createMediaFolder(config.podcastFolder, someKnownFiles, needs.elapsed)
  const bucket = config.bucket && createMediaBucket(config.bucket, { ...needs, proxies: config })
  const storages: Record<StorageName, MediaStorage> = { folder, s3: bucket ?? notConfigured }
  const storageOf = (name: StorageName) => storages[name]
  return {
    folder,
    bucket,
    storageOf,
    /** The storage of new files. */
    current: storages[config.mediaStorage],
    /** Whether new files can be received and stored. */
    isPresent: () => folder.isPresent() && storages[config.mediaStorage].isPresent(),
    /** Throws `media-folder-absent` or `media-storage-absent` unless all of these can be used. */
    requireAll(names: readonly StorageName[]) {
      for (const name of names) storageOf(name).requirePresent()
    },
    areAllPresent: (names: readonly StorageName[]) => names.every(name => storageOf(name).isPresent()),
    sizeOf: ({ storage, path }: FilePlace) => storageOf(storage).sizeOf(path),
    /** Runs work on a file by its absolute path; a file in the network is fetched for it, and deleted afterwards. */
    withLocal: <T>({ storage, path }: FilePlace, work: (absolute: string) => Promise<T>): Promise<T> =>
      storage === 'folder' ? work(folder.pathOf(path)) : withLocalFile(folder, storageOf(storage), path, work),
  }
}

const absent = () => {
  throw new StorageFailure(
    'away',
    'This file is on S3, and the configuration names no bucket: set S3_ENDPOINT and others',
  )
}

/** The bucket of a library whose configuration does not name it any more. */
const notConfigured: MediaStorage = {
  name: 's3',
  isPresent: () => false,
  requirePresent() {
    throw new Problem('media-storage-absent', 'Files are on S3, and the configuration names no bucket')
  },
  sizeOf: async () => absent(),
  put: async () => absent(),
  move: async () => absent(),
  areSame: async () => absent(),
  remove: async () => absent(),
  readBytes: async () => absent(),
  chunks: () => absent(),
  list: () => absent(),
}

let fetched = 0

/**
 * Fetches a file into the folder of unfinished ones for as long as `work` needs it; the next start deletes leftovers.
 */
async function withLocalFile<T>(
  folder: MediaFolder,
  storage: MediaStorage,
  path: string,
  work: (absolute: string) => Promise<T>,
): Promise<T> {
  folder.open()
  const name = `fetched-${process.pid}-${++fetched}`
  try {
    await fetchInto(folder.partOf(name), storage.chunks(path))
    return await work(folder.partOf(name))
  } finally {
    await folder.removePart(name)
  }
}

/** Writes chunks into a new file, and waits until the disk has it. */
export async function fetchInto(absolute: string, chunks: AsyncIterable<Uint8Array>) {
  const file = await open(absolute, 'w')
  try {
    for await (const chunk of chunks) {
      await file.write(chunk)
      release(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
}
