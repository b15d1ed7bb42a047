import type { FileHandle } from 'node:fs/promises'
import { piece } from './readable'

// ISO/IEC 13818-1: packets of 188 bytes, in some files with a time before or a checksum after them.
const SYNC = 0x47
const PACKET = 188
const layouts = [
  { step: 188, offset: 0 },
  { step: 192, offset: 4 },
  { step: 204, offset: 0 },
]
/** Bytes that are read at the beginning and at the end: a stream states its time at least every 0.7 seconds. */
const SPAN = 2 * 1024 * 1024
const PER_SECOND = 90_000
/** Times have 33 bits. */
const WRAP = 2 ** 33

type Seen = { first: number; last: number; before: number; isVideo: boolean }

/** Reads the length of a transport stream: from the first time in it to the last. */
export async function readTransportStream(
  file: FileHandle,
  size: number,
): Promise<{ seconds: number | null; hasVideo: boolean | null }> {
  const head = await piece(file, 0, SPAN)
  const layout = layouts.find(({ step, offset }) =>
    [0, 1, 2].every(count => offset + count * step >= head.length || head[offset + count * step] === SYNC),
  )
  if (!layout) return { seconds: null, hasVideo: null }
  const tailAt = Math.max(0, size - SPAN)
  const aligned = tailAt - (tailAt % layout.step)
  const begin = timesIn(head, layout)
  const end = timesIn(await piece(file, aligned, size - aligned), layout)
  let seconds: number | null = null
  for (const [id, { first }] of begin) {
    const { last, before } = end.get(id) ?? { last: first, before: first }
    // The last packet lasts about as long as the one before it.
    const lasted = (last - first + WRAP) % WRAP
    const length = (lasted + ((last - before + WRAP) % WRAP)) / PER_SECOND
    if (length < MAX_LENGTH && length > (seconds ?? 0)) seconds = length
  }
  const kinds = [...begin.values()]
  return { seconds, hasVideo: kinds.length === 0 ? null : kinds.some(({ isVideo }) => isVideo) }
}

const MAX_LENGTH = 26 * 3600

/** The times of the streams of sound and pictures, by the numbers of their packets. */
function timesIn(bytes: Buffer, { step, offset }: (typeof layouts)[number]): Map<number, Seen> {
  const seen = new Map<number, Seen>()
  for (let at = offset; at + PACKET <= bytes.length; at += step) {
    const packet = bytes.subarray(at, at + PACKET)
    const isStart = (packet[1]! & 0x40) !== 0
    if (packet[0] !== SYNC || !isStart || !(packet[3]! & 0x10)) continue
    const found = timeIn(packet.subarray(packet[3]! & 0x20 ? 5 + packet[4]! : 4))
    if (!found) continue
    const id = packet.readUInt16BE(1) & 0x1fff
    const known = seen.get(id)
    if (known) Object.assign(known, { before: known.last, last: found.time })
    else seen.set(id, { first: found.time, last: found.time, before: found.time, isVideo: found.isVideo })
  }
  return seen
}

/** The time at the beginning of a packetised stream of sound or pictures. */
function timeIn(bytes: Buffer): { time: number; isVideo: boolean } | null {
  if (bytes.length < 14 || bytes.readUIntBE(0, 3) !== 1) return null
  const kind = bytes[3]!
  const isVideo = (kind & 0xf0) === 0xe0
  const isSound = (kind & 0xe0) === 0xc0 || kind === 0xbd || kind === 0xfd
  if ((!isVideo && !isSound) || !(bytes[7]! & 0x80)) return null
  const high = (bytes[9]! >> 1) & 7
  return { time: high * 2 ** 30 + ((bytes.readUInt16BE(10) >> 1) << 15) + (bytes.readUInt16BE(12) >> 1), isVideo }
}
