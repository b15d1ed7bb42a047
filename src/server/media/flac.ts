import type { FileHandle } from 'node:fs/promises'
import { piece } from './pieces'
import { readChapterComments, type ByteSource, type Comments } from './chapter-comments'
import { readHeader } from './id3'
import type { MediaLimits } from './limits'

const STREAM_INFO = 0
const COMMENTS = 4
const MOST_BLOCKS = 1000
const AHEAD = 64 * 1024

/** Reads the length and the chapters of a FLAC, past the blocks between. https://www.rfc-editor.org/rfc/rfc9639 */
export async function readFlac(file: FileHandle, limits: MediaLimits): Promise<Comments & { seconds: number | null }> {
  const begin = (await readHeader(file, 0))?.length ?? 0
  let found: Comments = { chapters: [], isOver: false }
  let seconds: number | null = null
  let at = begin + 4
  for (let count = 0; count < MOST_BLOCKS; count++) {
    const header = await piece(file, at, 4)
    if (header.length < 4) break
    const kind = header[0]! & 0x7f
    const length = header.readUIntBE(1, 3)
    if (kind === STREAM_INFO) seconds = secondsIn(await piece(file, at + 4, 18))
    if (kind === COMMENTS) found = await readChapterComments(bytesOf(file, at + 4, length), limits)
    at += 4 + length
    if (header[0]! & 0x80 || found.chapters.length > 0) break
  }
  return { ...found, seconds }
}

/** The samples in 36 bits, at the rate in the twenty before them; unknown where an encoder could not go back. */
export function secondsIn(info: Buffer): number | null {
  if (info.length < 18) return null
  const rate = info.readUIntBE(10, 3) >> 4
  const samples = (info[13]! & 15) * 2 ** 32 + info.readUInt32BE(14)
  return rate > 0 && samples > 0 ? samples / rate : null
}

/** The bytes of a part of a file. */
export function bytesOf(file: FileHandle, from: number, length: number): ByteSource {
  const end = from + length
  let at = from
  let held: { at: number; bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) }
  return {
    async read(wanted) {
      const to = Math.min(end, at + wanted)
      if (at < held.at || to > held.at + held.bytes.length)
        held = { at, bytes: await piece(file, at, Math.min(end - at, Math.max(AHEAD, to - at))) }
      const bytes = held.bytes.subarray(at - held.at, to - held.at)
      at += bytes.length
      return bytes
    },
    async skip(wanted) {
      at = Math.min(end, at + wanted)
    },
  }
}
