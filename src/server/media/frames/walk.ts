import { readHeader } from '../id3'
import type { Readable } from '../readable'

/** A file in the folder or in a bucket: its bytes, and how parts of it are read. */
export type Source = { size: number; readBytes: (from: number, to: number) => Promise<Uint8Array> }

/** The file needs more reading than is allowed, or contains too much that isn't sound. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  constructor(readonly reason: 'too-large' | 'malformed') {
    super(`The file cannot be read: ${reason}`)
  }
}

export type Window = ReturnType<typeof createWindow>

const WINDOW = 1024 * 1024
/** The most bytes without a frame that are searched for one. */
const MAX_GARBAGE = 8 * 1024 * 1024

/** Reads a file through a window of a megabyte, no more than `budget` bytes in all. Throws `Unreadable`. */
export function createWindow({ size, readBytes }: Source, budget: number) {
  let left = budget
  let garbageLeft = MAX_GARBAGE
  let held: { at: number; bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) }

  /** The bytes from a place on, at least `least` of them unless the file ends earlier. */
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

/** A frame of sound: where it is, its bytes, and the samples that it becomes. */
export type Frame = { at: number; length: number; samples: number }

/** Layout of the frames of a kind of sound. `rate`: samples per second. */
export type FrameFormat = {
  /** The byte that each header begins with. */
  sync: number
  headerBytes: number
  /**
   * Reads the header at a place of some bytes; null if none begins. `kind` is the same in all frames of a stream.
   */
  parse: (bytes: Buffer, at: number) => { length: number; samples: number; rate: number; kind: number } | null
}

/** The most bytes of garbage that are searched for the next frame. */
const FARTHEST = 1024 * 1024
/** At least the length of two frames and a header of the longest format. */
const REACH = 20 * 1024
const MAX_TAGS = 4

/** The byte after the ID3 tags at the start. */
export async function soundStart(window: Window): Promise<number> {
  let at = 0
  for (let count = 0; count < MAX_TAGS; count++) {
    const header = await readHeader(window.readable, at)
    if (!header) return at
    at += header.length
  }
  return at
}

/** The first frame from a place on whose two successors are of its kind; null if there is none. */
export async function findFrame(window: Window, format: FrameFormat, from: number, kind?: number) {
  const { sync } = format
  const end = Math.min(window.size, from + FARTHEST)
  for (let at = from; at < end;) {
    const bytes = await window.from(at, 64 * 1024)
    // Two successors of a frame that begins before `behind` are in these bytes, or the file ends with them.
    const isEnd = at + bytes.length >= window.size
    const behind = Math.min(end - at, bytes.length - (isEnd ? format.headerBytes - 1 : REACH))
    for (let offset = bytes.indexOf(sync); offset >= 0 && offset < behind; offset = bytes.indexOf(sync, offset + 1)) {
      const found = format.parse(bytes, offset)
      if (!found || (kind ?? found.kind) !== found.kind || !isFollowed(bytes, format, offset)) continue
      window.noteGarbage(offset)
      return { ...found, at: at + offset }
    }
    if (behind <= 0) return null
    window.noteGarbage(behind)
    at += behind
  }
  return null
}

/** Whether two frames of its kind follow the one at a place of some bytes, or these end before. */
function isFollowed(bytes: Buffer, format: FrameFormat, at: number): boolean {
  const first = format.parse(bytes, at)!
  let next = at + first.length
  for (let count = 0; count < 2 && next + format.headerBytes <= bytes.length; count++) {
    const found = format.parse(bytes, next)
    if (found?.kind !== first.kind) return false
    next += found.length
  }
  return true
}

/**
 * Visits the frames of a stream from a place on, past garbage between them, until `visit` returns false or there are no
 * more. Reads headers only, but all of them: nothing else shows where a second is.
 */
export async function walkFrames(
  window: Window,
  format: FrameFormat,
  first: { at: number; kind: number },
  visit: (frame: Frame, bytes: Buffer, offset: number) => boolean,
) {
  let { at } = first
  for (;;) {
    const bytes = await window.from(at, 4096)
    let offset = 0
    while (offset + 4096 <= bytes.length || at + bytes.length >= window.size) {
      if (offset + format.headerBytes > bytes.length) break
      const found = format.parse(bytes, offset)
      if (!found || found.kind !== first.kind) break
      if (at + offset + found.length > window.size) return
      if (!visit({ at: at + offset, length: found.length, samples: found.samples }, bytes, offset)) return
      offset += found.length
    }
    if (offset > 0) {
      at += offset
      continue
    }
    const next = await findFrame(window, format, at + 1, first.kind)
    if (!next) return
    at = next.at
  }
}
