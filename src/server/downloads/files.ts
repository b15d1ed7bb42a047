import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { open as openFile, rename, rmdir, stat, statfs, unlink } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { Problem } from '../platform/problem'

const REMEMBERED_MS = 2000
const MAX_REMEMBERED = 64

export type FileFacts = { size: number; mtimeMs: number }
export type MediaFiles = ReturnType<typeof createMediaFiles>

/**
 * The media folder: whole files under their names, unfinished ones in `.partial`. Nothing here reaches outside it.
 *
 * It often lies on a share of its own, and a share that is not mounted looks like an empty folder. A mark tells the two apart: where it
 * is missing, and none of the files that the library knows (`known`: some of them) is there, nothing is written or deleted.
 */
export function createMediaFiles(root: string, known: () => readonly string[]) {
  const partial = join(root, '.partial')
  const mark = join(root, '.castellan')

  function isPresent(): boolean {
    if (existsSync(mark)) return true
    const files = known()
    if (files.length > 0 && !files.some(file => existsSync(pathOf(file)))) return false
    try {
      mkdirSync(root, { recursive: true })
      writeFileSync(mark, 'This folder holds the media of Castellan.\n')
      return true
    } catch {
      // It cannot be written to; whether that matters, whoever writes will find out.
      return existsSync(root)
    }
  }
  function requirePresent() {
    if (!isPresent()) throw new Problem('media-folder-absent', `The media folder ${root} is not mounted`)
  }
  /** There, with a place for what is unfinished. */
  function open() {
    requirePresent()
    mkdirSync(partial, { recursive: true })
  }

  /** The absolute path of a file that the database names. */
  function pathOf(relative: string): string {
    const path = resolve(root, relative)
    if (!path.startsWith(root + sep)) throw new Error(`${relative} lies outside the media folder`)
    return path
  }

  async function removeEmptyAbove(path: string) {
    for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
      const removed = await rmdir(folder).then(
        () => true,
        () => false,
      )
      if (!removed) break
    }
  }

  const remembered = new Map<string, { facts: Promise<FileFacts | null>; until: number }>()

  return {
    root,
    isPresent,
    /** Before something is deleted or forgotten. Throws `media-folder-absent`. */
    requirePresent,
    /** Before something is written. Throws `media-folder-absent`. */
    open,
    pathOf,
    partOf: (eid: string) => join(partial, `${eid}.part`),
    exists: (relative: string) => existsSync(pathOf(relative)),
    /**
     * Size and time of a file that is being sent, null when it is gone. Remembered for two seconds: a player that asks
     * for many pieces does not ask the disk each time.
     */
    factsOf(path: string): Promise<FileFacts | null> {
      const known = remembered.get(path)
      if (known && performance.now() < known.until) return known.facts
      const facts = stat(path).catch(() => null)
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(path, { facts, until: performance.now() + REMEMBERED_MS })
      return facts
    },
    sizeOf: (path: string) =>
      stat(path).then(
        found => found.size,
        () => null,
      ),
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(root)
      return Number(bavail) * Number(bsize)
    },

    /** Moves a finished `.part` into place; the move is on the disk when this returns. */
    async moveInto(part: string, relative: string) {
      open()
      const target = pathOf(relative)
      mkdirSync(dirname(target), { recursive: true })
      await rename(part, target)
      await syncFolder(dirname(target))
    },

    /** Renames a file, and deletes the folders that are empty then; the move is on the disk when this returns. */
    async move(from: string, to: string) {
      const source = pathOf(from)
      remembered.delete(source)
      await this.moveInto(source, to)
      await removeEmptyAbove(source)
    },

    /** Deletes a file, and the folders above it that are empty then. A file that is gone already is fine. */
    async remove(relative: string) {
      requirePresent()
      const path = pathOf(relative)
      remembered.delete(path)
      await unlink(path).catch(unlessMissing)
      await removeEmptyAbove(path)
    },
    removePart: (eid: string) => unlink(join(partial, `${eid}.part`)).catch(unlessMissing),

    /** Unfinished files that no download in the queue belongs to any more. */
    strayParts(wanted: ReadonlySet<string>): string[] {
      if (!existsSync(partial)) return []
      const eids = readdirSync(partial).map(name => name.replace(/\.part$/, ''))
      return eids.filter(eid => !wanted.has(eid))
    },
  }
}

async function syncFolder(path: string) {
  const folder = await openFile(path, 'r')
  // Not every file system lets a folder be synced; those that do not, need no sync.
  await folder.sync().catch(() => undefined)
  await folder.close()
}

function unlessMissing(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
}
