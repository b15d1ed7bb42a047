import { open, rename, unlink, type FileHandle } from 'node:fs/promises'

/**
 * Replaces everything in a file before byte `soundAt` with `tag`, and returns its new size. The new file is written to
 * `temporary` first, so that it replaces the old one completely or not at all.
 */
export async function replaceTag(path: string, temporary: string, tag: Uint8Array, soundAt: number): Promise<number> {
  const source = await open(path, 'r')
  try {
    const size = await writeFile(temporary, tag, source, soundAt)
    await rename(temporary, path)
    return size
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  } finally {
    await source.close()
  }
}

/** Writes `tag` and the rest of `source`, synced to the disk, and returns the size. */
async function writeFile(path: string, tag: Uint8Array, source: FileHandle, from: number): Promise<number> {
  const target = await open(path, 'w')
  try {
    await target.write(tag)
    let size = tag.length
    const buffer = Buffer.alloc(1024 * 1024)
    for (let at = from; ;) {
      const { bytesRead } = await source.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) break
      await target.write(buffer, 0, bytesRead)
      at += bytesRead
      size += bytesRead
    }
    await target.sync()
    return size
  } finally {
    await target.close()
  }
}
