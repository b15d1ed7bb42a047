import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { open as openFile, rename, stat, statfs, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { monotonicClock } from '../platform/clock'
import { Problem } from '../platform/problem'
import { createFileFacts } from './file-facts'
import { isMounted, pathIn, removeEmptyAbove } from './media-folder'

export type { FileFacts } from './file-facts'
export type MediaFiles = ReturnType<typeof createMediaFiles>

/**
 * The media folder: complete files under their names, unfinished ones in `.partial`. Paths are relative to the folder
 * unless said otherwise, and never lead outside it. While the folder is not mounted, nothing is written, and nothing but
 * a `.part` file is deleted. `someKnownFiles` returns paths of a few files that the library has, to recognise the folder.
 */
export function createMediaFiles(root: string, someKnownFiles: () => readonly string[], elapsed = monotonicClock) {
  const partial = join(root, '.partial')
  const facts = createFileFacts(elapsed)
  const isPresent = () => isMounted(root, someKnownFiles)
  const pathOf = (relative: string) => pathIn(root, relative)
  const partOf = (eid: string) => join(partial, `${eid}.part`)

  function requirePresent() {
    if (isPresent()) return
    throw new Problem('media-folder-absent', `The media folder ${root} is not mounted. Mount its disk or share first.`)
  }

  /** Creates the folder for unfinished files. Throws `media-folder-absent`; call before anything is written. */
  function open() {
    requirePresent()
    mkdirSync(partial, { recursive: true })
  }

  /** Moves a complete file, named by its absolute path, into place; the move is synced when this returns. */
  async function moveInto(source: string, relative: string) {
    open()
    facts.forget(pathOf(relative))
    await renameSynced(source, pathOf(relative))
    facts.forget(pathOf(relative))
  }

  return {
    root,
    isPresent,
    /** Throws `media-folder-absent`; call before anything is deleted or forgotten. */
    requirePresent,
    open,
    pathOf,
    partOf,
    moveInto,
    exists: (relative: string) => existsSync(pathOf(relative)),
    /** Tells whether two paths lead to one file, as they do on a disk that ignores case. */
    areSame: (one: string, other: string) => areSame(pathOf(one), pathOf(other)),
    factsOf: facts.of,
    areCurrent: facts.areCurrent,
    sizeOf,
    freeBytes: () => freeBytes(root),

    /** Renames a file and deletes any folders this leaves empty; the move is synced when this returns. */
    async move(from: string, to: string) {
      const source = pathOf(from)
      facts.forget(source)
      await moveInto(source, to)
      await removeEmptyAbove(root, source)
    },
    /** Deletes a file, if it is there, and any folders this leaves empty. */
    async remove(relative: string) {
      requirePresent()
      const path = pathOf(relative)
      facts.forget(path)
      await removeFile(path)
      await removeEmptyAbove(root, path)
    },
    removePart: (eid: string) => removeFile(partOf(eid)),
    /** Lists the unfinished files, by eid, that belong to none of the `wanted` downloads. */
    strayParts: (wanted: ReadonlySet<string>) => listParts(partial).filter(eid => !wanted.has(eid)),
  }
}

function listParts(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map(name => name.replace(/\.part$/, '')) : []
}

/** Size of the file at an absolute path, in bytes; null when there is none. */
const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  )

function areSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map(path => statSync(path, { throwIfNoEntry: false }))
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return Number(bavail) * Number(bsize)
}

/** Renames a file, by absolute paths, and syncs the folder that it came to. */
async function renameSynced(source: string, target: string) {
  mkdirSync(dirname(target), { recursive: true })
  await rename(source, target)
  const folder = await openFile(dirname(target), 'r')
  // Not every file system can sync a folder; those that cannot need no sync.
  await folder.sync().catch(() => undefined)
  await folder.close()
}

async function removeFile(path: string) {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}
