import { box } from './tagged-media'

// Sound whose pitch tells the second: every file here has one tone per second, taken in turn from `pitches`. The frames
// are written bit by bit, with one spectral line each, so that no encoder is needed.

export const RATE = 44_100
/** Spectral lines of the tones in an MP3, of 576, and in AAC, of 1024. Both are at about the same pitch. */
const mp3Lines = [13, 29, 45]
const aacLines = [23, 51, 79]
/** Hertz, in turn. */
export const pitches = mp3Lines.map(line => ((line + 0.5) * RATE) / 2 / 576)

const toneAt = (frame: number, samples: number) => Math.floor((frame * samples) / RATE) % pitches.length

function createBits() {
  let bits = ''
  return {
    put(value: number, count: number) {
      bits += value.toString(2).padStart(count, '0')
    },
    length: () => bits.length,
    bytes: () => Buffer.from(bits.match(/.{1,8}/g)?.map(byte => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? []),
  }
}

const bitRates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const SIDE = 17
const GAIN = 200

/** Parts of an MP3 that differ from the plainest one. */
type Mp3 = {
  /** Indexes of the bit rates that the frames have in turn. */
  rates?: readonly number[]
  /** Bytes before each frame at which its sound begins; it lies within those before it. */
  back?: number
  /** Whether each frame has a check sum. */
  hasCheck?: boolean
}

/** An MP3 of a length in seconds, in one channel, 44.1 kHz. */
export function toneMp3(seconds: number, { rates = [5], back = 0, hasCheck = false }: Mp3 = {}): Buffer {
  const count = Math.ceil((seconds * RATE) / 1152)
  const head = hasCheck ? 6 : 4
  const lengths = Array.from({ length: count }, (_, frame) =>
    Math.floor((144_000 * bitRates[rates[frame % rates.length]!]!) / RATE),
  )
  // The bytes behind headers and side information make up one stream, in which each frame's sound has its place.
  const room = lengths.map(length => length - head - SIDE)
  const starts: number[] = []
  let total = 0
  for (const bytes of room) {
    starts.push(total)
    total += bytes
  }
  const stream = Buffer.alloc(total)
  const frames = lengths.map((length, frame) => {
    const tone = toneAt(frame, 1152)
    const isSilent = starts[frame]! < back
    const sound = isSilent ? null : granules(mp3Lines[tone]!)
    sound?.bytes.copy(stream, starts[frame]! - back)
    const header = Buffer.alloc(head)
    header.set([0xff, hasCheck ? 0xfa : 0xfb, rates[frame % rates.length]! << 4, 0xc4])
    const side = sideInfo(sound, isSilent ? 0 : back)
    if (hasCheck) header.writeUInt16BE(checkOf(header, side), 4)
    return { length, bytes: Buffer.concat([header, side]) }
  })
  return Buffer.concat(
    frames.flatMap(({ bytes }, frame) => [bytes, stream.subarray(starts[frame]!, starts[frame]! + room[frame]!)]),
  )
}

/** Both granules of a frame: pairs of zeros up to the line, and one pair with it. */
function granules(line: number) {
  const pairs = Math.floor(line / 2) + 1
  const bits = createBits()
  for (let granule = 0; granule < 2; granule++) {
    for (let pair = 0; pair < pairs - 1; pair++) bits.put(1, 1)
    // Table 1: the second of the two values is 1, and positive.
    bits.put(0b001_0, 4)
  }
  return { pairs, bits: bits.length() / 2, bytes: bits.bytes() }
}

function sideInfo(sound: ReturnType<typeof granules> | null, back: number): Buffer {
  const side = createBits()
  side.put(back, 9)
  side.put(0, 5 + 4)
  for (let granule = 0; granule < 2; granule++) {
    side.put(sound?.bits ?? 0, 12)
    side.put(sound?.pairs ?? 0, 9)
    side.put(sound ? GAIN : 0, 8)
    // No scale factors, no window switching, table 1 in all regions.
    side.put(0, 4 + 1)
    for (let region = 0; region < 3; region++) side.put(sound ? 1 : 0, 5)
    side.put(0, 4 + 3 + 3)
  }
  return side.bytes()
}

/** The check sum of a frame: CRC-16 over the end of its header and its side information. */
function checkOf(header: Buffer, side: Buffer): number {
  let sum = 0xffff
  for (const byte of [header[2]!, header[3]!, ...side])
    for (let bit = 7; bit >= 0; bit--) {
      const isOdd = (sum >> 15) ^ ((byte >> bit) & 1)
      sum = ((sum << 1) & 0xffff) ^ (isOdd ? 0x8005 : 0)
    }
  return sum
}

const BANDS = 17
const QUADS = 24

/** Frames of AAC in one channel, 44.1 kHz: each a raw block without any header. */
export const aacBlocks = (seconds: number): Buffer[] =>
  Array.from({ length: Math.ceil((seconds * RATE) / 1024) }, (_, frame) => aacBlock(aacLines[toneAt(frame, 1024)]!))

function aacBlock(line: number): Buffer {
  const bits = createBits()
  // One channel, a long window, all bands in one section of codebook 1, one scale factor.
  bits.put(0, 3 + 4)
  bits.put(200, 8)
  bits.put(0, 1 + 2 + 1)
  bits.put(BANDS, 6)
  bits.put(0, 1)
  bits.put(1, 4)
  bits.put(BANDS, 5)
  bits.put(0, BANDS)
  bits.put(0, 1 + 1 + 1)
  for (let quad = 0; quad < QUADS; quad++) {
    // Four zeros, or three and a one.
    if (quad === Math.floor(line / 4)) bits.put(0x14, 5)
    else bits.put(0, 1)
  }
  bits.put(7, 3)
  return bits.bytes()
}

/** The same as a bare stream, each block with a header. */
export const toneAdts = (seconds: number): Buffer =>
  Buffer.concat(
    aacBlocks(seconds).flatMap(block => {
      const length = block.length + 7
      return [Buffer.from([0xff, 0xf1, 0x50, 0x40, length >> 3, ((length & 7) << 5) | 0x1f, 0xfc]), block]
    }),
  )

const u32 = (...values: number[]) => table(values)
const table = (values: readonly number[]) => {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index))
  return bytes
}

