import { MAIN_FORM } from '../../shared/forms'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Log } from '../platform/log'
import type { MediaFacts } from '../media/read'
import type { MediaReader } from '../media/reader'
import type { Store } from '../store'
import { isAscii, placeOf, targetOf, withoutCase } from '../store/file-place'
import type { DownloadRow } from '../store/downloads'
import { lengthOf } from '../feeds/apply/marks'
import { supersededFailure } from '../feeds/apply/superseded'
import { DownloadFailure } from './failure'
import type { FilePlace, MediaFiles } from '../storage'
import type { ForgottenFiles } from './forgotten'
import { keepFacts, type KeptFiles } from './kept-files'
import { SNIFF_BYTES, sniffMedia, withKind } from './media-type'
import type { Names } from './names'
import { type FindCover, numberTitle, prepare, removePrepared } from './prepare'
import type { Received } from './receive'

export type PlaceNeeds = {
  store: Store
  files: MediaFiles
  forgotten: ForgottenFiles
  keptFiles: KeptFiles
  media: MediaReader
  names: Names
  coverOf: FindCover
  publish: Publish
  now: Clock
  log: Log
  /** Sends the state of a download to browsers, by the id of its row. */
  announce: (id: number) => void
}

type PlacedFile = FilePlace & { size: number; type: string; numbered: number }

/**
 * Puts a complete `.part` into the storage of new files, under the path that the naming settings give it, and records
 * it. Everything that is read from a file, or written into it, is done before that. Throws `media-superseded` for the
 * recording of another episode, `StorageFailure`, or the reason of `signal`.
 */
export async function place(
  needs: PlaceNeeds,
  row: DownloadRow,
  { size, media: sniffed }: Received,
  signal: AbortSignal,
) {
  const { store, files } = needs
  const { folder, current } = files
  if (isMain(row) && belongsToAnotherEpisode(store, row.episode_id, size))
    throw new DownloadFailure(supersededFailure.code, supersededFailure.message, true)
  const local = folder.partOf(row.eid)
  try {
    const facts = await untilAborted(needs.media.factsOf(local, sniffed.type), signal)
    const media = withKind(sniffed, facts.hasVideo)
    const part = { local, size, type: media.type }
    const prepared = await prepare({ ...needs, folder }, row.episode_id, part)
    signal.throwIfAborted()
    const target = await reserveTarget(needs, row, media.extension, prepared.size)
    await current.put(prepared.local, target.path, { type: media.type, signal })
    const file = { ...target, size: prepared.size, type: media.type, numbered: Number(prepared.isNumbered) }
    await record(needs, row, file, facts)
  } finally {
    await removePrepared(folder, row.eid)
  }
}

const isMain = ({ form }: DownloadRow) => form === null || form === MAIN_FORM

/**
 * Records where the file will be before it is put there, so that the next process finds it if this one is killed right
 * after. A bucket may hold what an earlier attempt stored under another name without receiving the answer.
 */
async function reserveTarget(needs: PlaceNeeds, row: DownloadRow, extension: string, size: number): Promise<FilePlace> {
  const { store, files, forgotten } = needs
  const earlier = targetOf(row)
  for (;;) {
    const target = { storage: files.current.name, path: await choosePath(needs, row, extension) }
    await store.whenWritable()
    const isStray = earlier?.storage === 's3' && (earlier.path !== target.path || target.storage !== 's3')
    const isMine = store.inTransaction(() => {
      // Another download, or an imported file, took the name while the storage was asked.
      if (isInUse(store, target.path, row)) return false
      if (isStray) forgotten.note(earlier)
      store.downloads.setTarget(row.id, target, size)
      return true
    })
    if (!isMine) continue
    if (isStray) await forgotten.removeUnlessTaken(earlier)
    return target
  }
}

const isInUse = (store: Store, path: string, { id, podcast_id }: DownloadRow) =>
  store.episodes.isFileTaken(path) ||
  store.downloads.isTarget(path, id) ||
  store.keptFiles.has(path) ||
  (!isAscii(path) && differsInCase(store, path, podcast_id, id))

/**
 * Whether another file of the podcast has this path in a different case, which SQLite does not compare beyond ASCII.
 */
