import { constants } from 'node:fs'
import { copyFile, link, open, rm, stat, unlink } from 'node:fs/promises'
import type { MediaFolder } from '../../storage/folder'
import type { FoundFile } from './inspect-file'
import type { FileWay } from './options'

type Needs = {
  files: MediaFolder
  /** Disk space that copies leave free. */
  reserveBytes: number
}

/** The outcome for the file; a move is a link or a copy whose original is removed once it is recorded. */
export type Placed = { way: 'link' | 'copy' } | { reason: 'disk-full' | 'changed-file' }

/**
 * Puts a file at a free path of the media folder, complete and synced, or not at all. `name`: of the unfinished file,
 * which the next start of the server deletes. Throws what the disk says, but for its being full.
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

/** Another disk, a file system without links or the file of another user: then it is copied. */
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

/** Whether the new file is the one that was looked into. */
async function isWhole(part: string, found: FoundFile, isLinked: boolean): Promise<boolean> {
  const now = await stat(part)
  return now.size === found.size && (!isLinked || (now.dev === found.dev && now.ino === found.ino))
}

const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Removes the original of a file that was moved, if it still is as long as the file here. */
export async function removeOriginal(original: string, size: number) {
  const now = await stat(original).catch(() => null)
  if (now?.isFile() && now.size === size) await unlink(original)
}
