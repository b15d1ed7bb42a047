import type { Readable } from '../bounded-file'

/** A file in the folder or in a bucket: its bytes, and how parts of it are read. */
export type Source = { size: number; readBytes: (from: number, to: number) => Promise<Uint8Array> }

/** Seconds, from and without. */
export type CutSpan = { from: number; to: number }

/** A file of its own, cut out of another: its type, its bytes, and what yields them. */
export type Cut = { type: 'audio/mpeg' | 'audio/aac'; size: number; chunks: () => AsyncGenerator<Uint8Array> }

/** The reason why nothing can be cut from a file. */
export type CutRefusal = 'unsupported' | 'malformed' | 'beyond-end' | 'too-large'

export class CutRefused extends Error {
  override name = 'CutRefused'
  constructor(readonly reason: CutRefusal) {
    super(`Nothing can be cut: ${reason}`)
  }
}

export type Window = ReturnType<typeof createWindow>

const WINDOW = 256 * 1024

/** Reads a file through a window of 256 KB, no more than `budget` bytes in all. Throws `CutRefused`. */
export function createWindow({ size, readBytes }: Source, budget: number) {
  let left = budget
  let held: { at: number; bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) }

  /** The bytes from a place on, at least `least` of them unless the file ends before. */
  async function from(at: number, least: number): Promise<Buffer> {
    const skipped = at - held.at
    if (skipped >= 0 && skipped + least <= held.bytes.length) return held.bytes.subarray(skipped)
    const to = Math.min(size, at + Math.max(least, WINDOW))
    left -= Math.max(0, to - at)
    if (left < 0) throw new CutRefused('too-large')
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
  return { size, from, readable }
}

/** Yields the bytes of a file between two places, 256 KB at a time. Throws `CutRefused` where it has become shorter. */
export async function* copyOf({ readBytes }: Source, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to;) {
    const bytes = await readBytes(at, Math.min(to, at + WINDOW))
    if (bytes.length === 0) throw new CutRefused('malformed')
    yield bytes
    at += bytes.length
  }
}
