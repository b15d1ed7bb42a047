import { silentMp3 } from './builders'

// ID3v2 in its three versions: https://id3.org/id3v2-00, https://id3.org/id3v2.3.0, https://id3.org/id3v2.4.0-structure

const latin = (text: string) => Buffer.from(text, 'latin1')
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}
const synchsafe = (value: number) => Buffer.from([21, 14, 7, 0].map(shift => (value >>> shift) & 127))

/** Puts a zero behind each byte of ones. */
export const stuffed = (bytes: Buffer) => Buffer.from([...bytes].flatMap(byte => (byte === 0xff ? [byte, 0] : [byte])))

export const latinText = (text: string) => latin(`\0${text}`)

export function id3Frame(version: number, id: string, body: Buffer, format = 0): Buffer {
  if (version === 2) return Buffer.concat([latin(id), u32(body.length).subarray(1), body])
  const length = version === 4 ? synchsafe(body.length) : u32(body.length)
  return Buffer.concat([latin(id), length, Buffer.from([0, format]), body])
}

/** A whole tag; one with a footer ends with a copy of its header. */
export function id3Tag(version: number, frames: Buffer, flags = 0): Buffer {
  const rest = Buffer.concat([Buffer.from([version, 0, flags]), synchsafe(frames.length)])
  const footer = flags & 0x10 ? Buffer.concat([latin('3DI'), rest]) : Buffer.alloc(0)
  return Buffer.concat([latin('ID3'), rest, frames, footer])
}

/** The tag at the end of an MP3, as it was before there were others. */
export const id3v1 = Buffer.concat([latin('TAG'), Buffer.alloc(124, 0x20), Buffer.from([12])])

export const sound = Buffer.from(silentMp3(3))

// ISO base media file format: a box is its length, its name and what is in it.
export function box(name: string, ...inside: Uint8Array[]): Buffer {
  const body = Buffer.concat(inside)
  return Buffer.concat([u32(8 + body.length), latin(name), body])
}

/** A box whose length has eight bytes. */
export function longBox(name: string, ...inside: Uint8Array[]): Buffer {
  const body = Buffer.concat(inside)
  return Buffer.concat([u32(1), latin(name), u64(16 + body.length), body])
}

/** A box that goes to the end of the file. */
export const openBox = (name: string, ...inside: Uint8Array[]) => Buffer.concat([u32(0), latin(name), ...inside])

export const item = (name: string, type: number, bytes: Uint8Array) => box(name, box('data', u32(type), u32(0), bytes))

const handler = (kind: string) => box('hdlr', Buffer.alloc(8), latin(kind), Buffer.alloc(13))
export const meta = (kind: string, ...inside: Uint8Array[]) => box('meta', u32(0), handler(kind), ...inside)
/** A `meta` as QuickTime writes it, without version and flags. */
export const plainMeta = (...inside: Uint8Array[]) => box('meta', handler('mdir'), ...inside)

const CHUNK = 100
const CHUNKS = 5
/** Sound in chunks that all differ. */
export const chunks = Array.from({ length: CHUNKS }, (_, index) => Buffer.alloc(CHUNK, 65 + index))

type Mp4 = {
  /** The boxes in the movie besides its header and its track. */
  inMovie?: Uint8Array[]
  isSoundFirst?: boolean
  width?: 4 | 8
  wrapMovie?: (...inside: Uint8Array[]) => Buffer
  wrapSound?: (...inside: Uint8Array[]) => Buffer
  behind?: Uint8Array[]
}

/** An M4A whose table of places leads to its `chunks`. */
export function m4a(parts: Mp4 = {}): Buffer {
  const { inMovie = [], isSoundFirst = false, width = 4, behind = [] } = parts
  const { wrapMovie = (...inside) => box('moov', ...inside), wrapSound = (...inside) => box('mdat', ...inside) } = parts
  const start = box('ftyp', latin('M4A '), u32(0), latin('M4A mp42'))
  const media = wrapSound(...chunks)
  const movieAt = (soundAt: number) => wrapMovie(movieHeader, track(soundAt, width), ...inMovie)
  const head = media.length - CHUNKS * CHUNK
  const soundAt = start.length + head + (isSoundFirst ? 0 : movieAt(0).length)
  const movie = movieAt(soundAt)
  return Buffer.concat([start, ...(isSoundFirst ? [media, movie] : [movie, media]), ...behind])
}

const movieHeader = box('mvhd', Buffer.alloc(12), u32(1000), u32(3000), Buffer.alloc(80))

function track(soundAt: number, width: 4 | 8): Buffer {
  const places = chunks.map((_, index) => (width === 4 ? u32 : u64)(soundAt + index * CHUNK))
  return box(
    'trak',
    box('tkhd', Buffer.alloc(84)),
    box(
      'mdia',
      box('mdhd', Buffer.alloc(12), u32(1000), u32(3000), Buffer.alloc(4)),
      handler('soun'),
      box('minf', box('stbl', box(width === 4 ? 'stco' : 'co64', u32(0), u32(CHUNKS), ...places))),
    ),
  )
}

/** The bytes that the table of places of an M4A leads to. */
export function chunksOf(file: Buffer): Buffer[] {
  const short = file.indexOf('stco')
  const at = short === -1 ? file.indexOf('co64') : short
  const width = short === -1 ? 8 : 4
  return Array.from({ length: file.readUInt32BE(at + 8) }, (_, index) => {
    const entry = at + 12 + index * width
    const place = width === 4 ? file.readUInt32BE(entry) : Number(file.readBigUInt64BE(entry))
    return file.subarray(place, place + CHUNK)
  })
}

/** Names of the boxes of a file, one after the other. */
export function boxNames(file: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at + 8 <= file.length;) {
    const length = file.readUInt32BE(at)
    names.push(file.toString('latin1', at + 4, at + 8))
    at += length === 1 ? Number(file.readBigUInt64BE(at + 8)) : length || file.length
  }
  return names
}
