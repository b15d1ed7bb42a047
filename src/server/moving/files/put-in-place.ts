import { constants } from 'node:fs'
import { copyFile, link, open, rm, stat, unlink } from 'node:fs/promises'
import type { MediaFolder } from '../../storage/folder'
import type { Store } from '../../store'
import type { ChapterRow } from '../../store/documents'
import type { EpisodeColumns } from '../../store/episodes'
import type { FactsBefore } from '../../store/move-undo'
import type { FileWay } from '../needs'
import type { FoundFile } from './find-file'

type Needs = {
  files: MediaFolder
  /** Disk space that copies leave free. */
  reserveBytes: number
}

/** The outcome for the file; a move is a link or a copy whose original is removed once it is recorded. */
type Placed = { way: 'link' | 'copy' } | { reason: 'disk-full' | 'changed-file' }

/**
 * Puts a file at a free path of the media folder, complete and synced, or not at all. `name`: of the unfinished file,
 * which the next start of the server deletes. Throws the disk's errors, except for a full disk.
 */
export async function putInPlace(
  { files, reserveBytes }: Needs,
  found: FoundFile,
  { target, name, way }: { target: string; name: string; way: FileWay },
): Promise<Placed> {
  files.open()
  const part = files.partOf(name)
  await rm(part, { force: true })
  try {
    const isLinked = way !== 'copy' && (await tryLink(found.path, part))
    if (!isLinked) {
      if ((await files.freeBytes()) - found.size < reserveBytes) return { reason: 'disk-full' }
      await copySynced(found.path, part)
    }
    if (!(await isWhole(part, found, isLinked))) return { reason: 'changed-file' }
    await files.moveInto(part, target)
    return { way: isLinked ? 'link' : 'copy' }
  } catch (error) {
    if (isFull(error)) return { reason: 'disk-full' }
    throw error
  } finally {
    await rm(part, { force: true }).catch(() => undefined)
  }
}

/** On another disk, on a file system without links or if another user owns the file, it is copied. */
const tryLink = (from: string, to: string) =>
  link(from, to).then(
    () => true,
    (error: unknown) => {
      if (isFull(error)) throw error
      return false
    },
  )

async function copySynced(from: string, to: string) {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  const file = await open(to, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Whether the new file is the one that was checked. */
async function isWhole(part: string, found: FoundFile, isLinked: boolean): Promise<boolean> {
  const now = await stat(part)
  return now.size === found.size && (!isLinked || (now.dev === found.dev && now.ino === found.ino))
}

export const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Removes the original of a file that was moved, if it is still as long as the file here. */
export async function removeOriginal(original: string, size: number) {
  const now = await stat(original).catch(() => null)
  if (now?.isFile() && now.size === size) await unlink(original)
}

/** The `before` of a change of kind `file`; the episode had no file. */
export type FileChange = {
  /** Below the media folder. */
  path: string
  /** `there`: it was already in the media folder and belonged to nothing. */
  way: FileWay | 'there'
  /** The file that was imported, which was deleted there if it was moved; null = it was here already. */
  original: string | null
  /** Facts that the episode had; `chapters`: those of an earlier file. */
  was: FactsBefore & { chapters: ChapterRow[] }
}

/** The `after` of such a change: the imported file, in bytes and milliseconds. */
export type FileLeft = {
  size: number
  /** When its bytes were written, as the disk says. */
  changedAt: number
  /** When it was recorded. */
  at: number | null
  /** Seconds of the episode since then. */
  duration: number
}

export const factsBefore = (
  { chapters }: Store,
  { id, duration, numbered, removed }: Pick<EpisodeColumns, 'id' | 'duration' | 'numbered' | 'removed'>,
): FileChange['was'] => ({ duration, numbered, removed, chapters: chapters.listFrom(id, 'file') })

/** When the bytes of a file were written; 0 if it is gone. */
export const changeTimeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => Math.floor(mtimeMs),
    () => 0,
  )
