import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Lists the relative paths of all files in a folder, except hidden ones. */
export function filesBelow(root: string): string[] {
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .filter(path => !path.split('/').some(part => part.startsWith('.')))
}
