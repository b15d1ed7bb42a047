import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { indexFolder, nameKey, type FolderIndex } from './folder-index'
import { inspectFile, type FoundFile, type Unfit } from './inspect-file'
import type { FolderPair } from './options'

export type FileFinder = ReturnType<typeof createFileFinder>

type Folder = { from: string; root: string; index: () => Promise<FolderIndex> }

/**
 * Finds the files of another machine or container in the folders of this one: by the path with its beginning replaced,
 * else by name and size anywhere below the folders.
 */
export function createFileFinder(pairs: readonly FolderPair[]) {
  let folders: Promise<Folder[]> | null = null
  return {
    /** `size` in bytes, as the source knows it; null = unknown. */
    async find(path: string, size: number | null): Promise<FoundFile | Unfit> {
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

/** A path with `/` between its parts, without `./` before it and `/` behind it. */
function tidy(path: string): string {
  let tidied = path.includes('/') ? path : path.replaceAll('\\', '/')
  while (tidied.startsWith('./')) tidied = tidied.slice(2)
  while (tidied.endsWith('/')) tidied = tidied.slice(0, -1)
  return tidied
}

/** The rest of a path behind a beginning; null where it has another one. */
function restOf(from: string, path: string): string | null {
  if (from !== '') return path.startsWith(`${from}/`) ? path.slice(from.length + 1) : null
  let rest = path
  while (rest.startsWith('/')) rest = rest.slice(1)
  return rest
}

/**
 * Finds a file of that name and size. Without a size its folder needs the same name as well: some programs call every
 * file alike.
 */
async function findElsewhere(folders: readonly Folder[], path: string, size: number | null) {
  const parts = path.split('/').map(nameKey)
  const [name, parent] = [parts.at(-1)!, parts.at(-2)]
  const found: { root: string; path: string; shared: number }[] = []
  for (const { root, index } of folders) {
    const files = await index()
    const withName = () => (parent ? files.inFolder(parent, name) : files.named(name))
    const candidates = size === null ? withName() : await files.ofSize(name, size)
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
