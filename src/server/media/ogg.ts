import type { FileHandle } from 'node:fs/promises'
import { piece } from './bounded-file'

const HEAD = 16 * 1024
const TAIL = 128 * 1024
const PAGE_HEADER = 27
const CAPTURE = Buffer.from('OggS')

type Clock = { serial: number; perSecond: number; skipped: number }

/**
 * The seconds of an Ogg file: the position of its last page in the stream of sound, at the rate that the first page of
 * that stream announces. The pages between are not read. https://www.rfc-editor.org/rfc/rfc3533
 */
export async function oggDuration(file: FileHandle, size: number): Promise<number | null> {
  const clock = clockIn(await piece(file, 0, HEAD))
  if (!clock) return null
  const tail = await piece(file, Math.max(0, size - TAIL), TAIL)
  for (let at = tail.lastIndexOf(CAPTURE); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(CAPTURE, at - 1)) {
    if (at + PAGE_HEADER > tail.length || tail.readUInt32LE(at + 14) !== clock.serial) continue
    const position = tail.readBigInt64LE(at + 6)
    if (position > 0n) return (Number(position) - clock.skipped) / clock.perSecond
  }
  return null
}

/** The first stream of sound among the pages that a file begins with. */
function clockIn(head: Buffer): Clock | null {
  for (let at = 0; at + PAGE_HEADER < head.length && head.subarray(at, at + 4).equals(CAPTURE);) {
    const segments = head[at + 26]!
    const body = at + PAGE_HEADER + segments
    const length = head.subarray(at + PAGE_HEADER, body).reduce((sum, segment) => sum + segment, 0)
    const rate = rateOf(head.subarray(body, body + length))
    if (rate && rate.perSecond > 0) return { serial: head.readUInt32LE(at + 14), ...rate }
    at = body + length
  }
  return null
}

/** The rate in a codec's first packet. Opus always counts 48,000 a second, and skips samples at its start. */
function rateOf(packet: Buffer): Omit<Clock, 'serial'> | null {
  const begins = (text: string, at = 0) => packet.toString('latin1', at, at + text.length) === text
  if (begins('OpusHead') && packet.length >= 19) return { perSecond: 48_000, skipped: packet.readUInt16LE(10) }
  if (begins('\x01vorbis') && packet.length >= 16) return { perSecond: packet.readUInt32LE(12), skipped: 0 }
  if (begins('Speex   ') && packet.length >= 40) return { perSecond: packet.readUInt32LE(36), skipped: 0 }
  // The header of FLAC lies behind nine bytes of its mapping, its rate in twenty bits of it.
  if (begins('\x7fFLAC') && packet.length >= 31) return { perSecond: packet.readUIntBE(27, 3) >> 4, skipped: 0 }
  return null
}
