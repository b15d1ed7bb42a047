import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Log } from '../platform/log'
import type { MediaReader } from '../media/reader'
import type { Store } from '../store'
import type { DownloadRow } from '../store/downloads'
import { lengthOf } from '../feeds/marks'
import { supersededFailure } from '../feeds/superseded'
import { DownloadFailure } from './failure'
import type { MediaFiles } from './files'
import type { ForgottenFiles } from './forgotten'
import { keepFacts } from './keep-facts'
import type { KeptFiles } from './kept-files'
import { SNIFF_BYTES, sniffMedia } from './media-type'
import type { Names } from './names'
import { numberTitle } from './number-title'
import type { Received } from './receive'

export type PlaceNeeds = {
  store: Store
  files: MediaFiles
  forgotten: ForgottenFiles
  keptFiles: KeptFiles
  media: MediaReader
  names: Names
  publish: Publish
  now: Clock
  log: Log
  /** Sends the state of a download to browsers, by the id of its row. */
  announce: (id: number) => void
}

type PlacedFile = { path: string; size: number; type: string }

/**
 * Moves a complete `.part` to the path that the naming settings give it, and records it. Throws `media-superseded` for
 * the recording of another episode, or the reason of `signal`.
 */
export async function place(needs: PlaceNeeds, row: DownloadRow, { size, media }: Received, signal: AbortSignal) {
  const { store, files, names } = needs
  if (belongsToAnotherEpisode(store, row.episode_id, size))
    throw new DownloadFailure(supersededFailure.code, supersededFailure.message, true)
  const podcast = store.podcasts.find(row.podcast_id)!
  const isTaken = (path: string) =>
    store.episodes.isFileTaken(path) || store.downloads.isTarget(path) || files.exists(path)
  const path = names.pathFor(store.episodes.find(row.episode_id)!, podcast, media.extension, isTaken)
  // Recorded before the move, so that the next process finds the file if this one is killed right after it.
  store.downloads.setTarget(row.id, path)
  await files.moveInto(files.partOf(row.eid), path)
  await record(needs, row, { path, size, type: media.type }, signal)
}

/**
 * Whether the received file is the recording of another episode. Some feeds give several episodes one address; the
 * length shows which of them the host sends now, even before the feed is updated.
 */
function belongsToAnotherEpisode({ episodes }: Store, episodeId: number, size: number): boolean {
  const episode = episodes.find(episodeId)!
  const announced = lengthOf(episode.enclosure_size)
  if (size === announced) return false
  return episode.superseded === 1 || (announced !== null && episodes.sharesAddress(episode))
}

/**
 * Looks for a file that makes the download unnecessary: one that a killed process moved but did not record, or one that
 * was kept when its podcast was deleted. Records the file, and returns whether it found one.
 */
export async function findExisting(needs: PlaceNeeds, row: DownloadRow, signal: AbortSignal): Promise<boolean> {
  const moved = await findMoved(needs, row)
  if (moved) {
    await record(needs, row, moved, signal)
    return true
  }
  await needs.keptFiles.adoptFor(row.podcast_id, row.episode_id)
  // Read again: `adoptFor` has just set the file, or a refresh did so a moment ago.
  const episode = needs.store.episodes.find(row.episode_id)
  if (!episode?.file_path) return false
  needs.store.downloads.finish(row.id, episode.file_size ?? 0, needs.now())
  needs.announce(row.id)
  return true
}

/** Finds a file that was moved into place but not recorded; null when there was no such move. */
async function findMoved({ files }: PlaceNeeds, row: DownloadRow): Promise<PlacedFile | null> {
  if (!row.target_path) return null
  const path = files.pathOf(row.target_path)
  const size = await files.sizeOf(path)
  const part = await files.sizeOf(files.partOf(row.eid))
  if (size === null || part !== null || size !== row.received_bytes) return null
  const media = await sniffMedia(await Bun.file(path).slice(0, SNIFF_BYTES).bytes())
  return media && { path: row.target_path, size, type: media.type }
}

/** Reads the duration and chapters of a file in place, assigns it to its episode, and finishes the download. */
async function record(needs: PlaceNeeds, row: DownloadRow, file: PlacedFile, signal: AbortSignal) {
  const { store, files, forgotten, now } = needs
  const { path, size, type } = file
  // An attempt that is interrupted here leaves the file in place; `findExisting` of the next attempt finds it.
  const facts = await untilAborted(needs.media.factsOf(files.pathOf(path), type), signal)
  const isWanted = store.inTransaction(() => {
    // The download was cancelled, or its podcast deleted, while the file was read.
    if (!store.downloads.find(row.id)) {
      forgotten.note(path)
      return false
    }
    store.episodes.keepFile(row.episode_id, { path, size, type, duration: facts.duration, now: now() })
    keepFacts(store, row.episode_id, facts)
    store.downloads.finish(row.id, size, now())
    return true
  })
  if (!isWanted) return forgotten.remove(path)
  await numberTitle(needs, row.episode_id)
  needs.log.info('episode downloaded', { podcast: row.podcast_title, episode: row.episode_title, bytes: size })
  needs.announce(row.id)
  needs.publish({ type: 'downloadFinished', episodeId: row.episode_id })
}

/** Waits for `work`, and rejects with the reason of `signal` as soon as it aborts; the work itself continues. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  return promise
}