type M4a = {
  inChunk?: number
  soundLast?: boolean
  wide?: boolean
  /** A table of chunks in place of the right one, and how many places the table of places has. */
  chunking?: Buffer
  places?: number
  /** Other samples than tones, and how many units of time each lasts. */
  blocks?: Buffer[]
  units?: number
}

/** The same in an MP4, some blocks in each chunk. `soundLast`: its tables stand before the sound. */
export function toneM4a(seconds: number, options: M4a = {}): Buffer {
  const { inChunk = 10, soundLast = false, wide = false } = options
  const blocks = options.blocks ?? aacBlocks(seconds)
  const chunks = Array.from({ length: Math.ceil(blocks.length / inChunk) }, (_, index) =>
    Buffer.concat(blocks.slice(index * inChunk, (index + 1) * inChunk)),
  )
  const ftyp = box('ftyp', Buffer.from('M4A \0\0\0\0M4A mp42isom'))
  const movie = (soundAt: number) => {
    let at = soundAt
    const places = chunks.map(chunk => {
      const place = at
      at += chunk.length
      return place
    })
    while (places.length < (options.places ?? 0)) places.push(0)
    const last = blocks.length % inChunk || inChunk
    const offsets = wide
      ? box('co64', u32(0, places.length), table(places.flatMap(at => [0, at])))
      : box('stco', u32(0, places.length), table(places))
    const chunking =
      last === inChunk || chunks.length === 1
        ? u32(0, 1, 1, last === inChunk ? inChunk : last, 1)
        : u32(0, 2, 1, inChunk, 1, chunks.length, last, 1)
    const stbl = box(
      'stbl',
      box('stsd', u32(0, 1), sampleEntry()),
      box('stts', u32(0, 1, blocks.length, options.units ?? 1024)),
      box('stsc', options.chunking ?? chunking),
      box('stsz', u32(0, 0, blocks.length), table(blocks.map(({ length }) => length))),
      offsets,
    )
    const duration = blocks.length * 1024
    const minf = box('minf', box('smhd', u32(0, 0)), box('dinf', box('dref', u32(0, 1), box('url ', u32(1)))), stbl)
    const mdia = box(
      'mdia',
      box('mdhd', u32(0, 0, 0, RATE, duration), Buffer.from([0x55, 0xc4, 0, 0])),
      box('hdlr', u32(0, 0), Buffer.from('soun'), Buffer.alloc(13)),
      minf,
    )
    const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
    const tkhd = box('tkhd', u32(7, 0, 0, 1, 0, duration, 0, 0, 0, 0x1000000), matrix, u32(0, 0))
    const mvhd = box('mvhd', u32(0, 0, 0, RATE, duration, 0x10000, 0x1000000, 0, 0), matrix, Buffer.alloc(24), u32(2))
    return box('moov', mvhd, box('trak', tkhd, mdia))
  }
  const sound = box('mdat', Buffer.concat(chunks))
  if (!soundLast) return Buffer.concat([ftyp, sound, movie(ftyp.length + 8)])
  return Buffer.concat([ftyp, movie(ftyp.length + movie(0).length + 8), sound])
}

function sampleEntry(): Buffer {
  // AAC-LC, 44.1 kHz, one channel.
  const specific = Buffer.from([5, 2, 0x12, 0x08])
  const decoder = Buffer.concat([Buffer.from([4, 13 + specific.length, 0x40, 0x15, 0, 0, 0]), u32(0, 64_000), specific])
  const stream = Buffer.concat([Buffer.from([3, 3 + decoder.length + 3, 0, 1, 0]), decoder, Buffer.from([6, 1, 2])])
  const entry = Buffer.concat([
    u32(0),
    Buffer.from([0, 0, 0, 1]),
    u32(0, 0),
    Buffer.from([0, 1, 0, 16, 0, 0, 0, 0, 0xac, 0x44, 0, 0]),
  ])
  return box('mp4a', entry, box('esds', u32(0), stream))
}
