import { copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { COPY, copyList, copySource } from './copy-source'

export type Copying = {
  path: string
  folder: string
  /** The path of an OPML list that belongs to the file; null = none. */
  list: string | null
  /** Whether the path is that of another copy of ours, whose folder has everything that belongs to it. */
  isCopy: boolean
}

/**
 * Copies a file, and what belongs to it, into a folder of a move; returns the path of the copy. Throws `MoveRefused`.
 */
export function copyFor({ path, folder, list, isCopy }: Copying): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (isCopy) linkAll(dirname(path), folder)
  else copySource(path, folder)
  if (list !== null) copyList(list, folder)
  return join(folder, COPY)
}

/** Links all files, which nobody changes, or copies those of a file system without links. */
function linkAll(from: string, to: string) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      mkdirSync(target, { mode: 0o700 })
      linkAll(source, target)
    } else {
      try {
        linkSync(source, target)
      } catch {
        copyFileSync(source, target)
      }
    }
  }
}
