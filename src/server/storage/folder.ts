import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { lstat, open as openFile, rename, rmdir, stat, statfs, unlink } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type Clock, monotonicClock, SECOND } from '../platform/clock'
import { Problem } from '../platform/problem'
import type { MediaStorage, Span, StoredFile } from './storage'

export type MediaFolder = ReturnType<typeof createMediaFolder>

const READ_BYTES = 256 * 1024

/**
 * The media folder: complete files under their names, unfinished ones in `.partial`. Paths are relative to the folder
 * unless said otherwise, and never lead outside it. While the folder is not mounted, nothing is written, and only
 * `.part` files are deleted. `someKnownFiles` returns paths of a few files that the library has, to recognise the
 * folder.
 */
export function createMediaFolder(root: string, someKnownFiles: () => readonly string[], elapsed = monotonicClock) {
  const partial = join(root, '.partial')
  const facts = createFileFacts(elapsed)
  const isPresent = () => isMounted(root, someKnownFiles)
  const pathOf = (relative: string) => pathIn(root, relative)
  const partOf = (name: string) => join(partial, `${name}.part`)

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
    name: 'folder',
    root,
    isPresent,
    requirePresent,
    open,
    pathOf,
    partOf,
    moveInto,
    put: (local: string, path: string) => moveInto(local, path),
    exists: (relative: string) => existsSync(pathOf(relative)),
    areSame: async (one: string, other: string) => areSame(pathOf(one), pathOf(other)),
    factsOf: facts.of,
    areCurrent: facts.areCurrent,
    sizeOf: (relative: string) => sizeOfFile(pathOf(relative)),
    /** Whether a file was deleted, rather than the folder or a linked disk being unreachable. */
    isGone: async (relative: string) => isPresent() && (await isGone(root, relative)),
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
    readBytes: (relative: string, { from, to }: Span) => Bun.file(pathOf(relative)).slice(from, to).bytes(),
    chunks: (relative: string) => readChunks(pathOf(relative)),
    async *list(): AsyncGenerator<StoredFile> {
      for (const path of filesBelow(root)) yield { path, size: statSync(join(root, path)).size }
    },
    sizeOfPart: (name: string) => sizeOfFile(partOf(name)),
    removePart: (name: string) => removeFile(partOf(name)),
    /** Lists the unfinished files, by name, that belong to none of the `wanted` downloads. */
    strayParts: (wanted: ReadonlySet<string>) => listParts(partial).filter(name => !wanted.has(name)),
  } satisfies MediaStorage & Record<string, unknown>
}

function listParts(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map(name => name.replace(/\.part$/, '')) : []
}

/** Size of the file at an absolute path, in bytes; null when there is none. */
const sizeOfFile = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  )

/** A file that can't be read for another reason than being missing may be readable again later. */
async function isGone(root: string, relative: string): Promise<boolean> {
  const isThere = await stat(pathIn(root, relative)).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'ENOTDIR',
  )
  if (isThere) return false
  const parts = relative.split('/')
  for (let count = 1; count <= parts.length; count++) {
    const above = await lstat(join(root, ...parts.slice(0, count))).catch(() => null)
    if (above === null) return true
    if (above.isSymbolicLink() && !existsSync(join(root, ...parts.slice(0, count)))) return false
  }
  return true
}

function areSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map(path => statSync(path, { throwIfNoEntry: false }))
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return Number(bavail) * Number(bsize)
}

/** Renames a file, by absolute paths, and syncs the folder that it is now in. */
async function renameSynced(source: string, target: string) {
  mkdirSync(dirname(target), { recursive: true })
  await rename(source, target)
  const folder = await openFile(dirname(target), 'r')
  // Not every file system can sync a folder; those that can't don't need it.
  await folder.sync().catch(() => undefined)
  await folder.close()
}

async function removeFile(path: string) {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await openFile(path)
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(READ_BYTES), 0, READ_BYTES)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** The absolute path of a file that the database names. Throws for a path outside the media folder. */
function pathIn(root: string, relative: string): string {
  const path = resolve(root, relative)
  if (!path.startsWith(root + sep)) throw new Error(`${relative} is outside the media folder`)
  return path
}

/**
 * Whether the media folder is there. It often is on its own share, and a share that is not mounted looks like an
 * empty folder. A mark distinguishes the two: a folder without the mark and without any of the files that the library
 * has (`known`: some of them) is not mounted. A new folder gets its mark here.
 */
function isMounted(root: string, known: () => readonly string[]): boolean {
  const mark = join(root, '.castellan')
  if (existsSync(mark)) return true
  const files = known()
  if (files.length > 0 && !files.some(file => existsSync(pathIn(root, file)))) return false
  try {
    mkdirSync(root, { recursive: true })
    writeFileSync(mark, 'This folder holds the media of Castellan.\n')
    return true
  } catch {
    // Files in a folder that can't be written to can still be played; writing fails with its own error.
    return existsSync(root)
  }
}

/** Deletes the folders above a path, up to the media folder, that are empty. */
async function removeEmptyAbove(root: string, path: string) {
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
    const isRemoved = await rmdir(folder).then(
      () => true,
      () => false,
    )
    if (!isRemoved) return
  }
}

const REMEMBERED_MS = SECOND
const MAX_REMEMBERED = 64

export type FileFacts = { size: number; mtimeMs: number }
type Reading = { facts: Promise<FileFacts | null>; found: FileFacts | null; until: number }

/**
 * Reads size and time of files that are being sent, and remembers them for a second: so that a player's many ranges
 * don't access the disk each time. `elapsed`: a clock that never runs backwards.
 */
function createFileFacts(elapsed: Clock) {
  const remembered = new Map<string, Reading>()
  const findReading = (path: string) => {
    const reading = remembered.get(path)
    return reading && elapsed() < reading.until ? reading : null
  }

  return {
    /** Null when there is no such file. */
    of(path: string): Promise<FileFacts | null> {
      const known = findReading(path)
      if (known) return known.facts
      const reading: Reading = { facts: stat(path).catch(() => null), found: null, until: elapsed() + REMEMBERED_MS }
      reading.facts = reading.facts.then(found => (reading.found = found))
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(path, reading)
      return reading.facts
    },
    /**
     * Whether these facts are the remembered ones: the file was neither moved nor deleted since, and it isn't time to
     * check again.
     */
    areCurrent: (path: string, facts: FileFacts) => findReading(path)?.found === facts,
    forget: (path: string) => remembered.delete(path),
  }
}

/**
 * Lists the files in a folder and all folders below it, by their paths relative to it. Leaves out hidden ones and what
 * is in hidden folders; returns none for a folder that does not exist.
 */
export function filesBelow(root: string): string[] {
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .filter(path => !path.split('/').some(part => part.startsWith('.')))
}
