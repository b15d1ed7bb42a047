import type { ErrorCode } from '../../shared/error-code'
import type { BegunWork } from '../begun-work'
import type { MediaReader } from '../media/reader'
import type { Clock } from '../platform/clock'
import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import type { JobItemRow, JobRow } from '../store/jobs'
import type { MediaFiles } from '../storage'
import { StorageFailure } from '../storage/storage'
import { keepFacts } from './kept-files'
import type { Names } from './names'
import { type FindCover, numberTitle } from './prepare'

export type RenameNeeds = {
  store: Store
  names: Names
  files: MediaFiles
  media: MediaReader
  coverOf: FindCover
  now: Clock
  log: Log
  begun: BegunWork
}

type Failure = { errorCode: ErrorCode; message: string }

const missing: Failure = {
  errorCode: 'media-unreachable',
  message: 'The file is not on the disk. Download the episode again.',
}
const notMoved: Failure = {
  errorCode: 'unexpected',
  message: 'The file could not be moved. The server log has the reason.',
}

/**
 * Works through one item of a rename run: moves the file, reads it again if requested, and settles the item. Returns
 * false and leaves the item unsettled while another file has the target name.
 */
export async function renameItem(needs: RenameNeeds, job: JobRow, item: JobItemRow): Promise<boolean> {
  const { store } = needs
  const episode = item.episode_id === null ? null : store.episodes.find(item.episode_id)
  const target = item.target_path
  if (!episode?.file_path || target === null) return settle(needs, job, item)
  if (episode.file_path === target) {
    if (item.with_metadata) await inspect(needs, episode.id)
    return settle(needs, job, item)
  }
  try {
    if (await isBlocked(needs, episode, target)) return false
    return await move(needs, job, item, episode, target)
  } catch (error) {
    // The run continues once the storage can be reached again: it may have the file under both names.
    if (error instanceof StorageFailure && error.trouble === 'away') throw error
    needs.log.warn('File could not be renamed', { from: episode.file_path, to: target, error: describeError(error) })
    const isRefused = error instanceof StorageFailure && error.trouble === 'refused'
    return settle(needs, job, item, isRefused ? { ...notMoved, message: error.message } : notMoved)
  }
}

/** Whether another episode or another file has the target name. */
async function isBlocked({ store, files }: RenameNeeds, episode: EpisodeRow, target: string): Promise<boolean> {
  const holder = store.episodes.findByFile(target)
  if (holder && holder.id !== episode.id) return true
  if (store.keptFiles.has(target)) return true
  const storage = files.storageOf(episode.file_storage)
  const from = episode.file_path!
  if ((await storage.sizeOf(target)) === null || (await storage.sizeOf(from)) === null) return false
  // The target may be the file itself: on a disk that ignores case, or after a move that was interrupted.
  return !(await storage.areSame(from, target))
}

async function move(needs: RenameNeeds, job: JobRow, item: JobItemRow, episode: EpisodeRow, target: string) {
  const { store, files } = needs
  const storage = files.storageOf(episode.file_storage)
  const from = episode.file_path!
  // A process that was killed between the move and its record left the file at the target.
  const isThere = (await storage.sizeOf(from)) !== null
  const isMoved = !isThere && (await storage.sizeOf(target)) !== null
  if (!isMoved && !isThere) return settle(needs, job, item, missing)
  if (!isMoved) await storage.move(from, target)
  await store.whenWritable()
  store.inTransaction(() => {
    // The episode may have been merged into another one since; a second file was to be deleted.
    const holder = store.episodes.findByFile(from)
    if (holder) store.episodes.moveFile(holder.id, target)
    else if (!store.episodes.find(episode.id)) store.forgottenFiles.add({ storage: episode.file_storage, path: target })
    // The item isn't settled before the file is read again: if the process is killed here, the next one reads it.
    if (item.with_metadata) return
    store.jobs.settle(job.id, item.place, { state: 'added', podcastId: episode.podcast_id })
  })
  // The file is at its target now, so this pass only reads it.
  return item.with_metadata ? renameItem(needs, job, item) : true
}

async function settle({ store }: RenameNeeds, job: JobRow, item: JobItemRow, failure?: Failure): Promise<true> {
  await store.whenWritable()
  store.jobs.settle(job.id, item.place, failure ? { state: 'failed', ...failure } : { state: 'present' })
  return true
}

/** Reads the size, duration and chapters of a file again, and numbers its title if the settings ask for it. */
async function inspect(needs: RenameNeeds, episodeId: number) {
  const { store, files, media } = needs
  const episode = store.episodes.find(episodeId)
  if (!episode?.file_path) return
  const place = { storage: episode.file_storage, path: episode.file_path }
  const facts = await files.withLocal(place, local => media.factsOf(local, episode.file_type ?? ''))
  const size = await files.sizeOf(place)
  await store.whenWritable()
  store.inTransaction(() => {
    // The file was deleted, or downloaded again, while it was read.
    if (!store.episodes.hasFile(episodeId, episode.file_path!)) return
    store.episodes.remeasure(episodeId, { size, duration: facts.duration, isEstimate: facts.isEstimate })
    keepFacts(store, episodeId, facts)
  })
  await numberTitle(needs, episodeId)
}
