import { keepFacts } from '../../downloads/kept-files'
import { withKind } from '../../downloads/media-type'
import type { MediaFacts } from '../../media/read'
import { describeError } from '../../platform/log'
import { type Batch, findEpisode, findOrMake, leftOut, noteChange, type Outcome, present, taken } from '../apply/batch'
import type { FileItem } from '../item'
import type { FileWay, MovingNeeds } from '../needs'
import { changeTimeOf, factsBefore, type FileChange, type FileLeft, putInPlace, removeOriginal } from './put-in-place'
import { type FileFinder, type FoundFile, isBelow } from './find-file'
import { open, readdir, realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { isFolderAddress } from '../../store/feeds'

/** Runs one transaction of an item. */
export type Transact = <T>(work: (batch: Batch) => T) => Promise<T>

export type Bringing = { needs: MovingNeeds; finder: FileFinder; way: FileWay; transact: Transact }

type Brought = Omit<FileChange, 'was'> & Pick<FileLeft, 'changedAt'>

/**
 * Puts the file of an episode into the media folder and records it as a download that has ended. The new name is noted
 * as forgotten until the file is recorded: so a process that ends in between leaves nothing behind.
 */
export async function applyFile(bringing: Bringing, item: FileItem) {
  const { needs, finder, transact } = bringing
  const end = (outcome: Outcome) => transact(batch => settle(batch, item, outcome))
  const early = await transact(batch => outcomeBefore(batch, item))
  if (early) return end(early)
  const found = await finder.find(item)
  if ('reason' in found) return end(leftOut(found.reason))
  const own = await pathInMedia(needs, found)
  if (own?.isHidden) return end(leftOut('outside-folder'))
  const plan = await transact(batch => makePlan(needs, batch, item, found, own?.path ?? null))
  if ('outcome' in plan) return end(plan.outcome)
  if (!needs.readsFeeds) return transact(batch => rehearse(batch, item, found, plan))
  return bring(bringing, item, found, plan)
}

/** Does in a dry run what is needed to distinguish the second file of an episode from the first. */
function rehearse(batch: Batch, item: FileItem, { size, media }: FoundFile, { episodeId, path }: Plan) {
  batch.store.episodes.keepFile(episodeId, { path, size, type: media.type, duration: null, now: batch.now() })
  settle(batch, item, taken)
}

async function bring(bringing: Bringing, item: FileItem, found: FoundFile, plan: Plan) {
  const { needs, way, transact } = bringing
  const { files, forgotten, media } = needs.disk
  const placed = plan.isThere ? { way: 'there' as const } : await place(bringing, found, plan)
  if ('reason' in placed) {
    await forgotten.removeUnlessTaken({ storage: 'folder', path: plan.path })
    return transact(batch => settle(batch, item, leftOut(placed.reason)))
  }
  const facts = await media.factsOf(files.pathOf(plan.path), found.media.type)
  const isMove = (way === 'move' || way === 'fetched') && !plan.isThere
  const change: Brought = {
    path: plan.path,
    way: isMove ? way : placed.way,
    original: plan.isThere ? null : found.path,
    changedAt: await changeTimeOf(files.pathOf(plan.path)),
  }
  const isKept = await record(bringing, item, found, plan, facts, change)
  if (!isKept) return plan.isThere ? undefined : forgotten.removeUnlessTaken({ storage: 'folder', path: plan.path })
  needs.publish({ type: 'downloadFinished', episodeId: plan.episodeId })
  const cover = await keepFolderCover(needs, plan.episodeId, found, files.pathOf(plan.path))
  if (cover) await transact(batch => setCover(batch, cover))
  if (isMove) await removeOriginal(found.path, found.size)
}

async function place({ needs, way }: Bringing, found: FoundFile, { path, eid }: Plan) {
  try {
    return await putInPlace(needs.disk, found, { target: path, name: `moving-${eid}`, way })
  } catch (error) {
    needs.log.warn('A file could not be imported', { path: found.path, error: describeError(error) })
    return { reason: 'unreadable' as const }
  }
}

/** Records a file in place, and returns whether the episode takes it. */
async function record(
  { needs: { disk, store }, transact }: Bringing,
  item: FileItem,
  { size, media }: FoundFile,
  { episodeId, path }: Plan,
  facts: MediaFacts,
  { changedAt, ...change }: Brought,
): Promise<boolean> {
  const unfinished = () => {
    const row = store.downloads.findOfEpisode(episodeId)
    return row && row.state !== 'done' ? row : null
  }
  const keep = (batch: Batch) => {
    // A download that was begun in the meantime would record a second file.
    if (unfinished()) return null
    const episode = store.episodes.find(episodeId)
    if (!episode || episode.file_path !== null) {
      settle(batch, item, present)
      return false
    }
    const { duration, isEstimate, hasVideo } = facts
    const before: FileChange = { ...change, was: factsBefore(store, episode) }
    store.episodes.keepFile(episodeId, {
      path,
      size,
      type: withKind(media, hasVideo).type,
      duration,
      isEstimate,
      now: batch.now(),
    })
    keepFacts(store, episodeId, facts)
    store.forgottenFiles.settle({ storage: 'folder', path })
    const { duration: seconds, downloaded_at: at } = store.episodes.find(episodeId)!
    const after: FileLeft = { size, changedAt, at, duration: seconds }
    const noted = { before: JSON.stringify(before), after: JSON.stringify(after) }
    noteChange(batch, 'file', { episode_id: episodeId, ...noted })
    settle(batch, item, taken)
    return true
  }
  for (;;) {
    for (let row = unfinished(); row; row = unfinished()) await disk.cancelDownload(row)
    const isKept = await transact(keep)
    if (isKept !== null) return isKept
  }
}

/** Makes a podcast use the cover that was stored for it. */
function setCover(batch: Batch, { podcastId, address }: { podcastId: number; address: string }) {
  batch.store.podcasts.setImage(podcastId, address)
  noteChange(batch, 'cover', { podcast_id: podcastId, after: address })
}

/** Counts the outcome of the item, which is then applied. */
function settle(batch: Batch, { episode }: FileItem, outcome: Outcome) {
  batch.count('files', episode.feed, outcome)
  batch.store.moves.setApplied(batch.move.id, batch.item + 1)
}

/** Changes that the file of an item makes: its episode, the file, a cover. */
const MAX_CHANGES = 3

/**
 * Ends what a killed process began: a file that is not recorded is deleted, and so is the original of one that was
 * moved.
 */
export async function finishLastFile({ store, disk }: MovingNeeds, { id, applied }: { id: number; applied: number }) {
  await disk.forgotten.recover()
  const last = store.moves.changesSince(id, applied - 1, MAX_CHANGES).findLast(({ kind }) => kind === 'file')
  if (!last || last.episode_id === null || last.before === null) return
  const { path, original, way } = JSON.parse(last.before) as FileChange
  const episode = store.episodes.find(last.episode_id)
  if (way !== 'move' || original === null || episode?.file_path !== path || episode.file_size === null) return
  if ((await disk.files.sizeOf(path)) !== episode.file_size) return
  await removeOriginal(original, episode.file_size)
}

const named = /^(cover|folder|front)\.(jpe?g|png|webp)$/i
const MAX_BYTES = 20 * 1024 * 1024

/**
 * Stores the cover of a podcast without a feed: the picture next to one of its files, else the one in the tags of the
 * first one, and returns its address. `here`: its absolute path in the media folder. Anything but a picture is left
 * out.
 */
async function keepFolderCover(
  { store, disk }: MovingNeeds,
  episodeId: number,
  { path, media }: FoundFile,
  here: string,
): Promise<{ podcastId: number; address: string } | null> {
  const podcastId = store.episodes.find(episodeId)?.podcast_id
  const podcast = podcastId === undefined ? null : store.podcasts.find(podcastId)
  if (!podcast || !isFolderAddress(podcast.feed_url) || podcast.image_url !== null) return null
  const isFirst = store.episodes.withFilesOf(podcast.id).length === 1
  const bytes = (await readBeside(path)) ?? (isFirst ? await disk.media.pictureOf(here, media.type) : null)
  if (!bytes || bytes.byteLength > MAX_BYTES) return null
  const address = `${podcast.feed_url}/cover`
  return disk.keepCover(podcast.id, address, bytes).then(
    () => ({ podcastId: podcast.id, address }),
    () => null,
  )
}

/** Reads the picture next to a file; null if there is none. */
async function readBeside(path: string): Promise<Uint8Array | null> {
  const entries = await readdir(dirname(path), { withFileTypes: true }).catch(() => [])
  const name = entries.filter(entry => entry.isFile() && named.test(entry.name)).map(entry => entry.name)
  return name.length === 0 ? null : readWhole(join(dirname(path), name.toSorted()[0]!)).catch(() => null)
}

async function readWhole(path: string): Promise<Uint8Array | null> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    return size > MAX_BYTES ? null : await file.readFile()
  } finally {
    await file.close()
  }
}

