import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config'
import { DATABASE_FILE } from '../data-folder'
import { nameOfThisProcess } from '../platform/temporary-name'
import type { Store } from '../store'

type Copy = { store: Store; close: () => Promise<void> }

/**
 * Does `work` on a copy of the library in which no feed is requested, and throws the copy away; a process that is
 * killed leaves it to the next start of the server (`removeStrays`). `write` writes the database to a path, without the
 * server's secret, which it returns: nothing puts that on the disk once more. Null = lost.
 */
export async function onCopy<C extends Copy, T>(
  config: Config,
  openCopy: (config: Config) => C,
  write: (target: string) => Uint8Array | null | Promise<Uint8Array | null>,
  work: (copy: C) => Promise<T>,
): Promise<T> {
  const folder = join(config.dataFolder, 'moving', nameOfThisProcess('dry-run'))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // A server that stops does not wait for a copy of a large library to end.
  process.once('exit', remove)
  try {
    const secretKey = await write(join(folder, DATABASE_FILE))
    const copy = openCopy({ ...config, dataFolder: folder, secretKey, replicaUrl: null })
    try {
      // Other moves go on in the library itself.
      copy.store.moves.removeAll()
      return await work(copy)
    } finally {
      await copy.close()
    }
  } finally {
    process.off('exit', remove)
    remove()
  }
}
