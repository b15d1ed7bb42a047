import { constants } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { type MediaType, SNIFF_BYTES, sniffMedia } from '../../downloads/media-type'
import type { FileItem } from '../item'
import type { FolderPair } from '../needs'

export type FileFinder = { find(item: Pick<FileItem, 'path' | 'size' | 'remote'>): Promise<FoundFile | Unfit> }

type Folder = { from: string; root: string; index: () => Promise<FolderIndex> }

/**
 * Finds the files of another machine or container in the folders of this one: by the path with its beginning replaced,
 * else by name and size anywhere below the folders.
 */
export function createFileFinder(pairs: readonly FolderPair[]): FileFinder {
  let folders: Promise<Folder[]> | null = null
  return {
    /** `size` in bytes, as the source knows it; null = unknown. */
    async find({ path, size }) {
      const known = await (folders ??= openFolders(pairs))
      const tidied = tidy(path)
      const reasons: Unfit[] = []
      for (const { from, root } of known) {
        const rest = restOf(from, tidied)
        if (rest === null) continue
        const found = await inspectFile(root, resolve(root, rest), size)
        if (!('reason' in found)) return found
        reasons.push(found)
      }
      const found = await findElsewhere(known, tidied, size)
      if (!('reason' in found)) return found
      return [...reasons, found].find(({ reason }) => reason !== 'no-file') ?? found
    },
  }
}

async function openFolders(pairs: readonly FolderPair[]): Promise<Folder[]> {
  const opened = await Promise.all(
    pairs.map(async ({ from, to }) => {
      const root = await realpath(to).catch(() => null)
      if (root === null) return []
      let index: Promise<FolderIndex> | null = null
      return [{ from: tidy(from), root, index: () => (index ??= indexFolder(root)) }]
    }),
  )
  return opened.flat()
}

/** A path with `/` between its parts, without `./` before it and `/` after it. */
function tidy(path: string): string {
  let tidied = path.includes('/') ? path : path.replaceAll('\\', '/')
  while (tidied.startsWith('./')) tidied = tidied.slice(2)
  while (tidied.endsWith('/')) tidied = tidied.slice(0, -1)
  return tidied
}

/** The rest of a path after a beginning; null if it begins differently. */
function restOf(from: string, path: string): string | null {
  if (from !== '') return path.startsWith(`${from}/`) ? path.slice(from.length + 1) : null
  let rest = path
  while (rest.startsWith('/')) rest = rest.slice(1)
  return rest
}

/**
 * Finds a file of that name and size. Without a size its folder needs the same name as well: some programs give every
 * file the same name.
 */
async function findElsewhere(folders: readonly Folder[], path: string, size: number | null) {
  const parts = path.split('/').map(nameKey)
  const [name, parent] = [parts.at(-1)!, parts.at(-2)]
  const found: { root: string; path: string; shared: number }[] = []
  for (const { root, index } of folders) {
    const files = await index()
    const withName = () => (parent ? files.inFolder(parent, name) : files.named(name))
    const ending = name.startsWith('*.') ? name.slice(1) : null
    const candidates = ending ? files.endingWith(ending) : size === null ? withName() : await files.ofSize(name, size)
    if (candidates.length > MAX_ALIKE) return { reason: 'several-files' } as const
    for (const candidate of candidates)
      found.push({ root, path: candidate, shared: countShared(parts, candidate.split('/').map(nameKey)) })
  }
  const most = Math.max(...found.map(({ shared }) => shared))
  const [best, ...others] = found.filter(({ shared }) => shared === most)
  if (!best) return { reason: 'no-file' } as const
  if (others.some(other => other.path !== best.path)) return { reason: 'several-files' } as const
  return inspectFile(best.root, best.path, size)
}

const MAX_ALIKE = 100

/** Counts the parts at the end of two paths that are the same. */
function countShared(one: readonly string[], other: readonly string[]): number {
  let count = 0
  while (count < one.length && count < other.length && one.at(-1 - count) === other.at(-1 - count)) count++
  return count
}

