import { hasMp4Index } from '../media/mp4-index'
import { piece, type Readable } from '../media/readable'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { FilePlace, MediaFiles, MediaStorage } from '../storage'
import type { Store } from '../store'
import type { CheckedFile } from '../store/episode-files'
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

/** Files that one sweep checks: a library of 24,000 files is checked once a day. */
const SWEPT = 1000
const SEARCHED = 20

/** Finds downloaded files that another program deleted, and those of earlier versions that cannot be played. */
export function createFileCheck(needs: Needs) {
  const { store, files, log } = needs
  let sweptTo = 0
  let healedTo = 0

  /**
   * Records an episode as not downloaded if its file is gone from the media folder, so that it plays from its host and
   * can be downloaded again. Nothing is recorded while the folder can't be reached.
   */
  async function look({ id, title, file_path, file_storage }: Omit<CheckedFile, 'superseded'>): Promise<boolean> {
    if (file_path === null || file_storage !== 'folder' || needs.rename.isMoving(id)) return false
    if (!(await files.folder.isGone(file_path))) return false
    await store.whenWritable()
    const isForgotten = store.inTransaction(() => {
      // It was renamed, removed or downloaded since.
      const isSame = store.episodes.isFileOf(id, { storage: 'folder', path: file_path })
      if (!isSame || needs.rename.isMoving(id) || files.folder.exists(file_path)) return false
      forget(store, id)
      return true
    })
    if (!isForgotten) return false
    log.warn('Media file is gone: its episode is no longer recorded as downloaded', { episode: title, path: file_path })
    needs.publish({ type: 'fileRemoved', episodeId: id })
    return true
  }

  return {
    look,
    /** Checks the next thousand files in the media folder. */
    async sweep() {
      if (!files.folder.isPresent()) return
      const rows = store.episodes.filesAfter(sweptTo, SWEPT)
      sweptTo = rows.length < SWEPT ? 0 : rows.at(-1)!.id
      for (const row of rows) await look(row)
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
