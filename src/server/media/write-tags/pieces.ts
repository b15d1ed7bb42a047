import { open, unlink, type FileHandle } from 'node:fs/promises'

/** Bytes of the source that stay as they are; `to` is the byte behind the last. */
export type Range = { from: number; to: number }
/** A new file in pieces: new bytes, and ranges of the old file. */
export type Piece = Uint8Array | Range

const CHUNK = 1024 * 1024

/**
 * Writes a new file of pieces of `source`, synced to the disk, and returns its size. The target is removed again if
 * that fails, also where the source is shorter than a range says.
 */
export async function writePieces(source: string, target: string, pieces: readonly Piece[]): Promise<number> {
  const from = await open(source, 'r')
  try {
    const to = await open(target, 'w')
    try {
      let size = 0
      for (const piece of pieces)
        size += piece instanceof Uint8Array ? await put(to, piece) : await copy(from, to, piece)
      await to.sync()
      return size
    } finally {
      await to.close()
    }
  } catch (error) {
    await unlink(target).catch(() => undefined)
    throw error
  } finally {
    await from.close()
  }
}

async function copy(source: FileHandle, target: FileHandle, { from, to }: Range): Promise<number> {
  const buffer = Buffer.alloc(Math.min(CHUNK, to - from))
  for (let at = from; at < to;) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, to - at), at)
    if (bytesRead === 0) throw new Error(`The file ends at byte ${at}, before ${to}`)
    await put(target, buffer.subarray(0, bytesRead))
    at += bytesRead
  }
  return to - from
}

async function put(target: FileHandle, bytes: Uint8Array): Promise<number> {
  for (let at = 0; at < bytes.length;) at += (await target.write(bytes, at)).bytesWritten
  return bytes.length
}
