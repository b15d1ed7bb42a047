import { constants } from 'node:fs'
import { copyFile, link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describeError } from '../../platform/log'
import { isFolderAddress } from '../../store/feeds'
import type { MoveRow, PlacedChange } from '../../store/moves'
import type { FileChange, FileLeft } from '../files/put-in-place'
import type { MovingNeeds } from '../needs'
import { settleApart, type UndoApart, type Undone } from './batch'

type Change = { change: PlacedChange; file: FileChange; left: FileLeft }

/**
 * Undoes an imported file: moves it back, leaves it, or deletes our copy if the original still exists. The record is
 * removed first, in one transaction with the report and a note of our file, so the next start of a killed process
 * deletes that file.
 */
export const undoFile: UndoApart = async (needs, move, change) => {
  const undo = { change, file: JSON.parse(change.before!) as FileChange, left: JSON.parse(change.after!) as FileLeft }
  await needs.disk.rename.finished(id => id === change.episode_id)
  const isDropped = await tryToUndo(needs, move, undo)
    .then(outcome => settle(needs, move, undo, outcome))
    .catch((error: unknown) => {
      needs.log.error('A file of an import could not be moved back', { error: describeError(error) })
      return settle(needs, move, undo, 'unexpected')
    })
  if (!isDropped) return
  if (undo.file.way !== 'there')
    await needs.disk.forgotten.removeUnlessTaken({ storage: 'folder', path: undo.file.path })
  needs.publish({ type: 'fileRemoved', episodeId: change.episode_id! })
  needs.publish({ type: 'textsStored', episodeId: change.episode_id! })
}

/** The outcome as far as it can be known before the transaction; a file that was moved is back then. */
async function tryToUndo(needs: MovingNeeds, move: MoveRow, undo: Change): Promise<Undone> {
  const { files } = needs.disk
  const { change, file, left } = undo
  const use = useOf(needs, move, undo)
  if (use !== null) return use
  if (file.way === 'there') return 'undone'
  if (!files.isPresent()) return 'media-folder-absent'
  const ours = files.pathOf(file.path)
  const found = await stat(ours).catch(() => null)
  if (!found) return 'gone'
  if (found.size !== left.size || Math.abs(found.mtimeMs - left.changedAt) > TIMES_OF_DISKS) return 'changed'
  // The other server still has it.
  if (file.way === 'fetched') return 'undone'
  if (file.way !== 'move') return (await isFile(file.original!)) ? 'undone' : 'only-copy'
  return (await putBack(ours, file.original!, `.castellan-${move.uuid}-${change.place}.part`)) ?? 'undone'
}

const isFile = (path: string) =>
  stat(path).then(
    found => found.isFile(),
    () => false,
  )

/** Some disks keep times to two seconds, and forget the rest only later. */
const TIMES_OF_DISKS = 2000

/** Why the record stays, or what became of it; null = it is as the move left it. */
function useOf({ store }: MovingNeeds, move: MoveRow, { change, file, left }: Change): Undone | null {
  const episode = store.episodes.find(change.episode_id!)
  if (!episode || episode.file_path === null) return 'gone'
  if (episode.file_storage !== 'folder' || episode.file_path !== file.path || episode.downloaded_at !== left.at)
    return 'changed'
  if (store.downloads.findOfEpisode(episode.id)) return 'downloaded'
  // Elsewhere an episode can be heard without its file.
  const isOnlyFile = isFolderAddress(store.podcasts.find(episode.podcast_id)!.feed_url)
  return isOnlyFile ? store.moves.useOfEpisode(episode.id, move.started_at) : null
}

/** Stores the outcome, and returns whether the record is gone. */
function settle(needs: MovingNeeds, move: MoveRow, undo: Change, outcome: Undone): Promise<boolean> {
  const { store } = needs
  const { change } = undo
  return store.inTurn(() => {
    const podcastId = store.episodes.find(change.episode_id!)?.podcast_id
    const feed = podcastId === undefined ? '' : store.podcasts.find(podcastId)!.feed_url
    // Somebody may have come between.
    const use = useOf(needs, move, undo)
    const goes = (outcome === 'undone' || outcome === 'gone') && use === null
    if (goes) dropRecord(needs, undo)
    settleApart(store, move, change, { name: 'files', feed, outcome: goes ? outcome : (use ?? outcome) })
    return goes
  })
}

/** Makes the episode what it was without the file. */
function dropRecord({ store, disk }: MovingNeeds, { change, file, left }: Change) {
  const id = change.episode_id!
  const { chapters, ...was } = file.was
  store.episodes.dropFile(id)
  store.moves.putFacts(id, was, left.duration)
  store.chapters.putBack(id, 'file', chapters)
  store.search.drop(id)
  if (file.way !== 'there') disk.forgotten.note({ storage: 'folder', path: file.path })
}

/** Why a file cannot go back to where it was moved from. */
type Unreturned = 'folder-gone' | 'place-taken' | 'disk-full' | 'not-writable'

/**
 * Puts a file of ours back to where it was moved from, complete and synced; ours stays. Nothing that is there by now is
 * replaced; null = it is there, also since an earlier process put it back. `name`: of the unfinished file next to it.
 */
async function putBack(ours: string, original: string, name: string): Promise<Unreturned | null> {
  const folder = dirname(original)
  // It was a real path: a link that is there by now leads elsewhere.
  if ((await realpath(folder).catch(() => null)) !== folder) return 'folder-gone'
  const part = join(folder, name)
  try {
    await rm(part, { force: true })
    if (await exists(original)) return (await areSameFiles(ours, original)) ? null : 'place-taken'
    if (!(await tryLink(ours, original))) await copyBack(ours, original, part)
    await sync(folder).catch(() => undefined)
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''

function reasonOf(error: unknown): Unreturned {
  if (codeOf(error) === 'EEXIST') return 'place-taken'
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error)) ? 'disk-full' : 'not-writable'
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** False on another disk, or a file system without links. Throws where something is there. */
const tryLink = (from: string, to: string) =>
  link(from, to).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'EEXIST') throw error
      return false
    },
  )

async function copyBack(ours: string, original: string, part: string) {
  try {
    await copyFile(ours, part, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    await sync(part)
    if (!(await areSameFiles(ours, part))) throw new Error(`${basename(part)} is not what was written`)
    if (await tryLink(part, original)) return
    // Keeps the place for the file that replaces it.
    await (await open(original, 'wx')).close()
    await rename(part, original)
  } finally {
    await rm(part, { force: true }).catch(() => undefined)
  }
}

async function sync(path: string) {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

const CHUNK = 1024 * 1024

/** Whether two paths are one file, or two files with the same bytes; a link is neither. */
async function areSameFiles(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([lstat(one), lstat(other)])
  if (!first.isFile() || !second.isFile() || first.size !== second.size) return false
  return (first.dev === second.dev && first.ino === second.ino) || haveSameBytes(one, other)
}

async function haveSameBytes(one: string, other: string): Promise<boolean> {
  const [first, second] = [await open(one, 'r'), await open(other, 'r')]
  try {
    const [left, right] = [Buffer.alloc(CHUNK), Buffer.alloc(CHUNK)]
    for (let at = 0; ;) {
      const [{ bytesRead }, same] = await Promise.all([
        first.read(left, 0, CHUNK, at),
        second.read(right, 0, CHUNK, at),
      ])
      if (bytesRead !== same.bytesRead || !left.subarray(0, bytesRead).equals(right.subarray(0, bytesRead)))
        return false
      if (bytesRead === 0) return true
      at += bytesRead
    }
  } finally {
    await Promise.all([first.close(), second.close()])
  }
}
