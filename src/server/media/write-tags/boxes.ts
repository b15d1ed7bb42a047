import { piece, type Readable } from '../readable'
import { Refused } from './tags'

/** A box of an MP4 (ISO/IEC 14496-12): from its header to the byte after it; its content begins at `body`. */
export type Box = { type: string; from: number; body: number; to: number; form: 'short' | 'long' | 'open' }

/** Reads boxes of a file, no more than `left` of them; `ahead` holds what was read last. */
export type BoxReader = { file: Readable; left: number; size: number; ahead: { at: number; bytes: Buffer } }

const HEADER = 16
/** The items of a list are short and follow each other: one read suffices for many. */
const READ_AHEAD = 4096

export const createBoxReader = (file: Readable, size: number, most: number): BoxReader => ({
  file,
  size,
  left: most,
  ahead: { at: 0, bytes: Buffer.alloc(0) },
})

/** The boxes between two bytes. Up to seven bytes after the last belong to no box. Throws `Refused`. */
export async function boxesIn(reader: BoxReader, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = []
  for (let at = from; to - at >= 8;) {
    const box = await readBox(reader, at, to)
    // Only a box that isn't in another one may leave its length open.
    if (box.form === 'open' && from > 0) throw new Refused('malformed')
    boxes.push(box)
    at = box.to
  }
  return boxes
}

/** The boxes within a box. */
export const boxesOf = (reader: BoxReader, { body, to }: Box) => boxesIn(reader, body, to)

/** The boxes at the end of a path of names, in all boxes of these names. */
export async function boxesAt(reader: BoxReader, box: Box, [name, ...rest]: readonly string[]): Promise<Box[]> {
  if (name === undefined) return boxesOf(reader, box)
  const found: Box[] = []
  for (const inner of await boxesOf(reader, box))
    if (inner.type === name) found.push(...(await boxesAt(reader, inner, rest)))
  return found
}

async function readBox(reader: BoxReader, at: number, to: number): Promise<Box> {
  if (--reader.left < 0) throw new Refused('too-large')
  const bytes = await readHeader(reader, at)
  if (bytes.length < 8) throw new Refused('malformed')
  const type = bytes.toString('latin1', 4, 8)
  const [length, head, form] = lengthOf(bytes, reader.size - at)
  if (length < head || length > to - at) throw new Refused('malformed')
  return { type, from: at, body: at + head, to: at + length, form }
}

async function readHeader(reader: BoxReader, at: number): Promise<Buffer> {
  const { ahead } = reader
  const isAhead = at >= ahead.at && at + HEADER <= ahead.at + ahead.bytes.length
  if (!isAhead) reader.ahead = { at, bytes: await piece(reader.file, at, READ_AHEAD) }
  return reader.ahead.bytes.subarray(at - reader.ahead.at).subarray(0, HEADER)
}

/** The length of a box, that of its header, and how it is written. */
function lengthOf(bytes: Buffer, untilEnd: number): [number, number, Box['form']] {
  const short = bytes.readUInt32BE(0)
  if (short === 0) return [untilEnd, 8, 'open']
  if (short !== 1) return [short, 8, 'short']
  if (bytes.length < 16) throw new Refused('malformed')
  return [Number(bytes.readBigUInt64BE(8)), 16, 'long']
}

/** Bytes that replace a range of the file; an empty range inserts them. */
export type Patch = { from: number; to: number; bytes: Uint8Array }

/** The size of a box that grew, in the form that it is written in. Throws `Refused`. */
export function resized({ from, to, form }: Box, growth: number): Patch[] {
  if (form === 'open') return []
  const length = to - from + growth
  if (form === 'short' && length > 0xffffffff) throw new Refused('too-large')
  const bytes = Buffer.alloc(form === 'short' ? 4 : 8)
  const at = form === 'short' ? from : from + 8
  if (form === 'short') bytes.writeUInt32BE(length)
  else bytes.writeBigUInt64BE(BigInt(length))
  return [{ from: at, to: at + bytes.length, bytes }]
}

export function writeBox(type: string, ...inside: Uint8Array[]): Buffer {
  const body = Buffer.concat(inside)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}