/** The place of a file: below the media folder, by a name of ours or, if it is there already, by its own. */
type Plan = { episodeId: number; eid: string; path: string; isThere: boolean }

/** The outcome of a file that needn't be looked for. */
function outcomeBefore(batch: Batch, { episode }: FileItem): Outcome | null {
  const found = findEpisode(batch, episode)
  if ('reason' in found) return found.reason === 'not-in-the-feed' ? null : leftOut(found.reason)
  const { file_path, removed } = batch.store.episodes.find(found.episodeId)!
  if (file_path !== null) return present
  // A folder is imported by hand, and its files exist nowhere else.
  return removed === 1 && batch.move.source !== 'folder' ? leftOut('deleted-here') : null
}

/** The path of a file that is already in the media folder; null elsewhere. */
async function pathInMedia({ disk: { files } }: MovingNeeds, { path }: FoundFile) {
  const root = await realpath(files.root).catch(() => null)
  if (root === null || !isBelow(root, path)) return null
  const own = relative(root, path).split(sep)
  return { path: own.join('/'), isHidden: own.some(part => part.startsWith('.')) }
}

/** Finds or makes the episode, and chooses the name of its file. */
function makePlan(
  { disk: { names, files, forgotten } }: MovingNeeds,
  batch: Batch,
  item: FileItem,
  { media }: FoundFile,
  own: string | null,
): Plan | { outcome: Outcome } {
  const { store } = batch
  const isUsed = (path: string) => store.episodes.isFileTaken(path) || store.downloads.isTarget(path)
  if (own !== null && isUsed(own)) return { outcome: leftOut('of-another-episode') }
  const found = findOrMake(batch, item.episode)
  if ('reason' in found) return { outcome: leftOut(found.reason) }
  const episode = store.episodes.find(found.episodeId)!
  const { id: episodeId, eid } = episode
  if (own !== null) return { episodeId, eid, path: own, isThere: true }
  const podcast = store.podcasts.find(found.podcastId)!
  const path = names.pathFor(
    episode,
    podcast,
    media.extension,
    name => isUsed(name) || store.keptFiles.has(name) || files.exists(name),
  )
  forgotten.note({ storage: 'folder', path })
  return { episodeId, eid, path, isThere: false }
}
