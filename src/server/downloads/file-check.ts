import { hasMp4Index } from '../media/mp4-index'
import { piece, type Readable } from '../media/readable'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { FilePlace, MediaFiles, MediaStorage } from '../storage'
import { StorageFailure } from '../storage/storage'
import type { Store } from '../store'
import type { CheckedFile } from '../store/episode-files'
import { type StorageName, storageNames } from '../store/file-place'
import type { ForgottenFiles } from './forgotten'
import type { Renaming } from './rename'

type Needs = {
  store: Store
  files: MediaFiles
  forgotten: ForgottenFiles
  rename: Pick<Renaming, 'isMoving'>
  publish: Publish
  log: Log
  now: Clock
}
export type FileCheck = ReturnType<typeof createFileCheck>

/** Files of each storage that one sweep checks: a library of 24,000 files is checked once a day. */
const SWEPT = 1000
/** Objects of a bucket among which one must be a file of the library. */
const LISTED = 1000
const SEARCHED = 20

/** Finds downloaded files that another program deleted, and those of earlier versions that cannot be played. */
export function createFileCheck(needs: Needs) {
  const { store, files, log } = needs
  const sweptTo: Record<StorageName, number> = { folder: 0, s3: 0 }
  let healedTo = 0

  /**
   * Records an episode as not downloaded if its file is gone from its storage, so that it plays from its host and can
   * be downloaded again. Nothing is recorded while the storage can't be reached.
   */
  async function check({ id, title, file_path, file_storage }: Omit<CheckedFile, 'superseded'>): Promise<boolean> {
    if (file_path === null || needs.rename.isMoving(id)) return false
    const place: FilePlace = { storage: file_storage, path: file_path }
    const downloadedAt = store.episodes.find(id)?.downloaded_at
    if (!(await isGone(needs, place))) return false
    await store.whenWritable()
    const isForgotten = store.inTransaction(() => {
      // It was renamed, removed or downloaded since.
      const isSame = store.episodes.isFileOf(id, place) && store.episodes.find(id)?.downloaded_at === downloadedAt
      if (!isSame || needs.rename.isMoving(id)) return false
      if (file_storage === 'folder' && files.folder.exists(file_path)) return false
      forget(store, id)
      return true
    })
    if (!isForgotten) return false
    log.warn('Media file is gone: its episode is no longer recorded as downloaded', { episode: title, path: file_path })
    needs.publish({ type: 'fileRemoved', episodeId: id })
    return true
  }

  return {
    check,
    /** Checks the next thousand files in each storage. */
    async sweep() {
      for (const storage of storageNames) {
        if (!files.storageOf(storage).isPresent()) continue
        const rows = store.episodes.filesAfter(storage, sweptTo[storage], SWEPT)
        sweptTo[storage] = rows.length < SWEPT ? 0 : rows.at(-1)!.id
        for (const row of rows) await check(row)
      }
    },
    /** Searches some MP4s of earlier versions for their index, and downloads those again that have none. */
    async heal() {
      const rows = store.episodes.withUnsoughtIndex(healedTo, SEARCHED)
      // A file that cannot be read now is tried again in the next round, and holds up no other.
      healedTo = rows.at(-1)?.id ?? 0
      for (const row of rows) {
        const storage = files.storageOf(row.file_storage)
        if (!storage.isPresent()) continue
        try {
          await settle(needs, row, await isWholeMp4(storage, row))
        } catch (error) {
          log.warn('MP4 could not be searched for its index', { episode: row.title, error: describeError(error) })
        }
      }
    },
  }
}

async function isGone({ store, files }: Needs, { storage, path }: FilePlace): Promise<boolean> {
  if (storage === 'folder') return files.folder.isGone(path)
  const { bucket } = files
  if (!bucket?.isPresent()) return false
  try {
    return (await bucket.sizeOf(path)) === null && (await holdsKnownFile(store, bucket))
  } catch (error) {
    if (error instanceof StorageFailure) return false
    throw error
  }
}

/**
 * Distinguishes the bucket of the library from a new one, and from one that is gone: a missing file looks alike. A
 * bucket that denies what it lists is not believed.
 */
async function holdsKnownFile(store: Store, bucket: MediaStorage): Promise<boolean> {
  let listed = 0
  for await (const { path } of bucket.list()) {
    if (store.episodes.isFileAt({ storage: bucket.name, path })) return (await bucket.sizeOf(path)) !== null
    if (++listed === LISTED) return false
  }
  return false
}

function forget(store: Store, id: number) {
  store.episodes.dropFile(id)
  const row = store.downloads.findOfEpisode(id)
  if (row?.state === 'done') store.downloads.remove(row.id)
}

/** Whether a file has its index, or its first bytes aren't those of an MP4. */
async function isWholeMp4(storage: MediaStorage, { file_path: path }: CheckedFile): Promise<boolean> {
  const size = path === null ? null : await storage.sizeOf(path)
  if (path === null || size === null) return true
  const file: Readable = {
    async read(target, offset, length, position) {
      const bytes = position < size ? await storage.readBytes(path, { from: position, to: position + length }) : none
      target.set(bytes, offset)
      return { bytesRead: bytes.length }
    },
  }
  const start = await piece(file, 4, 4)
  return start.toString('latin1') !== 'ftyp' || (await hasMp4Index(file, size))
}

const none = new Uint8Array(0)

/** Notes that a file was searched; one that cannot be played is deleted and, if its host still has it, queued again. */
async function settle({ store, forgotten, publish, log, now }: Needs, row: CheckedFile, isPlayable: boolean) {
  const place: FilePlace = { storage: row.file_storage, path: row.file_path! }
  await store.whenWritable()
  const isDropped = store.inTransaction(() => {
    store.episodes.noteIndexSought(row.id)
    if (isPlayable || !store.episodes.isFileOf(row.id, place)) return false
    forget(store, row.id)
    forgotten.note(place)
    if (row.superseded === 0) store.downloads.enqueue(row.id, { automatic: true, userId: null, now: now() })
    return true
  })
  if (!isDropped) return
  log.warn('MP4 has no index and cannot be played: it is downloaded again', { episode: row.title, path: place.path })
  await forgotten.removeUnlessTaken(place)
  publish({ type: 'fileRemoved', episodeId: row.id })
}
