import { TooLarge } from './bounded-file'
import { piece, type Readable } from './readable'
import type { MediaLimits } from './limits'

// ID3v2, https://id3.org/id3v2.3.0 and https://id3.org/id3v2.4.0-structure
const HEADER = 10

/** `flags` has two bytes, in version 2 none. */
export type Frame = { id: string; flags: Buffer; body: Buffer }
type Header = { version: number; flags: number; size: number; length: number }
/** `isWhole`: every byte was understood, so that the tag can be rewritten. */
export type Tag = Header & { frames: Frame[]; isWhole: boolean }
type Bounds = Pick<MediaLimits, 'tagBytes' | 'frames'>

/** Reads the header of a tag at this byte; null if none begins. `length` includes the header and a footer. */
export async function readHeader(file: Readable, at: number): Promise<Header | null> {
  const bytes = await piece(file, at, HEADER)
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 3) !== 'ID3') return null
  const flags = bytes[5]!
  const size = synchsafe(bytes, 6)
  return { version: bytes[3]!, flags, size, length: HEADER + size + (flags & 0x10 ? HEADER : 0) }
}

const MAX_JUNK = 4096

/** The byte at which a tag begins, past the line breaks or the zeros that some hosts put in front; null without one. */
export async function findTag(file: Readable, from: number): Promise<number | null> {
  const bytes = await piece(file, from, MAX_JUNK)
  // Sound that begins here is not searched: it may contain anything.
  if (bytes[0] === 0xff) return null
  const found = /ID3[\x02-\x04].[^][\0-\x7f]{4}/.exec(bytes.toString('latin1'))
  return found && from + found.index
}

/** Reads a tag and its frames. Throws `TooLarge`. */
export async function readTag(file: Readable, at: number, header: Header, bounds: Bounds): Promise<Tag> {
  const { version, flags, size } = header
  if (size > bounds.tagBytes) throw new TooLarge(`The tag has ${size} bytes`)
  // In the oldest version, this flag means a compression that was never defined.
  if (version < 2 || version > 4 || (version === 2 && flags & 0x40)) return { ...header, frames: [], isWhole: false }
  const stored = await piece(file, at + HEADER, size)
  const bytes = version < 4 && flags & 0x80 ? withoutStuffing(stored) : stored
  const begin = flags & 0x40 ? extendedLength(bytes, version) : 0
  const walk = createWalk(version, bounds.frames)
  const frames = [...walk.framesOf(bytes.subarray(begin))]
  return { ...header, frames, isWhole: stored.length === size && begin <= bytes.length && !walk.isBroken() }
}

export type Walk = ReturnType<typeof createWalk>

/** Walks through frames and the frames within them, no more than `most` in all. */
export function createWalk(version: number, most: number) {
  let left = most
  let isBroken = false
  const [name, header] = version === 2 ? [3, 6] : [4, HEADER]
  return {
    /** Yields frames until padding, or until the bytes are no frame. Throws `TooLarge`. */
    *framesOf(bytes: Buffer): Generator<Frame> {
      let at = 0
      while (at + header <= bytes.length && bytes[at] !== 0) {
        const id = bytes.toString('latin1', at, at + name)
        const begin = at + header
        const end = begin + lengthAt(bytes, at + name, version)
        isBroken ||= !/^[A-Z0-9]+$/.test(id) || end > bytes.length
        if (isBroken) return
        if (--left < 0) throw new TooLarge(`The tag has more than ${most} frames`)
        yield { id, flags: bytes.subarray(at + 2 * name, begin), body: bytes.subarray(begin, end) }
        at = end
      }
      // Some programs write lengths in the way of another version: then what follows isn't padding.
      isBroken ||= bytes.subarray(at).some(byte => byte !== 0)
    },
    isBroken: () => isBroken,
  }
}

/** The content of a frame after its flags are applied; null when it is compressed or encrypted. */
export function contentOf({ flags, body }: Frame, version: number): Buffer | null {
  const format = flags[1] ?? 0
  if (format & (version === 4 ? 0x0c : 0xc0)) return null
  if (version !== 4) return body
  const plain = format & 0x02 ? withoutStuffing(body) : body
  return format & 0x01 ? plain.subarray(4) : plain
}

/** Undoes unsynchronisation, which puts a zero behind each byte of ones so that no decoder takes it for sound. */
function withoutStuffing(bytes: Buffer): Buffer {
  const plain = Buffer.alloc(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    plain[length++] = bytes[at]!
    if (bytes[at] === 0xff && bytes[at + 1] === 0) at++
  }
  return plain.subarray(0, length)
}

const extendedLength = (bytes: Buffer, version: number) =>
  bytes.length < 4 ? 0 : version === 4 ? synchsafe(bytes, 0) : 4 + bytes.readUInt32BE(0)

function lengthAt(bytes: Buffer, at: number, version: number): number {
  if (version === 2) return bytes.readUIntBE(at, 3)
  return version === 4 ? synchsafe(bytes, at) : bytes.readUInt32BE(at)
}

/** Reads a number from the low seven bits of four bytes. */
const synchsafe = (bytes: Buffer, at: number) =>
  (bytes[at]! << 21) | (bytes[at + 1]! << 14) | (bytes[at + 2]! << 7) | bytes[at + 3]!

export function writeSynchsafe(bytes: Buffer, at: number, value: number) {
  for (let place = 0; place < 4; place++) bytes[at + place] = (value >>> (21 - 7 * place)) & 127
}

const decoders: Record<number, string> = { 0: 'latin1', 1: 'utf-16', 2: 'utf-16be', 3: 'utf-8' }
const MAX_TEXT = 4096

/** Decodes the first text of a frame whose first byte names the encoding. */
export function decodeText(body: Buffer): string {
  const encoding = decoders[body[0] ?? 0] ?? 'latin1'
  const isBigEndian = body[1] === 0xfe && body[2] === 0xff
  const decoder = new TextDecoder(encoding === 'utf-16' && isBigEndian ? 'utf-16be' : encoding)
  return decoder
    .decode(body.subarray(1, 1 + MAX_TEXT))
    .replace(/^\uFEFF/, '')
    .split('\0')[0]!
    .trim()
}