function differsInCase({ episodes, downloads }: Store, path: string, podcastId: number, downloadId: number): boolean {
  const targets = downloads.unfinishedOf(podcastId).filter(({ id }) => id !== downloadId)
  const used = [...episodes.filesOf(podcastId).map(({ file_path }) => file_path), ...targets.map(targetPathOf)]
  return used.some(other => other !== null && withoutCase(other) === withoutCase(path))
}

const targetPathOf = ({ target_path }: DownloadRow) => target_path

/** Chooses a path that no other file has. */
async function choosePath({ store, files, names }: PlaceNeeds, row: DownloadRow, extension: string): Promise<string> {
  const podcast = store.podcasts.find(row.podcast_id)!
  const found = new Set<string>()
  const isTaken = (path: string) => found.has(path) || isInUse(store, path, row) || files.folder.exists(path)
  for (;;) {
    const path = names.pathFor(store.episodes.find(row.episode_id)!, podcast, extension, isTaken)
    if ((await files.current.sizeOf(path)) === null) return path
    found.add(path)
  }
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
  const placed = await findPlaced(needs, row)
  if (placed) {
    const facts = await untilAborted(
      needs.files.withLocal(placed, local => needs.media.factsOf(local, placed.type)),
      signal,
    )
    const { type } = withKind({ type: placed.type, extension: '' }, facts.hasVideo)
    await record(needs, row, { ...placed, type, numbered: 0 }, facts)
    await numberTitle(needs, row.episode_id)
    return true
  }
  await needs.keptFiles.adoptFor(row.podcast_id, row.episode_id)
  await needs.store.whenWritable()
  // Read again: `adoptFor` has just set the file, or a refresh did so a moment ago.
  const episode = needs.store.episodes.find(row.episode_id)
  if (!episode?.file_path || episode.newer_recording) return false
  // A person asks for another form: the file that is here stays until that one has arrived.
  if (row.form !== null && row.form !== (episode.file_form ?? MAIN_FORM)) return false
  needs.store.downloads.finish(row.id, episode.file_size ?? 0, needs.now())
  needs.announce(row.id)
  return true
}

/** Finds a file that was put in place but not recorded; null when there was no such file. */
async function findPlaced({ files }: PlaceNeeds, row: DownloadRow): Promise<Omit<PlacedFile, 'numbered'> | null> {
  const target = targetOf(row)
  if (!target || !files.storageOf(target.storage).isPresent()) return null
  const size = await files.sizeOf(target)
  const expected = row.target_size ?? row.received_bytes
  if (size === null || size !== expected) return null
  // In the folder the \`.part\` itself is moved, unless a copy of it was.
  const isMove = target.storage === 'folder' && expected === row.received_bytes
  if (isMove && (await files.folder.sizeOfPart(row.eid)) !== null) return null
  const start = await files.storageOf(target.storage).readBytes(target.path, { from: 0, to: SNIFF_BYTES })
  const media = await sniffMedia(start)
  return media && { ...target, size, type: media.type }
}

/**
 * Assigns a file in place to its episode with what was read from it, and finishes the download. It replaces an older
 * recording.
 */
async function record(needs: PlaceNeeds, row: DownloadRow, file: PlacedFile, facts: MediaFacts) {
  const { store, files, forgotten, now } = needs
  const { storage, path, size } = file
  await store.whenWritable()
  let replaced: FilePlace | null = null
  let episodeId = row.episode_id
  const isWanted = store.inTransaction(() => {
    const current = store.downloads.find(row.id)
    // The download was cancelled, or its podcast deleted, in the meantime.
    if (!current) {
      forgotten.note({ storage, path })
      return false
    }
    // The episode may have been merged into another one.
    episodeId = current.episode_id
    const episode = store.episodes.find(episodeId)
    const older = episode && placeOf(episode)
    if (older && older.path !== path) forgotten.note((replaced = older))
    store.episodes.keepFile(episodeId, {
      ...file,
      form: isMain(row) ? null : row.form,
      duration: facts.duration,
      isEstimate: facts.isEstimate,
      now: now(),
    })
    keepFacts(store, episodeId, facts)
    store.downloads.finish(row.id, size, now())
    return true
  })
  if (!isWanted) return forgotten.remove({ storage, path })
  if (replaced) await forgotten.removeUnlessTaken(replaced)
  await files.folder.removePart(row.eid)
  needs.log.info('Episode downloaded', { podcast: row.podcast_title, episode: row.episode_title, bytes: size })
  needs.announce(row.id)
  needs.publish({ type: 'downloadFinished', episodeId })
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
