import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export type CoverFolder = ReturnType<typeof createCoverFolder>

/** The folder of covers. Files are named by the digest of the original's bytes, and a suffix for each derived size. */
export function createCoverFolder(folder: string) {
  const unfinished = join(folder, 'unfinished')
  const pathOf = (digest: string, suffix: string) => join(folder, digest.slice(0, 2), `${digest}${suffix}`)

  return {
    pathOf,
    has: (digest: string, suffix: string) => existsSync(pathOf(digest, suffix)),
    /** Writes a file whole or not at all, whenever the process ends. */
    async write(path: string, bytes: Uint8Array) {
      mkdirSync(dirname(path), { recursive: true })
      const temporary = join(unfinished, crypto.randomUUID())
      await Bun.write(temporary, bytes)
      await rename(temporary, path)
    },
    /** Removes at the start what a killed process left unfinished. */
    recover: () => rmSync(unfinished, { recursive: true, force: true }),
    /** Removes files; one that is not there is no failure. */
    remove: async (paths: readonly string[]) =>
      void (await Promise.all(paths.map(path => unlink(path).catch(() => undefined)))),
  }
}
