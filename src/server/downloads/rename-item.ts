import type { ErrorCode } from '../../shared/error-code'
import type { MediaReader } from '../media/reader'
import type { Clock } from '../platform/clock'
import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import type { JobItemRow, JobRow } from '../store/jobs'
import type { MediaFiles } from './files'
import { keepFacts } from './keep-facts'
import type { Names } from './names'
import { numberTitle } from './number-title'

export type RenameNeeds = { store: Store; names: Names; files: MediaFiles; media: MediaReader; now: Clock; log: Log }

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
  if (isBlocked(needs, episode, target)) return false
  return move(needs, job, item, episode, target)
}

/** Whether another episode or another file has the target name. */
function isBlocked({ store, files }: RenameNeeds, episode: EpisodeRow, target: string): boolean {
  const holder = store.episodes.findByFile(target)
  if (holder && holder.id !== episode.id) return true
  // On a disk that ignores case, the target may be the file itself.
  return files.exists(target) && files.exists(episode.file_path!) && !files.areSame(episode.file_path!, target)
}

async function move(needs: RenameNeeds, job: JobRow, item: JobItemRow, episode: EpisodeRow, target: string) {
  const { store, files, log } = needs
  const from = episode.file_path!
  // A process that was killed between the move and its record left the file at the target.
  const isMoved = !files.exists(from) && files.exists(target)
  if (!isMoved && !files.exists(from)) return settle(needs, job, item, missing)
  try {
    if (!isMoved) await files.move(from, target)
    store.inTransaction(() => {
      store.episodes.moveFile(episode.id, target)
      // Not settled before it is read again: if the process is killed here, the next one reads it.
      if (item.with_metadata) return
      store.jobs.settle(job.id, item.place, { state: 'added', podcastId: episode.podcast_id })
    })
  } catch (error) {
    log.warn('file could not be renamed', { from, to: target, error: describeError(error) })
    return settle(needs, job, item, notMoved)
  }
  // The file is at its target now, so this pass only reads it.
  return item.with_metadata ? renameItem(needs, job, item) : true
}

function settle({ store }: RenameNeeds, job: JobRow, item: JobItemRow, failure?: Failure): true {
  store.jobs.settle(job.id, item.place, failure ? { state: 'failed', ...failure } : { state: 'present' })
  return true
}

/** Reads the size, duration and chapters of a file again, and numbers its title if the settings ask for it. */
async function inspect(needs: RenameNeeds, episodeId: number) {
  const { store, files, media } = needs
  const episode = store.episodes.find(episodeId)
  if (!episode?.file_path) return
  const path = files.pathOf(episode.file_path)
  const facts = await media.factsOf(path, episode.file_type ?? '')
  const size = await files.sizeOf(path)
  store.inTransaction(() => {
    // The file was deleted, or downloaded again, while it was read.
    if (!store.episodes.hasFile(episodeId, episode.file_path!)) return
    store.episodes.remeasure(episodeId, { size, duration: facts.duration })
    keepFacts(store, episodeId, facts)
  })
  await numberTitle(needs, episodeId)
}
