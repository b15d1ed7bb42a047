import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'

/** The absolute path of a file that the database names. Throws for a path outside the media folder. */
export function pathIn(root: string, relative: string): string {
  const path = resolve(root, relative)
  if (!path.startsWith(root + sep)) throw new Error(`${relative} lies outside the media folder`)
  return path
}

/**
 * Whether the media folder is there. It often is on its own share, and a share that is not mounted looks like an
 * empty folder. A mark distinguishes the two: a folder without the mark and without any of the files that the library
 * has (`known`: some of them) is not mounted. A new folder gets its mark here.
 */
export function isMounted(root: string, known: () => readonly string[]): boolean {
  const mark = join(root, '.castellan')
  if (existsSync(mark)) return true
  const files = known()
  if (files.length > 0 && !files.some(file => existsSync(pathIn(root, file)))) return false
  try {
    mkdirSync(root, { recursive: true })
    writeFileSync(mark, 'This folder holds the media of Castellan.\n')
    return true
  } catch {
    // A folder that cannot be written to can still be played from; writing fails with its own error.
    return existsSync(root)
  }
}

/** Deletes the folders above a path, up to the media folder, that are empty. */
export async function removeEmptyAbove(root: string, path: string) {
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
    const isRemoved = await rmdir(folder).then(
      () => true,
      () => false,
    )
    if (!isRemoved) return
  }
}
