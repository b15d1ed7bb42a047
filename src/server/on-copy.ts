import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config'
import { DATABASE_FILE } from './data-folder'
import { nameOfThisProcess } from './platform/temporary-name'
import { createImportParts, type ImportParts } from './import-parts'

/**
 * Does `work` on a copy of the library in which no feed is requested, and throws the copy away; a process that is
 * killed leaves it to the next start of the server (`removeStrays`). `copy` writes the database to a path, without the
 * server's secret, which it returns: nothing puts that on the disk once more. Null = lost.
 */
export async function onCopy<T>(
  config: Config,
  copy: (target: string) => Uint8Array | null | Promise<Uint8Array | null>,
  work: (parts: ImportParts) => Promise<T>,
): Promise<T> {
  const folder = join(config.dataFolder, 'moving', nameOfThisProcess('dry-run'))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // A server that stops does not wait for a copy of a large library to end.
  process.once('exit', remove)
  try {
    const secretKey = await copy(join(folder, DATABASE_FILE))
    const ofCopy = { ...config, dataFolder: folder, secretKey, replicaUrl: null }
    const parts = createImportParts(ofCopy, { isCopy: true })
    try {
      // Other moves go on in the library itself.
      parts.store.moves.removeAll()
      return await work(parts)
    } finally {
      await parts.close()
    }
  } finally {
    process.off('exit', remove)
    remove()
  }
}
