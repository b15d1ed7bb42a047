import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of public clips, each named by the id of its clip; unfinished ones end in `.part`. */
export const createClipFolder = (folder: string) => {
  const pathOf = (uuid: string) => join(folder, uuid)
  return {
    pathOf,
    has: (uuid: string) => existsSync(pathOf(uuid)),
    /** Writes a whole file; a process that is killed while it works leaves a part, which is a stray. */
    async write(uuid: string, chunks: AsyncIterable<Uint8Array>) {
      mkdirSync(folder, { recursive: true })
      const part = `${pathOf(uuid)}.part`
      const file = await open(part, 'w', 0o600)
      try {
        // Where a disk is almost full, a write may take less than it was given.
        for await (const chunk of chunks)
          for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(part, pathOf(uuid))
    },
    async remove(uuid: string) {
      await rm(pathOf(uuid), { force: true })
      await rm(`${pathOf(uuid)}.part`, { force: true })
    },
    /** Ids of the clips that have a file, or a part of one. */
    list: (): string[] => (existsSync(folder) ? readdirSync(folder).map(name => name.replace(/\.part$/, '')) : []),
  }
}
