import { join } from 'node:path'
import { tryToLock } from '../platform/instance-lock'
import { describeError, type Log } from '../platform/log'
import { fetchInto, type FilePlace, type MediaFiles, type StorageName } from '../storage'
import { StorageFailure } from '../storage/storage'
import type { Store } from '../store'
import type { StoredMedia } from '../store/kept-files'
import type { ForgottenFiles } from './forgotten'

type Needs = { store: Store; files: MediaFiles; forgotten: ForgottenFiles; reserveBytes: number; log: Log }

type MediaMove = ReturnType<typeof createMediaMove>
type MoveFailure = { path: string; reason: string }
export type Moved = { files: number; bytes: number; failures: MoveFailure[] }

/** The file in the data folder that is locked while files move. */
export const MOVE_LOCK = 'media-move.lock'
const PAGE = 200
const TRIES = 3

/**
 * Moves media files from one storage to the other, one by one, also while the server runs. Each is copied, checked,
 * recorded, and only then deleted where it was; a copy is noted before it is made, so that the next run or the next
 * start clears whatever a killed process leaves.
 */
export const createMediaMove = (needs: Needs) => ({
  /** Removes copies that a killed process made and did not record. Call it only while no file is moved. */
  recover: () => recover(needs),
  /**
   * Moves everything to a storage; `onFile` is called after each file. Throws `StorageFailure` once a storage can't be
   * reached.
   */
  async run(to: StorageName, onFile: (moved: Moved) => void): Promise<Moved> {
    const from: StorageName = to === 's3' ? 'folder' : 's3'
    const moved: Moved = { files: 0, bytes: 0, failures: [] }
    await recover(needs)
    for (const media of filesIn(needs.store, from)) {
      const reason = await moveOne(needs, media, from, to)
      if (reason === null) Object.assign(moved, { files: moved.files + 1, bytes: moved.bytes + (media.size ?? 0) })
      else if (reason !== 'gone') moved.failures.push({ path: media.path, reason })
      onFile(moved)
    }
    await needs.forgotten.recover()
    return moved
  },
})

async function recover({ store, files, forgotten, log }: Needs) {
  for (const place of store.mediaCopies.list()) {
    if (!files.storageOf(place.storage).isPresent()) continue
    const isNamed = store.episodes.isFileAt(place) || store.keptFiles.isAt(place) || store.downloads.isTargetAt(place)
    try {
      if (!isNamed) await forgotten.remove(place)
      await store.whenWritable()
      store.mediaCopies.settle(place)
    } catch (error) {
      log.warn('Unfinished copy could not be deleted', { ...place, error: describeError(error) })
    }
  }
}

/** Reads page by page: files are added and removed at the same time. */
function* filesIn({ mediaCopies }: Store, storage: StorageName): Generator<StoredMedia> {
  for (let afterId = 0; ;) {
    const page = mediaCopies.episodesIn(storage, afterId, PAGE)
    yield* page
    if (page.length < PAGE) break
    afterId = page.at(-1)!.id
  }
  yield* mediaCopies.keptIn(storage)
}

/** Moves one file; returns null, `gone` if there is nothing left to move, or why it stays where it is. */
async function moveOne(needs: Needs, media: StoredMedia, from: StorageName, to: StorageName): Promise<string | null> {
  const { store, files, forgotten } = needs
  const { path } = media
  const source: FilePlace = { storage: from, path }
  const target: FilePlace = { storage: to, path }
  const size = await files.sizeOf(source)
  if (size === null) return isAt(store, media, source) ? 'it is not there' : 'gone'
  if ((await files.sizeOf(target)) !== null) return `another file has its name in ${nameOf(to)}`
  await store.whenWritable()
  store.mediaCopies.add(target)
  const failure = await tryToCopy(needs, source, target, { size, type: media.type ?? 'audio/mpeg' })
  await store.whenWritable()
  const isMoved = store.inTransaction(() => {
    const isMoved = failure === null && changeStorage(store, media, from, to)
    if (isMoved) {
      forgotten.note(source)
      store.mediaCopies.settle(target)
    }
    return isMoved
  })
  if (isMoved) {
    await forgotten.remove(source)
    return null
  }
  // Deleted, renamed or replaced in the meantime, or it could not be copied.
  await recover(needs)
  return failure ?? 'gone'
}

const changeStorage = ({ mediaCopies }: Store, media: StoredMedia, from: StorageName, to: StorageName) =>
  media.kind === 'episode' ? mediaCopies.changeOfEpisode(media, from, to) : mediaCopies.changeOfKept(media, from, to)

const isAt = (store: Store, { kind }: StoredMedia, place: FilePlace) =>
  kind === 'episode' ? store.episodes.isFileAt(place) : store.keptFiles.isAt(place)

const nameOf = (storage: StorageName) => (storage === 's3' ? 'the bucket' : 'the media folder')

type Facts = { size: number; type: string }

/** Copies a file; returns null, or why this file cannot be copied. Throws if no file could be copied. */
async function tryToCopy(needs: Needs, source: FilePlace, target: FilePlace, facts: Facts): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      await copy(needs, source, target, facts)
      return null
    } catch (error) {
      const isOfStorage = error instanceof StorageFailure && (error.trouble === 'away' || error.trouble === 'full')
      if (attempt < TRIES) continue
      if (isOfStorage) throw error
      return error instanceof Error ? error.message : String(error)
    }
  }
}

async function copy({ files, reserveBytes }: Needs, source: FilePlace, target: FilePlace, { size, type }: Facts) {
  const { folder, bucket } = files
  if (bucket === null) throw new StorageFailure('away', 'The configuration names no bucket')
  if (target.storage === 's3') return bucket.put(folder.pathOf(source.path), target.path, { type })
  if ((await folder.freeBytes()) - size < reserveBytes)
    throw new StorageFailure('full', 'The disk of the media folder is full')
  folder.open()
  const part = `moving-${process.pid}`
  try {
    await fetchInto(folder.partOf(part), bucket.chunks(source.path))
    if (!(await bucket.holds(source.path, folder.partOf(part))))
      throw new StorageFailure('broken', 'the bucket sent bytes that differ from those it stores')
    await folder.put(folder.partOf(part), target.path)
  } finally {
    await folder.removePart(part)
  }
}

type ClearNeeds = { dataFolder: string; files: MediaFiles; mediaMove: MediaMove }

/**
 * Removes what killed processes left: copies of a move between two storages, and multipart uploads. Does nothing while
 * another process moves files.
 */
export const createClearCopies =
  ({ dataFolder, files, mediaMove }: ClearNeeds) =>
  async (): Promise<void> => {
    const { bucket } = files
    if (bucket && !bucket.isPresent()) return
    const unlock = tryToLock(join(dataFolder, MOVE_LOCK))
    if (!unlock) return
    try {
      await mediaMove.recover()
      await bucket?.sweepUploads(Number.POSITIVE_INFINITY)
    } finally {
      unlock()
    }
  }
