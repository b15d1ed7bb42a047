import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config'
import { DATABASE_FILE } from './data-folder'
import { createImportParts, type ImportParts } from './import-parts'

/**
 * Does `work` on a copy of the library in which no feed is requested, and throws the copy away. `copy` writes the
 * database with the server's secret to a path.
 */
export async function onCopy<T>(
  config: Config,
  copy: (target: string) => void | Promise<void>,
  work: (parts: ImportParts) => Promise<T>,
): Promise<T> {
  const folder = join(config.dataFolder, 'moving', `dry-run-${crypto.randomUUID()}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    await copy(join(folder, DATABASE_FILE))
    const parts = createImportParts({ ...config, dataFolder: folder, replicaUrl: null }, { readsFeeds: false })
    try {
      // Other moves go on in the library itself.
      parts.store.moves.removeAll()
      return await work(parts)
    } finally {
      await parts.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
