import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export type CoverFolder = ReturnType<typeof createCoverFolder>

/** Opens the folder of covers. A file is named by the digest of the original, and a suffix for each scaled size. */
export function createCoverFolder(folder: string) {
  const unfinished = join(folder, 'unfinished')
  const pathOf = (digest: string, suffix: string) => join(folder, digest.slice(0, 2), `${digest}${suffix}`)

  return {
    pathOf,
    has: (digest: string, suffix: string) => existsSync(pathOf(digest, suffix)),
    /** Writes a file whole or not at all, even if the process is killed. */
    async write(path: string, bytes: Uint8Array) {
      mkdirSync(dirname(path), { recursive: true })
      const temporary = join(unfinished, crypto.randomUUID())
      await Bun.write(temporary, bytes)
      await rename(temporary, path)
    },
    /** Removes, at start-up, the unfinished files of a killed process. */
    recover: () => rmSync(unfinished, { recursive: true, force: true }),
    /** Removes files where it can. Failures are ignored: a file that stays takes only space, and `doctor` finds it. */
    remove: async (paths: readonly string[]) =>
      void (await Promise.all(paths.map(path => unlink(path).catch(() => undefined)))),
  }
}