const MAX_FILES = 500_000

type FolderIndex = Awaited<ReturnType<typeof indexFolder>>

/** Names are compared as text: some disks store letters and accents separately. */
const nameKey = (name: string) => name.normalize('NFC')

/**
 * Reads the names below a folder once. Some programs give every file the same name: files are found by name and folder,
 * or by name and size, without checking all that have the name.
 */
export async function indexFolder(root: string) {
  const byName = await readNames(root)
  const bySize = new Map<string, Promise<Map<number, string[]>>>()
  let byFolder: Map<string, string[]> | null = null
  let byEnding: Map<string, string[]> | null = null
  return {
    paths: () => byName.values().toArray().flat(),
    named: (name: string): readonly string[] => byName.get(name) ?? [],
    /** `ending`: the checksum and extension of a name, `.0a1b2c.mp3`. */
    endingWith(ending: string): readonly string[] {
      byEnding ??= Map.groupBy(this.paths(), path => endingOf(path))
      return byEnding.get(ending) ?? []
    },
    /** `folder`: the name of the one that the file is in. */
    inFolder(folder: string, name: string): readonly string[] {
      byFolder ??= Map.groupBy(this.paths(), path => `${nameKey(basename(dirname(path)))}/${nameKey(basename(path))}`)
      return byFolder.get(`${folder}/${name}`) ?? []
    },
    ofSize: async (name: string, size: number): Promise<readonly string[]> =>
      (await bySize.getOrInsertComputed(name, () => groupBySize(byName.get(name) ?? []))).get(size) ?? [],
  }
}

const endingOf = (path: string) => /\.[0-9a-f]{6}(?:\.[^.]+)?$/.exec(nameKey(basename(path)))?.[0] ?? ''

/** No link is followed and no hidden folder entered; half a million files are enough. */
async function readNames(root: string) {
  const byName = new Map<string, string[]>()
  const folders = [root]
  let count = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) byName.getOrInsertComputed(nameKey(entry.name), () => []).push(path)
      if (++count >= MAX_FILES) return byName
    }
  }
  return byName
}

async function groupBySize(paths: readonly string[]) {
  const sizes = new Map<number, string[]>()
  for (const path of paths) {
    const found = await stat(path).catch(() => null)
    if (found) sizes.getOrInsertComputed(found.size, () => []).push(path)
  }
  return sizes
}

/** A file that may be imported: its real path, and facts that later show whether it is still the same. */
export type FoundFile = { path: string; size: number; dev: number; ino: number; media: MediaType }

/** The reason why a file of the source is not imported. */
export type Unfit = {
  reason:
    | 'not-sent'
    | 'disk-full'
    | 'no-file'
    | 'outside-folder'
    | 'incomplete'
    | 'not-media'
    | 'unreadable'
    | 'several-files'
}

/** A pipe must not keep us waiting, nor a link lead away after the check. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Accepts a regular file below the folder `root`, which is a real path, that has at least `size` bytes (null = unknown)
 * and begins as audio or video.
 */
export async function inspectFile(root: string, path: string, size: number | null): Promise<FoundFile | Unfit> {
  const real = await realpath(path).catch(() => null)
  if (real === null) return { reason: 'no-file' }
  if (!isBelow(root, real)) return { reason: 'outside-folder' }
  return readMedia(real, size).catch(() => ({ reason: 'unreadable' }))
}

export const isBelow = (root: string, path: string) => path.startsWith(root.endsWith(sep) ? root : root + sep)

async function readMedia(path: string, size: number | null): Promise<FoundFile | Unfit> {
  const file = await open(path, FLAGS)
  try {
    const found = await file.stat()
    if (!found.isFile()) return { reason: 'no-file' }
    if (size !== null && found.size < size) return { reason: 'incomplete' }
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
    const media = await sniffMedia(buffer.subarray(0, bytesRead))
    if (!media) return { reason: 'not-media' }
    return { path, size: found.size, dev: found.dev, ino: found.ino, media }
  } finally {
    await file.close()
  }
}
