import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const MAX_FILES = 500_000

export type FolderIndex = Awaited<ReturnType<typeof indexFolder>>

/** Names are compared as text: some disks store the letters of an accent apart. */
export const nameKey = (name: string) => name.normalize('NFC')

/**
 * Reads the names below a folder once. Some programs call every file alike: files are found by name and folder, or by
 * name and size, without looking at all that have the name.
 */
export async function indexFolder(root: string) {
  const byName = await readNames(root)
  const bySize = new Map<string, Promise<Map<number, string[]>>>()
  let byFolder: Map<string, string[]> | null = null
  return {
    paths: () => byName.values().toArray().flat(),
    named: (name: string): readonly string[] => byName.get(name) ?? [],
    /** `folder`: the name of the one that the file is in. */
    inFolder(folder: string, name: string): readonly string[] {
      byFolder ??= Map.groupBy(this.paths(), path => `${nameKey(basename(dirname(path)))}/${nameKey(basename(path))}`)
      return byFolder.get(`${folder}/${name}`) ?? []
    },
    ofSize: async (name: string, size: number): Promise<readonly string[]> =>
      (await bySize.getOrInsertComputed(name, () => groupBySize(byName.get(name) ?? []))).get(size) ?? [],
  }
}

/** No link is followed, no hidden folder entered, and half a million are enough. */
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
