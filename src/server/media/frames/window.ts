import type { Readable } from '../pieces'

/** A file in the folder or in a bucket: its bytes, and how parts of it are read. */
export type Source = { size: number; readBytes: (from: number, to: number) => Promise<Uint8Array> }

/** A file that needs more reading than it may, or has too much in it that is no sound. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  constructor(readonly reason: 'too-large' | 'malformed') {
    super(`The file cannot be read: ${reason}`)
  }
}

export type Window = ReturnType<typeof createWindow>

const WINDOW = 1024 * 1024
/** Most bytes of a file that are searched for a frame and hold none. */
const MAX_GARBAGE = 8 * 1024 * 1024

/** Reads a file through a window of a megabyte, no more than `budget` bytes in all. Throws `Unreadable`. */
export function createWindow({ size, readBytes }: Source, budget: number) {
  let left = budget
  let garbageLeft = MAX_GARBAGE
  let held: { at: number; bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) }

  /** The bytes from a place on, at least `least` of them unless the file ends before. */
  async function from(at: number, least: number): Promise<Buffer> {
    const skipped = at - held.at
    if (skipped >= 0 && skipped + least <= held.bytes.length) return held.bytes.subarray(skipped)
    const to = Math.min(size, at + Math.max(least, WINDOW))
    left -= Math.max(0, to - at)
    if (left < 0) throw new Unreadable('too-large')
    const bytes = to > at ? await readBytes(at, to) : new Uint8Array()
    held = { at, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
    return held.bytes
  }

  const readable: Readable = {
    async read(target, offset, length, position) {
      const bytes = (await from(position, length)).subarray(0, length)
      target.set(bytes, offset)
      return { bytesRead: bytes.length }
    },
  }
  return {
    size,
    from,
    readable,
    /** Notes bytes that were searched for a frame. Throws `Unreadable` once they are too many. */
    noteGarbage(bytes: number) {
      garbageLeft -= bytes
      if (garbageLeft < 0) throw new Unreadable('malformed')
    },
  }
}
