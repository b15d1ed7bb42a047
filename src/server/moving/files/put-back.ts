import { constants } from 'node:fs'
import { copyFile, link, lstat, open, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Why a file cannot go back to where it was moved from. */
export type Unreturned = 'folder-gone' | 'place-taken' | 'disk-full' | 'not-writable'

/**
 * Puts a file of ours back to where it was moved from, complete and synced; ours stays. Nothing that is there by now is
 * replaced; null = it is there, also since an earlier process put it back. `name`: of the unfinished file next to it.
 */
export async function putBack(ours: string, original: string, name: string): Promise<Unreturned | null> {
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
