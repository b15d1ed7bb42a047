import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

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
