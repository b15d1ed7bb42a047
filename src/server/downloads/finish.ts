import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Log } from '../platform/log'
import type { MediaReader } from '../media/reader'
import type { Store } from '../store'
import type { DownloadRow } from '../store/downloads'
import { lengthOf } from '../feeds/marks'
import { supersededFailure } from '../feeds/superseded'
import { DownloadFailure } from './download'
import type { MediaFiles } from './files'
import type { ForgottenFiles } from './forgotten'
import { keepFacts } from './keep-facts'
import type { KeptFiles } from './kept-files'
import { SNIFF_BYTES, sniffMedia, type MediaType } from './media-type'
import type { Names } from './names'
import type { Renaming } from './rename'

export type FinishNeeds = {
  store: Store
  files: MediaFiles
  forgotten: ForgottenFiles
  keptFiles: KeptFiles
  media: MediaReader
  names: Names
  publish: Publish
  now: Clock
  log: Log
  rename: Pick<Renaming, 'number'>
  announce: (id: number) => void
}

type Came = { path: string; size: number; type: string }

/** Moves a whole `.part` to where the names of the settings have it, and notes it. */
export async function place(
  needs: FinishNeeds,
  row: DownloadRow,
  { size, media }: { size: number; media: MediaType },
  signal: AbortSignal,
) {
  const { store, files, names } = needs
  if (isAnothers(store, row.episode_id, size))
    throw new DownloadFailure(supersededFailure.code, supersededFailure.message, true)
  const podcast = store.podcasts.find(row.podcast_id)!
  const isTaken = (path: string) =>
    store.episodes.isFileTaken(path) || store.downloads.isTarget(path) || files.exists(path)
  const path = names.pathFor(store.episodes.find(row.episode_id)!, podcast, media.extension, isTaken)
  store.downloads.setTarget(row.id, path)
  await files.moveInto(files.partOf(row.eid), path)
  await finish(needs, row, { path, size, type: media.type }, signal)
}

/**
 * Whether the recording is that of another episode: in a feed that gives several one address, its length tells which one
 * lies there now, before the feed says so.
 */
function isAnothers({ episodes }: Store, episodeId: number, size: number): boolean {
  const episode = episodes.find(episodeId)!
  const announced = lengthOf(episode.enclosure_size)
  if (size === announced) return false
  return episode.superseded === 1 || (announced !== null && episodes.sharesAddress(episode))
}

/** Whether there is nothing to fetch: the file came before a crash, or before its podcast was deleted and added again. */
export async function findHere(needs: FinishNeeds, row: DownloadRow, signal: AbortSignal): Promise<boolean> {
  const moved = await findMoved(needs, row)
  if (moved) {
    await finish(needs, row, moved, signal)
    return true
  }
  await needs.keptFiles.takeUp(row.podcast_id, row.episode_id)
  // Perhaps by somebody else, a moment ago.
  const episode = needs.store.episodes.find(row.episode_id)
  if (!episode?.file_path) return false
  needs.store.downloads.finish(row.id, episode.file_size ?? 0, needs.now())
  needs.announce(row.id)
  return true
}

/** The crash came between the move and the record of it. */
async function findMoved({ files }: FinishNeeds, row: DownloadRow): Promise<Came | null> {
  if (!row.target_path) return null
  const path = files.pathOf(row.target_path)
  const size = await files.sizeOf(path)
  const part = await files.sizeOf(files.partOf(row.eid))
  if (size === null || part !== null || size !== row.received_bytes) return null
  const media = await sniffMedia(new Uint8Array(await Bun.file(path).slice(0, SNIFF_BYTES).arrayBuffer()))
  return media && { path: row.target_path, size, type: media.type }
}

async function finish(needs: FinishNeeds, row: DownloadRow, { path, size, type }: Came, signal: AbortSignal) {
  const { store, files, forgotten, now } = needs
  // Whoever interrupts it here finds the file where it lies, at the next attempt.
  const facts = await untilAborted(needs.media.factsOf(files.pathOf(path), type), signal)
  const isWanted = store.inTransaction(() => {
    // Cancelled, or its podcast deleted, meanwhile.
    if (!store.downloads.find(row.id)) {
      forgotten.note(path)
      return false
    }
    store.episodes.keepFile(row.episode_id, { path, size, type, duration: facts.duration, now: now() })
    keepFacts(store, row.episode_id, facts)
    store.downloads.finish(row.id, size, now())
    return true
  })
  if (!isWanted) {
    await forgotten.remove(path)
    return
  }
  await needs.rename.number(row.episode_id)
  needs.log.info('downloaded', { podcast: row.podcast_title, episode: row.episode_title, bytes: size })
  needs.announce(row.id)
  needs.publish({ type: 'downloadFinished', episodeId: row.episode_id })
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  return promise
}
